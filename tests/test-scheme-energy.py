#!/usr/bin/python3
# test-scheme-energy.py: the energy that a scheme brings, per element: closed forms from rows, and the energy balance of runs
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import glob
import io
import os
import re
import tempfile

from expect import by_effort, check, finish, ifbam, networks

STEPS = by_effort(100, 250, 10000)
SMOOTH = 28  # shipped networks without contacts, switches, constraints and mechanisms
HEAD = "[network]\nscheme = {}\nstep = 5 ms\nduration = 10 s\nsample = 5 ms\n"
ONE = HEAD + """[ground wall]
[mass m1]
mass = 1 kg
position = 20 mm
[spring k1]
stiffness = 100 N/m
between = wall, m1
"""
DAMPED = ONE + "[damper c1]\ndamping = 0.7 N s/m\nbetween = wall, m1\n[force f]\namplitude = 2 N\nfrequency = 1.3 Hz\non = m1\n"
folder = tempfile.mkdtemp()


def account(path, steps, *options):
    """Energy so far of each element after each step, and the last lines."""
    done = ifbam("dialogue", path, "--energy", "-n", str(steps), *options)
    table = [dict((name, float(total)) for name, _, total in re.findall(r"^  (\S+) +(\S+) +(\S+)$", part, re.M))
             for part in done.stdout.split("\nStep ")[1:]]
    return done, table


def rows(path, record, *options):
    text = ifbam("run", path, "--record", record, "-o", "-", *options).stdout
    return [[float(x) for x in row] for row in list(csv.reader(io.StringIO(text)))[1:]]


def near(a, b, scale=None):
    return abs(a - b) <= 1e-5 * (abs(b) if scale is None else scale)


def write(name, text):
    path = os.path.join(folder, name + ".ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# One mass on a spring: half k (change of compression)^2 under `original`, and with the extrapolation under `averaged`.
path = write("one", ONE.format("original"))
done, table = account(path, 2000)
x = [row[1] for row in rows(path, "m1.position")]
spring = sum(50 * (b - a) ** 2 for a, b in zip(x[:-2], x[1:-1]))
check(near(table[1998]["k1"], spring), "a force one step late brings 1/2 k (change of c)^2", (table[1998]["k1"], spring))
check(abs(spring - 0.2264) < 5e-5 and abs(table[1999]["measured"] - 0.2267) < 5e-5,
      "226.4 mJ in 1999 steps; the energy of 20 mJ grows to 246.7 mJ", (spring, table[1999]))
energy = [row[1] for row in rows(path, "network.energy")]
check(near(energy[-1], 0.02 + table[1999]["sum"]), "the sum is the growth of the run's energy", (energy[-1], table[1999]["sum"]))
check("Mode that grows: 1.59155 Hz, its amplitude by the factor 1.000625" in done.stdout, "the mode that grows", done.stdout[-300:])

path = write("averaged", ONE.format("averaged"))
table = account(path, 2000)[1]
x = [row[1] for row in rows(path, "m1.position")]
way = [b - a for a, b in zip(x, x[1:])]
spring = sum(50 * (b - a) * b for a, b in zip(way, way[1:]))
check(near(table[-1]["k1"] - table[0]["k1"], spring, 2e-4), "the mean over the extrapolated path brings 1/2 k (d' - d) d'",
      (table[-1]["k1"], spring))

# With a damper and a force: forces at half steps, losses and work by trapezoids, as in the energy balance.
path = write("damped", DAMPED.format("original"))
table = account(path, 2000)[1]
data = rows(path, "m1.position,m1.velocity,f.force")
damper = force = 0.0
for (_, x0, v0, f0), (_, x1, v1, f1), (_, x2, v2, f2) in zip(data, data[1:], data[2:]):
    damper += -0.7 * (x1 - x0) / 5e-3 * (x2 - x1) + 5e-3 / 2 * 0.7 * (v1 ** 2 + v2 ** 2)
    force += f1 * (x2 - x1) - 5e-3 / 2 * (f1 * v1 + f2 * v2)
for name, own in (("c1", damper), ("f", force)):
    check(near(table[-1][name] - table[0][name], own), "%s: its late force, and its work at both ends of a step" % name, (table[-1][name], own))

# Beyond the step: verlet's growth is 2 ln of the root of z^2 - (2 - h^2) z + 1.
h2 = 100 * 0.21 ** 2
root = (h2 - 2) / 2 + ((h2 - 2) ** 2 / 4 - 1) ** 0.5
path = write("verlet", ONE.format("verlet").replace("5 ms", "210 ms"))
done, table = account(path, 12)
said = re.search(r"Mode that grows: (\S+) Hz, its amplitude by the factor (\S+) in", done.stdout)
check(said is not None and near(float(said[1]), 10 / 6.283185307179586) and near(float(said[2]), root), "verlet beyond its step", done.stdout[-200:])
check(near(table[-1]["sum"], table[-1]["measured"]) and table[-1]["sum"] > 1e3, "and its energy, which the mass gets")
done = account(write("rk4", ONE.format("rk4").replace("5 ms", "300 ms")), 1)[0]
said = re.search(r"Mode that grows: (\S+) Hz, its amplitude by the factor (\S+) in", done.stdout)
check(done.returncode == 0 and "No energy per element" in done.stdout and said is not None
      and near(float(said[2]), abs(sum((3j) ** k / n for k, n in enumerate((1, 1, 2, 6, 24))))), "rk4 beyond its step", done.stdout)
check("No mode grows" in account(write("stable", ONE.format("verlet")), 3)[0].stdout, "verlet within its step")

# All smooth shipped networks: the sum of the elements against the rest of the run's energy balance.
worst, smooth = (0.0, ""), set()
for path in sorted(glob.glob(os.path.join(networks, "*.ini"))):
    for scheme in "original", "averaged":
        name = os.path.basename(path)[:-4] + " " + scheme
        done, table = account(path, STEPS, "--scheme", scheme)
        if done.returncode != 0:
            check("the energy that a scheme brings is computed for" in done.stderr or "has none" in done.stderr,
                  name + ": is refused with the reason", done.stderr)
            break
        smooth.add(os.path.basename(path))
        step = re.search(r"^Step 1, t = (\S+) s", done.stdout, re.M)[1]
        energy = rows(path, "network.energy,network.dissipated,network.supplied", "--scheme", scheme, "--sample", step,
                      "--duration", repr(len(table) * float(step)))
        rest = [e + d - s - energy[0][1] for _, e, d, s in energy[1:]]
        most, largest = max(map(abs, rest)), max(abs(x) for row in energy for x in row[1:])
        if most < 1e-12 * largest:
            check(max(abs(one["measured"]) for one in table) < 1e-12 * largest, name + ": the scheme brings nothing")
            continue
        part = max(abs(one["sum"] + one.get("events", 0) - r) for one, r in zip(table, rest)) / most
        worst = max(worst, (part, name))
        check((len(rest) == len(table) or "diverges" in done.stdout or most > 1e5 * energy[0][1]) and part < 0.01,
              "%s closes: %.2g of %.3g J" % (name, part, most), (len(rest), len(table)))
check(len(smooth) >= SMOOTH, "%d smooth networks" % len(smooth), smooth)
check(worst[0] < 0.01, "the worst closes to %.2g (%s)" % worst)
finish()
