#!/usr/bin/python3
"""test-random-circuits.py: circuits of diodes, coils, capacitors, switches and resistors at junctions, drawn at random

A sine source with a resistance rises from 0, so that a solution exists unless a switch cuts a coil's current off. Two
schemes agree, but for oscillations that are faster than the step.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import tempfile

from expect import check, effort, finish, ifbam
from random_circuits import Circuit

COUNT = {"brief": 10, "full": 1000}.get(effort, 50)


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
