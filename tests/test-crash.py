#!/usr/bin/python3
# test-crash.py: runs and sweeps that are killed, or whose writes fail, go on to the result of an undisturbed one, to the bit
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: tests/test-crash.py [KILLS]   (of each job; a few by default; 0: none, but each call of the system fails once)
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from expect import by_effort, check, finish, networks, program

preload = os.path.join(os.path.dirname(program), "tests", "faults.so")
kills = int(sys.argv[1]) if len(sys.argv) > 1 else 2
draw = random.Random(20261122)
work = tempfile.TemporaryDirectory()
os.chdir(work.name)

def network(name):
    return os.path.join(networks, name + ".ini")


# A job's words, and how often it writes checkpoints; a longer one to be killed, a shorter one for calls that fail.
VERLET = ("run", network("two-dof"), "--scheme", "verlet", "--step", "1ms", "--sample", "2ms", "--events", "o.ev")
IMPACT = ("run", network("impact-oscillator"), "--sample", "10ms", "--events", "o.ev")
SWEEP = ("sweep", network("three-dof"), "--measure", "max:m3.position,frequencies", "--threads", "1", "--vary",
         "k1.stiffness=5kN/m:20kN/m:100")
KILLED = {
    "plain": ((*VERLET, "--duration", "1500s"), "40000"),
    "events": ((*IMPACT, "--duration", "1500s"), "40000"),
    "sweep": ((*SWEEP, "--duration", "4s", "--vary", "m2.mass=1:2:50"), "150"),
}
FAILING = {
    "plain": ((*VERLET, "--duration", "1500ms"), "500"),
    "events": ((*IMPACT, "--duration", "1s"), "200"),
    "sweep": ((*SWEEP, "--duration", "1s", "--vary", "m2.mass=1:2:20"), "1"),
}


def words_of(job, kind):
    words, interval = job
    return [program, *words, "-o", "o." + kind, "--checkpoint", "c.h5," + interval, "--resume", "c.h5"]


def clean():
    for path in glob.glob("o.*") + glob.glob("c.h5*"):
        os.remove(path)


def make_reference(job, kind):
    """How long it takes [s]."""
    clean()
    began = time.time()
    subprocess.run([program, *job[0], "-o", "o." + kind], capture_output=True)
    took = time.time() - began
    for name in glob.glob("o.*"):
        os.replace(name, name.replace("o.", "reference."))
    return took


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def is_right(job, kind):
    if kind == "csv":
        same = read("o.csv") == read("reference.csv")
    else:
        same = subprocess.run(["h5diff", "o.h5", "reference.h5"], capture_output=True).returncode == 0
    return same and ("o.ev" not in job[0] or read("o.ev") == read("reference.ev")) and not glob.glob("*.part*")


for name, job in KILLED.items() if kills > 0 else ():
    for kind in ("csv", "h5"):
        took = make_reference(job, kind)
        n, runs, wrong = 0, 0, []
        while n < kills and not wrong:
            clean()
            while True:
                run = subprocess.Popen(words_of(job, kind), stderr=subprocess.PIPE, text=True)
                if n < kills:
                    time.sleep(draw.uniform(0, 0.6 * took))
                    run.send_signal(signal.SIGKILL if draw.random() < 0.8 else signal.SIGTERM)
                said = run.communicate()[1]
                if run.returncode not in (-signal.SIGKILL, -signal.SIGTERM, 128 + signal.SIGTERM):
                    break
                n += 1
            runs += 1
            if run.returncode != 0 or not is_right(job, kind):
                wrong.append((n, run.returncode, said))
        check(not wrong, "%s to %s: killed %d times, %d results are right" % (name, kind, n, runs), wrong)
        again = subprocess.run(words_of(job, kind), capture_output=True, text=True)
        check(again.returncode == 0 and is_right(job, kind), "%s to %s: resumed at its end, it stays as it is" % (name, kind),
              again.stderr)



def grow_unmarked():
    """Killed long after its last checkpoint, when the library has flushed the file: data beyond its last known
    end are no free space."""
    job = ((*VERLET[:5], "1ms", "--sample", "100ms", "--duration", "100000s"), "5000000")
    make_reference(job, "h5")
    clean()
    run = subprocess.Popen(words_of(job, "h5"), stderr=subprocess.DEVNULL)
    while not os.path.exists("c.h5") and run.poll() is None:
        time.sleep(0.01)
    run.kill()
    run.wait()
    job = (job[0], "1000000000")
    grown = os.path.getsize("o.h5")
    for _ in ("late", "later"):
        run = subprocess.Popen(words_of(job, "h5"), stderr=subprocess.DEVNULL)
        end = time.time() + 30
        while time.time() < end and run.poll() is None and os.path.getsize("o.h5") < grown + 2000000:
            time.sleep(0.05)
        time.sleep(1)
        run.kill()
        run.wait()
    run = subprocess.run(words_of(job, "h5"), capture_output=True, text=True)
    check(run.returncode == 0 and is_right(job, "h5"), "killed long after its last checkpoint, twice, a result is right", run.stderr)


if kills > 0:
    grow_unmarked()

# Calls that fail, and how: once; half of the bytes; from there on, as on a full disk; with the whole program.
FAULTS = (("write", "fail"), ("write", "short"), ("write", "full"), ("write", "kill"), ("fsync", "fail"), ("fsync", "kill"),
          ("rename", "fail"), ("rename", "kill"), ("link", "fail"), ("link", "kill"), ("truncate", "fail"), ("truncate", "kill"),
          ("open", "fail"), ("read", "fail"))
with_faults = dict(os.environ, LD_PRELOAD=preload)


def run_with(job, kind, call, how, number, **more):
    return subprocess.run(words_of(job, kind), capture_output=True, text=True,
                          env=dict(with_faults, FAULT_CALL=call, FAULT_HOW=how, FAULT_NUMBER=str(number), **more))


def fail_at(job, kind, call, how, number, begun):
    """Runs with a fault of the nth call, and again; begun: the first is resumed already. Returns the fault, or None."""
    clean()
    for path in begun:
        shutil.copy(os.path.join("begun", path), path)
    first = run_with(job, kind, call, how, number)
    # A run with a harmless fault has its result at once.
    fine = is_right(job, kind) if first.returncode == 0 else how == "kill" if first.returncode == -signal.SIGKILL \
        else first.returncode == 1 and how != "short" and "ifbam: " in first.stderr
    last = subprocess.run(words_of(job, kind), capture_output=True, text=True)
    if fine and last.returncode == 0 and is_right(job, kind):
        return first.returncode != 0, None
    return first.returncode != 0, (call, how, number, fine, first.returncode, first.stderr, last.returncode, last.stderr)


def begin(job, kind):
    """A run that was killed half-way, in the folder begun/."""
    shutil.rmtree("begun", ignore_errors=True)
    os.mkdir("begun")
    clean()
    run_with(job, kind, "write", "fail", 0, FAULT_COUNT="count")
    total = int(read("count"))
    clean()
    run_with(job, kind, "write", "kill", total * 2 // 3)
    for path in glob.glob("o.*") + glob.glob("c.h5*"):
        os.replace(path, os.path.join("begun", path))
    return os.listdir("begun")


if not os.path.exists(preload) or subprocess.run([program, "--version"], capture_output=True,
                                                 env=with_faults).returncode != 0:
    print("ok - faults # SKIP a sanitizer allocates by itself")
    FAILING = {}
for name, job in FAILING.items():
    for kind in ("csv", "h5"):
        make_reference(job, kind)
        begun = begin(job, kind)
        # Each in one of both kinds of file; in all where there is time.
        every = 1 if kills == 0 else by_effort(2, 2, 1)
        for call, how in FAULTS[(kind == "h5") % every::every]:
            total, tried, told, wrong = 0, 0, 0, []
            for files in ((), begun):
                clean()
                for path in files:
                    shutil.copy(os.path.join("begun", path), path)
                run_with(job, kind, call, "fail", 0, FAULT_COUNT="count")
                n = int(read("count"))
                numbers = range(1, n + 1)
                if kills > 0 and n > 2:
                    numbers = sorted({draw.randint(1, n), draw.choice((1, n - 1, n))})
                total += n
                for number in numbers:
                    was_told, reason = fail_at(job, kind, call, how, number, files)
                    tried += 1
                    told += was_told
                    wrong += [reason] if reason else []
            check(not wrong, "%s to %s: of %d calls to %s %d: %s; %d were told; all went on to the right result"
                  % (name, kind, total, call, tried, how, told), wrong[:3])

finish()
