#!/usr/bin/python3
"""test-spice.py: SPICE decks, written as networks by spice-to-ifbam.py, have the answers of ngspice

tests/spice/NAME.csv has 50 samples of ngspice 39.3 with steps of a 40000th of the duration (tests/bench/spice --record).
ngspice does not locate the switching of the ring oscillator; its reference is the exact solution between switchings.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import glob
import importlib
import math
import os
import tempfile

from expect import by_effort, check, finish, ifbam, root

spice = importlib.import_module("spice-to-ifbam")
FOLDER = os.path.join(root, "tests/spice")
TOLERANCE = 1e-3  # of the range of each voltage
REFUSED = {
    "q1 1 2 0 npn": "element of another kind",
    "r1 1 0 1k\nd1 1 0 dm\n.model dm d(cjo=2p)": "capacitance of the junction",
    "v1 1 0 trnoise(1 1n 0 0)": "trnoise",
    "e1 1 0 poly(1) 2 0 0 1": "not linear",
    "r1 1 0 1k\n.temp 85": ".temp 85",
    "r1 1 0 {undefined*2}": "undefined",
    "x1 1 0 missing": "no such .subckt",
    "s1 1 0 1 0 sm\n.model sm sw(vh=-0.1)": "smooth",
}


class Ring:
    """17 inverters of two switches each, exactly: every node goes exponentially to a voltage until some switch changes."""

    SUPPLY, COUNT = 3.0, 17  # [V], inverters
    TIME = {1: 1e3 * 0.2e-12, 2: 0.5e3 * 0.2e-12}  # time constant by the number of closed switches [s]

    def __init__(self):
        self.v = [0.25] + [self.SUPPLY if i % 2 == 1 else 0.0 for i in range(1, self.COUNT)]  # [V] osc_out, n001, ..., n016
        self.up = [v < 1.5 for v in self.v]  # switch to the supply of the inverter that the node drives
        self.down = [v > 1.5 for v in self.v]

    def goal(self, node):
        """(voltage, time constant) to which a node goes."""
        up, down = self.up[node - 1], self.down[node - 1]
        return (self.SUPPLY * up / (up + down), self.TIME[up + down]) if up + down > 0 else (self.v[node], math.inf)

    def changes(self):
        """Yields (time, node, whether it is the upper switch) of the next change of each switch."""
        for node in range(self.COUNT):
            end, constant = self.goal(node)
            for upper, level in ((True, 2.1 if self.up[node] else 1.9), (False, 0.9 if self.down[node] else 1.1)):
                rises = self.up[node] if upper else not self.down[node]
                if constant < math.inf and ((end > level) if rises else (end < level)):
                    yield constant * max(math.log((end - self.v[node]) / (end - level)), 0), node, upper

    def advance(self, span):
        goals = [self.goal(node) for node in range(self.COUNT)]
        self.v = [end + (v - end) * math.exp(-span / constant) for v, (end, constant) in zip(self.v, goals)]

    def run(self, times):
        now, rows = 0.0, []
        for time in times:
            while True:
                span, node, upper = min(self.changes())
                if now + span > time:
                    break
                self.advance(span)
                now += span
                states = self.up if upper else self.down
                states[node] = not states[node]
            self.advance(time - now)
            now = time
            rows.append([self.v[0], self.v[8], self.v[16]])
        return rows


def check_deck(path):
    with open(os.path.splitext(path)[0] + ".csv", encoding="utf-8") as file:
        reference = [[float(field) for field in row[1:]] for row in list(csv.reader(file))[1:]]
    try:
        rows, why = spice.run(path)
    except spice.Refused as reason:
        rows, why = [], str(reason)
    wrong = spice.difference(rows, reference)
    check(wrong < TOLERANCE, os.path.relpath(path, FOLDER), f"error {wrong:.1e}; {why}")


def check_ring(folder):
    text, _, (_, stop, _) = spice.convert(os.path.join(FOLDER, "ngspice/switch-oscillators.cir"), folder)
    path, samples, duration = os.path.join(folder, "ring.ini"), 20, by_effort(0.05, 0.1, 1) * stop
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    said = ifbam("run", path, "--duration", f"{duration} s", "--sample", f"{duration / samples} s", "--record",
                 "nosc_out.voltage,nn008.voltage,nn016.voltage")
    rows = [[float(field) for field in line.split(",")[1:]] for line in said.stdout.splitlines()[2:]]
    wrong = spice.difference(rows, Ring().run([duration * (i + 1) / samples for i in range(samples)]))
    check(wrong < TOLERANCE, "ngspice/switch-oscillators.cir", f"error {wrong:.1e}; {said.stderr}")


def check_refusals(folder):
    path = os.path.join(folder, "refused.cir")
    for text, reason in REFUSED.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"title\n{text}\n.tran 1u 1m uic\n.end\n")
        try:
            spice.convert(path, folder)
            said = "not refused"
        except spice.Refused as refusal:
            said = str(refusal)
        check(reason in said, f"refused: {text.splitlines()[-1]}", said)


with tempfile.TemporaryDirectory() as temporary:
    for deck in sorted(glob.glob(FOLDER + "/**/*.cir", recursive=True)):
        if os.path.exists(os.path.splitext(deck)[0] + ".csv"):
            check_deck(deck)
    check_ring(temporary)
    check_refusals(temporary)
finish()
