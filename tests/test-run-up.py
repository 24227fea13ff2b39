#!/usr/bin/python3
"""test-run-up.py: a run-up through two resonances: its order lines peak where ifbam campbell has the crossings

The run is that of networks/run-up.ini, slower, with play in the bracket of the pipe and a load that closes it. Amplitudes of orders are integrals of the samples over whole turns, apart from the program's own order tracking.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import cmath
import csv
import json
import math
import os
import tempfile

from expect import check, finish, ifbam

SECONDS = 100
TURNS = 8 # of an integral
folder = tempfile.TemporaryDirectory()


def network(play):
    with open("networks/run-up.ini", encoding="utf-8") as file:
        text = file.read()
    for old, new in [("duration = 20 s", f"duration = {SECONDS} s"), ("sample   = 5 ms", "sample   = 2 ms"),
                     ("machine.position, shaft.angle", "machine.position, pipe.position, shaft.angle"),
                     ("[spring bracket]", f"[backlash bracket]\nplay = {play}"),
                     ("$last / 20 s", f"$last / {SECONDS} s"), ("over      = 20 s", f"over      = {SECONDS} s")]:
        if old not in text:
            raise RuntimeError(f"networks/run-up.ini has no longer: {old}")
        text = text.replace(old, new)
    path = os.path.join(folder.name, "run-up.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n[force load]\non = pipe\nvalue = -30 N\n")
    return path


def run(path):
    columns = os.path.join(folder.name, "run-up.csv")
    done = ifbam("run", path, "--start", "equilibrium", "-o", columns)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    with open(columns, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def order_cut(course, signal, order):
    """Returns (turns per second, amplitude) of overlapping windows of TURNS turns, whichever way the shaft turns."""
    angle, x, time = course["shaft.angle"], course[signal], course["time"]
    points, begin, end = [], 0, 0
    while True:
        while end < len(angle) and angle[end] < angle[begin] + TURNS * 2 * math.pi:
            end += 1
        if end >= len(angle):
            return points
        hann = [1 - math.cos((angle[i] - angle[begin]) / TURNS) for i in range(begin, end)]
        mean = sum(w * v for w, v in zip(hann, x[begin:end])) / (end - begin)
        total = sum(w * (x[i] - mean) * cmath.exp(-1j * order * angle[i]) * (angle[i + 1] - angle[i])
                    for i, w in enumerate(hann, begin))
        points.append((TURNS / (time[end] - time[begin]), abs(total) / (math.pi * TURNS)))
        begin += max(1, (end - begin) // 4)


def peak(course, signal, order, low, high):
    return max(((a, speed) for speed, a in order_cut(course, signal, order) if low < speed < high))


path = network("0.2 mm")
done = ifbam("campbell", path, "--speed", "last=1Hz:30Hz", "--order", "1,2", "--start", "equilibrium", "--json")
at = {(c["order"], c["mode"]): c["speed"] for c in json.loads(done.stdout)["crossings"]}
loose, tight = run(path), run(network("0 mm"))

# A resonance answers late: at a rise of r Hz/s the peak comes about r / (decay rate) above the crossing, and play softens.
late = 30 / SECONDS / (0.0417 * 2 * math.pi * 6.73)
for course, soft, name in [(tight, 0, "no play"), (loose, 0.04, "play")]:
    for signal, order, mode in [("machine.position", 1, 1), ("machine.position", 2, 1), ("pipe.position", 1, 2), ("pipe.position", 2, 2)]:
        crossing = at[(order, mode)]
        amplitude, speed = peak(course, signal, order, 0.8 * crossing, 1.2 * crossing)
        check(-soft - 0.01 < speed / crossing - 1 < 0.01 + 1.5 * late / crossing,
              f"{name}: order {order} of {signal} peaks where it crosses mode {mode}", (speed, crossing))
        between, _ = peak(course, signal, order + 0.5, 0.8 * crossing, 1.2 * crossing)
        check(between < 0.1 * amplitude, f"{name}: no line at order {order + 0.5} of {signal}", (between, amplitude))

third = [peak(course, "pipe.position", 3, 6, 7.5)[0] for course in (tight, loose)]
check(third[1] > 2 * third[0], "play that opens at the resonance brings the third order", third)

finish()
