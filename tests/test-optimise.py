#!/usr/bin/python3
"""test-optimise.py: ifbam sweep --optimise: best values within bounds, and the peaks of responses

The absorber against Den Hartog's rule, and the exact optimum of Nishihara & Asami (2002, J. Vib. Acoust. 124); peaks of
responses against a search in the closed form.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import math

from expect import check, finish, ifbam

ABSORBER = "networks/absorber.ini"
GOAL = "min:response:force@m:m.position:amplitude"
PEAK = "response:force@m:m.position:amplitude"


def rows(*words):
    done = ifbam("sweep", *words)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [{key: float(x) for key, x in row.items() if x} for row in csv.DictReader(done.stdout.splitlines())]


def amplitude(w, mu, f, zeta):
    """Of the machine, for 100 kg and 100 kN/m, per newton at w times its frequency."""
    r = f * f + 2j * zeta * w
    return abs((r - w * w) / ((1 - w * w) * (r - w * w) - mu * w * w * r)) / 1e5


def peak(mu, f, zeta):
    grid = [0.5 + 1e-4 * i for i in range(10001)]
    best = 0
    for w in sorted(grid, key=lambda w: -amplitude(w, mu, f, zeta))[:40]:
        low, high = w - 1e-4, w + 1e-4
        for _ in range(60):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if amplitude(a, mu, f, zeta) < amplitude(b, mu, f, zeta) else (low, b)
        best = max(best, amplitude(low, mu, f, zeta))
    return best


# Peaks of nearly equal heights

found = rows(ABSORBER, "--vary", "f=0.9895:0.9905:11", "--measure", "response:force@m:m.position")
worst = max(abs(row[PEAK] / peak(0.01, row["f"], 0.06) - 1) for row in found)
check(len(found) == 11 and worst < 1e-9, "the higher of two nearly equal peaks", worst)

# The absorber

for mu in (0.01, 0.1):
    best, = rows(ABSORBER, "--set", f"mu={mu}", "--vary", "f=0.5:1.2", "--vary", "zeta=0.01:0.5", "--optimise", GOAL)
    s = math.sqrt(4 + 3 * mu)
    f = 2 / (1 + mu) * math.sqrt(2 * (16 + 23 * mu + 9 * mu**2 + 2 * (2 + mu) * s) / (3 * (64 + 80 * mu + 27 * mu**2)))
    zeta = f * math.sqrt((8 + 9 * mu - 4 * s) / (1 + mu)) / 4
    check(abs(best["f"] / f - 1) < 1e-7 and abs(best["zeta"] / zeta - 1) < 1e-6,
          f"absorber of {mu} of the mass: frequency and damping of the exact optimum", (best, f, zeta))
    if mu == 0.01:
        check(abs(best["f"] * (1 + mu) - 1) < 1e-3
              and abs(best["zeta"] / math.sqrt(3 * mu / (8 * (1 + mu)**3)) - 1) < 1e-3, "absorber: Den Hartog's rule", best)

# Other goals

best, = rows("networks/quarter-car.ini", "--vary", "strut.damping=500N*s/m:3kN*s/m", "--optimise",
             "min:rms:body.acceleration", "--measure", "rms:body.acceleration,max:wheel.position")
grid = rows("networks/quarter-car.ini", "--vary", "strut.damping=500N*s/m:3kN*s/m:101", "--measure", "rms:body.acceleration")
check(best["rms:body.acceleration"] <= min(row["rms:body.acceleration"] for row in grid) and "max:wheel.position" in best,
      "a measure of runs is not above that of a fine grid", best)
best, = rows("networks/two-dof.ini", "--vary", "k1.stiffness=5kN/m:20kN/m", "--optimise", "max:frequencies:1")
check(abs(best["k1.stiffness"] / 20e3 - 1) < 1e-6, "a largest frequency is at the bound", best)

# Faults

for words, wanted in (
        (("--vary", "f=0.8:1.2", "--optimise", "min:nothing"), "nothing"),
        (("--vary", "f", "--optimise", GOAL), "wants bounds"),
        (("--vary", "f=0.8:1.2", "--optimise", "least:" + GOAL[4:]), "least"),
        (("--vary", "f=0.8:1.2", "--optimise", GOAL, "--part", "1/2"), "--best, --part, --from and --to are for grids"),
        (("--vary", "x=0.8:1.2", "--optimise", GOAL), '"x"'),
        (("--optimise", GOAL), "--vary")):
    done = ifbam("sweep", ABSORBER, *words)
    check(done.returncode != 0 and wanted in done.stderr and done.stdout == "", f"fault: {' '.join(words)[:50]}",
          done.stderr or done.stdout)

finish()
