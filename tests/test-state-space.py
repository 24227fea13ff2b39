#!/usr/bin/python3
"""test-state-space.py: ifbam export --state-space: matrices of small motions, against the response, modes, and scipy

For each shipped network and some others, C (s E - A)^-1 B + D is compared with `ifbam response`, which solves other equations;
eigenvalues of the pencil with `ifbam modes`; the answer to a step, by scipy, with a run.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import glob
import json
import math
import os
import re
import tempfile

import numpy
import scipy.linalg
import scipy.signal

from expect import check, finish, ifbam, networks

folder = tempfile.TemporaryDirectory()
TURN = 2 * math.pi
MATRICES = ("E", "A", "B", "C", "D")


def network(text, name="n.ini"):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\nstep = 1 ms\nduration = 1 s\n" + ("" if text.startswith("scheme") else "scheme = rk4\n") + text)
    return path


def export(path, *words):
    return ifbam("export", path, "--state-space", *words, "-o", "-")


def state_space(path, *words):
    done = export(path, *words)
    if done.returncode != 0:
        return None, done.stderr
    space = json.loads(done.stdout)
    n, n_in, n_out = len(space["states"]), len(space["inputs"]), len(space["outputs"])
    shapes = {"E": (n, n), "A": (n, n), "B": (n, n_in), "C": (n_out, n), "D": (n_out, n_in)}
    for name in MATRICES:
        space[name] = numpy.array(space[name]).reshape(shapes[name])
    return space, ""


def transfer(space, frequency):
    """C (s E - A)^-1 B + D by elimination in long doubles: entries differ by up to 1e15."""
    pencil = (1j * TURN * frequency * space["E"] - space["A"]).astype(numpy.clongdouble)
    right = space["B"].astype(numpy.clongdouble)
    for k in range(len(pencil)):
        pivot = k + int(numpy.argmax(abs(pencil[k:, k])))
        pencil[[k, pivot]], right[[k, pivot]] = pencil[[pivot, k]], right[[pivot, k]]
        factors = pencil[k + 1:, k] / pencil[k, k]
        pencil[k + 1:] -= factors[:, None] * pencil[k]
        right[k + 1:] -= factors[:, None] * right[k]
    for k in reversed(range(len(pencil))):
        right[k] = (right[k] - pencil[k, k + 1:] @ right[k + 1:]) / pencil[k, k]
    return (space["C"] @ right + space["D"]).astype(complex)


def worst_difference(path, inputs, *words):
    """The largest difference of transfer functions, relative to the output's largest value; None: no response."""
    space, fault = state_space(path, *[word for name in inputs for word in ("--input", name)], *words)
    if space is None:
        return None, fault
    worst = 0
    for k, name in enumerate(inputs):
        done = ifbam("response", path, "--input", name, *words, "--from", "0.37", "--to", "211", "--points", "7", "--json")
        if done.returncode != 0:
            return None, done.stderr
        response = json.loads(done.stdout)
        values = [transfer(space, f)[:, k] for f in response["frequency"]]
        for i, output in enumerate(response["outputs"]):
            if None in output["amplitude"]:
                return None, "resonance"
            wanted = [a * numpy.exp(1j * math.radians(p or 0)) for a, p in zip(output["amplitude"], output["phase"])]
            scale = [max(abs(value)) for value in values]
            worst = max(worst, max(abs(v[i] - w) / (s or 1) for v, w, s in zip(values, wanted, scale)))
    return worst, ""


# all shipped networks that have a response: the first free node is pushed
compared, reasons = [], {}
for path in sorted(glob.glob(os.path.join(networks, "*.ini"))):
    with open(path, encoding="utf-8") as file:
        node = re.search(r"^\[(?:mass|inertia|capacitor|line) ([^\]]+)\]", file.read(), re.M)
    if node is None or os.path.getsize(path) > 20000:
        continue
    worst, fault = worst_difference(path, ["force@" + node.group(1)])
    if worst is None:
        reasons[os.path.basename(path)] = fault.strip()
    else:
        compared.append((worst, os.path.basename(path)))
check(len(compared) >= 20, "at least 20 shipped networks are compared", (len(compared), reasons))
# (in the varistor stiffness over inertia is 1e12 times the square of the lowest frequency)
check(max(compared)[0] < 1e-7 and sorted(compared)[-2][0] < 1e-9, "transfer functions agree with responses of shipped networks", max(compared))

# forces and motions, positions, rates, accelerations and forces of links
DAMPED = os.path.join(networks, "damped.ini")
for inputs, outputs in [(["velocity@wall"], ["m1.position", "m1.velocity", "k1.force", "wall.force"]),
                        (["acceleration@wall", "force@m1"], ["m1.acceleration", "wall.acceleration", "k1.force", "wall.force", "m1.velocity"])]:
    worst, fault = worst_difference(DAMPED, inputs, *[word for name in outputs for word in ("--output", name)])
    check(worst is not None and worst < 1e-10, "inputs %s agree" % ", ".join(inputs), (worst, fault))

# a junction: the balance of a node without inertia stays as an equation
JUNCTION = network("scheme = esdirk4\n[ground g]\n[mass m]\nmass = 2 kg\n[junction j]\n[spring a]\nstiffness = 300\nbetween = g, j\n[damper b]\ndamping = 7\nbetween = g, j\n"
                   "[spring c]\nstiffness = 500\nbetween = j, m\n[damper d]\ndamping = 3\nbetween = g, m\n", "junction.ini")
space, _ = state_space(JUNCTION, "--input", "force@m", "--output", "m.position", "--output", "j.velocity")
check(numpy.count_nonzero(numpy.diag(space["E"]) == 0) == 1, "E has a zero for the junction", space["E"])
worst, fault = worst_difference(JUNCTION, ["force@m"], "--output", "m.position", "--output", "j.velocity")
check(worst is not None and worst < 1e-10, "a network with a junction agrees", (worst, fault))
s = 1j * TURN * 3.3
direct = 1 / (2 * s**2 + 3 * s + 500 - 500**2 / (800 + 7 * s))
check(abs(transfer(space, 3.3)[0, 0] - direct) < 1e-12 * abs(direct), "the junction's closed form", (transfer(space, 3.3)[0, 0], direct))

# a lever carries the driven node's motion to a mass: constraints
LEVER = network("[ground g]\n[mass a]\nmass = 2\n[mass b]\nmass = 3\n[ratio r]\nratio = -2.5\nbetween = a, b\n[spring k]\nstiffness = 900\nbetween = g, a\n"
                "[damper d]\ndamping = 4\nbetween = g, b\n", "lever.ini")
worst, fault = worst_difference(LEVER, ["force@a", "force@b"], "--output", "a.position", "--output", "b.velocity", "--output", "d.force")
check(worst is not None and worst < 1e-10, "a network with a constraint agrees", (worst, fault))

# eigenvalues
for path in [DAMPED, os.path.join(networks, "three-dof.ini"), JUNCTION, LEVER]:
    node = {"junction.ini": "m", "lever.ini": "a"}.get(os.path.basename(path), "m1")
    space, _ = state_space(path, "--input", "force@" + node)
    values = scipy.linalg.eigvals(space["A"], space["E"])
    modes = json.loads(ifbam("modes", path, "--json").stdout)["modes"]
    swinging = [mode for mode in modes if mode["frequency"] > 0]
    apart = [min(abs(value - complex(-mode["decay_rate"], w)) for value in values if numpy.isfinite(value)) / w
             for mode in swinging
             for w in [TURN * mode["frequency"] * math.sqrt(1 - min(1, mode["damping_ratio"])**2), TURN * mode["frequency"]]]
    pairs = [min(apart[i:i + 2]) for i in range(0, len(apart), 2)]
    check(len(swinging) > 0 and max(pairs) < 1e-9, "eigenvalues of %s are its modes" % os.path.basename(path), (pairs, values))

# a step of the force by scipy, against a run (rk4)
STEP = network("[ground g]\n[mass m1]\nmass = 2\n[mass m2]\nmass = 1\n[spring a]\nstiffness = 300\nbetween = g, m1\n[damper b]\ndamping = 2\nbetween = g, m1\n"
               "[spring c]\nstiffness = 500\nbetween = m1, m2\n[force f]\nvalue = 5\non = m2\n", "step.ini")
space, fault = state_space(STEP, "--input", "force@m2", "--output", "m1.position", "--output", "c.force")
check(space is not None, "a step has a state space", fault)
times, values = scipy.signal.step(scipy.signal.StateSpace(space["A"], space["B"], space["C"][:1], space["D"][:1]), T=numpy.linspace(0, 1, 1001))
course = os.path.join(folder.name, "step.csv")
ifbam("run", STEP, "--record", "m1.position", "-o", course)
with open(course, encoding="utf-8") as file:
    rows = [float(row[1]) for row in list(csv.reader(file))[1:]]
check(len(rows) == 1001 and max(abs(rows - 5 * values)) < 1e-9, "scipy's answer to a step is the run's", max(abs(rows - 5 * values)))

# refusals
for words, message in [(["--input", "position@wall"], "want its velocity or acceleration as input"),
                       (["--input", "velocity@wall", "--output", "wall.acceleration"], "needs a derivative of the input"),
                       (["--input", "force@nothing"], "nothing"),
                       ([], "needs an input"),
                       (["--input", "force@m1", "--output", "network.energy"], "no linear response")]:
    done = export(DAMPED, *words)
    check(done.returncode == 2 and message in done.stderr, "refused: " + " ".join(words), done.stderr)
done = export(os.path.join(networks, "chain-1000.ini"), "--input", "force@c.m1", "--output", "c.m1.position")
check(done.returncode != 0 and "too many" in done.stderr, "a large network is refused", done.stderr)
finish()
