#!/usr/bin/python3
"""test-section.py: ifbam section: strobes, events, carried motions and exponents against closed forms and published motions

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import math
import os
import tempfile

from expect import check, finish, ifbam

folder = tempfile.TemporaryDirectory()
STOP = """[network]
scheme = rk4
step = 20 ms
duration = 20 s
record = m.position, m.velocity
[ground wall]
[ground end]
[mass m]
mass = 1 kg
position = -0.5 m
[spring k]
stiffness = 1 N/m
between = wall, m
[force push]
on = m
amplitude = 1 N
frequency = 2.7 rad/s
phase = 90 deg
"""
IMPACT = "[impact stop]\nrestitution = 0.8\nbetween = m, end\n"


def write(text, name="a.ini"):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def rows(*words):
    done = ifbam("section", *words)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [{key: float(value) if value else math.nan for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


# A linear oscillator: the steady motion at phase 0, and exponents -c / (2 m), twice

linear = write(STOP + "[damper d]\ndamping = 0.2 N s/m\nbetween = wall, m\n", "linear.ini")
for w in (0.5, 2.0):
    point = rows(linear, "--set", f"push.frequency={w} rad/s", "--step", "10ms", "--settle", "200", "--last", "2", "--exponents")[-1]
    exact = 1 / (1 - w * w + 0.2j * w)
    check(abs(point["m.position"] - exact.real) < 1e-8 and abs(point["m.velocity"] - (1j * w * exact).real) < 1e-8, f"the steady motion at {w} rad/s", point)
    check(abs(point["exponent1"] + point["exponent2"] + 0.2) < 1e-6, "the sum of the exponents is -c/m", point)

# The impact oscillator without damping at 2.7: period 2, published strobes; each impact multiplies areas by 0.8²

impact = write(STOP + IMPACT, "impact.ini")
found = rows(impact, "--settle", "500", "--last", "200", "--exponents", "--step", "5ms")
check(all(abs(a["m.position"] - b) < 1e-4 for a, b in zip(found[-2:], (-0.4064, -0.7882))), "strobes at 2.7 rad/s", found[-2:])
check(all(abs(point["m.position"] - found[i % 2]["m.position"]) < 1e-9 for i, point in enumerate(found)), "period 2")
turn = math.log(0.8) * 2.7 / (2 * math.pi)
check(abs(found[0]["exponent1"] + found[0]["exponent2"] - 2 * turn) < 1e-6, "the sum of the exponents is 2 ln e for each impact", (found[0], turn))
check(abs(found[0]["exponent1"] - turn) < 0.01 * abs(turn), "both exponents are ln 0.8 a period", (found[0], turn))

# At 2.6 period 1 and period 6 coexist.

kinds = {len({round(point["m.position"], 5) for point in rows(impact, "--set", "push.frequency=2.6rad/s", "--set", f"m.position={x}m", "--settle", "600", "--last", "6")})
         for x in (-0.3, -0.7)}
check(kinds == {1, 6}, "period 1 and period 6 at 2.6 rad/s", kinds)
chaos = rows(impact, "--set", "push.frequency=2.85rad/s", "--last", "150", "--exponents")
check(chaos[0]["exponent1"] > 0.02 and len({round(point["m.position"], 4) for point in chaos}) > 100, "chaos at 2.85 rad/s", chaos[0])

# At events: just after each impact

after = rows(impact, "--at", "stop.impact", "--settle", "0", "--last", "10", "--step", "10ms")
period = 2 * math.pi / 2.7
steps = math.ceil(period / 0.01 * (1 - 1e-9))
done = ifbam("run", impact, "--step", f"{period / steps!r}s", "--sample", f"{period / steps!r}s", "--duration", f"{10 * period!r}s", "-o", os.devnull, "--events", "/dev/stdout")
hits = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["event"] == "impact"]
check(len(hits) == len(after) > 5, "a row for each impact", (len(hits), len(after), done.stderr))
check(all(abs(point["m.position"]) < 1e-12 and point["m.velocity"] < 0 for point in after), "just after the impact", after)

# Equal bits on threads and in parts

line = ("--over", "push.frequency=2.6rad/s:2.8rad/s", "--points", "21", "--settle", "40", "--last", "5")
whole = ifbam("section", impact, *line, "--threads", "1").stdout
check(len(whole.splitlines()) == 1 + 21 * 5 and ifbam("section", impact, *line, "--threads", "2").stdout == whole, "equal bits on two threads")
parts = [ifbam("section", impact, *line, "--part", f"{i}/4").stdout for i in range(1, 5)]
check(parts[0] + "".join(part.split("\n", 1)[1] for part in parts[1:]) == whole, "equal bits in four parts")

done = ifbam("section", impact, "--over", "push.frequency=2.6rad/s:2.8rad/s", "--points", "2", "--part", "1/4", "-o", os.path.join(folder.name, "none.svg"))
check(done.returncode == 1 and "there is nothing to draw" in done.stderr, "a part without points has no picture", (done.returncode, done.stderr))

# Carried motions: a hardening oscillator keeps its large motion upward and its small one downward.

both = rows("networks/duffing.ini", "--over", "push.frequency=5.2Hz:7Hz", "--points", "10", "--settle", "200", "--last", "2", "--carry", "both", "--step", "5ms",
            "--signal", "m1.position", "--signal", "m1.velocity", "--set", "m1.position=0mm")
size = {(row["carry"], round(row["push.frequency"], 6)): math.hypot(row["m1.position"], row["m1.velocity"] / (2 * math.pi * row["push.frequency"])) for row in both}
check(size[1, 6.6] > 3 * size[2, 6.6] and abs(size[1, 5.2] / size[2, 5.2] - 1) < 1e-3, "a jump at another frequency upward and downward", size)

# Pictures

picture = os.path.join(folder.name, "a.svg")
for words in (("--over", "push.frequency=2.6rad/s:2.8rad/s", "--points", "5", "--settle", "5", "--last", "5"), ("--settle", "5", "--last", "50")):
    done = ifbam("section", impact, *words, "-o", picture)
    with open(picture, encoding="utf-8") as file:
        drawn = file.read()
    check(done.returncode == 0 and "m.velocity" in drawn and ("push.frequency" in drawn) == (words[0] == "--over"), "a picture", done.stderr)
done = ifbam("orbit", impact, "--over", "push.frequency=2.7rad/s:2.6rad/s", "-o", picture)
with open(picture, encoding="utf-8") as file:
    drawn = file.read()
check(done.returncode == 0 and "stable" in drawn and "unstable" in drawn and "flip" in drawn, "a picture of a branch", done.stderr)

# Faults

for words, wanted in ((("--carry", "up"), "--carry: want a number to follow"), (("--carry", "sideways"), "--carry: want up, down or both"),
                      (("--over", "push.frequency=1:2", "--carry", "up", "--part", "1/2"), "--part:"), (("--part", "3/2"), "--part: want I/N"),
                      (("--last", "0"), "--last: want 1"), (("--points", "1"), "--points: want 2"), (("--settle", "-1"), "--settle: want 0"),
                      (("--at", "stop"), "want ELEMENT.EVENT"), (("--at", "stopp.impact"), 'there is no element "stopp"'),
                      (("--over", "push.frequenz=1:2"), "frequenz"), (("--source", "m"), "has no sine"), (("--scheme", "averaged"), "one-step scheme"), (("-o", "x.xlsx"), "ends in .csv, .svg, .png or .pdf"),
                      (("--set", "m.position=-1e300m", "--settle", "1", "--last", "1"), "impact.ini: no motion was found"),
                      (("--signal", "m9.position"), "m9")):
    done = ifbam("section", impact, *words)
    check(done.returncode in (1, 2) and wanted in done.stderr and done.stdout == "", f"fault: {wanted}", done.stderr or done.stdout)

finish()
