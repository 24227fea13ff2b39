#!/usr/bin/python3
# test-same-as.py: tests/same-as finds a version equal to itself, and lists each difference of one that is not
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import subprocess
import sys
import tempfile

from expect import check, finish, networks, program, root

NETWORK = os.path.join(networks, "collision.ini")


def same_as(base, *options):
    words = [sys.executable, os.path.join(root, "tests/same-as"), base, NETWORK, "--program", program, "--schemes", "rk4", "--steps", "60"]
    return subprocess.run([*words, *options], capture_output=True, text=True)


def altered(folder, name, command):
    """A program that does as this version does, and then something else; $1 is the command."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/bash\n{program} "$@" || exit $?\n{command}\n')
    os.chmod(path, 0o755)
    return path


def main():
    done = same_as(program)
    check(done.returncode == 0 and done.stdout == "1 networks, 1 schemes, 8 commands: 0 differences, 0 not compared\n", "a version equals itself",
          done.stdout + done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for name, command, listed in (
                ("samples", '[ "$1" != run ] || sed -i "5s/.$/x/" samples', "networks/collision.ini run rk4: samples: 1 of 63 lines, first line 5: "),
                ("events", '[ "$1" != run ] || echo more >>events', "networks/collision.ini run rk4: events: "),
                ("text", '[ "$1" != stability ] || echo more', "networks/collision.ini stability rk4: output: "),
                ("exit status", '[ "$1" != check ] || [ "$3" = --list ] || [ "$3" = --json ] || exit 3',
                 "networks/collision.ini check rk4: exit status: 1 of 1 lines, first line 1: '3' | '0'")):
            done = same_as(altered(folder, name, command))
            lines = done.stdout.split("\n")
            check(done.returncode == 1 and lines[0].startswith(listed) and ": 1 differences, 0 not compared" in lines[1],
                  f"a difference of {name} is listed", done.stdout + done.stderr)
        done = same_as(altered(folder, "slow", '[ "$1" != modes ] || exec sleep 20'), "--limit", "3")
        check(done.returncode == 1 and "modes: not compared: base took more than 3.0 s" in done.stdout, "a command that takes too long is listed",
              done.stdout + done.stderr)
    done = same_as("no-such-commit")
    check(done.returncode == 2 and "neither a program nor a commit" in done.stderr, "an unknown base is refused", done.stderr)
    finish()


main()
