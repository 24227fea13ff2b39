#!/usr/bin/python3
"""test-heaps.py: heaps that fall with friction and wedge themselves in go on, and stacked ones come to their end

In each of these a sliding ball is wedged between others so that no finite reactions keep all apart, or contacts open and close
without end: a step took hundreds of thousands of events. The contacts get the impulses of a part of the step at once there.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import os
import random
import tempfile

from expect import by_effort, check, finish, ifbam


def draw_heap(seed, n, restitution):
    """n balls that roll, on a ground, with friction 0.9, which fall to the middle."""
    draw = random.Random(seed)
    wide = int(n**0.5 + 1)
    text = ["[network]\nscheme = verlet\nstep = 1 ms\nduration = 0.6\nsample = 10 ms\n"
            "record = network.energy, network.dissipated, *.compression\n[surface ground]\n"]
    for i in range(n):
        radius = draw.uniform(.06, .1)
        x = (i % wide) * .21 + draw.uniform(-.02, .02)
        y = .1 + (i // wide) * .21 + draw.uniform(0, .02)
        text.append(f"[ball b{i}]\nmass = {radius**2 * 100:.6g}\nradius = {radius:.5g}\nx = {x:.6g}\ny = {y:.6g}\n"
                    f"vx = {-(x - .1 * wide) * 2:.5g}\ninertia = solid\n")
    for i in range(n):
        for name, other in [(f"f{i}", "ground")] + [(f"c{i}-{j}", f"b{j}") for j in range(i)]:
            text.append(f"[bounce {name}]\nrestitution = {restitution}\nfriction = 0.9\nbetween = b{i}, {other}\n")
    text.append("[gravity g]\non = " + ", ".join(f"b{i}" for i in range(n)) + "\n")
    return "".join(text)


def draw_stack(n, friction, restitution):
    """n equal balls in layers, each in the gaps of the layer below, 0.1 um apart."""
    wide = int(n**0.5 + 1)
    text = ["[network]\nscheme = verlet\nstep = 1 ms\nduration = 20 ms\nsample = 10 ms\nrecord = network.energy, network.dissipated\n[surface ground]\n"]
    for i in range(n):
        row = i // wide
        text.append(f"[ball b{i}]\nmass = 1\nradius = 0.1\nx = {(i % wide) * .2000001 + (row % 2) * .1:.9g}\ny = {.1 + row * .1733:.9g}\ninertia = solid\n")
    for i in range(n):
        for name, other in [(f"f{i}", "ground")] + [(f"c{i}-{j}", f"b{j}") for j in range(i)]:
            text.append(f"[bounce {name}]\nrestitution = {restitution}\nfriction = {friction}\nbetween = b{i}, {other}\n")
    text.append("[gravity g]\non = " + ", ".join(f"b{i}" for i in range(n)) + "\n")
    return "".join(text)


HEAPS = [(3, 12, 0.3), (2, 12, 0), (1, 16, 0)]

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for heap in HEAPS[: by_effort(1, 3, 3)]:
        what = "heap %d of %d balls, e = %g" % heap
        with open("heap.ini", "w", encoding="utf-8") as file:
            file.write(draw_heap(*heap))
        ran = ifbam("run", "heap.ini", "-o", "course.csv", "--events", "events.csv")
        check(ran.returncode == 0, what + " comes to its end", ran.stderr)
        check("got the impulses of a part of the step" in ran.stderr, what + " says what was done", ran.stderr)
        with open("course.csv", encoding="utf-8") as file:
            rows = [[float(value) for value in row] for row in list(csv.reader(file))[1:]]
        with open("events.csv", encoding="utf-8") as file:
            events = list(csv.DictReader(file))
        energy = [row[1] + row[2] for row in rows]
        check(len(rows) == 61, what + " has all rows", len(rows))
        check(max(energy) - min(energy) < 1e-4 * energy[0], what + " keeps its account", (min(energy), max(energy)))
        check(max(max(row[3:]) for row in rows) < 1e-12, what + " has nobody in another", max(max(row[3:]) for row in rows))
        check(any(event["event"] == "jam" for event in events), what + " jams")
        check(len(events) < 200000, what + " takes no crowd of events", len(events))
    # finite reactions that only the search at both levels found counted as impulses: these were 0, again and again
    for stack in [(12, 0.55, 0.3), (12, 0.55, 0), (9, 0.3, 0.3)]:
        what = "stack of %d balls, friction %g, e = %g" % stack
        with open("stack.ini", "w", encoding="utf-8") as file:
            file.write(draw_stack(*stack))
        ran = ifbam("run", "stack.ini", "-o", "course.csv")
        check(ran.returncode == 0, what + " comes to its end", ran.stderr)
        with open("course.csv", encoding="utf-8") as file:
            energy = [float(row[1]) + float(row[2]) for row in list(csv.reader(file))[1:]]
        check(len(energy) == 3 and max(energy) - min(energy) < 1e-6 * energy[0], what + " keeps its account", energy)
finish()
