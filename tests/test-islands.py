#!/usr/bin/python3
# test-islands.py: what is joined by nothing goes its own way to the last bit, whatever else is in the file
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import os
import random
import tempfile

import islands
from expect import by_effort, check, finish, ifbam

n_events = [0]
SCHEMES = ("averaged", "original", "euler", "symplectic-euler", "verlet", "rk4", "esdirk4", "implicit")


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def events(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))[1:]


def alike(seed, scheme, *words):
    all_of_them = islands.make(seed)
    file = islands.write("all.ini", all_of_them, scheme)
    done = ifbam("run", file, *words, "-o", "all.csv", "--events", "all.events.csv")
    if not check_done("%s, %d: a network of islands is one" % (scheme, seed), done):
        return
    whole, told = columns("all.csv"), events("all.events.csv")
    times = [float(row[0]) for row in told]
    different, apart = [], []
    n_events[0] += len(told)
    for k, island in enumerate(all_of_them):
        file = islands.write("own.ini", [island], scheme)
        done = ifbam("run", file, *words, "-o", "own.csv", "--events", "own.events.csv")
        if done.returncode != 0:
            different.append(done.stderr)
            continue
        different += [name for name, values in columns("own.csv").items() if values != whole[name]]
        own = events("own.events.csv")
        names = {row[1] for row in own}
        if own != [row for row in told if row[1] in names]:
            apart.append(names)
    check(not different, "%s, %d: %d islands go as each alone" % (scheme, seed, len(all_of_them)), different)
    check(not apart, "%s, %d: so do their %d events" % (scheme, seed, len(told)), apart)
    check(times == sorted(times), "%s, %d: which are told by their times" % (scheme, seed))


def check_done(what, done):
    check(done.returncode == 0, what, done.stderr)
    return done.returncode == 0


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for k in range(by_effort(8, 16, 200)):
        alike(100 + k, SCHEMES[k % len(SCHEMES)])
    belts = [islands.stick_slip(random.Random(seed), "i%d" % seed) for seed in (1, 2)]
    file = islands.write("belts.ini", belts, "verlet", duration="3 s", more="[chain c]\ncount = 300\nmass = 1 kg\nstiffness = 1 kN/m\nfrom = wall\n")
    check_done("work of belts beside a chain at rest is no divergence", ifbam("run", file, "-o", "belts.csv"))
    check(n_events[0] > 100, "something happened at all: %d events" % n_events[0])
    finish()
