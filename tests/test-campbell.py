#!/usr/bin/python3
"""test-campbell.py: ifbam campbell: eigenfrequencies over a speed, crossings with orders, steady amplitudes

References: the determinant and the solution of the turbine's equations by elimination; closed forms for a gyroscopic disk, an oscillator under several forces, and a driven wall.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import cmath
import csv
import json
import math
import os
import tempfile

from expect import check, finish, ifbam

TURN = 2 * math.pi
folder = tempfile.TemporaryDirectory()
TURBINE = "networks/turbine.ini"
NO_DAMPING = ["--set", "water.damping=0", "--set", "lp-steam.damping=0", "--set", "hp-steam.damping=0"]


def network(text, name="n.ini"):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n" + text)
    return path


def campbell(path, *words):
    done = ifbam("campbell", path, *words, "--json")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * abs(b)


# The turbine

R1, R2, R3 = -0.106276702021383, -0.234985914930174, -0.120268672550536
INERTIAS = (277252.92, 93321.48, 1449.5334, 1704.8682, 3076.4454, 29.510376)
SHAFTS = ((93321480, (1, -1, 0, 0, 0, 0)), (23041141.2, (0, 1 / R1, -1, 0, 0, 0)), (3447019.8, (0, 0, 1 / R2, -1, 0, 0)),
          (2730726.6, (0, 1 / R1, 0, 0, -1, 0)), (1611094.8, (0, 0, 0, 0, 1 / R3, -1)))


def impedance(s, damped=True):
    """M s^2 + C s + K of propeller, bull gear, wheels and turbines, for motions exp (s t); pinions follow their gears."""
    matrix = [[sum(k * row[i] * row[j] for k, row in SHAFTS) for j in range(6)] for i in range(6)]
    for i, (inertia, damping) in enumerate(zip(INERTIAS, (436102.8, 0, 0, 12.2888346, 0, 4.82853924))):
        matrix[i][i] += s * s * inertia + s * damping * damped
    return matrix


def eliminate(matrix, right):
    """(determinant, solution) by elimination with pivots; no solution of a singular matrix."""
    rows, n, determinant = [row + [b] for row, b in zip(matrix, right)], len(right), 1
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        if best != i:
            rows[i], rows[best], determinant = rows[best], rows[i], -determinant
        determinant *= rows[i][i] / INERTIAS[i] / 1e3
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    x = [0] * n
    if determinant == 0:
        return 0, x
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return determinant, x


def root(start, damped):
    """The eigenvalue near a start, by secants."""
    a, b = start, start * (1 + 1e-6)
    for _ in range(100):
        fa, fb = (eliminate(impedance(s, damped), [1] * 6)[0] for s in (a, b))
        if fa == fb or abs(b - a) < 1e-14 * abs(b):
            break
        a, b = b, b - fb * (b - a) / (fb - fa)
    return b


def shaft_torque(rpm):
    x = eliminate(impedance(1j * 5 * rpm / 60 * TURN), [0.1 * 22.24e6 * 0.11298 * (rpm / 85)**2, 0, 0, 0, 0, 0])[1]
    return abs(93321480 * (x[0] - x[1]))


free = campbell(TURBINE, "--speed", "speed=20rpm:60rpm", *NO_DAMPING)
crossings = free["crossings"]
for crossing, frequency in zip(crossings, (177.711152, 220.176283)):
    exact = root(1j * frequency / 60 * TURN, False).imag / TURN * 60
    check(close(crossing["speed"], exact / 5, 1e-10) and abs(crossing["speed"] * 5 - frequency) < 1e-6
          and crossing["order"] == 5 and crossing["source"] == "blades",
          f"turbine without dampers: order 5 meets {frequency:.3f} per minute at {frequency / 5:.3f} rpm", crossing)
check(len(crossings) == 2 and abs(free["modes"][2]["frequency"][0] * 60 - 1282.58) < 5e-3,
      "turbine: two crossings, and a third mode at 1282.58 per minute", crossings)
damped = campbell(TURBINE, "--speed", "speed=20rpm:60rpm", "--signal", "propeller-shaft.torque")
for crossing, frequency in zip(damped["crossings"], (177.532116, 220.176022)):
    s = root(complex(-0.039 if frequency < 200 else -0.00126, 1) * frequency / 60 * TURN, True)
    check(close(crossing["speed"], s.imag / TURN * 60 / 5, 1e-10)
          and close(crossing["damping_ratio"], -s.real / abs(s), 1e-7),
          f"turbine: crossing at {s.imag / TURN * 12:.5f} rpm with its damping ratio", crossing)
best = max((shaft_torque(35.5 + i * 1e-4), 35.5 + i * 1e-4) for i in range(2001))
best = max((shaft_torque(best[1] + i * 1e-6), best[1] + i * 1e-6) for i in range(-200, 201))
signal = damped["signals"][0]
check(close(signal["largest"], best[0], 1e-8) and abs(signal["speed"] - best[1]) < 1e-3,
      f"turbine: largest torque of the propeller shaft {best[0] / 1e3:.2f} kN m at {best[1]:.4f} rpm", (signal, best))
check(all(close(a, shaft_torque(rpm), 1e-9) for a, rpm in zip(signal["amplitude"], damped["speed"])),
      "turbine: amplitudes at all speeds")

# A run reaches the steady amplitude.

run = ifbam("run", TURBINE, "--set", "speed=30rpm", "--duration", "60s", "--sample", "5ms", "--scheme", "esdirk4",
            "--record", "propeller-shaft.torque")
late = [float(row["propeller-shaft.torque"]) for row in csv.DictReader(run.stdout.splitlines())
        if float(row["time"]) > 50]
half = (max(late) - min(late)) / 2
check(close(half, shaft_torque(30), 2e-3), "turbine: the end of a run at 30 rpm has the steady amplitude",
      (half, shaft_torque(30)))

# A gyroscopic disk: x'' -+ 2 W y' + k x = 0 has w = sqrt (W^2 + k) +- W

DISK = """
[parameters]
speed = 100 rpm
polar = 2 kg
[mass x]
mass = 1 kg
[mass y]
mass = 1 kg
[ground g]
[spring kx]
stiffness = 10 kN/m
between = x, g
[spring ky]
stiffness = 10 kN/m
between = y, g
[cross-damper gx]
damping = $polar * $speed / (1 rad)
between = x, g
input = y
[cross-damper gy]
damping = -$polar * $speed / (1 rad)
between = y, g
input = x
"""
disk = campbell(network(DISK), "--speed", "speed=0rpm:3000rpm", "--order", "1,2")
by_whirl = {mode["whirl"]: mode for mode in disk["modes"]}
for name, sign in (("forward", 1), ("backward", -1)):
    worst = max(abs(f - (math.sqrt((rpm / 60 * TURN)**2 + 1e4) + sign * rpm / 60 * TURN) / TURN)
                for f, rpm in zip(by_whirl[name]["frequency"], disk["speed"]))
    check(worst < 1e-9, f"gyroscopic disk: {name} whirl", worst)
meet = [math.sqrt(1e4 / (n * n + 2 * n)) * 60 / TURN for n in (2, 1)]
check(len(disk["crossings"]) == 2 and all(close(c["speed"], w, 1e-11) for c, w in zip(disk["crossings"], meet)),
      "gyroscopic disk: orders 1 and 2 meet the backward whirl only", (disk["crossings"], meet))
swapped = campbell(network(DISK.replace("= $polar", "= -$polar").replace("= --", "= ").replace("= -$polar * $speed / (1 rad)\nbetween = y", "= $polar * $speed / (1 rad)\nbetween = y")),
                   "--speed", "speed=0rpm:3000rpm", "--order", "1")
check({mode["whirl"] for mode in swapped["modes"]} == {"forward", "backward"},
      "gyroscopic disk: turning the other way has both whirls, too")

# Lines that cross keep their modes; others veer away.

CROSS = """
[parameters]
speed = 10 rad/s
[mass a]
mass = 1 kg
[mass b]
mass = 1 kg
[ground g]
[spring ka]
stiffness = 1 kg * $speed^2 / (1 rad)^2
between = a, g
[spring kb]
stiffness = 400 N/m
between = b, g
"""
lines = campbell(network(CROSS), "--speed", "speed=10rad/s:30rad/s:8", "--order", "0.5")
wanted = [[w / TURN for w in lines["speed"]], [20 / TURN] * len(lines["speed"])]
check(all(all(close(f, w, 1e-9) for f, w in zip(mode["frequency"], line)) for mode, line in zip(lines["modes"], wanted)),
      "crossing lines keep their modes")
check([round(c["speed"], 9) for c in lines["crossings"]] == [] or lines["crossings"][0]["mode"] == 2,
      "order 0.5 meets only the constant mode", lines["crossings"])
veer = campbell(network(CROSS + "[spring kc]\nstiffness = 4 N/m\nbetween = a, b\n"), "--speed", "speed=10rad/s:30rad/s:4")
f = [mode["frequency"] for mode in veer["modes"]]
check(len(veer["speed"]) > 8 and all(a < b for a, b in zip(*f)),
      "coupled modes veer: the lines do not cross, and speeds are added there", len(veer["speed"]))

# Amplitudes: forces of one order add with their phases, others by their course.

ONE = """
[parameters]
speed = 1 Hz
[mass m]
mass = 1 kg
[ground g]
[spring k]
stiffness = 100 kN/m
between = m, g
[damper d]
damping = 40 N s/m
between = m, g
[force f]
on = m
amplitude = 3 N
frequency = $speed
[force h]
on = m
amplitude = 2 N
phase = 1 rad
frequency = $speed
"""


def transfer(frequency):
    w = TURN * frequency
    return 1 / (1e5 - w * w + 40j * w)


one = campbell(network(ONE), "--speed", "speed=1Hz:80Hz", "--signal", "m.position,k.force")
check(all(close(x, abs(3 + 2 * cmath.exp(1j)) * abs(transfer(n)), 1e-9)
          for x, n in zip(one["signals"][0]["amplitude"], one["speed"]))
      and one["signals"][1]["unit"] == "N", "forces of one order are added with their phases")
peak = one["signals"][0]
exact = math.sqrt(1e5 - 40 * 40 / 2) / TURN
check(abs(peak["speed"] - exact) < 1e-4 and close(peak["largest"], 5 * abs(transfer(exact)) * abs(3 + 2 * cmath.exp(1j)) / 5, 1e-8),
      "the peak is at sqrt (k/m - c^2 / 2 m^2)", (peak["speed"], exact))
two = campbell(network(ONE.replace("phase = 1 rad\nfrequency = $speed", "phase = 1 rad\nfrequency = 2 * $speed")),
               "--speed", "speed=1Hz:80Hz:5", "--signal", "m.position")
for n, x in zip(two["speed"], two["signals"][0]["amplitude"]):
    a, b = 3 * transfer(n), 2 * cmath.exp(1j) * transfer(2 * n)
    largest = max(abs((a * cmath.exp(1j * t) + b * cmath.exp(2j * t)).imag) for t in (TURN * k / 40000 for k in range(40000)))
    if not close(x, largest, 2e-5):
        check(False, f"two orders at {n} Hz: the largest value of their sum", (x, largest))
        break
else:
    check(True, "two orders: the largest value of their sum")
check([c["order"] for c in two["crossings"]] == [2, 1] or [c["order"] for c in two["crossings"]] == [1, 2]
      or {c["order"] for c in two["crossings"]} == {1, 2}, "two sources have two orders", two["crossings"])
wall = campbell(network("""
[parameters]
speed = 1 Hz
[mass m]
mass = 1 kg
[drive w]
amplitude = 1 mm
frequency = 3 * $speed
[spring k]
stiffness = 1 kN/m
between = m, w
"""), "--speed", "speed=0Hz:4Hz:9", "--signal", "m.position")
check(all(x is None or not math.isfinite(x) or close(x, abs(1 / (1000 - (TURN * 3 * n)**2)), 1e-9)
          for x, n in zip(wall["signals"][0]["amplitude"], wall["speed"])), "a driven wall, from standstill")
check(wall["signals"][0]["largest"] in (None, math.inf), "an undamped mode: the amplitude at its crossing is infinite",
      wall["signals"][0]["largest"])

# Units, margin, files

rad = campbell(TURBINE, "--speed", "speed=2:6")
check(rad["unit"] == "rad/s" and close(rad["crossings"][0]["speed"], damped["crossings"][0]["speed"] * TURN / 60, 1e-9),
      "a range without a unit is in SI", rad["unit"])
margin = campbell(TURBINE, "--speed", "speed=20rpm:60rpm", "--margin", "10%", "--operating", "38rpm:41rpm")["crossings"]
check([c["near"] for c in margin] == [True, True]
      and close(margin[0]["distance"], 1 - margin[0]["speed"] / 38, 1e-9)
      and close(margin[1]["distance"], margin[1]["speed"] / 41 - 1, 1e-9), "margins of an operating range", margin)
default = campbell(TURBINE, "--speed", "speed=20rpm:60rpm", "--margin", "10%")["crossings"]
check([c["near"] for c in default] == [True, False], "the operating speed is that in the file", default)
table, picture = os.path.join(folder.name, "c.csv"), os.path.join(folder.name, "c.svg")
ifbam("campbell", TURBINE, "--speed", "speed=20rpm:60rpm", "--signal", "propeller-shaft.torque", "-o", table)
with open(table, encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
check([float(row["speed [rpm]"]) for row in rows] == damped["speed"]
      and [float(row["mode2.frequency"]) for row in rows] == damped["modes"][1]["frequency"]
      and [float(row["propeller-shaft.torque.amplitude"]) for row in rows] == signal["amplitude"],
      "the table has the numbers of the answer")
done = ifbam("campbell", TURBINE, "--speed", "speed=20rpm:60rpm", "--signal", "propeller-shaft.torque", "-o", picture)
drawn = open(picture, encoding="utf-8").read() if os.path.exists(picture) else ""
check("order 5: blades" in drawn and "35.51" in drawn and "speed [rpm]" in drawn, "the diagram names orders and crossings",
      done.stderr)
check(">400<" in drawn.replace(" ", ""), "the range of frequencies does not limit the panel of amplitudes")

# Faults

for words, wanted in (
        ([], "want --speed, such as"),
        (["--speed", "speed=20rpm"], "want PARAMETER=FROM:TO"),
        (["--speed", "sped=20rpm:60rpm"], 'did you mean "speed"?'),
        (["--speed", "speed=20m:60m"], "no speed"),
        (["--speed", "water.damping=1N*m*s/rad:2N*m*s/rad"], "no speed of rotation"),
        (["--speed", "speed=20rpm:60rpm:1"], "no number of points"),
        (["--speed", "speed=20rpm:60rpm", "--order", "0"], "--order 0: want orders above 0"),
        (["--speed", "speed=20rpm:60rpm", "--order", "a"], "--order a:"),
        (["--speed", "speed=20rpm:60rpm", "--margin", "-1"], "must not be negative"),
        (["--speed", "speed=20rpm:60rpm", "--operating", "30rpm"], "is for --margin"),
        (["--speed", "speed=20rpm:60rpm", "--margin", "1%", "--operating", "3m"], "--operating 3m:"),
        (["--speed", "speed=20rpm:60rpm", "--signal", "nothing.torque"], "nothing"),
        (["--speed", "speed=20rpm:60rpm", "--signal", "propeller.angle", "--set", "blades.amplitude=0 N*m"], "no source has a sine")):
    done = ifbam("campbell", TURBINE, *words)
    check(done.returncode != 0 and wanted in done.stderr and done.stdout == "", f"fault: {' '.join(words)[:60]}",
          done.stderr or done.stdout)

finish()
