#!/usr/bin/python3
"""test-hard-starts.py: nonlinear laws at junctions reach their balance from hard starts, in each domain

A source acts on a junction with a law and a linear element to ground. The balances are found by bisection.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import os
import tempfile

from expect import by_effort, check, finish, ifbam

SCHEMES = by_effort(("tr-bdf2",), ("tr-bdf2",), ("tr-bdf2", "esdirk4", "implicit-euler"))
STRIDE = by_effort(3, 1, 1)  # each third law under sanitizers
TOLERANCE = 1e-6  # of the balance, or of the law's own scale
VT = 0.025865  # [V] thermal voltage
LINEAR = 0.1  # share of the linear element in the law's own stiffness


def points(x, y):
    """Straight between the points and beyond them."""
    def law(at):
        i = min(max(sum(value < at for value in x), 1), len(x) - 1)
        return y[i - 1] + (y[i] - y[i - 1]) / (x[i] - x[i - 1]) * (at - x[i - 1])
    return law


def diode(voltage):
    return 1e-12 * (exponential(voltage / VT) - 1)


def orifice(flow):
    return 860 / 2 * abs(flow) * flow / (0.61 * 1e-4) ** 2


def gas(x):
    """Below a hundredth of its length the force is continued by its tangent."""
    within = min(x / 0.1, 0.99)
    return 10 * ((1 - within) ** -1.4 * (1 + 1.4 * (x / 0.1 - within) / (1 - within)) - 1)


def exponential(value):
    return math.exp(min(value, 700))


# domain: ground, source and its unit, linear element: class, key, unit, power of the stiffness; signal
DOMAINS = {
    "line": ("ground", "force", "N", ("spring", "stiffness", "N/m", 1), "position"),
    "line, rates": ("ground", "force", "N", ("damper", "damping", "N s/m", 1), "velocity"),
    "rotation": ("ground", "torque", "N m", ("torsion-spring", "stiffness", "N m/rad", 1), "angle"),
    "circuit": ("ground", "current-source", "A", ("resistor", "resistance", "ohm", -1), "voltage"),
    "hydraulic": ("tank", "pressure-source", "Pa", None, "flow"),
}
# name: domain, class and keys, law, scale of the force, scale of the coordinate or rate
LAWS = {
    "cubic spring": ("line", "spring\nstiffness = 1 kN/m\ncubic = 1e9 N/m3", lambda x: 1e3 * x + 1e9 * x ** 3, 1, 1e-3),
    "exponential spring": ("line", "exponential-spring\nstiffness = 1 kN/m\nscale = 1 mm",
                           lambda x: exponential(x / 1e-3) - 1, 1, 1e-3),
    "force given by points": ("line", "characteristic\ncompression = -1 mm, 0 mm, 1 mm, 2 mm\nforce = -2 N, 0 N, 0.1 N, 5 N",
                              points((-1e-3, 0, 1e-3, 2e-3), (-2, 0, 0.1, 5)), 1, 1e-3),
    "contact": ("line", "contact\nstiffness = 10 kN/m\ngap = 0.1 mm", lambda x: max(1e4 * (x - 1e-4), 0), 1, 1e-4),
    "Hertz contact": ("line", "hertz\nmodulus = 1 GPa\nradius = 1 cm\ngap = 1 um",
                      lambda x: 4 / 3 * 1e9 * 0.1 * max(x - 1e-6, 0) ** 1.5, 1, 1e-6),
    "backlash": ("line", "backlash\nstiffness = 10 kN/m\nplay = 0.2 mm",
                 lambda x: 1e4 * (x - math.copysign(min(abs(x), 1e-4), x)), 1, 1e-4),
    "limiter": ("line", "limiter\nstiffness = 1 kN/m\nlower = -1 N\nupper = 2 N", lambda x: min(max(1e3 * x, -1), 2), 1, 1e-3),
    "gas spring": ("line", "gas-spring\narea = 1 cm2\nlength = 10 cm", gas, 10, 0.07),
    "damper given by points": ("line, rates", "damper-characteristic\nrate = -1 m/s, 0 m/s, 1 m/s\nforce = -1 N, 0 N, 3 N",
                               points((-1, 0, 1), (-1, 0, 3)), 1, 1),
    "dry friction": ("line, rates", "friction\ncoulomb = 1 N\nviscous = 1 N s/m",
                     lambda v: math.copysign(1, v) + v if v else 0, 1, 1),
    "cubic torsion spring": ("rotation", "torsion-spring\nstiffness = 1 N m/rad\ncubic = 1 N m/rad3",
                             lambda x: x + x ** 3, 1, 1),
    "torque given by points": ("rotation", "torsion-characteristic\ncompression = -1 rad, 0 rad, 1 rad\n"
                               "force = -1 N m, 0 N m, 50 N m", points((-1, 0, 1), (-1, 0, 50)), 1, 1),
    "torsion backlash": ("rotation", "torsion-backlash\nstiffness = 10 N m/rad\nplay = 0.2 rad",
                         lambda x: 10 * (x - math.copysign(min(abs(x), 0.1), x)), 1, 0.1),
    "exponential diode": ("circuit", "shockley-diode\nsaturation-current = 1 pA", diode, 1e-3, 0.5),
    "Zener diode": ("circuit", "shockley-diode\nsaturation-current = 1 pA\nbreakdown = 5 V\nbreakdown-current = 1 mA",
                    lambda v: diode(v) - 1e-3 * (exponential(-(v + 5) / VT) - exponential(-5 / VT)), 1e-3, 0.5),
    "diode with a resistance": ("circuit", "diode\nresistance = 1 ohm", lambda v: max(v, 0), 1, 1),
    "resistor given by points": ("circuit", "resistor-characteristic\nvoltage = -1 V, 0 V, 1 V\ncurrent = -1 mA, 0 mA, 100 mA",
                                 points((-1, 0, 1), (-1e-3, 0, 0.1)), 1e-3, 1),
    "saturating transconductance": ("circuit", "transconductance\ntransconductance = 1 S\nlimit = 1 mA\ninput = {0}, {1}",
                                    lambda v: 1e-3 * math.tanh(v / 1e-3), 1e-3, 1e-3),
    "orifice": ("hydraulic", "orifice\narea = 1 cm2", orifice, orifice(1e-3), 1e-3),
}


def bisect(function, reach):
    """Where a rising function is 0."""
    low, high = -reach, reach
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return (low + high) / 2


def source(domain, parts):
    """Groups of a source: a steady part, and steps (time [ms], height)."""
    _, kind, unit, _, _ = DOMAINS[domain]
    steady, *steps = parts
    text = f"[{kind} s0]\non = a\nvalue = {steady!r} {unit}\n"
    return text + "".join(f"[{kind} s{i}]\non = a\namplitude = {height!r} {unit}\nwave = step\nat = {at} ms\n"
                          for i, (at, height) in enumerate(steps, 1))


def network(name, parts, series, scheme):
    """The text of a network; series: two laws with a junction between, the second turned round."""
    domain, law, _, force, scale = LAWS[name]
    ground, _, _, linear, signal = DOMAINS[domain]
    kind, _, keys = law.partition("\n")
    text = (f"[network]\nscheme = {scheme}\nstep = 1 ms\nduration = 10 ms\nsample = 10 ms\nrecord = a.{signal}\n"
            f"[{ground} gnd]\n[junction a]\n" + source(domain, parts))
    places = [("a", "b"), ("gnd", "b")] if series else [("a", "gnd")]
    text += "[junction b]\n" if series else ""
    for i, (left, right) in enumerate(places):
        text += f"[{kind} law{i}]\n{keys.format(left, right)}\nbetween = {left}, {right}\n"
    for node in "ab"[:1 + series] if linear else ():
        text += (f"[{linear[0]} linear_{node}]\n{linear[1]} = {(LINEAR * force / scale) ** linear[3]!r} {linear[2]}\n"
                 f"between = {node}, gnd\n")
    return text


def balance(name, value, series):
    """The coordinate, or rate, of the junction at which the source acts."""
    domain, _, law, force, scale = LAWS[name]
    stiffness = LINEAR * force / scale if DOMAINS[domain][3] else 0
    reach = 1e12 * scale

    def through(a):
        """Force of the two laws: f(a - b) = stiffness b - f(-b)."""
        b = bisect(lambda b: stiffness * b - law(-b) - law(a - b), reach)
        return stiffness * b - law(-b)

    return bisect(lambda a: stiffness * a + (through(a) if series else law(a)) - value, reach)


def starts(force):
    """name: ([steady part, (time [ms], step)...], whether two laws are in series); the source ends at the sum."""
    return {
        "a source of 1000 times its scale": ([0.0, (4.5, 1e3 * force)], False),
        "a source of a thousandth of its scale": ([0.0, (4.5, 1e-3 * force)], False),
        "a balance far away": ([-1e3 * force, (4.5, 1002 * force)], False),
        "two in series, back to back": ([0.0, (4.5, 10 * force)], True),
    }


def check_law(name, scheme, path):
    scale = LAWS[name][4]
    for start, (parts, series) in starts(LAWS[name][3]).items():
        exact = balance(name, parts[0] + sum(height for _, height in parts[1:]), series)
        with open(path, "w", encoding="utf-8") as file:
            file.write(network(name, parts, series, scheme))
        said = ifbam("run", path)
        rows = said.stdout.splitlines()
        reached = float(rows[-1].split(",")[1]) if said.returncode == 0 else math.nan
        check(abs(reached - exact) <= TOLERANCE * max(abs(exact), scale), f"{name}, {start}, {scheme}",
              f"{reached!r}, not {exact!r}\n{said.stderr}")


with tempfile.TemporaryDirectory() as folder:
    for one_scheme in SCHEMES:
        for one in list(LAWS)[::STRIDE]:
            check_law(one, one_scheme, os.path.join(folder, "network.ini"))
finish()
