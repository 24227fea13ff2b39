#!/usr/bin/env python3
"""test-mechanism-answers.py: responses, spectra and sweeps of mechanisms against runs and closed forms
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
IFBAM = os.environ.get("IFBAM", "build/ifbam")
G = 9.81
status = 0

DOUBLE = """[network]
scheme = rk4
step = 5 ms
duration = 60 s
sample = 20 ms
[point p]
[ball a]
mass = 1 kg
y = -1 m
vx = 0.002 m/s
[ball b]
mass = 1 kg
y = -2 m
vx = 0.001 m/s
[rod r]
length = 1 m
between = p, a
[rod s]
length = 1 m
between = a, b
[gravity g]
on = a, b
"""

BAR = """[network]
scheme = rk4
step = 5 ms
duration = 1 s
start = equilibrium
[point p]
[body b]
mass = 2 kg
inertia = 0.05 kg m2
angle = 0.4
[point top]
on = b
y = 0.4 m
[hinge h]
between = p, top
[gravity g]
on = b
"""

CART = """[network]
scheme = rk4
step = 2 ms
duration = 120 s
[drive cart]
amplitude = 0.1 mm
frequency = 0.9
[point hook]
follow-x = cart
y = 3 m
[ball a]
mass = 1 kg
y = 2 m
[ball b]
mass = 2 kg
y = 1 m
[rod r]
length = 1 m
between = hook, a
[rod s]
length = 1 m
between = a, b
[spring k]
stiffness = 3 N/m
between = b.x, cart
[damper d]
damping = 2 N s/m
between = a.x, cart
[gravity g]
on = a, b
"""


def ifbam(*arguments):
    done = subprocess.run([IFBAM, *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"ifbam {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def fit(rows, frequency, periods):
    """Amplitude and phase of column 1 over the last periods, by least squares over a whole number of them."""
    end = float(rows[-1][0])
    part = [(float(r[0]), float(r[1])) for r in rows if float(r[0]) > end - periods / frequency]
    omega = 2 * math.pi * frequency
    mean = sum(x for _, x in part) / len(part)
    sine = sum((x - mean) * math.sin(omega * t) for t, x in part) * 2 / len(part)
    cosine = sum((x - mean) * math.cos(omega * t) for t, x in part) * 2 / len(part)
    return math.hypot(sine, cosine), math.degrees(math.atan2(cosine, sine))


def near(number, wanted, tolerance, what):
    assert abs(number - wanted) <= tolerance * abs(wanted), f"{what}: {number}, not {wanted}"


def compare_response(path, arguments, inputs, output, amplitude, frequency, shift):
    told = list(csv.reader(ifbam("response", path, *arguments, "--input", inputs, "--output", output, "--from",
                                 str(frequency), "--to", str(2 * frequency), "--points", "2").splitlines()))[1]
    course = os.path.join(work, "course.csv")
    ifbam("run", path, *arguments, "--record", output, "-o", course)
    with open(course) as file:
        seen, phase = fit(list(csv.reader(file))[1:], frequency, 18)
    near(seen / amplitude, float(told[1]), 2e-4, f"amplitude of {output}")
    turn = (phase - shift - float(told[2]) + 180) % 360 - 180
    assert abs(turn) < 0.05, f"phase of {output}: {phase - shift}, not {told[2]}"


def response_to_a_force():
    """A force on a linkage near rest."""
    path = os.path.join(work, "bar.ini")
    with open(path, "w") as file:
        file.write(BAR.replace("duration = 1 s", "duration = 90 s").replace("step = 5 ms", "step = 4 ms")
                   + "[ground f]\n[torsion-damper d]\ndamping = 0.2\nbetween = b.angle, f\n"
                   "[torque t]\non = b.angle\nvalue = 0\namplitude = 0.0005\nfrequency = 0.8\n")
    compare_response(path, [], "torque@b.angle", "b.angle", 0.0005, 0.8, 0)


def response_to_a_moving_point():
    """A body that hangs from a driven point by rods, a spring and a damper."""
    path = os.path.join(work, "cart.ini")
    with open(path, "w") as file:
        file.write(CART)
    for output in ("a.x", "b.x", "k.force"):
        compare_response(path, [], "position@cart", output, 1e-4, 0.9, 0)


def spectrum():
    """Lines of a small run are at the modes, corrected by the scheme's effect."""
    path = os.path.join(work, "double.ini")
    with open(path, "w") as file:
        file.write(DOUBLE)
    wanted = [math.sqrt(G * (2 - math.sqrt(2))) / (2 * math.pi), math.sqrt(G * (2 + math.sqrt(2))) / (2 * math.pi)]
    for scheme in ("rk4", "verlet"):
        found = json.loads(ifbam("spectrum", path, "--scheme", scheme, "--signal", "b.x", "--compare", "--json"))
        peaks = found["signals"][0]["peaks"]
        assert len(peaks) == 2, peaks
        for peak, frequency in zip(peaks, wanted):
            near(peak["mode_frequency"], frequency, 1e-9, "mode")
            near(peak["corrected_frequency"], frequency, 1e-6, f"line of {scheme}")


def sweep_of_a_mass():
    """omega^2 = (g/l) (M/m1) (1 -+ sqrt (m2/M)) of a double pendulum, M = m1 + m2."""
    path = os.path.join(work, "double.ini")
    with open(path, "w") as file:
        file.write(DOUBLE)
    rows = list(csv.reader(ifbam("sweep", path, "--vary", "b.mass=0.5,1,2,5").splitlines()))[1:]
    assert len(rows) == 4, rows
    for row in rows:
        mass = float(row[0])
        for sign, found in zip((-1, 1), row[1:3]):
            square = G * (1 + mass) * (1 + sign * math.sqrt(mass / (1 + mass)))
            near(float(found), math.sqrt(square) / (2 * math.pi), 1e-9, f"mode at {mass} kg")


def sweep_of_a_length():
    """omega^2 = m g a/(I + m a^2) of a bar on a hinge, about rest, which is found for each variant."""
    path = os.path.join(work, "bar.ini")
    with open(path, "w") as file:
        file.write(BAR)
    rows = list(csv.reader(ifbam("sweep", path, "--vary", "top.y=0.1m:1m:7").splitlines()))[1:]
    assert len(rows) == 7, rows
    for row in rows:
        arm = float(row[0])
        near(float(row[1]), math.sqrt(2 * G * arm / (0.05 + 2 * arm * arm)) / (2 * math.pi), 1e-8, f"mode at {arm} m")


def pins_that_rub():
    """Check warns that impacts ignore the friction of a pin if there are impacts and such a friction."""
    path = os.path.join(work, "pin.ini")
    rubbing = BAR.replace("between = p, top", "between = p, top\nfriction = 0.2\nradius = 1 cm")
    hit = "[impact stop]\ngap = 0.1\nbetween = b.x, wall\n[ground wall]\nposition = 1\n"
    second = "[hinge i]\nbetween = p, top\n"
    for text, wanted in ((BAR + hit, None), (rubbing, None), (rubbing + hit, 'pins      "h": hits pass without friction'),
                         (rubbing + second, 'pins      "h": how much friction is a matter of how redundant')):
        with open(path, "w") as file:
            file.write(text)
        found = [line for line in ifbam("check", path).splitlines() if line.startswith("pins")]
        assert len(found) == (wanted is not None) and (not found or found[0].startswith(wanted)), (wanted, found)
    # Many of them: some are named, others counted, and both things are said.
    many = "".join("[hinge h%d]\nbetween = p, top\nfriction = 0.2\nradius = 1 cm\n" % i for i in range(2, 9))
    with open(path, "w") as file:
        file.write(rubbing + many + hit)
    said = ifbam("check", path).splitlines()
    pins = [line for line in said if line.startswith("pins")]
    assert len(pins) == 1 and pins[0].startswith('pins      "h", "h2", "h3", "h4", "h5" and 3 more: hits pass without friction; how much'), said
    follows = [line for line in said if "follows from" in line or line.startswith("          and ")]
    assert len(follows) == 6 and follows[-1] == "          and 9 more", said


def long_chains_start_at_once():
    """No place of rest is looked for where that takes longer than a run of some steps."""
    path = os.path.join(work, "chain.ini")
    for count in 50, 1000:
        with open(path, "w") as file:
            file.write("[network]\nstep = 1 ms\nduration = 10 ms\nrecord = c.m1.x\n[point p]\n[chain c]\ncount = %d\nmass = 1\n"
                       "rods = 1\nfrom = p\n[gravity g]\non = c\n" % count)
        assert ("where it is at rest" in ifbam("check", path)) == (count == 50), count
        assert ifbam("run", path).count("\n") > 11, count


with tempfile.TemporaryDirectory() as work:
    for test in (response_to_a_force, response_to_a_moving_point, spectrum, sweep_of_a_mass, sweep_of_a_length, pins_that_rub,
                 long_chains_start_at_once):
        try:
            test()
            print(f"ok - {test.__name__.replace('_', ' ')}")
        except Exception as error:  # whatever it is, the others are run
            print(f"not ok - {test.__name__.replace('_', ' ')}")
            print(f"# {error!r}")
            status = 1
sys.exit(status)
