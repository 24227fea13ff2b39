#!/usr/bin/python3
"""test-orbit.py: ifbam orbit: periodic motions, multipliers, folds, flips, grazing impacts

References: closed forms for impact oscillators, a ball on a vibrating table and dry friction (Den Hartog 1931); the folds of
Duffing's oscillator by collocation, the period of van der Pol's by a series; Dankowicz and Schilder 2013, Recipes for Continuation, 15.2.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import math
import os
import signal
import subprocess
import tempfile
import time

from expect import check, finish, hears, ifbam, program

folder = tempfile.TemporaryDirectory()
HEAD = "[network]\nscheme = rk4\nstep = {step}\nduration = 40 s\nrecord = m.position\n[ground wall]\n[mass m]\nmass = 1 kg\nposition = {start}\n"
SPRING = "[spring k]\nstiffness = 1 N/m\nbetween = wall, m\n"
PUSH = "[force push]\non = m\namplitude = {amplitude}\nfrequency = {frequency}\nphase = {phase}\n"


def network(text, name, step="5 ms", start="0 m", **values):
    path = os.path.join(folder.name, name + ".ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write((HEAD + text).format(step=step, start=start, **values))
    return path


def orbit(path, *words):
    done = ifbam("orbit", path, *words, "--json")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def special(branch, kind):
    return [point for point in branch["points"] if point["kind"] == kind]


def multipliers(point):
    return [complex(one["real"], one["imaginary"]) for one in point["multipliers"]]


def close(a, b, tolerance):
    return abs(a - b) <= tolerance


# Duffing: the folds, and Liouville's formula for the product of the multipliers.

DUFFING = network(SPRING + "cubic = 0.1 N/m3\n[damper d]\ndamping = 0.05 N s/m\nbetween = wall, m\n" + PUSH, "duffing",
                  amplitude="0.18 N", frequency="1 rad/s", phase="0")
duffing = orbit(DUFFING, "--over", "push.frequency=1rad/s:1.5rad/s")
folds = [2 * math.pi * point["number"] for point in special(duffing, "fold")]
check(len(folds) == 2 and close(folds[0], 1.26960195, 1e-7) and close(folds[1], 1.11570025, 1e-7), "folds of Duffing's oscillator", folds)
off = max(abs((lambda one, other: one * other)(*multipliers(point)) / math.exp(-0.05 * point["period"]) - 1) for point in duffing["points"])
check(off < 1e-9, "the product of the multipliers is exp (-c T / m)", off)
stable = [point["stable"] for point in duffing["points"] if not point["kind"]]
check(stable == sorted(stable[:stable.index(False)], reverse=True) + [False] * stable.count(False) + [True] * (len(stable) - stable.index(False) - stable.count(False))
      and duffing["points"][-1]["number"] == 1.5 / (2 * math.pi), "unstable between the folds only, up to the number's end", stable)

# Van der Pol: without a source. The multiplier is exp of the divergence's mean over the period.

POL = network(SPRING + "[van-der-pol d]\ndamping = 1 N s/m\namplitude = 1 m\nbetween = wall, m\n", "pol", start="1 m")
free = orbit(POL, "--free")["points"][0]
check(close(free["period"], 6.6632868593, 1e-8) and len(free["multipliers"]) == 1, "the period of van der Pol's oscillator", free)
check(close(free["multipliers"][0]["real"], 0.00085969511, 1e-9), "its multiplier", free)

# A driven oscillator with a stop.

STOP = SPRING + "[damper d]\ndamping = {c}\nbetween = wall, m\n[ground end]\nposition = {gap}\n[impact stop]\nrestitution = 0.8\nbetween = m, end\n" + PUSH
impact = network(STOP, "impact", c="0.1 N s/m", gap="1 m", amplitude="1 N", frequency="1 rad/s", phase="90 deg")
one = orbit(impact)["points"][0]
check(len(one["events"]) == 1 and close(one["events"][0]["rate_before"], 1.695732938, 1e-8), "the speed of the impact", one)
check(all(close(mu.real, -0.5842953, 1e-7) and close(abs(mu.imag), 0.0056004, 1e-7) for mu in multipliers(one)), "its multipliers", one)
branch = orbit(impact, "--over", "push.amplitude=1N:0.05N")
# without impacts the amplitude is A / (c w), so that the stop is touched at A = 0.1 N
check(close(branch["grazing"], 0.1, 1e-9) and "stop: 1 impact, then 0" in branch["end"] and branch["points"][-1]["kind"] == "events",
      "the branch ends at the grazing impact, and names the stop", branch.get("end"))

# Without damping, with the stop at rest's position: x = A cos (w t + phase) / (1 - w^2) + free motion over a half period.
bounce = network(STOP, "bounce", c="0 N s/m", gap="0 m", amplitude="1 N", frequency="2.7 rad/s", phase="90 deg")
flips = [2 * math.pi * point["number"] for point in special(orbit(bounce, "--over", "push.frequency=2.7rad/s:2.6rad/s"), "flip")]
check(len(flips) == 1 and close(flips[0], 2.653347728, 1e-8), "an impact oscillator doubles its period", flips)

# A ball on a vibrating table bounces once per period from A = pi (1 - e) / (1 + e) g / w^2 on, up to the doubling at
# A^2 = (pi (1 - e) / (1 + e))^2 + (2 (1 + e^2) / (1 + e)^2)^2 (Holmes 1982).

TABLE = network("velocity = 2 m/s\n[drive table]\namplitude = 1.3 m\nfrequency = 1 rad/s\nphase = 90 deg\n[gravity g]\non = m\nacceleration = 1 m/s2\n"
                "[impact hop]\nrestitution = 0.5\nbetween = table, m\n", "table", start="2 m")
down = special(orbit(TABLE, "--over", "table.amplitude=1.3m:0.9m"), "fold")
up = special(orbit(TABLE, "--over", "table.amplitude=1.3m:1.7m"), "flip")
check(len(down) == 1 and close(down[0]["number"], math.pi / 3, 1e-8), "a ball bounces on a table from an amplitude on", down)
check(len(up) == 1 and close(up[0]["number"], math.hypot(math.pi / 3, 2 * 1.25 / 2.25), 1e-8), "and doubles its period", up)
twice = orbit(TABLE, "--periods", "2", "--set", "table.amplitude=1.55m")["points"][0]
speeds = [event["rate_before"] for event in twice["events"]]
check(close(twice["period"], 4 * math.pi, 1e-12) and twice["stable"] and len(speeds) == 2 and abs(speeds[0] - speeds[1]) > 0.1,
      "beyond, it repeats after two periods", twice)

# Dry friction without sticking: Den Hartog 1931, Trans. ASME 53, 107.

r, ratio = 0.8, 0.1
V = 1 / (1 - r * r)
U = math.sin(math.pi / r) / (r * (1 + math.cos(math.pi / r)))
friction = network(SPRING + "[friction f]\nbreakaway = 0.1 N\nbetween = wall, m\n" + PUSH, "friction", step="1 ms", start="2.7 m",
                   amplitude="1 N", frequency="0.8 rad/s", phase="1 rad")
dry = orbit(friction)["points"][0]
check(close(dry["amplitude"]["m.position"], math.sqrt(V * V - (ratio * U) ** 2), 1e-6), "the amplitude under dry friction", dry)
check(close(dry["amplitude"]["m.position"], 2.761336671, 1e-6), "and its number", dry)

# Table and text

table = os.path.join(folder.name, "branch.csv")
ifbam("orbit", DUFFING, "--over", "push.frequency=1rad/s:1.5rad/s", "-o", table)
with open(table, newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
check(len(rows) == len(duffing["points"]) and [row["kind"] for row in rows if row["kind"] != "0"] == ["1", "1"]
      and float(rows[-1]["m.position.amplitude"]) == duffing["points"][-1]["amplitude"]["m.position"]
      and float(rows[3]["start.m.velocity"]) == duffing["points"][3]["state"]["m.velocity"], "the table has all points", rows[:2])
said = ifbam("orbit", DUFFING, "--over", "push.frequency=1rad/s:1.1rad/s", "--signal", "m.velocity", "--points", "4").stdout
check("m.velocity [m/s]" in said and "push.frequency [Hz]" in said and "largest number of points" in said and said.count(" stable") == 4, "the text", said)

# An interrupted branch is written up to there.

for step, seconds in (("100us", 0.5), ("20us", 0.5), ("100us", 2), ("20us", 2), ("100us", 8), ("100us", 32)):
    table = os.path.join(folder.name, f"part-{step}-{seconds}.csv")
    process = subprocess.Popen([program, "orbit", DUFFING, "--over", "push.frequency=1rad/s:1.5rad/s", "--step", step, "-o", table],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    hears(process, signal.SIGINT)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1]
    if os.path.exists(table) and process.returncode == 130:
        break
with open(table, encoding="utf-8") as file:
    rows = list(csv.reader(file))
check(process.returncode == 130 and "the branch up to there is written" in said and len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows),
      "an interrupted branch is written", (process.returncode, said, rows[:2]))

# Faults

for path, words, wanted in (
        (DUFFING, ["--scheme", "original"], "its state includes the step before"),
        (DUFFING, ["--scheme", "averaged"], "want a one-step scheme"),
        (POL, [], "no element has a sine"),
        (DUFFING, ["--source", "k"], "no sine"),
        (DUFFING, ["--source", "nothing"], "no such element"),
        (DUFFING, ["--free", "--source", "push"], "want --free or --source"),
        (DUFFING, ["--over", "push.frequency=1Hz"], "want PARAMETER=FROM:TO"),
        (DUFFING, ["--over", "push.frequncy=1Hz:2Hz"], "did you mean"),
        (DUFFING, ["--over", "push.frequency=1m:2m"], "--over"),
        (DUFFING, ["--signal", "nothing.force"], "nothing"),
        (DUFFING, ["--periods", "0"], "want 1 to 1000"),
        (DUFFING, ["-o", "x.svg"], "ends in .csv"),
        (network(SPRING + PUSH + "[impulse knock]\non = m\nimpulse = 1 N s\nat = 1 s\n", "knock", amplitude="1 N", frequency="1 Hz", phase="0"), [],
         "events at given times"),
        (network(SPRING + "[damper d]\ndamping = 0.1 N s/m\nbetween = wall, m\n" + PUSH + "[force other]\non = m\namplitude = 1 N\nfrequency = 0.3 Hz\n", "two",
                 amplitude="1 N", frequency="0.2 Hz", phase="0"), ["--source", "push"], "does not repeat in a second period"),
        (network(SPRING + "[damper d]\ndamping = 0.1 N s/m\nbetween = wall, m\n", "still", start="1 m"), ["--free"], "no ")):
    done = ifbam("orbit", path, *words)
    check(done.returncode != 0 and wanted in done.stderr and done.stdout == "", f"fault: {os.path.basename(path)} {' '.join(words)}", done.stderr or done.stdout)

finish()
