#!/usr/bin/python3
"""test-random-circuits.py: circuits of diodes, coils, capacitors, switches and resistors at junctions, drawn at random

A sine source with a resistance rises from 0, so that a solution exists unless a switch cuts a coil's current off. Two
schemes agree, but for oscillations that are faster than the step.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import random
import re
import tempfile

from expect import check, effort, finish, ifbam

COUNT = {"brief": 10, "full": 1000}.get(effort, 50)
STEPS = 1000
CLASSES = ("resistor", "resistor", "capacitor", "capacitor", "inductor", "shockley-diode", "shockley-diode", "diode", "diode", "switch")


class Circuit:
    """self.span: duration [s], before it is rounded"""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.span = 10 ** self.draw.uniform(-4, -1)
        self.nodes = [f"n{i}" for i in range(1, self.draw.randint(2, 5) + 1)]
        self.groups = ["[ground g]", f"[voltage-source s]\namplitude = {self.draw.uniform(1, 20):.6g} V\n"
                       f"frequency = {self.draw.uniform(0.5, 5) / self.span:.6g} Hz"]
        self.groups += [f"[junction {node}]" for node in self.nodes + ["v"]]
        self.add("resistor", "s", "v")
        for i, node in enumerate(self.nodes):
            self.add(self.draw.choice(CLASSES), node, self.draw.choice(self.nodes[:i] + ["g", "v"] if i > 0 else ["v"]))
        for _ in range(self.draw.randint(len(self.nodes), 2 * len(self.nodes) + 2)):
            left = self.draw.choice(self.nodes)
            ends = [left, self.draw.choice([node for node in self.nodes + ["g", "v"] if node != left])]
            self.draw.shuffle(ends)
            self.add(self.draw.choice(CLASSES), *ends)
        for node in self.nodes:
            self.add("resistor", node, "g")

    def add(self, kind, left, right):
        resistance = 10 ** self.draw.uniform(0, 4)
        scale = self.span / 20 * 10 ** self.draw.uniform(-1, 1)
        keys = {
            "resistor": f"resistance = {resistance:.6g} ohm",
            "capacitor": f"capacitance = {scale / resistance:.6g} F",
            "inductor": f"inductance = {scale * resistance:.6g} H",
            "shockley-diode": f"saturation-current = {10 ** self.draw.uniform(-12, -6):.3g} A\n"
                              f"emission = {self.draw.uniform(1, 2):.3g}",
            "diode": f"resistance = {10 ** self.draw.uniform(-3, 1):.4g} ohm",
            "switch": f"resistance = {10 ** self.draw.uniform(-3, 2):.4g} ohm\ntoggle = "
                      + ", ".join(f"{time:.6g} s" for time in sorted(self.draw.uniform(0, self.span)
                                                                      for _ in range(self.draw.randint(1, 4)))),
        }[kind]
        self.groups.append(f"[{kind} e{len(self.groups)}]\n{keys}\nbetween = {left}, {right}")

    def text(self, scheme):
        step = float(f"{self.span / STEPS:.3g}")
        return (f"[network]\nscheme = {scheme}\nstep = {step} s\nduration = {STEPS * step:.6g} s\n"
                f"sample = {STEPS // 20 * step:.6g} s\nrecord = " + ", ".join(f"{node}.voltage" for node in self.nodes) + "\n"
                + "\n".join(self.groups) + "\n")


def run(circuit, scheme, folder):
    """Returns the rows, and the message if the run ends early."""
    path = os.path.join(folder, "circuit.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(circuit.text(scheme))
    said = ifbam("run", path)
    rows = [[float(field) for field in line.split(",")[1:]] for line in said.stdout.splitlines()[1:]]
    return rows, "" if said.returncode == 0 else re.sub(r"^.*ifbam: ", "", said.stderr.strip(), flags=re.S)


with tempfile.TemporaryDirectory() as temporary:
    ends, differ = {}, {}
    for number in range(COUNT):
        one = Circuit(number)
        first, why = run(one, "tr-bdf2", temporary)
        second, why_second = run(one, "esdirk4", temporary)
        if why + why_second != "":
            if "is cut off" not in why + why_second:
                ends[number] = why or why_second
            continue
        largest = max(abs(x) for row in first for x in row)
        most = max(abs(x - y) for a, b in zip(first, second) for x, y in zip(a, b)) / largest
        if len(first) != len(second) or not most < 5e-3:
            differ[number] = most
    check(len(ends) <= COUNT / 200, f"{COUNT} circuits run to their end", ends)
    check(len(differ) <= 1 + COUNT / 20, f"{COUNT} circuits: two schemes agree", differ)
finish()
