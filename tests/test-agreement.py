#!/usr/bin/python3
# test-agreement.py: the elimination that a dialogue prints: its numbers solve the step, compared with the run's rows
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import io
import os
import re
import tempfile

import numpy

from expect import check, finish, ifbam, networks

N = r"(-?[0-9.e+-]*[0-9])"
SCHEMES = "implicit", "implicit-euler", "tr-bdf2", "esdirk4"

TREE = """[network]
step = 5 ms
duration = 5 ms
[ground w]
[mass a]
mass = 1 kg
position = 1 mm
[mass b]
mass = 2 kg
velocity = 1 m/s
[mass c]
mass = 0.5 kg
[mass d]
mass = 3 kg
[spring k0]
stiffness = 1 kN/m
between = w, a
[spring k1]
stiffness = 20 kN/m
between = b, a
[damper c1]
damping = 10 N s/m
between = a, b
[spring k2]
stiffness = 3 kN/m
between = a, c
[spring k3]
stiffness = 5 kN/m
between = c, d
[force f]
value = 3 N
on = d
"""
RING = TREE.replace("[force f]", "[spring k4]\nstiffness = 2 kN/m\nbetween = d, b\n[force f]")


def agreements(path, *options):
    said = ifbam("dialogue", path, "-n", "1", *options)
    check(said.returncode == 0 and said.stderr == "", f"{os.path.basename(path)} {options}: talks", said.stderr)
    for text in said.stdout.split("\n agreement on")[1:]:
        yield text.split("\n events")[0]


def row(path, *options):
    """Positions at the end of the first step."""
    said = ifbam("run", path, "--record", "*.position,*.velocity", *options)
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    return {name: float(value) for name, value in rows[1].items()}, {
        name: float(value) for name, value in rows[0].items()}


def near(one, other, what, of=1e-8):
    scale = max(abs(one), abs(other), 1e-12)
    check(abs(one - other) <= of * scale, what, f"{one!r}, {other!r}")


def follow(text, what):
    """Checks that each message follows from the messages to its sender; returns each one's receiver."""
    by, told, left = {}, {}, {}
    for name, to, force, rest in re.findall(rf'  (\S+?)(?: to (\S+))?: "The force F = {N} N is left over on me(.*)"', text):
        left[name] = to, float(force), rest
    for name, (to, force, rest) in left.items():
        behind = [told[o] for o in told if left[o][0] == name]
        if behind:
            near(float(re.search(rf"all behind adds {N} N", rest)[1]), sum(f for f, _ in behind),
                 f"{what}: {name} adds up what it was told", 1e-7)
            near(float(re.search(rf"all behind .*? with {N} N/m", rest.split("held by")[1])[1]), sum(k for _, k in behind),
                 f"{what}: {name} is held by those behind with what they say")
        gives = re.search(rf"give way by {N} m/N", rest)
        if gives is None:
            continue
        holds = [float(k) for k in re.findall(rf"with {N} N/m", rest.split("give way")[0])]
        near(1 / float(gives[1]), sum(holds), f"{what}: {name} gives way by what holds it")
        alone = (force + sum(f for f, _ in behind)) / sum(holds)
        if to:
            near(float(re.search(rf"go on by {N} m if you stay", rest)[1]), alone, f"{what}: {name} goes alone", 1e-6)
            follows = float(re.search(rf"by {N} m more for each m", rest)[1])
            seen = re.search(rf"Seen from you, all behind me is a force of {N} N, and holds you with {N} N/m", rest)
            told[name] = float(seen[1]), float(seen[2])
            by[name] = alone, follows
        else:
            by[name] = alone, 0
    return by, left


def test_tree(path, what, scheme, *options):
    text = list(agreements(path, "--scheme", scheme, *options))
    end, start = row(path, "--scheme", scheme, *options)
    check(len(text) == {"tr-bdf2": 2, "esdirk4": 5}.get(scheme, 1), f"{what}: as many agreements as stages are equations")
    for stage in text:
        by, left = follow(stage, what)
        goes = {name: float(x) for name, x in re.findall(rf'  (\S+?)(?: to .*?)?: "(?:So|Then) I go on by {N} m', stage)}
        check(set(goes) == set(left), f"{what}: all say where they go")
        for name, (alone, follows) in by.items():
            to = left[name][0]
            near(goes[name], alone + (follows * goes[to] if to else 0), f"{what}: {name} goes where it said", 1e-6)
        where = dict(re.findall(rf'  (\S+?)(?: to .*?)?: ".*? the position {N} m', stage))
    for name, x in where.items():
        x, x0 = float(x), start[f"{name}.position"]
        near(2 * x - x0 if scheme == "implicit" else x, end[f"{name}.position"], f"{what}: {name} is there at the step's end", 1e-7)
    return text


def test_words_against_matrices():
    """Implicit Euler's step, by a matrix made here."""
    path = os.path.join(networks, "two-dof.ini")
    h = 1e-2
    (text,) = test_tree(path, "two-dof, implicit-euler, 10 ms", "implicit-euler", "--step", "10ms", "--duration", "10ms")
    K, x0 = numpy.array([[50e3, -40e3], [-40e3, 40e3]]), numpy.array([1e-3, 0])
    x = numpy.linalg.solve(numpy.eye(2) + h * h * K, x0)
    for name, wanted in zip(("m1", "m2"), x):
        said = float(re.search(rf'  {name}.*?: ".*? the position {N} m', text)[1])
        near(said, wanted, f"two-dof: {name} is where the matrix says")
    near(float(re.search(rf"holds you with {N} N/m", text)[1]), 1 / (1 / 40e3 + h * h), "two-dof: k2 and m2 are in series")


def main():
    test_words_against_matrices()
    with tempfile.TemporaryDirectory() as folder:
        tree, ring = os.path.join(folder, "tree.ini"), os.path.join(folder, "ring.ini")
        open(tree, "w", encoding="utf-8").write(TREE)
        open(ring, "w", encoding="utf-8").write(RING)
        for scheme in SCHEMES:
            for stage in test_tree(tree, f"a tree, {scheme}", scheme):
                check("circle" not in stage and stage.count("I am the last") == 1, f"a tree, {scheme}: has one last")
            for stage in test_tree(ring, f"a ring, {scheme}", scheme):
                check("a, b, c and d stand in a circle" in stage, f"a ring, {scheme}: is told as one")
        # Links that bend: further turns lead to the row
        for stage in agreements(os.path.join(networks, "duffing.ini"), "--scheme", "tr-bdf2"):
            last = stage
        check("tell each other the like" in last, "duffing: links bend")
        end, _ = row(os.path.join(networks, "duffing.ini"), "--scheme", "tr-bdf2", "--sample", "1ms")
        near(float(re.search(rf"In the end I go to the position {N} m", last)[1]), end["m1.position"], "duffing: where it is in the end")
        stage = next(agreements(os.path.join(networks, "double-pendulum.ini"), "--scheme", "tr-bdf2"))
        check("b1.x, b1.y, b2.x and b2.y are held by r1 and r2" in stage, "a pendulum's rods hold together")
        # No equations, no agreement
        check(not list(agreements(os.path.join(networks, "two-dof.ini"))), "averaged: nothing to agree on")
    finish()


main()
