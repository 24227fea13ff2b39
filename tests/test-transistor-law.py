#!/usr/bin/python3
"""test-transistor-law.py: a transistor by laws of a file against Ebers-Moll equations integrated here

The circuit of networks/npn-amplifier.ini has one state, the voltage of the coupling capacitor. The voltages of
collector and emitter follow from two nodal equations, solved by Newton's method with slopes by differences of
the currents. The state is integrated by Runge's and Kutta's fourth-order rule.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import os

from expect import check, finish, ifbam, networks

THERMAL, FORWARD, EMITTER, COLLECTOR = 25.865e-3, 10e-15, 0.1e-15, 5e-15
SUPPLY, ABOVE, BELOW, LOAD, FOOT, COUPLING = 12.0, 47e3, 10e3, 4.7e3, 1e3, 10e-6
STEP, END = 1e-5, 2e-3
TOLERANCE = 1e-7  # [V] of both integrations: esdirk4 with 2 us, this one with 10 us


def currents(base, collector, emitter):
    """Returns the currents into collector and base."""
    ahead, back = math.expm1((base - emitter) / THERMAL), math.expm1((base - collector) / THERMAL)
    return FORWARD * (ahead - back) - COLLECTOR * back, EMITTER * ahead + COLLECTOR * back


def errors(base, collector, emitter):
    """Returns the sums of the currents out of collector and emitter."""
    into_collector, into_base = currents(base, collector, emitter)
    return ((SUPPLY - collector) / LOAD - into_collector, into_collector + into_base - emitter / FOOT)


def solve(base, collector, emitter):
    for _ in range(200):
        first, second = errors(base, collector, emitter)
        h = 1e-7
        by_collector = [(a - b) / (2 * h) for a, b in zip(errors(base, collector + h, emitter), errors(base, collector - h, emitter))]
        by_emitter = [(a - b) / (2 * h) for a, b in zip(errors(base, collector, emitter + h), errors(base, collector, emitter - h))]
        determinant = by_collector[0] * by_emitter[1] - by_emitter[0] * by_collector[1]
        change = (-(first * by_emitter[1] - second * by_emitter[0]) / determinant,
                  -(by_collector[0] * second - by_collector[1] * first) / determinant)
        size = max(abs(part) for part in change)
        scale = min(1, 0.05 / size) if size > 0 else 1
        collector += scale * change[0]
        emitter += scale * change[1]
        if size < 1e-13:
            break
    return collector, emitter


def drawn_by_base(base, guess):
    """Returns the current that base and divider take, and the voltages of collector and emitter."""
    collector, emitter = solve(base, *guess)
    return currents(base, collector, emitter)[1] + base / BELOW - (SUPPLY - base) / ABOVE, (collector, emitter)


def operating_point():
    low, high, guess = 1.0, 3.0, (6.0, 1.0)
    for _ in range(60):
        middle = (low + high) / 2
        drawn, guess = drawn_by_base(middle, guess)
        low, high = (middle, high) if drawn < 0 else (low, middle)
    return (low + high) / 2, guess


def source(time):
    return 0.1 * math.sin(2 * math.pi * 1000 * time)


def integrate():
    """Returns times, voltages of base, collector and emitter."""
    base, guess = operating_point()
    held = -base  # voltage of the capacitor: source minus base

    def rate(time, held):
        nonlocal guess
        drawn, guess = drawn_by_base(source(time) - held, guess)
        return drawn / COUPLING

    rows = []
    for i in range(round(END / STEP) + 1):
        time = i * STEP
        base = source(time) - held
        guess = solve(base, *guess)
        rows.append((time, base, *guess))
        one = rate(time, held)
        two = rate(time + STEP / 2, held + STEP / 2 * one)
        three = rate(time + STEP / 2, held + STEP / 2 * two)
        four = rate(time + STEP, held + STEP * three)
        held += STEP / 6 * (one + 2 * two + 2 * three + four)
    return rows


def main():
    expected = integrate()[::2]
    lines = ifbam("run", os.path.join(networks, "npn-amplifier.ini")).stdout.split("\n")[1:]
    rows = [[float(word) for word in line.split(",")] for line in lines if line]
    check(len(rows) == len(expected), "as many rows", f"{len(rows)}, not {len(expected)}")
    for place, name in ((1, "base"), (2, "collector"), (3, "emitter")):
        worst = max(abs(row[place + 1] - wanted[place]) for row, wanted in zip(rows, expected))
        check(worst < TOLERANCE, f"voltage of the {name}", f"off by {worst:.3g} V")
    finish()


main()
