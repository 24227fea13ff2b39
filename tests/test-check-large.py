#!/usr/bin/python3
# test-check-large.py: check of large composites counts their members, and compiles a sample of them
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import resource
import subprocess
import tempfile

from expect import check, finish, ifbam, program

work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def network(path, count, masses="1 kg", more="", settings="record = c.m7.position\n"):
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\nstep = 1 ms\nduration = 1 s\n%s[ground w]\n[chain c]\ncount = %d\nmass = %s\n"
                   "stiffness = 1 N/m, 2 N/m\nfrom = w\n%s" % (settings, count, masses, more))


def peak(path):
    """The most memory of a check [kB]."""
    process = subprocess.Popen([program, "check", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    said = process.stderr.read().decode()
    return usage.ru_maxrss if status == 0 else said


network("few.ini", 1000)
network("many.ini", 3000000)
few, many = peak("few.ini"), peak("many.ini")
if isinstance(many, str) and "memory" in many:
    print("ok - members are counted # skip: no memory for as many")
else:
    check(isinstance(few, int) and isinstance(many, int) and many < few + 60000, "3 million masses take no more memory than a sample", (few, many))

# A list that is longer than the window is the same network, compiled as a whole.
count = 40000
whole = ", ".join(["1 kg"] * 10001)
for what, more, settings in (
        ("a chain", "", "record = c.m7.position\n"),
        ("default signals", "", ""),
        ("signals of far members", "", "record = c.m39999.position, c.k30000.force, network.energy\n"),
        ("a pattern of signals", "", "record = c.m3*.position\n"),
        ("links, sources, members of their own", "k31234.stiffness = 9 N/m\nm20000.mass = 0.25 kg\n[force f]\non = c.m25000\nvalue = 1 N\n"
         "[gravity g]\non = c\n[spring s]\nstiffness = 50 N/m\nbetween = c.m35000, w\n[mass m]\nmass = 2 kg\n"
         "[spring t]\nstiffness = 3 N/m\nbetween = m, c.m15000\n", "record = c.m7.position\n"),
        ("dampers", "damping = 0.1 N s/m, 0.2 N s/m, 0.05 N s/m\n", "record = c.m7.position\n"),
        ("another scheme", "", "record = c.m7.position\nscheme = verlet\n")):
    network("sample.ini", count, "1 kg", more, settings)
    network("whole.ini", count, whole, more, settings)
    for words in ((), ("--json",), ("--scheme", "rk4"), ("--step", "0.9s", "--duration", "9s")):
        if what == "dampers" and "0.9s" in words:
            continue  # growth is an estimate there
        sample, other = ifbam("check", "sample.ini", *words), ifbam("check", "whole.ini", *words)
        check(sample.returncode == 0 and sample.stdout == other.stdout, "%s: a sample says what the whole does %s" % (what, " ".join(words)),
              sample.stdout + sample.stderr + other.stdout + other.stderr)
answer = json.loads(ifbam("check", "sample.ini", "--json").stdout)
check(answer["free_nodes"] == count and answer["links"] == count and answer["fastest_is_at_most"], "counts are those of the file", answer)
for more, reason in (("[force f]\non = c.m40001\nvalue = 1 N\n", "c.m40001"), ("m50000.mass = 1 kg\n", "m50000"),
                     ("[spring s]\nstiffness = 1 N/m\nbetween = c.m40001, w\n", "c.m40001")):
    network("wrong.ini", count, "1 kg", more)
    said = ifbam("check", "wrong.ini")
    network("whole.ini", count, whole, more)
    other = ifbam("check", "whole.ini")
    check(said.returncode == 1 and reason in said.stderr and said.stderr == other.stderr.replace("whole.ini", "wrong.ini"),
          "a wrong name is refused as in the whole: " + reason, said.stderr + other.stderr)
finish()
