#!/usr/bin/python3
"""test-fit.py: ifbam fit: numbers from modes, responses and samples that were computed with other numbers

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import os
import random
import tempfile

from expect import check, finish, ifbam

folder = tempfile.TemporaryDirectory()
THREE, DAMPED = "networks/three-dof.ini", "networks/damped.ini"


def path(name, text=None):
    place = os.path.join(folder.name, name)
    if text is not None:
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
    return place


def fit(network, to, vary, *words):
    done = ifbam("fit", network, "--to", to, "--vary", vary, "--json", *words)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def values(found):
    return [number["value"] for number in found["numbers"]]


def close(one, other, tolerance):
    return len(one) == len(other) and all(abs(a / b - 1) <= tolerance for a, b in zip(one, other))


# Modes

modes = json.loads(ifbam("modes", THREE, "--json").stdout)["modes"]
plain = path("f.csv", "frequency\n" + "".join(f"{mode['frequency']!r}\n" for mode in modes))
shapes = path("shapes.csv", "frequency,m1,m2,m3\n" + "".join(
    ",".join(repr(x) for x in (mode["frequency"], *(3 * mode["shape"][n] for n in ("m1", "m2", "m3")))) + "\n"
    for mode in reversed(modes)))
STIFFNESSES, EXACT = "k1.stiffness,k2.stiffness,k3.stiffness", [10e3, 40e3, 10e3]
for factor in (1.4, 0.6):
    start = [word for name, k in zip(STIFFNESSES.split(","), EXACT) for word in ("--set", f"{name}={k * factor}")]
    found = fit(THREE, plain, STIFFNESSES, *start)
    check(close(values(found), EXACT, 1e-6) and found["iterations"] <= 6 and found["undetermined"] == [],
          f"three stiffnesses from three frequencies, start {factor} times: {found['iterations']} iterations", found)
found = fit(THREE, shapes, STIFFNESSES + ",m1.mass,m2.mass,m3.mass", "--set", "k1.stiffness=14kN/m")
ratio = values(found)[0] / EXACT[0]
check(close(values(found), [x * ratio for x in EXACT + [1, 1, 0.5]], 1e-6) and len(found["undetermined"]) == 1
      and found["undetermined"][0].endswith("only up to a common factor")
      and all(number["deviation"] is None for number in found["numbers"]),
      "stiffnesses and masses from modes with shapes: one combination is not determined", found)
one = path("one.csv", "mode,frequency\n2,20\n")
found = fit(THREE, one, "k3.stiffness")
done = ifbam("modes", THREE, "--set", f"k3.stiffness={values(found)[0]!r}", "--json")
check(abs(json.loads(done.stdout)["modes"][1]["frequency"] / 20 - 1) < 1e-9, "a row names its mode by number")
oscillator = path("one-dof.ini", "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\nsample = 10 ms\nrecord = m.position\n"
                  "[ground g]\n[mass m]\nmass = 2 kg\nposition = 1 cm\n[spring k]\nstiffness = 200 N/m\nbetween = m, g\n"
                  "[damper d]\ndamping = 3 N s/m\nbetween = m, g\n")
found = fit(oscillator, path("two.csv", "frequency\n2\n"), "k.stiffness,m.mass", "--set", "d.damping=0")
check(found["undetermined"] == ["k.stiffness and m.mass only as k.stiffness / m.mass"]
      and abs(math.sqrt(values(found)[0] / values(found)[1]) / (4 * math.pi) - 1) < 1e-9, "k and m only as k / m", found)
found = fit(oscillator, path("ratio.csv", "frequency,damping_ratio\n1.5,0.07\n"), "k.stiffness,d.damping")
w = 1.5 * 2 * math.pi / math.sqrt(1 - 0.07**2)
check(close(values(found), [2 * w * w, 2 * 2 * 0.07 * w], 1e-9), "stiffness and damping from a frequency and a damping ratio",
      found)
found = fit(oscillator, path("two.csv"), "k.stiffness,d.damping", "--set", "d.damping=1e-9")
check(found["undetermined"] == ["d.damping has no effect on the data"], "a number without effect is named", found)

# Responses

response = path("response.csv")
ifbam("response", oscillator, "--input", "force@m", "--output", "m.position", "--from", "0.5", "--to", "5", "--points", "20",
      "-o", response)
found = fit(oscillator, response, "k.stiffness,d.damping,m.mass", "--input", "force@m", "--set", "k.stiffness=260",
            "--set", "d.damping=5", "--set", "m.mass=1.5")
check(close(values(found), [200, 3, 2], 1e-7) and found["undetermined"] == [], "all numbers from a frequency response", found)

# Samples, with noise: the standard deviation of theory

course = path("course.csv")
ifbam("run", oscillator, "-o", course)
found = fit(oscillator, course, "k.stiffness,d.damping", "--set", "k.stiffness=220", "--set", "d.damping=2")
check(close(values(found), [200, 3], 1e-6), "stiffness and damping from samples", found)
with open(course, encoding="utf-8") as file:
    head, *rows = file.read().splitlines()
draw, SIGMA = random.Random(5), 1e-4
noisy = path("noisy.csv", head + "\n" + "".join("%s,%r\n" % (t, float(x) + draw.gauss(0, SIGMA))
                                                  for t, x in (row.split(",") for row in rows)))
found = fit(oscillator, noisy, "k.stiffness")


def motion(t, k):
    a, w = 3 / 4, math.sqrt(k / 2 - 9 / 16)
    return 0.01 * math.exp(-a * t) * (math.cos(w * t) + a / w * math.sin(w * t))


slopes = [(motion(t, 200.02) - motion(t, 199.98)) / 0.04 for t in (float(row.split(",")[0]) for row in rows)]
exact = SIGMA / math.sqrt(sum(x * x for x in slopes)) / 200
number = found["numbers"][0]
check(abs(number["deviation"] / exact - 1) < 0.2 and abs(number["value"] / 200 - 1) < 4 * exact,
      f"noise: standard deviation {100 * number['deviation']:.3f} %, of theory {100 * exact:.3f} %", number)

# Bounds, outputs

found = fit(oscillator, path("two.csv"), "k.stiffness=100N/m:250N/m")
check(abs(values(found)[0] - 250) < 0.01, "a bound holds", found)
fitted, picture = path("fitted.ini"), path("fit.svg")
done = ifbam("fit", oscillator, "--to", response, "--input", "force@m", "--vary", "k.stiffness", "--set", "k.stiffness=150",
             "-o", fitted, "-o", picture)
check(done.returncode == 0 and "fitted [SI]" in done.stdout and os.path.exists(picture), "text and picture", done.stderr)
check(abs(json.loads(ifbam("modes", fitted, "--json").stdout)["modes"][0]["frequency"]
          - math.sqrt(100 - 9 / 16) / (2 * math.pi)) < 1e-8, "the network with the fitted number")

# The covariance is that of linear least squares, with the sensitivities of ifbam modes.

found = fit(THREE, path("three.csv", "frequency\n9.5\n24\n48\n"), "k1.stiffness,k3.stiffness")
table = json.loads(ifbam("modes", THREE, "--sensitivity", "--json", *(f"--set={n['number']}={n['value']!r}" for n in found["numbers"])).stdout)
one, two = ([row["frequency"] for row in table["sensitivities"] if row["number"] == name][0] for name in ("k1.stiffness", "k3.stiffness"))
a, b, c = (sum(x * y for x, y in zip(*pair)) for pair in ((one, one), (one, two), (two, two)))
factor = found["residual"]**2 * 3 / (a * c - b * b)
matrix = [n["covariance"] for n in found["numbers"]]
check(close(matrix[0] + matrix[1], [c * factor, -b * factor, -b * factor, a * factor], 1e-4)
      and close([n["deviation"]**2 for n in found["numbers"]], [matrix[0][0], matrix[1][1]], 1e-12), "the covariance of two stiffnesses", (matrix, a, b, c, factor))

# A start at the minimum is an answer.

course = path("course.csv")
ifbam("run", "networks/damped.ini", "--record", "m1.position", "-o", course)
found = fit("networks/damped.ini", course, "d1.damping")
check(close(values(found), [30], 1e-9) and found["residual"] < 1e-12, "a start without residuals is the answer", found)

# Pictures: signals over time with their differences, modes as deviations

for network, to, vary, words in (("networks/damped.ini", course, "d1.damping", ["measured", "fitted minus measured", "time [s]"]),
                                 (THREE, plain, "k1.stiffness", ["at the start", "mode 1", "computed minus measured [%]"])):
    ifbam("fit", network, "--to", to, "--vary", vary, "-o", picture)
    with open(picture, encoding="utf-8") as file:
        drawn = file.read()
    check(all(word in drawn for word in words), f"picture of {network}", words)

# Faults

for to, vary, words, wanted in (
        (plain, "k9.stiffness", (), 'no element "k9"'),
        (plain, "k1.stifness", (), 'did you mean "stiffness"?'),
        (plain, "k1.stiffness=1:2:3:4", (), "--vary k1.stiffness=1:2:3:4"),
        (path("missing.csv"), "k1.stiffness", (), "missing.csv"),
        (path("empty.csv", "frequency\n"), "k1.stiffness", (), "no measured values"),
        (path("zero.csv", "frequency\n0\n"), "k1.stiffness", (), "row 1: the frequency is not above 0"),
        (path("many.csv", "frequency\n1\n2\n3\n4\n"), "k1.stiffness", (), "row 4: the network has no such mode"),
        (path("what.csv", "a,b\n1,2\n"), "k1.stiffness", (), 'no column "frequency"'),
        (path("resp.csv", "frequency,m1.position.amplitude\n1,2\n"), "k1.stiffness", (), "want its --input"),
        (path("bad.csv", "frequency,m1.position.amplitude,x\n1,2,3\n"), "k1.stiffness", ("--input", "force@m1"),
         'column "x" is neither'),
        (path("uneven.csv", "time,m1.position\n0,1\n1,2\n3,4\n"), "k1.stiffness", (), "no even samples"),
        (path("signal.csv", "time,m9.position\n0,1\n0.01,2\n"), "k1.stiffness", (), "m9")):
    done = ifbam("fit", THREE, "--to", to, "--vary", vary, *words)
    check(done.returncode != 0 and wanted in done.stderr and done.stdout == "", f"fault: {wanted}", done.stderr or done.stdout)
done = ifbam("fit", THREE, "--to", plain)
check(done.returncode == 2 and "want --to and --vary" in done.stderr, "fault: --vary is missing", done.stderr)

finish()
