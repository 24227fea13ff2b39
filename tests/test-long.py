#!/usr/bin/python3
# test-long.py: a run of many steps, interrupted and resumed 20 times: the last row is that of one run, memory is flat
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: tests/test-long.py [STEPS]   (1e10 take minutes; a second by default)
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from expect import check, finish, networks, program

steps = int(float(sys.argv[1])) if len(sys.argv) > 1 else 40_000_000
CUTS = 20

def last_row(path):
    with open(path, "rb") as file:
        return file.read().split(b"\n")[-2]


class Run:
    """One process: how it ended, its CPU time [s] and its memory at most [kB]."""

    def __init__(self, words, stop_after=None):
        started = subprocess.Popen([program, "run", *words], stderr=subprocess.PIPE)
        if stop_after is not None:
            time.sleep(stop_after)
            started.send_signal(signal.SIGTERM)
        self.said = started.stderr.read().decode()
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = self.code = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss


work = tempfile.TemporaryDirectory()
os.chdir(work.name)
draw = random.Random(20261122)
words = [os.path.join(networks, "two-dof.ini"), "--scheme", "verlet", "--step", "1ms", "--duration",
         "%.3f s" % (steps * 1e-3), "--sample", "%.3f s" % (steps // 2000 * 1e-3)]
began = time.time()
one = Run([*words, "-o", "one.csv"])
took = time.time() - began
check(one.code == 0, "%.3g steps in one run: %.1f s of CPU time" % (steps, one.seconds), one.said)

memory, seconds, interrupted = [], 0.0, 0
while True:
    run = Run([*words, "-o", "cut.csv", "--resume", "c.h5"], draw.uniform(0.5, 1.5) * took / 30 if interrupted < CUTS else None)
    if run.code == -signal.SIGTERM:
        continue  # it had not begun yet
    memory.append(run.memory)
    seconds += run.seconds
    if run.code != 128 + signal.SIGTERM:
        break
    interrupted += 1
check(run.code == 0 and interrupted >= (CUTS if took > 20 else 2),
      "resumed %d times: %.1f s of CPU time" % (interrupted, seconds), run.said)
check(run.code == 0 and last_row("cut.csv") == last_row("one.csv"), "the last row is that of one run")
with open("one.csv", "rb") as a, open("cut.csv", "rb") as b:
    check(a.read() == b.read(), "and so are all rows")
# A byte in five steps that is not freed exceeds this. Reading a checkpoint takes some MB, which a run that is interrupted early does not.
check(max(memory) < one.memory + 8000, "memory stays at %d MB" % (max(memory) / 1024), (memory, one.memory))
finish()
