#!/usr/bin/python3
# test-checkpoint.py: runs after a kill or a full disk continue with equal bits; other states are rejected
# SPDX-License-Identifier: GPL-3.0-or-later
import glob
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from expect import check, finish, ifbam, networks, program

draw = random.Random(20261122)
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def lines(path):
    return read(path).split(b"\n")[1:-1]


# Two runs, of which the second begins with the first one's last state, are one: every shipped network, cut at a row
# and between rows.
cut, events = 0, 0
for path in sorted(glob.glob(os.path.join(networks, "*.ini"))):
    name = os.path.basename(path)
    if ifbam("run", path, "-o", "whole.csv", "--events", "whole.ev").returncode != 0:
        continue
    rows = lines("whole.csv")
    if len(rows) < 4:
        continue
    times = [row.split(b",")[0].decode() for row in rows]
    at = draw.randrange(1, len(rows) - 1)
    one = ifbam("run", path, "-o", "a.csv", "--events", "a.ev", "--duration", times[at], "--final", "cut.h5")
    two = ifbam("run", path, "-o", "b.csv", "--events", "b.ev", "--duration", times[-1], "--initial", "cut.h5")
    check(one.returncode == 0 and two.returncode == 0 and lines("a.csv") + lines("b.csv")[1:] == rows
          and lines("a.ev") + lines("b.ev") == lines("whole.ev"),
          "%s cut at %s s is one run" % (name, times[at]), one.stderr + two.stderr)
    cut += 1
    events += len(lines("b.ev"))
check(cut > 35 and events > 500, "that was done with %d networks, with %d events after the cut" % (cut, events))

# Other numbers may go on from a state; another network, scheme or step may not, and is told why.
two = os.path.join(networks, "two-dof.ini")
ifbam("run", two, "-o", "a.csv", "--final", "end.h5", "--duration", "1s")
said = ifbam("run", two, "-o", "b.csv", "--initial", "end.h5", "--set", "k1.stiffness=12kN/m", "--duration", "2s")
check(said.returncode == 0 and lines("b.csv")[0].split(b",") == lines("a.csv")[-1].split(b","),
      "another stiffness goes on from the same state", said.stderr)
bar = os.path.join(networks, "four-bar.ini")
ifbam("run", bar, "-o", "bar.csv", "--final", "bar.h5", "--duration", "0.1s")
said = ifbam("run", bar, "-o", "b.csv", "--initial", "bar.h5", "--set", "crank.mass=2kg", "--duration", "0.2s")
check(said.returncode == 0, "another mass goes on from a mechanism's state", said.stderr)
shutil.copy("a.csv", "result.csv")
with open("end.h5", "rb") as file:
    state = bytearray(file.read())
with open("half.h5", "wb") as file:
    file.write(state[: len(state) // 2])
for words, reason in (
        ((os.path.join(networks, "three-dof.ini"), "--initial", "end.h5"), "is of another network"),
        ((two, "--initial", "end.h5", "--scheme", "verlet"), "scheme"),
        ((two, "--initial", "end.h5", "--step", "10us"), "steps of"),
        ((two, "--initial", "end.h5", "--duration", "0.5s"), "the run ends at 0.5 s"),
        ((bar, "--initial", "bar.h5", "--set", "crank-pin.x=6cm"), " m from the constraint b"),
        ((two, "--initial", "half.h5"), "is damaged"),
        ((two, "--initial", "a.csv"), "has no state"),
        ((two, "--initial", "none.h5"), "No such file"),
        ((two, "--resume", "end.h5"), "--initial"),
        ((two, "--final", "end.csv"), "want FILE.h5"),
        ((two, "--checkpoint", "c.h5,soon"), "soon"),
        ((two, "--checkpoint", "c.csv"), "want FILE.h5"),
):
    said = ifbam("run", *words, "-o", "result.csv")
    check(said.returncode in (1, 2) and reason in said.stderr and read("result.csv") == read("a.csv"),
          " ".join(words[1:]) + " is refused, and costs nothing", said.stderr)
said = ifbam("run", two, "--checkpoint", "c.h5")
check(said.returncode == 2 and "-o FILE" in said.stderr, "a checkpoint wants an output to go on with", said.stderr)


# Every damaged byte of a state is noticed, or changes no value.
def damaged(place):
    bad = bytearray(state)
    bad[place] ^= 0x10
    with open("bad.h5", "wb") as file:
        file.write(bad)
    return ifbam("run", two, "-o", "bad.csv", "--initial", "bad.h5", "--duration", "1.01s")


right = ifbam("run", two, "-o", "good.csv", "--initial", "end.h5", "--duration", "1.01s")
wrong = []
for place in draw.sample(range(len(state)), 60):
    said = damaged(place)
    if said.returncode not in (0, 1, 2) or (said.returncode == 0 and read("bad.csv") != read("good.csv")):
        wrong.append((place, said.returncode, said.stderr))
check(right.returncode == 0 and not wrong, "a state with a bit that fell over is refused", wrong[:3])


def begin(words, extra):
    return subprocess.Popen([program, "run", *words, "--resume", "c.h5", "--checkpoint", "c.h5,40000", *extra],
                            stderr=subprocess.PIPE, text=True)


def clean():
    for path in glob.glob("o.*") + glob.glob("c.h5*"):
        os.remove(path)


def same(name, kind, reference):
    if kind == "csv":
        return read(name) == read(reference)
    return subprocess.run(["h5diff", name, reference], capture_output=True).returncode == 0


impact = os.path.join(networks, "impact-oscillator.ini")

# A modified state with the right checksum must still be consistent.
try:
    import h5py
    import hashlib
    import numpy
except ImportError:
    h5py = None


def changed(change):
    with open("bad.h5", "wb") as file:
        file.write(state)
    with h5py.File("bad.h5", "r+") as file:
        change(file)
    whole = bytearray(read("bad.h5"))
    head = whole[:whole.index(b"SHA-256 is ") + 11] + hashlib.sha256(whole[512:]).hexdigest().encode() + b"\n"
    with open("bad.h5", "wb") as file:
        file.write(head.ljust(512, b"\0") + whole[512:])
    return ifbam("run", two, "-o", "bad.csv", "--initial", "bad.h5", "--duration", "1.01s")


def put(file, name, values):
    del file[name]
    file[name] = values


if h5py is not None:
    check(changed(lambda f: None).returncode == 0, "with its checksum set right a state is taken")
    for what, change, reason in (
            ("of another format", lambda f: f.attrs.modify("format", "other"), "has no state of a run"),
            ("without a version", lambda f: f.attrs.__delitem__("version"), "has no state of a run"),
            ("of a newer program", lambda f: f.attrs.modify("version", numpy.int64(2)), "is from a newer program"),
            ("without columns", lambda f: f.__delitem__("state"), "its state can't be read"),
            ("without a head", lambda f: f.__delitem__("state/head"), "its state can't be read"),
            ("with half a head", lambda f: put(f, "state/head", f["state/head"][:20]), "bad.h5"),
            ("without positions", lambda f: f.__delitem__("state/node.position"), "node.position"),
            ("with positions too many", lambda f: put(f, "state/node.position", numpy.zeros(9)), "node.position"),
            ("with words for positions", lambda f: put(f, "state/node.position", [b"a", b"b"]), "node.position"),
            ("without events", lambda f: f.__delitem__("untold"), "its events can't be read"),
            ("without a manifest", lambda f: f.__delitem__("manifest"), "lacks the network and options that produced it"),
    ):
        said = changed(change)
        check(said.returncode == 1 and reason in said.stderr, "a state %s is refused: %s" % (what, reason), said.stderr)
with open("short.h5", "wb") as file:
    file.write(b"ifbam")
for bad, reason in (("short.h5", "has no state of a run"), ("/dev/null", "has no state of a run"), ("/dev/zero", "has no state of a run"), (".", "Is a directory")):
    said = ifbam("run", two, "-o", "bad.csv", "--initial", bad)
    check(said.returncode == 1 and reason in said.stderr, "%s: %s" % (bad, reason), said.stderr)
for words, reason in ((("--initial", "end.h5", "--resume", "c.h5"), "--resume has a state to begin with, too"),
                      (("--checkpoint", "c.h5,1us"), "between 1 ms and 30 years"), (("--final", "b.h5"), "is a state's file, too")):
    said = ifbam("run", two, *words, "-o", "b.h5")
    check(said.returncode == 2 and reason in said.stderr, " ".join(words) + ": " + reason, said.stderr)
# No file is used twice, and unwritable files are found before the run.
for words, reason in ((("--checkpoint", "b.h5"), "another file of the run has this name"),
                      (("--resume", "c.h5", "--events", "c.h5.before"), "another file of the run has this name"),
                      (("--final", "e.h5", "--manifest", "e.h5"), "another file of the run has this name"),
                      (("--final", "e.h5", "--checkpoint", "e.h5"), "a checkpoint is written there"),
                      (("--checkpoint", "nowhere/c.h5"), "nowhere/c.h5: No such file or directory"),
                      (("--final", "nowhere/e.h5"), "nowhere/e.h5: No such file or directory")):
    said = ifbam("run", two, *words, "-o", "b.h5")
    check(said.returncode in (1, 2) and reason in said.stderr and not os.path.exists("b.h5"), " ".join(words) + ": " + reason, said.stderr)
for words in (("--final", "nowhere/e.h5"), ("--final", "pipe.h5")):
    if not os.path.exists("pipe.h5"):
        os.mkfifo("pipe.h5")
        reader = os.open("pipe.h5", os.O_RDONLY | os.O_NONBLOCK)
    said = ifbam("run", two, "--duration", "1ms", *words, "-o", "b.csv")
    check(said.returncode == 1 and words[1] in said.stderr, " ".join(words) + " can't be written", said.stderr)
said = ifbam("run", two, "--duration", "1ms", "--checkpoint", "pipe.h5", "-o", "b.csv")
check(said.returncode == 2 and "--checkpoint pipe.h5: that is no file" in said.stderr and not glob.glob("pipe.h5.*"), "a checkpoint can't be a pipe, and leaves nothing", said)
os.close(reader)
os.remove("pipe.h5")

# Of another run a checkpoint is not taken.
words = (impact, "--duration", "1500s", "--sample", "10ms")
clean()
ifbam("run", *words, "-o", "reference.h5", "--events", "reference.ev")
begin(words, ["-o", "o.h5", "--events", "o.ev"]).communicate()
for more, reason in ((("-o", "o.h5", "--events", "o.ev", "--set", "k1.stiffness=1kN/m"), "other options"),
                     (("-o", "p.h5", "--events", "o.ev"), "its run writes -o o.h5"), (("-o", "o.h5"), "--events o.ev")):
    said = ifbam("run", *words, "--resume", "c.h5", *more)
    check(said.returncode == 2 and reason in said.stderr and same("o.h5", "h5", "reference.h5"),
          "a checkpoint of another run is refused: " + reason, said.stderr)
with open("other.ini", "w", encoding="utf-8") as file, open(impact, encoding="utf-8") as old:
    file.write("# another\n" + old.read())
said = ifbam("run", "other.ini", *words[1:], "--resume", "c.h5", "-o", "o.h5", "--events", "o.ev")
check(said.returncode == 2 and "another network" in said.stderr, "and of another network", said.stderr)

# Of two at once the second is refused, and the first one's result is right.
clean()
out = ["-o", "o.csv", "--events", "o.ev"]
first = begin(words, out)
while not os.path.exists("c.h5") and first.poll() is None:
    time.sleep(0.002)
second = begin(words, out)
said = second.communicate()[1]
alone = first.poll() is not None
first.communicate()
check(first.returncode == 0 and read("o.ev") == read("reference.ev")
      and (alone or (second.returncode == 2 and "c.h5: another run or sweep is under way with it" in said))
      and not os.path.exists("c.h5.lock"), "of two runs with one checkpoint the second is refused", said)

# A damaged checkpoint gives way to the one before it.
clean()
out = ["-o", "o.csv", "--events", "o.ev"]
run = begin(words, out)
while not os.path.exists("c.h5.before") and run.poll() is None:
    time.sleep(0.005)
run.send_signal(signal.SIGKILL)
run.communicate()
with open("c.h5", "r+b") as file:
    file.truncate(1000)
run = begin(words, out)
said = run.communicate()[1]
check(run.returncode == 0 and "continues from c.h5.before" in said, "a damaged checkpoint gives way to the one before", said)
check(read("o.ev") == read("reference.ev"), "and the run is the same")


# A full disk: the reason, and with room the run goes on.
def little_room(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


clean()
words = (two, "--scheme", "verlet", "--step", "1ms", "--sample", "2ms", "--duration", "1500s")
ifbam("run", *words, "-o", "reference.csv")
for size in (3000, 200000, 3000000, 20000000):
    said = ifbam("run", *words, "-o", "o.csv", "--resume", "c.h5", "--checkpoint", "c.h5,40000",
                 preexec_fn=lambda: little_room(size))
    check(said.returncode == 1 and "File too large" in said.stderr, "room for %d bytes: told" % size, said.stderr)
said = ifbam("run", *words, "-o", "o.csv", "--resume", "c.h5")
check(said.returncode == 0 and read("o.csv") == read("reference.csv"), "with room the run goes on, the same", said.stderr)

# Data before a failed first checkpoint can't be continued.
clean()
said = ifbam("run", impact, "-o", "o.csv", "--events", "o.ev", "--record", "network.energy", "--sample", "1s", "--duration", "10s",
             "--checkpoint", "c.h5,100", preexec_fn=lambda: little_room(4000))
check(said.returncode == 1 and "c.h5: can't be written: File too large" in said.stderr, "a first checkpoint that can't be written: told", said.stderr)
left = [name for name in os.listdir() if name.startswith(("o.", "c."))]
check(not left, "and nothing unfinished is left", left)

# A sweep goes on from its own output, too.
words = (os.path.join(networks, "three-dof.ini"), "--vary", "k1.stiffness=5kN/m:20kN/m:100", "--vary", "m2.mass=1:2:50",
         "--measure", "max:m3.position", "--duration", "4s", "--threads", "1")
clean()
ifbam("sweep", *words, "-o", "reference.h5")
run = subprocess.Popen([program, "sweep", *words, "-o", "o.h5"], stderr=subprocess.PIPE, text=True)
time.sleep(0.3)
run.send_signal(signal.SIGTERM)
said = run.communicate()[1]
if run.returncode != 0 and os.path.exists("o.h5"):
    check("--resume o.h5 continues" in said, "an interrupted sweep says how to go on", said)
    check(subprocess.run(["h5dump", "-H", "o.h5"], capture_output=True).returncode == 0, "and its file can be opened")
    said = ifbam("rerun", "o.h5")
    check(said.returncode == 0 and "variants, where it ends early" in said.stdout, "and be made again", said.stdout + said.stderr)
said = ifbam("sweep", *words, "-o", "o.h5", "--resume", "o.h5")
check(said.returncode == 0 and same("o.h5", "h5", "reference.h5"), "a sweep goes on from its own output", said.stderr)

finish()
