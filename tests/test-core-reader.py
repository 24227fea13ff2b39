#!/usr/bin/python3
# test-core-reader.py: texts of networks through build/core.wasm: faults as of `ifbam check`, rows as of `ifbam run`
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   BUILD=build tests/test-core-reader.py [TEXTS]     TEXTS: of mutated networks (200; with TEST_EFFORT=full 10000)
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys

build = os.environ.get("BUILD", "build")
full = os.environ.get("TEST_EFFORT") == "full"
count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000 if full else 200
core, program = os.path.join(build, "core.wasm"), os.path.join(build, "ifbam")
node = shutil.which("node") or shutil.which("nodejs")
status = 0
# Read by the program only: files, equilibria, steps that are chosen.
OF_THE_PROGRAM = re.compile(r"^\s*(course|file)\s*=|^\s*start\s*=\s*equilibrium|^\s*step\s*=\s*auto|\[columns\b", re.M)
WORDS = ["0", "-1", "1e400", "nan", "inf", "$k", "$", "(", ")", "=", "[", "]", "#", ",", "..", "m1", "wall", "auto", "2*", "^2", "sqrt(",
         "kN/m", "mm", "µs", "°", "\u202e", "\x00", "\xff", "10 s", "1,000", "0x10", "1/min", "rpm", "rad/s", "deg", "% ", "// x",
         "true", "[mass m1]", "[chain c]", "[parameters]", "count = 3", "position = 1", "k1.stiffness = 2", "k1", "\ufeff", "9" * 40]

if node is None or not os.path.exists(core):
    print("ok - core-reader # skip no %s" % ("node" if node is None else core))
    sys.exit(0)


def report(fault, name):
    global status
    print("%s - %s%s" % ("not ok" if fault else "ok", name, ("\n# " + fault.replace("\n", "\n# ")) if fault else ""), flush=True)
    status |= bool(fault)


def ask(tasks):
    done = subprocess.run([node, "tests/core-reader.mjs", core], input="\n".join(map(json.dumps, tasks)).encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]

    if len(answers) < len(tasks):
        report("text %d: %s\n%s" % (len(answers), done.stderr.decode()[-800:], json.dumps(tasks[len(answers)])[:2000]), "the core answers")
        sys.exit(1)
    return answers


def as_lines(faults, path):
    return ["%s:%s %s" % (path, "%d:" % fault["line"] if fault["line"] > 0 else "", fault["message"]) for fault in faults]


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def difference(own, theirs):
    return "\n".join(["core:  " + line for line in own if line not in theirs] + ["check: " + line for line in theirs if line not in own])


def test_shipped():
    names = [name for name in sorted(glob.glob("networks/*.ini") + glob.glob("networks/teaching/*.ini"))
             if not OF_THE_PROGRAM.search(read(name)) and not os.path.exists(name[:-4] + ".options")]
    answers = ask([{"file": name, "csv": name[:-4] + ".csv", "rows": 10**9 if full else 100} for name in names])
    faults = ["%s: %s" % (name, answer.get("differs") or answer["faults"]) for name, answer in zip(names, answers)
              if answer.get("differs") != ""]

    report("\n".join(faults) or ("only %d networks" % len(names) if len(names) < 90 else ""),
           "%d shipped networks have the rows of their references" % len(names))


def test_invalid():
    names = [name for name in sorted(glob.glob("networks/invalid/*.ini")) if not OF_THE_PROGRAM.search(read(name))]
    faults = []

    for name, answer in zip(names, ask([{"file": name} for name in names])):
        own, expected = as_lines(answer["faults"], name), read(name[:-4] + ".expected").rstrip("\n").split("\n")
        if own != expected:
            faults.append(difference(own, expected) or name + ": another order")
    report("\n".join(faults) or ("only %d networks" % len(names) if len(names) < 250 else ""),
           "%d invalid networks have their faults" % len(names))


def test_alone():
    """Tasks of the program alone are refused with a line."""
    [course, auto, rest] = ask([{"file": "networks/measured-floor.ini"}] + [
        {"text": "[network]\nstep = %s\nduration = 1 s\nstart = %s\n[mass m]\nmass = 1\n[spring k]\nstiffness = 1\nbetween = g, m\n[ground g]\n" % pair}
        for pair in (("auto", "warm"), ("1 ms", "equilibrium"))])
    said = [as_lines(answer["faults"], "") for answer in (course, auto, rest)]

    report("" if [len(lines) for lines in said] == [1, 1, 1] and said[0][0].startswith(":12: [drive floor] course: ")
           and said[1][0].startswith(":2: [network] step: ") and said[2][0].startswith(":4: [network] start: ") else str(said),
           "courses in files, steps that are chosen and equilibria are for the program")


def test_course():
    """A given course has the rows of its file."""
    rows = [line.split(",") for line in read("networks/measured.csv").strip().split("\n")]
    column = [name.split(" ")[0] for name in rows[0]].index("floor")
    course = [[float(row[i]) for row in rows[1:]] for i in (0, column)]
    [answer] = ask([{"file": "networks/measured-floor.ini", "csv": "networks/measured-floor.csv", "rows": 10**9,
                     "courses": {"measured.csv:floor": course}}])

    report("" if answer.get("differs") == "" and answer["rows"] > 10 else str(answer), "a given course has the rows of its file")


def mutate(text, chance):
    """One to three changes of lines or words."""
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        kind, at = chance.randrange(7), chance.randrange(len(lines))
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, chance.choice(lines))
        elif kind == 2:
            lines.insert(at, chance.choice(WORDS))
        elif kind == 3:
            lines[at] = lines[at][:chance.randint(0, len(lines[at]))]
        elif kind == 4:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            parts = re.split(r"(\W+)", lines[at])
            parts[chance.randrange(len(parts))] = chance.choice(WORDS)
            lines[at] = "".join(parts)
        text = "\n".join(lines)
    return text


def test_mutated():
    texts = [read(name) for name in sorted(glob.glob("networks/*.ini") + glob.glob("networks/teaching/*.ini"))]
    texts = [text for text in texts if not OF_THE_PROGRAM.search(text) and len(text) < 4000]
    chance, mutated, faults, refused = random.Random(1), [], [], 0

    while len(mutated) < count:
        text = mutate(chance.choice(texts), chance)
        if not OF_THE_PROGRAM.search(text):
            mutated.append(text)
    for text, answer in zip(mutated, ask([{"text": text} for text in mutated])):
        done = subprocess.run([program, "check", "-"], input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        theirs = done.stderr.decode().rstrip("\n").split("\n") if done.returncode != 0 else []
        own = as_lines(answer["faults"], "standard input")
        refused += bool(own)
        if own != theirs:
            faults.append((difference(own, theirs) or "another order") + "\nof: " + json.dumps(text)[:1500])
    report("\n".join(faults[:5]) and "%d differ\n%s" % (len(faults), "\n".join(faults[:5])) or
           ("only %d are refused" % refused if 2 * refused < count else ""),
           "%d texts of mutated networks have the faults of check" % count)


test_shipped()
test_invalid()
test_alone()
test_course()
test_mutated()
sys.exit(status)
