# expect.py: what tests of the program in Python share, to be imported by their scripts
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import subprocess
import sys
import time

root = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
program = os.path.join(root, os.environ.get("BUILD", "build"), "ifbam")
networks = os.path.join(root, "networks")
failures = 0
effort = os.environ.get("TEST_EFFORT", "")


def build_program(name):
    """The absolute path of a program that is built."""
    return os.path.join(root, os.environ.get("BUILD", "build"), name)


def by_effort(brief, usual, full):
    """One of these: as under sanitizers, usual, in a night."""
    return brief if effort == "brief" else full if effort == "full" else usual


def check(fine, what, why=""):
    """Prints the result of one test, and, where it has failed, why."""
    global failures
    if not isinstance(what, str):
        raise TypeError("check: a test's name is the second argument")
    failures += not fine
    print("ok" if fine else "not ok", "-", what, flush=True)
    if not fine and why:
        print("#", str(why).replace("\n", "\n# "), flush=True)


def ifbam(*words, **more):
    return subprocess.run([program, *words], capture_output=True, text=True, **more)


def hears(process, number):
    """Waits until a process that has been started has a word for a signal, or has ended."""
    while process.poll() is None:
        with open("/proc/%d/status" % process.pid, encoding="utf-8") as file:
            caught = [line for line in file if line.startswith("SigCgt")]
        if not caught or int(caught[0].split()[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.001)


def finish():
    """Ends the script; its folder may be gone after it."""
    os.chdir(root)
    sys.exit(failures > 0)
