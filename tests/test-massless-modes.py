#!/usr/bin/python3
"""test-massless-modes.py: modes and responses of shafts with massless nodes, ratios, springs and dampers

Random networks are compared with the exact characteristic polynomial, in rational arithmetic, and with the
solution of the complex equations. TEST_EFFORT=full draws 500 networks.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import cmath
import json
import math
import os
import random
import tempfile
from fractions import Fraction

from expect import check, effort, finish, ifbam, root

HEAD = "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n"
N_NETWORKS = 500 if effort == "full" else 40


def node_name(node):
    return "g" if node is None else f"n{node}"


def draw_network(seed):
    """Returns (masses, stiffnesses, dampings, ratios, text). Links are (value, [(node, 1 or -1)])."""
    draw = random.Random(seed)
    n = draw.randint(2, 8)
    masses = [10 ** draw.uniform(-2, 2) if i == 0 or draw.random() < 0.5 else 0 for i in range(n)]
    stiffnesses, dampings, ratios, text = [], [], [], HEAD
    for i, mass in enumerate(masses):
        text += f"[inertia n{i}]\ninertia = {mass!r} kg m2\n" if mass else f"[junction n{i}]\n"
    tree = [(draw.randint(0, i - 1), i) for i in range(1, n)]
    others = [(draw.randint(0, n - 1), None) for _ in range(draw.randint(1, 4))]
    for number, (one, other) in enumerate(tree + others):
        between = f"between = {node_name(one)}, {node_name(other)}\n"
        ends = [(one, 1)] + ([(other, -1)] if other is not None else [])
        kind = draw.random()
        if kind < 0.35 and number < len(tree):
            ratio = draw.choice([-1, 1]) * 10 ** draw.uniform(-1, 1)
            ratios.append((one, other, ratio))
            text += f"[ratio r{number}]\nratio = {ratio!r}\n{between}"
            continue
        if kind < 0.75 or kind >= 0.9:
            stiffnesses.append((10 ** draw.uniform(1, 4), ends))
            text += f"[torsion-spring k{number}]\nstiffness = {stiffnesses[-1][0]!r} N m/rad\n{between}"
        if kind >= 0.75:
            dampings.append((10 ** draw.uniform(-1, 2), ends))
            text += f"[torsion-damper d{number}]\ndamping = {dampings[-1][0]!r} N m s/rad\n{between}"
    return masses, stiffnesses, dampings, ratios, text


def pencil(network, s, number):
    """Returns s^2 M + s C + K, bordered by the ratios, at s; number: converts from float."""
    masses, stiffnesses, dampings, ratios, _ = network
    n = len(masses)
    matrix = [[number(0)] * (n + len(ratios)) for _ in range(n + len(ratios))]
    for i, mass in enumerate(masses):
        matrix[i][i] += s * s * number(mass)
    for factor, links in ((number(1), stiffnesses), (s, dampings)):
        for value, ends in links:
            for i, a in ends:
                for j, b in ends:
                    matrix[i][j] += factor * number(value) * a * b
    for row, (one, other, ratio) in enumerate(ratios, n):
        matrix[one][row] += 1
        matrix[row][one] += 1
        matrix[other][row] -= number(ratio)
        matrix[row][other] -= number(ratio)
    return matrix


def eliminate(matrix, right):
    """Returns the determinant and the solution (None if it is 0), by elimination with pivots."""
    n, product = len(right), 1
    rows = [row + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        if rows[pivot][i] == 0:
            return 0, None
        if pivot != i:
            rows[i], rows[pivot], product = rows[pivot], rows[i], -product
        product *= rows[i][i]
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b if factor else a for a, b in zip(rows[k], rows[i])]
    solution = [0] * n
    for i in reversed(range(n)):
        solution[i] = (rows[i][n] - sum(rows[i][k] * solution[k] for k in range(i + 1, n))) / rows[i][i]
    return product, solution


def characteristic_polynomial(network):
    """Returns the exact coefficients, from the constant on, by Newton's interpolation."""
    degree = 2 * len(network[0])
    at = [Fraction(10 * (i - degree // 2)) for i in range(degree + 1)]
    size = len(network[0]) + len(network[3])
    divided = [eliminate(pencil(network, x, Fraction), [Fraction(0)] * size)[0] for x in at]
    for j in range(1, degree + 1):
        for i in range(degree, j - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (at[i] - at[i - j])
    polynomial = [Fraction(0)]
    for i in range(degree, -1, -1):
        shifted = [Fraction(0)] + polynomial
        for k, value in enumerate(polynomial):
            shifted[k] -= at[i] * value
        shifted[0] += divided[i]
        polynomial = shifted
    while polynomial and polynomial[-1] == 0:
        polynomial.pop()
    return polynomial


def root_error(polynomial, s):
    """Returns the size of Newton's correction of a root, relative to it, in exact arithmetic."""
    re, im = Fraction(s.real), Fraction(s.imag)
    value, slope = (Fraction(0), Fraction(0)), (Fraction(0), Fraction(0))
    for c in reversed(polynomial):
        slope = slope[0] * re - slope[1] * im + value[0], slope[0] * im + slope[1] * re + value[1]
        value = value[0] * re - value[1] * im + c, value[0] * im + value[1] * re
    if value == (0, 0):
        return 0
    return math.sqrt((value[0] ** 2 + value[1] ** 2) / (slope[0] ** 2 + slope[1] ** 2)) / abs(s)


def check_modes(seed, network, path):
    done = ifbam("modes", path, "--json", "--count", "99")
    if done.returncode != 0:
        check(False, f"network {seed} has modes", done.stderr)
        return
    modes = json.loads(done.stdout)["modes"]
    polynomial = characteristic_polynomial(network)
    zeros = next(i for i, c in enumerate(polynomial) if c != 0)
    moving = [mode for mode in modes if mode["kind"] != "free"]
    errors = [root_error(polynomial, complex(-mode["decay_rate"], 2 * math.pi * mode["frequency"])) for mode in moving]
    count = sum(2 if mode["frequency"] > 0 else 1 for mode in moving)
    check(count == len(polynomial) - 1 - zeros, f"network {seed}: all roots", f"{count} of {len(polynomial) - 1 - zeros}")
    check(max(errors, default=0) < 1e-8, f"network {seed}: each root", f"{max(errors, default=0):.2g}")


def check_response(seed, network, path):
    masses, stiffnesses, dampings, ratios, _ = network
    moved = seed % 2 == 0
    done = ifbam("response", path, "--input", "angle@g" if moved else "torque@n0", "--from", "0.05", "--to", "20",
                 "--points", "5", "--output", "n0.angle", "--json")
    if done.returncode != 0:
        check(False, f"network {seed} has a response", done.stderr)
        return
    answer = json.loads(done.stdout)
    worst = 0
    for k, frequency in enumerate(answer["frequency"]):
        s = 2j * math.pi * frequency
        right = [0j] * (len(masses) + len(ratios))
        for factor, links in ((1, stiffnesses), (s, dampings)) if moved else ():
            for value, ends in links:
                if len(ends) == 1:
                    right[ends[0][0]] += factor * value
        if not moved:
            right[0] = 1
        exact = eliminate(pencil(network, s, complex), right)[1][0]
        output = answer["outputs"][0]
        found = cmath.rect(output["amplitude"][k], math.radians(output["phase"][k]))
        worst = max(worst, abs(found - exact) / abs(exact))
    check(worst < 1e-9, f"network {seed}: response", f"{worst:.2g}")


def check_shafts(folder):
    """Published eigenfrequencies and closed forms of networks with massless pinions and windings."""
    with open(os.path.join(root, "tests/benchmarks/turbine-massless.ini"), encoding="utf-8") as file:
        done = ifbam("modes", file.name, "--json")
    found = [60 * mode["frequency"] for mode in json.loads(done.stdout)["modes"][1:]]
    # Chen & Gunter, Introduction to Dynamics of Rotor-Bearing Systems, example 8.1 [1/min]
    for frequency, exact in zip(found, (177.711, 220.176, 1282.58, 2496.87, 2883.38)):
        check(abs(frequency - exact) < 4e-6 * exact, f"turbine {exact}", f"{frequency}")
    check(len(found) == 5, "turbine: five frequencies", f"{found}")
    path = os.path.join(folder, "coils.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\nscheme = tr-bdf2\nstep = 1 us\nduration = 1 ms\n[ground gnd]\n[voltage-source v]\n"
                   "amplitude = 10 V\nfrequency = 1 kHz\n[resistor rs]\nresistance = 10 ohm\nbetween = v, p\n"
                   "[junction p]\n[inductor leak]\ninductance = 1.9 mH\nbetween = p, m\n[junction m]\n"
                   "[inductor lm]\ninductance = 8.1 mH\nbetween = m, gnd\n[ratio t]\nratio = 0.45\nbetween = m, out\n"
                   "[junction out]\n[resistor load]\nresistance = 100 ohm\nbetween = out, gnd\n")
    modes = json.loads(ifbam("modes", path, "--json").stdout)["modes"]
    # currents of both coils, the load seen through the transformer: 100 * 0.45^2 = 20.25 ohm
    trace, product = 30.25 / 1.9e-3 + 20.25 / 8.1e-3, 10 / 1.9e-3 * 20.25 / 8.1e-3
    for mode, sign in zip(modes, (-1, 1)):
        exact = (trace + sign * math.sqrt(trace * trace - 4 * product)) / 2
        check(abs(mode["decay_rate"] - exact) < 1e-10 * exact, "coils", f"{mode['decay_rate']} {exact}")


with tempfile.TemporaryDirectory() as temporary:
    check_shafts(temporary)
    for number in range(N_NETWORKS):
        drawn = draw_network(number)
        file_path = os.path.join(temporary, "drawn.ini")
        with open(file_path, "w", encoding="utf-8") as drawn_file:
            drawn_file.write(drawn[-1])
        check_modes(number, drawn, file_path)
        check_response(number, drawn, file_path)
finish()
