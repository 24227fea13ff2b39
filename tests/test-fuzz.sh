#!/bin/bash
# test-fuzz.sh: network files and options with random faults: a message or a result, never a crash
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   SEED=7 RUNS=5000 IFBAM=build/asan/ifbam tests/test-fuzz.sh      a longer search

cd "$(dirname "$0")/.." || exit 1
export IFBAM=${IFBAM:-build/ifbam} SEED=${SEED:-1994} RUNS=${RUNS:-60}
exec /usr/bin/python3 - <<'PYTHON'
import glob, os, random, shutil, subprocess, sys, tempfile

rng = random.Random(int(os.environ["SEED"]))
files = [open(name, "rb").read() for name in sorted(glob.glob("networks/*.ini") + glob.glob("networks/invalid/*.ini"))]
files = [text for text in files if len(text) < 10000]
lines = [line for text in files for line in text.split(b"\n") if line.strip()]
values = b"""0|-1|1e308|1e-308|nan|inf|1e400||$k|$|1 kg|10 kN/m|2 deg|1000|wall, m1|c.m1, c.m2|m1|c|*.position
*.*|c.m[1:3].position|network.energy, network.momentum|verlet|cold|original|measured.csv:floor|:x|\xff|%s%n|[|]|=
1/0|1 m^99|1 (((((|1 @ 5|1 lg(re 1 mW)|1 degC""".replace(b"\n", b"|").split(b"|")
keys = b"mass inertia stiffness damping position angle from to between on value course cubic step sample record".split()
classes = b"mass spring chain ground drive force torque inertia damper torsion-spring network parameters".split()


def mutate(text):
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        rows = text.split(b"\n")
        i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
        kind = rng.randrange(7)
        if kind == 0 and text:
            at = rng.randrange(len(text))
            text = text[:at] + bytes([rng.randrange(256)]) + text[at + rng.randrange(3):]
            continue
        if kind == 1:
            rows[i] = rng.choice(lines)
        elif kind == 2:
            rows[i], rows[j] = rows[j], rows[i]
        elif kind == 3:
            rows.insert(i, b"[" + rng.choice(classes) + b" " + rng.choice((b"m1", b"wall", b"c", b"")) + b"]")
        elif kind == 4:
            del rows[i]
        else:
            key = rows[i].split(b"=")[0] if b"=" in rows[i] and kind == 5 else rng.choice(keys)
            rows[i] = key + b" = " + rng.choice(values)
        text = b"\n".join(rows)
    return text


def option():
    name = rng.choice(("--scheme", "--step", "--start", "--record", "--set", "--set"))
    value = rng.choice(values).decode("latin-1")
    if name == "--set":
        value = rng.choice(("k1.stiffness", "m1.mass", "c.m1.mass", "c.k2.stiffness", "c.from", "k", ".")) + "=" + value
    return [name, value]


folder = tempfile.mkdtemp()
shutil.copy("networks/measured.csv", folder)
path = os.path.join(folder, "network.ini")
bad = 0
for n in range(int(os.environ["RUNS"])):
    with open(path, "wb") as file:
        file.write(mutate(rng.choice(files)))
    options = option() if rng.random() < 0.4 else []
    short = ["--duration", "2ms", "--sample", "1ms", "--step", "100us"]
    command = rng.choice((["check", path], ["run", path], ["run", "--engine=objects", path], ["dialogue", path])) + options + short
    try:
        done = subprocess.run([os.environ["IFBAM"]] + command, capture_output=True, timeout=60)
        fault = (done.returncode not in (0, 1, 2) or (done.returncode != 0 and not done.stderr)
                 or any(word in done.stderr for word in (b"CRITICAL", b"WARNING", b"Sanitizer", b"runtime error", b"(null)")))
        said = done.stderr[:500]
    except subprocess.TimeoutExpired:
        fault, said = True, b"no end within 30 s"
    if fault:
        bad += 1
        kept = os.path.join(tempfile.gettempdir(), "ifbam-fuzz-%s-%d.ini" % (os.environ["SEED"], n))
        shutil.copy(path, kept)
        print("# %s (%s): %r" % (" ".join(command), kept, said))
shutil.rmtree(folder)
print("%sok - %s files with random faults (seed %s)" % ("not " if bad else "", os.environ["RUNS"], os.environ["SEED"]))
sys.exit(bad > 0)
PYTHON
