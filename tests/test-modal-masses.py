#!/usr/bin/python3
"""test-modal-masses.py: ifbam modes --participation --energy --mac, against numpy and scipy

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import tempfile

import numpy
import scipy.linalg

from expect import check, finish, ifbam, networks

folder = tempfile.TemporaryDirectory()


def network(text, name="n.ini"):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\nstep = 1 ms\nduration = 1 s\n" + text)
    return path


def modes(path, *words):
    done = ifbam("modes", path, "--participation", "--energy", "--json", *words)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


# a chain with random numbers, and one with a proportional damper beside each spring
numbers = numpy.random.default_rng(3)
N = 7
MASSES, STIFFNESSES = numbers.uniform(1, 5, N), numbers.uniform(100, 900, N)
text = "[ground g]\n" + "".join("[mass m%d]\nmass = %.17g\n[spring k%d]\nstiffness = %.17g\nbetween = %s, m%d\n[damper c%d]\ndamping = %.17g\nbetween = %s, m%d\n"
                                % (i, MASSES[i], i, STIFFNESSES[i], "g" if i == 0 else "m%d" % (i - 1), i, i, 1e-3 * STIFFNESSES[i], "g" if i == 0 else "m%d" % (i - 1), i)
                                for i in range(N))
K = numpy.diag(STIFFNESSES + numpy.append(STIFFNESSES[1:], 0)) - numpy.diag(STIFFNESSES[1:], 1) - numpy.diag(STIFFNESSES[1:], -1)
squares, shapes = scipy.linalg.eigh(K, numpy.diag(MASSES))
for damped in (False, True):
    own = text if damped else "".join(part for part in text.replace("[", "\0[").split("\0") if not part.startswith("[damper"))
    found = modes(network(own))
    what = "a damped chain: " if damped else "a chain: "
    direction = found["participation"][0]
    check(len(found["participation"]) == 1 and direction["direction"] == "position", what + "one direction", found["participation"])
    check(abs(direction["total"] - MASSES.sum()) < 1e-12 * MASSES.sum(), what + "the total is the sum of the masses", direction["total"])
    worst = [0] * 5
    for k in range(N):
        phi = shapes[:, k] / abs(shapes[:, k]).max()
        phi *= numpy.sign(found["modes"][k]["shape"]["m0"] * phi[0])
        mass, factor = phi @ (MASSES * phi), phi @ MASSES
        row = direction["modes"][k]
        deltas = numpy.diff(numpy.append(0, phi))
        strain = STIFFNESSES * deltas**2 / (STIFFNESSES @ deltas**2)
        kinetic = MASSES * phi**2 / mass
        springs = [link["share"][k] for link in found["potential_energy"] if link["name"].startswith("k")]
        differences = [abs(row["modal_mass"] / mass - 1), abs(row["participation"] - factor / mass), abs(row["effective_mass"] - factor**2 / mass),
                       max(abs(strain - springs)), max(abs(kinetic - [node["share"][k] for node in found["kinetic_energy"]]))]
        worst = [max(a, b) for a, b in zip(worst, differences)]
    for name, difference in zip(["modal masses", "participation factors", "effective masses", "strain energies", "kinetic energies"], worst):
        check(difference < 1e-7, what + name, difference)
    check(abs(sum(row["effective_mass"] for row in direction["modes"]) - MASSES.sum()) < 1e-7, what + "effective masses add up to the total")

# directions of a body in the plane, and of two kinds of nodes
found = modes(os.path.join(networks, "three-dof.ini"))
check(all(abs(sum(row["effective_mass"] for row in d["modes"]) - d["total"]) < 1e-9 * d["total"] for d in found["participation"]), "three-dof.ini adds up", found["participation"])
found = modes(network("[ground g]\n[mass m]\nmass = 2\n[spring k]\nstiffness = 50\nbetween = g, m\n[inertia r]\ninertia = 0.5\n[ground h]\n[torsion-spring t]\nstiffness = 3\nbetween = h, r\n"))
check({d["direction"]: d["total"] for d in found["participation"]} == {"position": 2, "angle": 0.5}, "two kinds of nodes are two directions", found["participation"])
body = network("[ground g]\n[body b]\nmass = 3\ninertia = 0.2\n[spring kx]\nstiffness = 100\nbetween = g, b.x\n[spring ky]\nstiffness = 200\nbetween = g, b.y\n"
               "[ground h]\n[torsion-spring kt]\nstiffness = 7\nbetween = h, b.angle\n", "body.ini")
found = modes(body)
check({d["direction"]: d["total"] for d in found["participation"]} == {"x": 3, "y": 3, "angle": 0.2}, "a body has three directions", found["participation"])

# dampers that couple the modes; texts; matrices
done = ifbam("modes", os.path.join(networks, "quarter-car.ini"), "--participation")
check(done.returncode == 1 and "dampers couple the modes" in done.stderr and done.stdout == "", "complex modes are refused", done.stderr)
done = ifbam("modes", os.path.join(networks, "three-dof.ini"), "--participation", "--energy")
check(done.returncode == 0 and "100.00 %" in done.stdout and "potential" in done.stdout, "the text has sums and energies", done.stdout)
done = ifbam("modes", os.path.join(networks, "three-dof.ini"), "--participation", "--export", "m")
check(done.returncode == 2 and "can't be combined" in done.stderr, "not with --export", done.stderr)

# the modal assurance criterion with a changed network (complex shapes), and with measured shapes at two of the nodes
QUARTER = os.path.join(networks, "quarter-car.ini")


def shapes_of(path, *words):
    listed = json.loads(ifbam("modes", path, "--json", *words).stdout)["modes"]
    return [{node: complex(x, mode.get("shape_imaginary", {}).get(node, 0)) for node, x in mode["shape"].items()} for mode in listed]


def criterion(a, b):
    nodes = [node for node in a if node in b]
    a, b = numpy.array([a[node] for node in nodes]), numpy.array([b[node] for node in nodes])
    return abs(numpy.vdot(a, b))**2 / (numpy.vdot(a, a) * numpy.vdot(b, b)).real


for path, change in [(QUARTER, "strut.damping=4 kN s/m"), (os.path.join(networks, "three-dof.ini"), "k2.stiffness=9 kN/m")]:
    found = json.loads(ifbam("modes", path, "--set", change, "--mac", path, "--json").stdout)["mac"]
    own, other = shapes_of(path, "--set", change), shapes_of(path)
    worst = max(abs(criterion(a, b) - value) for a, row in zip(own, found) for b, value in zip(other, row["criteria"]))
    check(len(found) == len(own) and worst < 1e-12, "criteria of " + os.path.basename(path), worst)
measured = os.path.join(folder.name, "measured.csv")
with open(measured, "w", encoding="utf-8") as file:
    file.write("frequency,m3,m1\n9.5,1,0.8\n25,1,-0.2\n")
found = json.loads(ifbam("modes", os.path.join(networks, "three-dof.ini"), "--mac", measured, "--json").stdout)["mac"]
rows = [{"m3": 1, "m1": 0.8}, {"m3": 1, "m1": -0.2}]
worst = max(abs(criterion(a, b) - value) for a, row in zip(shapes_of(os.path.join(networks, "three-dof.ini")), found) for b, value in zip(rows, row["criteria"]))
check(worst < 1e-12 and [row["other"] for row in found[:2]] == [1, 2], "criteria of measured shapes", (worst, found))
for text, message in [("frequency,x\n1,2\n", "no node of this network"), ("time,m1\n1,2\n", "no table of modes"), ("frequency,m1\n1,\n", "a field is empty")]:
    with open(measured, "w", encoding="utf-8") as file:
        file.write(text)
    done = ifbam("modes", os.path.join(networks, "three-dof.ini"), "--mac", measured)
    check(done.returncode != 0 and message in done.stderr and done.stdout == "", "refused: " + repr(text), done.stderr)
finish()
