#!/usr/bin/python3
# test-damage.py: HDF5 files with random damage: a message, or the right result, and never a crash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: tests/test-damage.py [DAMAGES]   (to each kind of file; 25 by default)
import hashlib
import os
import random
import re
import subprocess
import sys
import tempfile

from expect import check, finish, networks, program

damages = int(sys.argv[1]) if len(sys.argv) > 1 else 25
draw = random.Random(20261122)
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
HEAD = 512


def network(name):
    return os.path.join(networks, name + ".ini")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def ifbam(*words):
    try:
        return subprocess.run([program, *words], capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(words, "hangs", "", str(late))


def spoil(whole, first):
    """Returns a copy with one damage at or after a position: a bit, some bytes, a sector, a cut end, a lost part."""
    bad = bytearray(whole)
    place = draw.randrange(first, len(bad))
    # Data other than rows are at the beginning.
    if draw.random() < 0.5:
        place = draw.randrange(first, min(len(bad), first + 6000))
    kind = draw.choice(("bit", "bit", "bit", "bytes", "sector", "end", "loss"))
    if kind == "bit":
        bad[place] ^= 1 << draw.randrange(8)
    elif kind == "bytes":
        n = min(draw.randint(1, 40), len(bad) - place)
        bad[place:place + n] = draw.randbytes(n)
    elif kind == "sector":
        place -= (place - first) % 512
        bad[place:place + 512] = bytes(min(512, len(bad) - place))
    elif kind == "end":
        del bad[place:]
    else:
        del bad[place:place + draw.randint(1, 600)]
    return bytes(bad), "%s at %d of %d" % (kind, place, len(whole))


def seal(content):
    """With the checksum that its damage has."""
    head = content[:content.index(b"SHA-256 is ") + 11] + hashlib.sha256(content[HEAD:]).hexdigest().encode() + b"\n"
    return head.ljust(HEAD, b"\0") + content[HEAD:]


def try_all(what, path, commands, first=0, finish_file=lambda content: content, is_right=None, least=1 / 8):
    """Every damage gives a message that names the file; without a message the result is right."""
    whole = read(path)
    refused, wrong = 0, []
    for number in range(damages):
        bad, damage = spoil(whole, first)
        write(path, finish_file(bad))
        words = commands[number % len(commands)]
        said = ifbam(*words)
        fine = said.returncode in (1, 2) and re.search(r"^(ifbam: |%s: )" % re.escape(path), said.stderr, re.M) \
            or said.returncode == 1 and "not the same" in said.stdout \
            or said.returncode == 0 and (is_right is None or is_right(said))
        refused += said.returncode != 0
        if not fine:
            wrong.append((damage, words[0], said.returncode, said.stdout[-300:], said.stderr[-300:]))
            if os.environ.get("KEEP"):
                write(os.path.join(os.environ["KEEP"], "%s-%d" % (path, number)), finish_file(bad))
    write(path, whole)
    check(not wrong and refused > damages * least, "%s: %d damages, %d refused or told" % (what, damages, refused), wrong[:4])


# Results: reported equality is true.
for name, more in (("a result", ()), ("a compressed result", ("--compress",))):
    ifbam("run", network("collision"), "-o", "result.h5", *more)
    same = re.compile("the same to the last bit")
    try_all(name, "result.h5", (("rerun", "result.h5"),), is_right=lambda said: same.search(said.stdout))
    try_all(name + " as courses", "result.h5", (("spectrum", "result.h5"), ("plot", "course", "result.h5", "-o", "x.svg")))

# States: not a bit of another one is taken.
STATE = ("run", network("impact-oscillator"), "--duration", "1.1s", "--initial", "state.h5", "-o", "end.csv", "--events", "end.ev")
ifbam(*STATE[:3], "1s", "--final", "state.h5", "-o", "begin.csv")
ifbam(*STATE)
reference = read("end.csv"), read("end.ev")
try_all("a state", "state.h5", (STATE,), is_right=lambda said: (read("end.csv"), read("end.ev")) == reference)
try_all("a state that is sealed again", "state.h5", (STATE,), first=HEAD, finish_file=seal)

# Sweeps, to be made again, drawn and gone on with.
SWEEP = ("sweep", network("three-dof"), "--vary", "k1.stiffness=5kN/m:20kN/m:3", "--vary", "m2.mass=1kg,2kg", "--measure",
         "max:m3.position,frequencies", "--duration", "0.1s", "-o", "out.h5", "--threads", "1")
ifbam(*SWEEP)
os.replace("out.h5", "sweep.h5")
try_all("a sweep", "sweep.h5", (("rerun", "sweep.h5"), ("plot", "sweep", "sweep.h5", "-o", "x.svg", "--signal", "max:m3.position")))
ifbam(*SWEEP, "--checkpoint", "sweep.h5,1")
reference = read("out.h5")
try_all("a sweep to go on with", "sweep.h5", ((*SWEEP, "--resume", "sweep.h5"),), is_right=lambda said: read("out.h5") == reference)
try_all("one that is sealed again", "sweep.h5", ((*SWEEP, "--resume", "sweep.h5"),), first=HEAD, finish_file=seal)

# A result that a run goes on with.
RUN = ("run", network("impact-oscillator"), "--duration", "1s", "-o", "result.h5", "--checkpoint", "point.h5,2000")
ifbam(*RUN)
try_all("a result to go on with", "result.h5", ((*RUN, "--resume", "point.h5"),), least=1 / 50)

finish()
