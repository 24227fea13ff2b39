#!/usr/bin/python3
"""test-benchmarks.py: published problems have the answers of their sources, or of other solutions: tests/benchmarks/table

TEST_EFFORT=full also takes the sections marked "full", which take long, and solves the problems anew (solutions.py).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

from expect import check, effort, finish, ifbam, root

FOLDER = os.path.join(root, "tests/benchmarks")


def sections():
    """Yields (file, options, [(quantity, time or None, value, tolerance)]) of the table."""
    found = []
    with open(os.path.join(FOLDER, "table"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.partition("#")[0].split()
            if words and words[0][0] == "[":
                head = " ".join(words)
                found.append((re.match(r"\[(.*)\]", head)[1].split(), [], head.endswith("full")))
            elif len(words) == 4 and found:
                found[-1][1].append((words[0], None if words[1] == "-" else float(words[1]), float(words[2]), float(words[3])))
            elif words:
                sys.exit(f"tests/benchmarks/table:{number}: not understood (QUANTITY TIME VALUE TOLERANCE)")
    for words, rows, full in found:
        if effort == "full" or not full:
            yield words[0], words[1:], rows


def run_network(path, options, rows):
    """(the samples by time, the events) of a run that records the signals of the rows."""
    signals = sorted({row[0] for row in rows if "." in row[0]})
    if any(row[0] == "first-mode" for row in rows):
        signals += ["m%d.%s" % (i, of) for i in range(1, 32) for of in ("position", "velocity")]
    times = [row[1] for row in rows if row[1] is not None]
    if signals:
        options = [*options, "--record", ",".join(signals)]
    if times and max(times) > 0:
        options = [*options, "--duration", repr(max(times))]
    with tempfile.TemporaryDirectory() as folder:
        done = ifbam("run", path, *options, "-o", folder + "/samples", "--events", folder + "/events")
        if done.returncode != 0:
            return None, done.stderr
        with open(folder + "/samples", encoding="utf-8") as file:
            samples = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
        with open(folder + "/events", encoding="utf-8") as file:
            return samples, list(csv.DictReader(file))


def at(samples, time):
    row = min(samples, key=lambda sample: abs(sample["time"] - time))
    return row if math.isclose(row["time"], time, rel_tol=1e-9, abs_tol=1e-12) else None


def first_mode(row):
    """The energy of the first mode of the chain of 31 unit masses, relative to that of amplitude 1 at the start."""
    omega = 2 * math.sin(math.pi / 64)
    shape = [math.sqrt(2 / 32) * math.sin(math.pi * i / 32) for i in range(1, 32)]
    position, speed = (sum(s * row["m%d.%s" % (i, of)] for i, s in enumerate(shape, 1)) for of in ("position", "velocity"))
    return (speed ** 2 + (omega * position) ** 2) / (16 * omega ** 2)


def measure(path, options, quantity, time, samples, events):
    """The value of a quantity; None if there is none."""
    word, _, number = quantity.rpartition("-")
    if quantity in ("peak", "peak-frequency"):
        answer = json.loads(ifbam("response", path, *options, "--input", "force@m1", "--output", "m1.position", "--json").stdout)
        peak = max(range(len(answer["frequency"])), key=lambda i: answer["outputs"][0]["amplitude"][i])
        return answer["frequency"][peak] if quantity != "peak" else answer["outputs"][0]["amplitude"][peak]
    if word == "mode":
        return json.loads(ifbam("modes", path, *options, "--json").stdout)["modes"][int(number) - 1]["frequency"]
    if word == "number-of":
        return len([event for event in events if event["event"] == number])
    if time is None:
        times = [float(event["time"]) for event in events if event["event"] == word]
        return times[int(number) - 1] if len(times) >= int(number) else None
    row = at(samples, time)
    return None if row is None else first_mode(row) if quantity == "first-mode" else row[quantity]


def look_at(name, options, rows):
    path = os.path.join(FOLDER, name)
    title = " ".join([name, *options])
    runs = any(not re.match("mode-|peak", row[0]) for row in rows)
    samples, events = run_network(path, options, rows) if runs else ([], [])
    if samples is None:
        check(False, f"{title} runs", events)
        return
    wrong = []
    for quantity, time, value, tolerance in rows:
        got = measure(path, options, quantity, time, samples, events)
        if got is None or not abs(got - value) <= tolerance:
            wrong.append(f"{quantity} at {time}: {got!r}, not {value!r} within {tolerance:g}" + ("" if got is None else f" (off by {abs(got - value):.2g})"))
    check(not wrong, title, "\n".join(wrong))


def compare_solutions(table):
    """table: {(file, quantity, time): value}; the first section of a file is at its own numbers."""
    done = subprocess.run([sys.executable, os.path.join(FOLDER, "solutions.py")], capture_output=True, text=True)
    name, wrong, number = "", [], 0
    for line in done.stdout.splitlines():
        if line[0] == "[":
            name = line.strip("[]")
            continue
        quantity, time, value = line.split()
        told = table.get((name, quantity, None if time == "-" else float(time)))
        number += 1
        if told is None or not math.isclose(told, float(value), rel_tol=1e-9):
            wrong.append(f"{name} {line}: the table has {told}")
    check(number > 80 and not wrong, "the table has the values of solutions.py", "\n".join(wrong) + done.stderr)


def main():
    looked, table = set(), {}
    for name, options, rows in sections():
        looked.add(name)
        look_at(name, options, rows)
        for quantity, time, value, _ in rows:
            table.setdefault((name, quantity, time), value)
    if effort == "full":
        compare_solutions(table)
    left_out = {name for name in os.listdir(FOLDER) if name.endswith(".ini")} - looked
    check(effort != "full" or not left_out, "each network of tests/benchmarks is in the table", sorted(left_out))
    finish()


main()
