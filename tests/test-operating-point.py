#!/usr/bin/python3
"""test-operating-point.py: steady states of circuits, hydraulics and rotating machines

References are closed forms, scalar equations solved by bisection, and, for random circuits, the end of a run over many
times the slowest decay. Runs from a steady state stay there; modes about it have the poles of the linearized equations.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import cmath
import json
import math
import os
import tempfile

from expect import by_effort, check, finish, ifbam
from random_circuits import Circuit

HEAD = "[network]\nscheme = tr-bdf2\nstep = 1 us\nduration = 100 us\nsample = 10 us\n[ground g]\n"
VOLT = 0.025865  # thermal voltage [V]


def text_of(kind, name, **keys):
    return f"[{kind} {name}]\n" + "".join(f"{key.replace('_', '-')} = {value}\n" for key, value in keys.items())


def source(voltage, name="s", **keys):
    return text_of("voltage-source", name, voltage=f"{voltage} V", **keys)


def junctions(*names):
    return "".join(f"[junction {name}]\n" for name in names)


def resistor(resistance, left, right, name=None):
    return text_of("resistor", name or f"r-{left}-{right}", resistance=f"{resistance} ohm", between=f"{left}, {right}")


def capacitor(capacitance, left, right, name, **keys):
    return text_of("capacitor", name, capacitance=f"{capacitance} F", between=f"{left}, {right}", **keys)


def coil(inductance, left, right, name="l", **keys):
    return text_of("inductor", name, inductance=f"{inductance} H", between=f"{left}, {right}", **keys)


def amplifier(conductance, left, right, control, limit):
    return text_of("transconductance", "a", transconductance=f"{conductance} S", limit=f"{limit} A",
                   between=f"{left}, {right}", input=control)


def diode(left, right, name="d", **keys):
    return text_of("shockley-diode", name, between=f"{left}, {right}", **keys)


def bisect(function, low, high):
    """The zero of a function that grows."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def shockley(voltage, breakdown=None):
    """Current of a diode with the default parameters [A]."""
    back = 0 if breakdown is None else 1e-3 * (math.exp(-(voltage + breakdown) / VOLT) - math.exp(-breakdown / VOLT))
    return 1e-14 * math.expm1(voltage / VOLT) - back


# Voltages and forces by closed forms and scalar equations
ANODE = bisect(lambda v: shockley(v) - (5 - v) / 1e3, 0, 5)
BRIDGE = bisect(lambda i: i * 100 + 2 * VOLT * math.log1p((i + 1e-14) / 1e-14) - 10, 0, 0.1)
ZENER = bisect(lambda v: v / 1e4 - shockley(-v, 5.1) - (12 - v) / 470, 0, 12)
FOLLOWER = bisect(lambda v: v / 1e3 - 0.02 * math.tanh(100 * (2 - v) / 0.02), 0, 2)
BISTABLE = bisect(lambda v: v / 1e3 + (v - 0.1) / 1e4 - 0.002 * math.tanh(5 * v), 0.5, 3)
OIL = (50e3 / (860 / 2)) ** 0.5 * 0.61 * 1e-4  # flow [m3/s]

CASES = {
    "divider": (source(10) + junctions("m") + resistor(1e3, "s", "m") + resistor(3e3, "m", "g"),
                {"m.voltage": 7.5, "r-m-g.current": 2.5e-3}),
    "diode and resistor": (source(5) + junctions("m") + resistor(1e3, "s", "m") + diode("m", "g"),
                           {"m.voltage": ANODE, "d.current": (5 - ANODE) / 1e3}),
    "bridge with a load": (
        source(10) + junctions("p", "n") + diode("s", "p", "d1") + diode("g", "p", "d2") + diode("n", "s", "d3")
        + diode("n", "g", "d4") + resistor(100, "p", "n") + capacitor(1e-4, "p", "n", "c"),
        {"c.voltage": BRIDGE * 100, "d1.current": BRIDGE, "d4.current": BRIDGE}),
    "Zener diode": (source(12) + junctions("m") + resistor(470, "s", "m") + diode("g", "m", breakdown="5.1 V")
                    + resistor(1e4, "m", "g"), {"m.voltage": ZENER}),
    "light emitting diode": (source(5) + junctions("m") + resistor(220, "s", "m")
                             + text_of("diode", "d", resistance="10 ohm", between="m, g"), {"d.current": 5 / 230}),
    "ideal diode": (source(5) + text_of("capacitor", "m", capacitance="1 uF") + resistor(220, "s", "m")
                    + text_of("diode", "d", between="m, g"), {"m.voltage": 0, "d.current": 5 / 220}),
    "follower with an amplifier that saturates": (
        source(2) + junctions("o") + amplifier(100, "g", "o", "s, o", 0.02) + resistor(1e3, "o", "g"),
        {"o.voltage": FOLLOWER}),
    "coil with a resistance": (source(2) + junctions("o") + coil(0.01, "s", "o") + resistor(1e3, "o", "g"),
                               {"o.voltage": 2, "l.current": 2e-3}),
    "coils in parallel, one with a current": (
        source(6) + junctions("o") + resistor(2, "s", "o") + coil(1e-3, "o", "g", "l1", current="1 A")
        + coil(2e-3, "o", "g", "l2"), {"l1.current": 1 + 4 / 3, "l2.current": 2 / 3, "o.voltage": 0}),
    "short coil beside a slow capacitor": (
        source(6) + junctions("o", "m") + resistor(2, "s", "o") + coil(1e-8, "o", "m") + resistor(1, "m", "g")
        + capacitor(1e-3, "m", "g", "c"), {"l.current": 2, "c.voltage": 2}),
    "transformer": (source(2) + junctions("a", "b") + text_of("transformer", "t", ratio=3, between="a, g, b, g")
                    + resistor(1e3, "s", "a") + resistor(100, "b", "g"), {"a.voltage": 2 * 900 / 1900}),
    "motor: a ratio drives an inertia": (
        "[ground h]\n" + source(2) + junctions("a") + text_of("inertia", "j", inertia="1e-5 kg m2")
        + text_of("ratio", "t", ratio=0.1, between="a, j") + resistor(1, "s", "a")
        + text_of("torsion-damper", "b", damping="1e-4 N m s/rad", between="j, h"), {"j.speed": 20 / 1.01}),
    "bistable circuit": (source(0.1) + junctions("o") + amplifier(0.01, "g", "o", "o", 0.002) + resistor(1e3, "o", "g")
                         + resistor(1e4, "s", "o") + capacitor(1e-9, "o", "g", "c"), {"o.voltage": BISTABLE}),
    "capacitors in series": (source(10) + junctions("m") + capacitor(1e-6, "s", "m", "c1")
                             + capacitor(3e-6, "m", "g", "c2"), {"m.voltage": 2.5}),
    "charges on capacitors in series": (source(10) + junctions("m") + capacitor(1e-6, "s", "m", "c1", voltage="6 V")
                                        + capacitor(3e-6, "m", "g", "c2", voltage="4 V"), {"m.voltage": 4}),
    "coil and capacitor of a divider": (
        source(10) + junctions("m", "n") + capacitor(1e-6, "m", "n", "c") + coil(1e-3, "n", "g") + resistor(10, "s", "m")
        + resistor(100, "m", "g"), {"c.voltage": 100 / 11, "n.voltage": 0, "l.current": 0}),
    "sine: its value at time 0": (
        text_of("voltage-source", "s", voltage="1 V", amplitude="3 V", frequency="50 Hz", phase="30 deg")
        + text_of("capacitor", "c", capacitance="1 uF") + resistor(1e3, "s", "c"), {"c.voltage": 2.5}),
    "capacitor across a source": (source(10) + junctions("m") + resistor(10, "s", "m") + resistor(10, "m", "g")
                                  + capacitor(1e-6, "s", "g", "c"), {"c.voltage": 10, "m.voltage": 5}),
    "source between two nodes": (
        source(5, "e", between="m, n") + junctions("m", "n") + resistor(10, "m", "g") + resistor(40, "n", "g"),
        {"m.voltage": 1, "n.voltage": -4}),
    "spring behind a ratio": (
        "[ground h]\n" + source(2) + junctions("b") + resistor(4, "s", "b") + text_of("mass", "j", mass="0.1 kg")
        + text_of("ratio", "t", ratio=5, between="b, j")
        + text_of("spring", "k", stiffness="100 N/m", between="j, h")
        + text_of("damper", "d", damping="1 N s/m", between="j, h"), {"k.force": 2.5, "j.position": 0.025, "b.voltage": 0}),
    "oil through an orifice": (
        text_of("pipe", "p", inertance="1e7 kg/m4") + text_of("tank", "t") + text_of("orifice", "o", area="1 cm2", between="p, t")
        + text_of("pressure-source", "w", on="p", value="50 kPa"), {"p.flow": OIL}),
}


def ask(path, *words):
    said = ifbam("equilibrium", "--json", path, *words)
    return json.loads(said.stdout) if said.returncode == 0 else said.stderr


def value_of(answer, signal):
    name, quantity = signal.split(".")
    return (answer["links"] if name in answer["links"] else answer["nodes"])[name][quantity]


def rows_of(path, *words):
    said = ifbam("run", path, *words)
    return [[float(field) for field in line.split(",")[1:]] for line in said.stdout.splitlines()[1:]], said.stderr


def write(folder, text):
    path = os.path.join(folder, "network.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_case(folder, name):
    text, wanted = CASES[name]
    path = write(folder, HEAD + text)
    answer = ask(path)
    if isinstance(answer, str):
        check(False, name, answer)
        return
    size = max(abs(value) for value in wanted.values())
    wrong = {signal: (value_of(answer, signal), value) for signal, value in wanted.items()
             if not abs(value_of(answer, signal) - value) <= 1e-9 * (abs(value) or size)}
    check(not wrong, name, wrong)
    for scheme in ("tr-bdf2", "esdirk4", "implicit-euler") + (() if "[junction" in text else ("rk4", "implicit")) if "frequency" not in text else ():
        rows, why = rows_of(path, "--start", "equilibrium", "--scheme", scheme, "--record",
                            ", ".join(signal for signal in wanted if not signal.endswith("position")))
        moved = max((abs(x - y) for row in rows for x, y in zip(row, rows[0])), default=math.inf)
        check(len(rows) == 11 and moved <= 1e-9 * size, f"{name}: a run from there stays, {scheme}", f"{moved} {why}")


def check_random(folder):
    count, ended, far = by_effort(10, 200, 1000), {}, {}
    for number in range(count):
        circuit = Circuit(number, True)
        path = write(folder, circuit.text("tr-bdf2"))
        answer = ask(path)
        if isinstance(answer, str):
            ended[number] = answer
            continue
        found = [value_of(answer, f"{node}.voltage") for node in circuit.nodes]
        rows, why = rows_of(path, "--step", f"{100 * circuit.span}", "--duration", f"{3e4 * circuit.span}", "--set",
                            f"network.sample={1e4 * circuit.span}")
        if len(rows) != 4:  # the reference ended early
            ended[number] = why
        elif not max(abs(x - y) for x, y in zip(found, rows[-1])) <= 1e-6 * value_of(answer, "s.voltage"):
            far[number] = (found, rows[-1])
    check(len(ended) <= count / 20, f"{count} random circuits have an operating point", ended)
    check(not far, f"{count} random circuits: the operating point is the end of a long run", far)


def check_modes(folder):
    """A coil and a capacitor behind a diode: poles of the circuit with the diode's conductance."""
    text = (HEAD + source(5) + junctions("m") + diode("s", "m") + coil(1e-3, "m", "c")
            + text_of("capacitor", "c", capacitance="1 uF") + resistor(1e3, "c", "g"))
    path = write(folder, text)
    current = bisect(lambda i: i * 1e3 + VOLT * math.log1p(i / 1e-14) - 5, 0, 5e-3)
    step = 1e-6 * current
    drop = VOLT * (math.log1p((current + step) / 1e-14) - math.log1p((current - step) / 1e-14)) / (2 * step)
    # L i' = 5 - drop i - v, C v' = i - v / R
    trace, determinant = -drop / 1e-3 - 1 / (1e3 * 1e-6), (drop / 1e3 + 1) / (1e-3 * 1e-6)
    pole = trace / 2 + cmath.sqrt(trace * trace / 4 - determinant)
    said = ifbam("modes", "--json", "--start", "equilibrium", path)
    modes = json.loads(said.stdout)["modes"] if said.returncode == 0 else []
    near = [mode for mode in modes if abs(mode["frequency"] * 2 * math.pi / pole.imag - 1) < 1e-6
            and abs(mode["decay_rate"] / -pole.real - 1) < 1e-6]
    check(len(near) == 1, "modes about the operating point", f"{modes} {pole} {said.stderr}")
    said = ifbam("response", "--json", "--start", "equilibrium", "--input", "voltage@s", "--output", "c.voltage", "--from",
                 "1000", "--to", "4000", "--points", "2", "--linear", path)
    answer = json.loads(said.stdout) if said.returncode == 0 else {"frequency": [], "outputs": [{"amplitude": []}]}
    wrong = {}
    for frequency, amplitude in zip(answer["frequency"], answer["outputs"][0]["amplitude"]):
        omega = 2j * math.pi * frequency
        wanted = abs(1 / (1 + (drop + omega * 1e-3) * (1e-3 + omega * 1e-6)))
        if not abs(amplitude / wanted - 1) < 1e-6:
            wrong[frequency] = (amplitude, wanted)
    check(len(answer["frequency"]) == 2 and not wrong, "response about the operating point", f"{wrong} {said.stderr}")


def check_across(folder):
    """A capacitor across a sine source, an inerter between a drive and the ground."""
    text = (HEAD + text_of("voltage-source", "s", amplitude="10 V", frequency="1 kHz", phase="60 deg")
            + capacitor(1e-6, "s", "g", "c") + resistor(5, "s", "g")
            + "[ground h]\n" + text_of("drive", "d", amplitude="1 cm", frequency="1 kHz", phase="60 deg")
            + text_of("inerter", "i", inertance="2 kg", between="d, h"))
    text += text_of("capacitor", "k", capacitance="1 uF")
    omega, path = 2000 * math.pi, write(folder, text)
    for scheme in ("original", "verlet", "rk4", "implicit", "tr-bdf2"):
        rows, why = rows_of(path, "--scheme", scheme, "--record", "c.voltage,c.current,s.current,i.force")
        wrong = [(row, x) for k, row in enumerate(rows) if k > 0
                 for x, wanted in zip(row, (10 * math.sin(omega * k * 1e-5 + math.pi / 3),
                                            1e-5 * omega * math.cos(omega * k * 1e-5 + math.pi / 3),
                                            2 * math.sin(omega * k * 1e-5 + math.pi / 3)
                                            + 1e-5 * omega * math.cos(omega * k * 1e-5 + math.pi / 3),
                                            -0.02 * omega ** 2 * math.sin(omega * k * 1e-5 + math.pi / 3)))
                 if not abs(x - wanted) <= 1e-9 * max(1, abs(wanted))]
        check(len(rows) == 11 and not wrong, f"a capacitor across a source, {scheme}", f"{wrong} {why}")


def check_starts(folder):
    """A source between junctions that drive very unequal inertias by ratios: no momentum is left over."""
    for first, second in ((1e-9, 3e-9), (1e-12, 1), (1, 1e-12)):
        text = (HEAD + source(5, between="i, j") + junctions("i", "j") + text_of("inertia", "a", inertia=f"{first} kg m2")
                + text_of("inertia", "b", inertia=f"{second} kg m2") + text_of("ratio", "q", ratio=3, between="i, a")
                + text_of("ratio", "r", ratio=0.1, between="j, b"))
        rows, why = rows_of(write(folder, text), "--record", "a.speed, b.speed")
        charge = 5 / (9 / first + 0.01 / second)
        wanted = (3 * charge / first, -0.1 * charge / second)
        check(len(rows) == 11 and all(abs(x / y - 1) < 1e-6 for row in rows for x, y in zip(row, wanted)),
              f"a source between inertias of {first} and {second} kg m2", f"{rows[:2]} {wanted} {why}")


def check_messages(folder):
    for name, text, message in (
            ("a current without a way", text_of("capacitor", "c", capacitance="1 uF")
             + text_of("current-source", "i", on="c", value="1 A"), "nothing holds c against a current of 1 A"),
            ("a source on a coil", source(1) + text_of("capacitor", "c", capacitance="1 uF") + resistor(1, "s", "c")
             + coil(1, "s", "g"), "there is no steady state: the force of l goes on changing"),
            ("a source of current charges a capacitor", source(1) + text_of("capacitor", "c", capacitance="1 uF")
             + text_of("capacitor", "k", capacitance="1 uF") + resistor(1, "s", "c")
             + text_of("current-source", "i", on="k", value="1 A"), "there is no steady state: the voltage of k goes on changing")):
        answer = ask(write(folder, HEAD + text))
        check(isinstance(answer, str) and message in answer, name, answer)


with tempfile.TemporaryDirectory() as temporary:
    for case in CASES:
        check_case(temporary, case)
    check_modes(temporary)
    check_across(temporary)
    check_starts(temporary)
    check_messages(temporary)
    check_random(temporary)
finish()
