#!/usr/bin/python3
"""test-random-response.py: ifbam response --psd: densities and root mean squares of random inputs

Integrals are compared with those of scipy over closed forms, with Miles's equation (1954), and with 100 runs under noise: the
mean of their squares has to be within its 99 % interval.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import math
import os
import tempfile

import numpy
import scipy.integrate
import scipy.stats

from expect import by_effort, check, finish, ifbam, networks

folder = tempfile.TemporaryDirectory()
TURN = 2 * math.pi
G = 9.80665


def write(name, text):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def network(text, name="n.ini", step="1 ms"):
    return write(name, "[network]\nscheme = rk4\nstep = %s\nduration = 1 s\n%s" % (step, text))


def random_response(path, entrance, table, *words):
    done = ifbam("response", path, "--input", entrance, "--psd", table, *words, "--json")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * abs(b)


def log_log(f, rows):
    (a, low), (b, high) = next(pair for pair in zip(rows, rows[1:]) if f <= pair[1][0])
    return low * (high / low)**(math.log(f / a) / math.log(b / a))


# an oscillator with a damping ratio of 0.5 %, by a table in logarithms
M, C, K = 2.0, 2 * 0.005 * math.sqrt(2.0 * 8000), 8000.0
ONE = network("[ground g]\n[mass m]\nmass = 2\n[spring k]\nstiffness = 8000\nbetween = g, m\n[damper c]\ndamping = %.17g\nbetween = g, m\n" % C)
ROWS = [(1, 0.01), (4, 0.2), (20, 0.2), (300, 0.001)]
TABLE = write("force.csv", "frequency [Hz],psd [N2/Hz]\n" + "".join("%g,%g\n" % row for row in ROWS))


def mean_square(size, rows, power=0):
    """The integral of |H|^2 S f^power over the table, in pieces around the resonance."""
    peak = math.sqrt(K / M) / TURN
    places = sorted({row[0] for row in rows} | {peak * (1 + x) for x in (-.3, -.1, -.03, -.01, -.003, 0, .003, .01, .03, .1, .3)})
    places = [x for x in places if rows[0][0] <= x <= rows[-1][0]]
    return sum(scipy.integrate.quad(lambda f: size(TURN * f)**2 * log_log(f, rows) * f**power, a, b, epsabs=0, epsrel=1e-9, limit=200)[0]
               for a, b in zip(places, places[1:]))


answer = random_response(ONE, "force@m", TABLE, "--output", "m.position", "--output", "m.acceleration", "--output", "c.force")
sizes = [lambda w: 1 / abs(K - M * w * w + 1j * w * C), lambda w: w * w / abs(K - M * w * w + 1j * w * C), lambda w: w * C / abs(K - M * w * w + 1j * w * C)]
for output, size in zip(answer["outputs"], sizes):
    square = mean_square(size, ROWS)
    check(close(output["root_mean_square"], math.sqrt(square), 1e-7), "root mean square of %s" % output["signal"], (output["root_mean_square"], math.sqrt(square)))
    rice = math.sqrt(mean_square(size, ROWS, 2) / square)
    check(close(output["apparent_frequency"], rice, 1e-7), "apparent frequency of %s" % output["signal"], (output["apparent_frequency"], rice))
    worst = max(abs(d - size(TURN * f)**2 * log_log(f, ROWS)) / d for f, d in zip(answer["frequency"], output["density"]))
    check(worst < 1e-9, "densities of %s" % output["signal"], worst)
check([output["density_unit"] for output in answer["outputs"]] == ["m2/Hz", "(m/s²)2/Hz", "N2/Hz"], "units of the densities", answer["outputs"])
exact = math.sqrt(sum(scipy.integrate.quad(lambda f: log_log(f, ROWS), a[0], b[0], epsrel=1e-12)[0] for a, b in zip(ROWS, ROWS[1:])))
check(close(answer["input_root_mean_square"], exact, 1e-7), "root mean square of the input", (answer["input_root_mean_square"], exact))

# Miles's equation: base acceleration of constant density, g2/Hz
BASE = network("[drive base]\n[mass m]\nmass = 1\n[spring k]\nstiffness = %.17g\nbetween = base, m\n[damper c]\ndamping = %.17g\nbetween = base, m\n"
               % ((TURN * 40)**2, 2 * 0.02 * TURN * 40), "base.ini")
FLAT = write("flat.csv", "Hz,asd [g2/Hz]\n0.01,0.04\n1e5,0.04\n")
answer = random_response(BASE, "acceleration@base", FLAT, "--output", "m.acceleration", "--output", "k.compression", "--points", "400")
miles = G * math.sqrt(math.pi / 2 * 40 * 25 * 0.04 * (1 + 4 * 0.02**2))
check(close(answer["outputs"][0]["root_mean_square"], miles, 1e-4), "Miles's equation in g2/Hz", (answer["outputs"][0]["root_mean_square"], miles))

# limits of the range, an undamped network, and faults
part = random_response(ONE, "force@m", TABLE, "--from", "5", "--to", "15", "--output", "m.position")
square = scipy.integrate.quad(lambda f: sizes[0](TURN * f)**2 * 0.2, 5, 15, epsabs=0, epsrel=1e-10, points=[10.0 + x for x in (-.2, -.05, 0.0658, .05, .2)], limit=500)[0]
check(close(part["outputs"][0]["root_mean_square"], math.sqrt(square), 1e-7), "a part of the range", (part["outputs"][0]["root_mean_square"], math.sqrt(square)))
done = ifbam("response", os.path.join(networks, "two-dof.ini"), "--input", "force@m1", "--psd", TABLE)
check(done.returncode == 0 and "grows without bound" in done.stderr and "inf" in done.stdout, "an undamped network", done.stderr)
for text, message in [("frequency,psd\n1,2\n1,3\n", "do not increase"), ("frequency,psd\n1,2\n", "fewer than two rows"), ("frequency,psd\n1,-2\n2,3\n", "below 0"),
                      ("frequency,psd,other\n1,2,3\n2,3,4\n", "not two columns"), ("frequency,psd [m2/Hz]\n1,2\n2,3\n", "is no density of force@m"),
                      ("frequency [s],psd\n1,2\n2,3\n", "not in Hz"), ("frequency,psd\n1,2\n2,x\n", "\"x\"")]:
    done = ifbam("response", ONE, "--input", "force@m", "--psd", write("wrong.csv", text))
    check(done.returncode != 0 and message in done.stderr and done.stdout == "", "refused: " + repr(text), done.stderr)
done = ifbam("response", ONE, "--input", "force@m", "--psd", TABLE, "--from", "400", "--to", "500")
check(done.returncode == 2 and "outside --from and --to" in done.stderr, "a range beside the table", done.stderr)

# an output that is 0 but for rounding: no interval is short enough for it, and the others keep their digits
TWINS = network("[ground g]\n[mass m]\nmass = 2\n[spring k]\nstiffness = 8000\nbetween = g, m\n[damper c]\ndamping = 3.3\nbetween = g, m\n"
                + "".join("[mass %s]\nmass = 0.37\n[spring k%s]\nstiffness = 711\nbetween = m, %s\n[damper c%s]\ndamping = 0.7\nbetween = m, %s\n" % ((n,) * 5) for n in "ab")
                + "[spring tie]\nstiffness = 90\nbetween = a, b\n", "twins.ini")
both = ifbam("response", TWINS, "--input", "force@m", "--psd", TABLE, "--output", "a.position", "--output", "tie.compression", "--json", timeout=120)
alone = random_response(TWINS, "force@m", TABLE, "--output", "a.position")["outputs"][0]["root_mean_square"]
first, second = [output["root_mean_square"] for output in json.loads(both.stdout)["outputs"]]
check(second < 1e-15 * first and close(first, alone, 1e-7), "an output that is rounding", (first, second, alone))

# 100 runs with noise
DAMPED = "[ground g]\n[mass a]\nmass = 1\n[mass b]\nmass = 2\n[spring ka]\nstiffness = 4000\nbetween = g, a\n[damper ca]\ndamping = 8\nbetween = g, a\n[spring kb]\nstiffness = 3000\nbetween = a, b\n[damper cb]\ndamping = 6\nbetween = a, b\n"
NOISE = "[%s push]\nwave = noise\namplitude = %g\nfrom = %g Hz\nto = %g Hz\nseed = 1\n"
CASES = [
    ("a mass", "force@m", ["m.position"], "[ground g]\n[mass m]\nmass = 2\n[spring k]\nstiffness = 8000\nbetween = g, m\n[damper c]\ndamping = 10\nbetween = g, m\n", "force", "on = m\n", 30, 1, 60),
    ("two masses", "force@b", ["a.position", "kb.force"], DAMPED, "force", "on = b\n", 50, 1, 40),
    ("a driven base", "position@push", ["m.position"], "[mass m]\nmass = 2\n[spring k]\nstiffness = 8000\nbetween = push, m\n[damper c]\ndamping = 10\nbetween = push, m\n", "drive", "", 0.001, 1, 60),
    ("a shaft", "torque@r", ["r.angle"], "[ground g]\n[inertia r]\ninertia = 0.1\n[torsion-spring k]\nstiffness = 400\nbetween = g, r\n[torsion-damper c]\ndamping = 0.4\nbetween = g, r\n", "torque", "on = r\n", 5, 1, 50),
    ("a lever", "force@a", ["b.position"], "[ground g]\n[mass a]\nmass = 2\n[mass b]\nmass = 3\n[ratio r]\nratio = -2.5\nbetween = a, b\n[spring k]\nstiffness = 9000\nbetween = g, a\n[damper d]\ndamping = 8\nbetween = g, b\n", "force", "on = a\n", 30, 0.5, 40),
    ("a circuit", "current@c", ["c.voltage"], "[ground g]\n[capacitor c]\ncapacitance = 100 uF\n[inductor l]\ninductance = 1 H\nbetween = g, c\n[resistor r]\nresistance = 500 ohm\nbetween = g, c\n", "current-source", "on = c\n", 0.01, 1, 60),
]
RUNS = 100
for title, entrance, outputs, text, kind, more, amplitude, low, high in CASES[: by_effort(0, 1, 6)]:
    path = network(text + NOISE % (kind, amplitude, low, high) + more, step="2 ms")
    table = write("band.csv", "frequency,psd\n%.17g,%.17g\n%.17g,%.17g\n" % (low, amplitude**2 / (high - low), high, amplitude**2 / (high - low)))
    answer = random_response(path, entrance, table, *[word for name in outputs for word in ("--output", name)])
    done = ifbam("sweep", path, "--duration", by_effort("", "20 s", "40 s"), "--vary", "push.seed=1:%d:%d" % (RUNS, RUNS), "--from", "4 s",
                 *[word for name in outputs for word in ("--measure", "rms:" + name)])
    rows = list(csv.DictReader(done.stdout.splitlines()))
    check(len(rows) == RUNS, "runs of " + title, done.stderr)
    for name, output in zip(outputs, answer["outputs"]):
        squares = numpy.array([float(row["rms:" + name])**2 for row in rows])
        error = squares.std(ddof=1) / math.sqrt(RUNS) * scipy.stats.t.ppf(0.995, RUNS - 1)
        check(abs(squares.mean() - output["root_mean_square"]**2) <= error, "%s: the mean square of %s is that of %d runs" % (title, name, RUNS),
              (squares.mean(), output["root_mean_square"]**2, error))

# rounding of the first step's end counted as a violated constraint where the lever's reaction was about 0: one of 100 runs failed
LEVER = next(case for case in CASES if case[0] == "a lever")
path = network(LEVER[3] + NOISE % (LEVER[4], LEVER[6], LEVER[7], LEVER[8]) + LEVER[5], step="2 ms")
done = ifbam("sweep", path, "--duration", "20 ms", "--vary", "push.seed=1:400:400", "--measure", "rms:b.position")
rows = list(csv.DictReader(done.stdout.splitlines()))
check(len(rows) == 400 and all(row["rms:b.position"] for row in rows), "a lever starts under any noise", done.stderr)
finish()
