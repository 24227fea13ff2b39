"""random_circuits.py: random circuits of diodes, coils, capacitors, switches and resistors at junctions

SPDX-License-Identifier: GPL-3.0-or-later
"""
import random

STEPS = 1000
CLASSES = ("resistor", "resistor", "capacitor", "capacitor", "inductor", "shockley-diode", "shockley-diode", "diode", "diode", "switch")


class Circuit:
    """self.span: duration [s], before it is rounded; constant: the source has a constant voltage, and there are no switches"""

    def __init__(self, seed, constant=False):
        self.classes = CLASSES[:-1] if constant else CLASSES
        self.draw = random.Random(seed)
        self.span = 10 ** self.draw.uniform(-4, -1)
        self.nodes = [f"n{i}" for i in range(1, self.draw.randint(2, 5) + 1)]
        voltage, frequency = self.draw.uniform(1, 20), self.draw.uniform(0.5, 5) / self.span
        self.groups = ["[ground g]", f"[voltage-source s]\nvoltage = {voltage:.6g} V" if constant else
                       f"[voltage-source s]\namplitude = {voltage:.6g} V\nfrequency = {frequency:.6g} Hz"]
        self.groups += [f"[junction {node}]" for node in self.nodes + ["v"]]
        self.add("resistor", "s", "v")
        for i, node in enumerate(self.nodes):
            self.add(self.draw.choice(self.classes), node, self.draw.choice(self.nodes[:i] + ["g", "v"] if i > 0 else ["v"]))
        for _ in range(self.draw.randint(len(self.nodes), 2 * len(self.nodes) + 2)):
            left = self.draw.choice(self.nodes)
            ends = [left, self.draw.choice([node for node in self.nodes + ["g", "v"] if node != left])]
            self.draw.shuffle(ends)
            self.add(self.draw.choice(self.classes), *ends)
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
