#!/usr/bin/python3
# test-newcomer.py: typical mistakes of new users
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import expect
from expect import check, networks, program

folder = tempfile.mkdtemp(prefix="ifbam-test-")
os.chdir(folder)
two_dof = os.path.join(networks, "two-dof.ini")
shutil.copy(two_dof, "two-dof.ini")


def said(*words, **more):
    """Returns exit code and standard error."""
    made = subprocess.run([program, *words], capture_output=True, text=True, **more)
    return made.returncode, made.stderr.strip()


def says(what, words, code, text, **more):
    """Checks the exit code, and that a text is part of the message."""
    returned, message = said(*words, **more)
    check(returned == code and text in message and len(message.splitlines()) <= 4, what, (returned, message))


# ---- words

check(expect.ifbam("help", "run").stdout == expect.ifbam("run", "--help").stdout, "help COMMAND is COMMAND --help")
says("help of a misspelt command", ("help", "rnu"), 2, 'did you mean "run"')
for word in ("version", "-v", "-V"):
    says("%s: what is meant is named" % word, (word,), 2, 'did you mean "--version"')
says("a network without a command", ("two-dof.ini",), 2, '"run two-dof.ini"')
says("an option in capitals", ("run", "two-dof.ini", "--Step", "1ms"), 2, 'did you mean "--step"')
says("a misspelt option with a value", ("plot", "course", "two-dof.ini", "--titel=x"), 2, 'did you mean "--title"')
says("an option like no other", ("run", "--xyzzyxyzzy"), 2, "Unknown option --xyzzyxyzzy\n")
shutil.copy(two_dof, "-x.ini")
says("a file whose name begins like an option", ("check", "-x.ini"), 2, '"./-x.ini"')
says("the same behind --", ("check", "--", "-x.ini"), 0, "")
says("an option that is as near to two others", ("run", "two-dof.ini", "--setp", "1ms"), 2, '(did you mean "--step" or "--set"?)')
says("an option with a dash of typography", ("run", "two-dof.ini", "\u2013step", "1ms"), 2, "an option begins with two hyphens, --")
# Of every command, every option that its help shows: a letter too many.
missed = []
for command in sorted(set(re.findall(r"^  ifbam (\w+) ", expect.ifbam("--help").stdout, re.M))):
    for option in sorted(set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", expect.ifbam(command, "--help").stdout, re.M))):
        if '"%s"' % option not in said(command, option + "p")[1]:
            missed.append((command, option))
check(not missed, "every misspelt option of every command is told by its name", missed)
says("a range for a value of a sweep", ("sweep", "two-dof.ini", "--vary", "k1.stiffness=1000-20000"), 2, "--vary KEY=1000:20000:11")
says("a range without the number of points", ("sweep", "two-dof.ini", "--vary", "k1.stiffness=1000:20000"), 2, "want FROM:TO:N")
# Of friction's two forces one is enough.
SLIDE = """[network]
step = 1 ms
duration = 1 s
[ground wall]
[mass m]
mass = 1 kg
velocity = 3 m/s
[friction f]
%s
between = m, wall
"""
slid = [subprocess.run([program, "run", "-"], input=SLIDE % forces, capture_output=True, text=True)
        for forces in ("breakaway = 4 N", "coulomb = 4 N", "breakaway = 4 N\ncoulomb = 4 N", "viscous = 1 N s/m")]
check(len({one.stdout for one in slid[:3]}) == 1 and len(slid[0].stdout.splitlines()) == 1002,
      "friction of which breakaway, coulomb or both are given")
check(slid[3].returncode == 1 and "breakaway: is missing, and so is coulomb" in slid[3].stderr, "... or neither", slid[3].stderr)
says("a network without its suffix", ("check", "two-dof"), 1, 'did you mean "two-dof.ini"')

for words in (("run", "two-dof.ini", "--record", "M1.position"), ("check", "two-dof.ini", "--set", "M1.mass=1"),
              ("plot", "course", "two-dof.ini", "--signal", "M1.position"), ("sweep", "two-dof.ini", "--vary", "M1.mass=1,2"),
              ("response", "two-dof.ini", "--input", "force@M1")):
    says("%s: an element in capitals" % words[0], words, 2, 'did you mean "m1"')

# ---- files

for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
    with open("wide.ini", "w", encoding=encoding) as file, open(two_dof, encoding="utf-8") as whole:
        file.write(("" if encoding == "utf-16" else "\ufeff") + whole.read())
    says("a network saved as " + encoding, ("check", "wide.ini"), 1, "wide.ini:1: is text in UTF-16 (save the file in UTF-8)")
with open("old.ini", "w", encoding="latin-1") as file:
    file.write("# Schwingf\xe4hig\n[network]\n")
says("a network in an old encoding", ("check", "old.ini"), 1, "is not UTF-8 text")
with open("words.txt", "w", encoding="utf-8") as file:
    file.write("root:x:0:0:a secret:/root\nsecrets:x:1:1\n")
returned, message = said("check", "words.txt")
check(returned == 1 and "words.txt:1: this is not a network file" in message and "secret" not in message and message.count("\n") == 0,
      "a file of something else: one line, and nothing of what stands there", message)
said("run", "two-dof.ini", "--duration", "1ms", "-o", "rows.csv")
says("a course is no network", ("check", "rows.csv"), 1, '(a course: "ifbam plot course"')
with open("plain.csv", "w", encoding="utf-8") as file:
    file.write("time,a\n" + "".join("%g,%g\n" % (i * 1e-3, i % 7 * 1e-3) for i in range(200)))
with open("driven.ini", "w", encoding="utf-8") as file:
    file.write("[network]\nstep = 1 ms\nduration = 0.1 s\n[drive floor]\ncourse = plain.csv:a\n[mass m]\nmass = 1 kg\n"
               "[spring k]\nstiffness = 1 kN/m\nbetween = floor, m\n")
for words in (("run", "driven.ini", "-o", "rows.csv"), ("modes", "driven.ini"),
              ("sweep", "driven.ini", "--vary", "k.stiffness=1,2", "--measure", "max:m.position")):
    says("%s: a column without a unit is told of" % words[0], words, 0, '"a" has no unit')
odd = "a b 'c\" $(x) é;#.ini"
shutil.copy(two_dof, odd)
for words in (("check", odd), ("run", odd, "-o", odd + ".csv"), ("plot", "course", odd, "-o", odd + ".svg"),
              ("report", odd, "-o", odd + ".html"), ("plot", "course", odd + ".csv", "-o", odd + ".svg")):
    says("%s with an odd name" % words[0], words, 0, "")
check(all(os.path.getsize(odd + suffix) > 1000 for suffix in (".csv", ".svg", ".html")), "and files are where they should be")

for words, wanted in ((("run", "two-dof.ini", "-o", "x.HTML"), "that is a page, and run writes numbers"),
                      (("report", "two-dof.ini", "-o", "x.png"), "that is no page, and report writes one (want -o report.html)"),
                      (("lab", "two-dof.ini", "-o", "x.csv"), "that is no page, and lab writes one")):
    says("%s into %s" % (words[0], words[-1]), words, 2, wanted)
    check(not os.path.exists(words[-1]), "and there is no file that says what it is not")

# ---- ranges

chain = os.path.join(networks, "chain.ini")
said("run", chain, "--record", "c.m*.position", "--duration", "20ms", "-o", "chain.csv")
for told, numbers in (("[9:]", range(9, 13)), ("[:3]", range(1, 4)), ("[::5]", range(1, 13, 5)), ("[10:12]", range(10, 13)), ("[1:9:4]", range(1, 10, 4))):
    wanted = ["c.m%d.position" % number for number in numbers]
    made = expect.ifbam("run", chain, "--record", "c.m%s.position" % told, "--duration", "1ms")
    check(made.stdout.splitlines()[:1] == [",".join(["time"] + wanted)], "c.m%s.position is recorded" % told, made)
    made = expect.ifbam("spectrum", "chain.csv", "--signal", "c.m%s.position" % told)
    check(re.findall(r"(?m)^(c\S+)", made.stdout) == wanted, "and chosen of a course", made)
says("a range of elements without a quantity", ("run", chain, "--record", "c.m[2:]"), 2, 'want such as "c.m[2:].position"')
for told in ("[5:1]", "[5]", "[]", "[a:]", "[0:]", "[1:9:0]", "[1:18446744073709551616]", "[2:]x"):
    says("%s is no range" % told, ("run", chain, "--record", "c.m%s.position" % told), 2, "is no range")
says("a range that nobody is in", ("run", chain, "--record", "c.m[13:].position"), 2, "matches nothing in this network")

# ---- names that are no text, and texts that are more

odd = b"e\x1b[31m\xff"
shutil.copy(two_dof, odd + b".ini")
said("run", odd + b".ini", "-o", odd + b".h5", "--manifest", "manifest.json", "--duration", "1ms")
with open("manifest.json", encoding="utf-8") as file:
    check("\ufffd.ini" in json.load(file)["network"], "a manifest is JSON whatever a file's name holds")
for words in (("rerun", odd + b".h5"), ("modes", odd + b".ini", "--export", odd + b"-matrices")):
    made = subprocess.run([program, *words], capture_output=True)
    check(made.returncode == 0 and made.stdout.startswith(b"e?[31m?") and b"\x1b" not in made.stdout,
          "%s names a file as a terminal can show it" % words[0], made)
for network in (b"two-dof.ini", odd + b".ini"):
    made = subprocess.run([program, "run", network, "--set", b"m1.mass=\xff"], capture_output=True)
    check(made.returncode == 2 and b"--set m1.mass=?: this is not UTF-8 text" in made.stderr, "an option's value that is no text is named", made)
with open("/dev/full", "w", encoding="utf-8") as full:
    made = subprocess.run([program, "modes", "two-dof.ini", "--export", "matrices"], stdout=full, stderr=subprocess.PIPE, text=True)
check(made.returncode == 1 and "No space left" in made.stderr, "what modes --export says does not get lost unnoticed", made)
with open(two_dof, encoding="utf-8") as whole, open("evil.ini", "w", encoding="utf-8") as file:
    file.write(re.sub("(?m)^title.*", "title = x */ int evil = 1; /* */ int worse; /*/", whole.read()))
made = subprocess.run([program, "export", "evil.ini", "--c", "-o", "evil.c"], capture_output=True, text=True)
with open("evil.c", encoding="utf-8") as file:
    text = file.read()
check(made.returncode == 0 and "evil" in text and "evil" not in re.sub(r"(?s)/\*.*?\*/", "", text) and "worse" not in re.sub(r"(?s)/\*.*?\*/", "", text),
      "a title is no code in what is exported as C", text[:200])

# ---- places

for name, words in (("run", ("run", "two-dof.ini", "-o", "whole.csv")), ("run into HDF5", ("run", "two-dof.ini", "-o", "whole.h5")),
                    ("report", ("report", "two-dof.ini", "-o", "whole.html")),
                    ("plot", ("plot", "course", "two-dof.ini", "-o", "whole.png"))):
    says("%s: a limit on the size of files is an error like any other" % name, words, 1, "File too large",
         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
check(not [name for name in os.listdir() if "whole." in name and not name.endswith((".part", ".crash"))],
      "and nothing has a name that says it is whole", os.listdir())
for name, words in (("plot", ("plot", "course", "two-dof.ini", "-o", "x.png")), ("plot in the terminal", ("plot", "course", "two-dof.ini"))):
    says("%s without gnuplot" % name, words, 1, "install gnuplot", env={"PATH": "/nonexistent"})
says("report without gnuplot", ("report", "two-dof.ini", "-o", "x.html"), 0, "", env={"PATH": "/nonexistent"})
says("no home, no folder for temporary files", ("plot", "course", "two-dof.ini", "-o", "x.png"), 0, "",
     env={**os.environ, "HOME": "/nonexistent", "TMPDIR": "/nonexistent"})
for columns in ("20", "40", "200"):
    shown = expect.ifbam("plot", "course", "two-dof.ini", env={**os.environ, "COLUMNS": columns, "TERM": "dumb"}).stdout
    check(shown and max(map(len, shown.splitlines())) <= max(40, int(columns)), "a figure in a terminal of %s columns" % columns,
          max(map(len, shown.splitlines()), default=0))

# ---- networks

with open("heap.ini", "w", encoding="utf-8") as file:
    file.write("[network]\nstep = 1 ms\nduration = 0.1 s\nscheme = rk4\n[surface ground]\n")
    places = {(i, j): (0.2 * j + 0.1 * i, 0.1 + (0.1 * 3 ** 0.5 + 0.004) * i + 0.001 * ((7 * j + 3 * i) % 5)) for i in range(5) for j in range(5 - i)}
    for (i, j), (x, y) in places.items():
        file.write("[ball b%d-%d]\nmass = 1 kg\nradius = 0.1 m\nx = %r m\ny = %r m\n" % (i, j, x, y))
        for other in ([(i, j - 1)] if j else []) + ([(i - 1, j), (i - 1, j + 1)] if i else [None]):
            name = "ground" if other is None else "b%d-%d" % other
            file.write("[bounce b%d-%d-on-%s]\nrestitution = 0\nfriction = 0.3\nbetween = b%d-%d, %s\n" % (i, j, name, i, j, name))
    file.write("[gravity earth]\non = %s\n" % ", ".join("b%d-%d" % place for place in places))
returned, message = said("run", "heap.ini", "-o", "heap.csv")
check(returned == 0 or "(less friction may do)" in message, "a heap that falls with friction: it runs, or is told what may do", message)

# ---- pictures

with open("at-rest.ini", "w", encoding="utf-8") as file:
    file.write("[network]\nstep = 1 ms\nduration = 0.1 s\nscheme = rk4\n[surface ground]\n")
    rows = 8
    for i in range(rows):
        for j in range(rows - i):
            file.write("[ball b%d-%d]\nmass = 1 kg\nradius = 0.1 m\nx = %r m\ny = %r m\n" % (i, j, 0.2 * j + 0.1 * i, 0.1 + 0.1 * 3 ** 0.5 * i))
            below = ["ground"] if i == 0 else ["b%d-%d" % (i - 1, j), "b%d-%d" % (i - 1, j + 1)]
            beside = ["b%d-%d" % (i, j - 1)] if j > 0 else []
            for other in below + beside:
                file.write("[bounce %s-on-%d-%d]\nrestitution = 0\nfriction = 2\nbetween = b%d-%d, %s\n" % (other, i, j, i, j, other))
    file.write("[gravity earth]\non = %s\n" % ", ".join("b%d-%d" % (i, j) for i in range(rows) for j in range(rows - i)))
returned, message = said("run", "at-rest.ini", "-o", "at-rest.csv")
check(returned == 0 and message == "", "a heap that lies still: no word of energy from nothing", message)
for title in ("x" * 3000, "ab  " * 30 + "\u00fc" * 100 + " end", "two words"):
    check(said("plot", "course", "two-dof.ini", "--title", title, "-o", "title.svg") == (0, ""), "a title of %d letters" % len(title))
    with open("title.svg", encoding="utf-8") as file:
        lines = [line for line in re.findall(r"<text>(.*?)</text>", re.sub(r"</?tspan.*?>", "", file.read()))
                 if line.strip(" .") and any(word in line for word in ("xx", "ab", "\u00fc", "two words"))]
    check(1 <= len(lines) <= 5 and max(map(len, lines)) <= 90, "and its lines fit over the picture", lines)
said("plot", "path", os.path.join(networks, "slide.ini"), "-o", "path.svg")
with open("path.svg", encoding="utf-8") as file:
    drawn = [name for name in re.findall(r"<text>(?:<tspan.*?>)?(.*?)<", file.read()) if name in ("b", "ground")]
check(drawn == ["ground", "b"], "a way is drawn over its ground", drawn)

# ---- signals

with open("long.ini", "w", encoding="utf-8") as file:
    file.write("[network]\nstep = 1 us\nduration = 1000 s\n[ground wall]\n[chain c]\ncount = 100000\nmass = 1 kg\n"
               "stiffness = 10 kN/m\nfrom = wall\n")
rng = random.Random(1994)
for word, number, code in (("Ctrl-C", signal.SIGINT, 130), ("SIGTERM", signal.SIGTERM, 143), ("SIGHUP", signal.SIGHUP, 129)):
    ended = set()
    for _ in range(12):
        process = subprocess.Popen([program, "run", "long.ini", "-o", "long.csv"], stderr=subprocess.PIPE, text=True)
        expect.hears(process, number)
        time.sleep(rng.uniform(0, 0.3))
        process.send_signal(number)
        message = process.communicate()[1]
        ended.add((process.returncode, "interrupted" in message))
    check(ended == {(code, True)}, "%s at any time since main: a word, and exit code %d" % (word, code), ended)


# A pipe's reader does not read on (`| less`).
process = subprocess.Popen([program, "run", "long.ini", "--record", "c.m1.*", "--sample", "1us", "--set", "c.count=3"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
os.set_blocking(process.stderr.fileno(), False)
process.stdout.read(1)
time.sleep(1)
heard = []
for _ in range(2):
    process.send_signal(signal.SIGINT)
    began, message = time.monotonic(), b""
    while b"interrupted" not in message and time.monotonic() < began + 60:
        message += process.stderr.read() or b""
        time.sleep(0.01)
    heard.append(message)
check(b"interrupt again to end at once" in heard[0] and b"left as they are" in heard[1] and process.wait(60) == 130,
      "Ctrl-C is heard while nobody reads what is written, and the second one ends it", heard)
process.communicate()

shutil.rmtree(folder)
expect.finish()
