#!/usr/bin/python3
# test-fmu.py: FMUs of both versions against `ifbam run`, to the last bit; and rejected calls
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   BUILD=build tests/test-fmu.py [WORD]    WORD: only those with WORD in their names
#
# Where the simulator fmusim is ($FMUSIM, or in PATH) it is asked, too.
import csv
import ctypes
import glob
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from ctypes import byref

from fmi_rules import RULES, broken_rules, undetected_changes
from fmu_host import LOG3, Fmu, Instance, Refused

build = os.environ.get("BUILD", "build")
program = os.path.join(build, "ifbam")
fmusim = os.environ.get("FMUSIM") or shutil.which("fmusim")
brief = os.environ.get("TEST_EFFORT", "usual") == "brief"
word = sys.argv[1] if len(sys.argv) > 1 else ""
folder = tempfile.mkdtemp(prefix="ifbam-fmu-")


def check(name, fine, more=""):
    print("%s - fmu: %s%s" % ("ok" if fine else "not ok", name, "" if fine else "\n# " + str(more)), flush=True)


def run(*words, text=None):
    done = subprocess.run([program, *words], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(" ".join(words) + ": " + done.stderr)
    return done.stdout


def network_file(name):
    return name if "/" in name else "networks/%s.ini" % name


n_archives = 0


def export(name, *words, version=3):
    """The unpacked FMU of a network."""
    global n_archives
    n_archives += 1
    path = os.path.join(folder, "a%d.fmu" % n_archives)
    run("export", network_file(name), "--fmu", "--fmi", str(version), "-o", path, *words)
    return Fmu(path, os.path.join(folder, "a%d" % n_archives))


def rows_of(name, *words):
    """Signals and rows as the program has them; words: its options."""
    lines = run("run", network_file(name), *words).splitlines()
    return lines[0].split(",")[1:], [[float(field) for field in line.split(",")] for line in lines[1:]]


def text_file(name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def course(fmu, instance, times):
    """Rows at given times, an initialized instance's first one included."""
    get = instance.getter(fmu.outputs)
    rows = [[times[0]] + get()]
    for before, time in zip(times, times[1:]):
        instance.do_step(before, time - before)
        rows.append([time] + get())
    return rows


def is_same(a, b):
    return len(a) == len(b) and all(x == y or (math.isnan(x) and math.isnan(y)) for r, s in zip(a, b) for x, y in zip(r, s))


def difference(a, b):
    return max(abs(x - y) for r, s in zip(a, b) for x, y in zip(r, s))


def contest(name, version, *words):
    fmu = export(name, *words, version=version)
    signals, rows = rows_of(name, *words)
    instance = Instance(fmu)
    instance.begin()
    told = course(fmu, instance, [row[0] for row in rows])
    instance.free()
    return signals == fmu.outputs and is_same(rows, told), len(rows)


# ---- the standard's rules for descriptions


def test_rules():
    names = sorted(glob.glob("networks/*.ini"))
    for version in (2, 3):
        fmus = [export(name, version=version) for name in (names[::20] if brief else names[version::3])]
        broken = ["%s: %s" % (fmu.description.get("modelName"), text) for fmu in fmus for text in broken_rules(fmu.description)]
        check("%d descriptions follow the %d rules of FMI %d.0" % (len(fmus), len(RULES), version), broken == [], "\n# ".join(broken)[:2000])
        fmu = export("impact-oscillator", "--input", "force@m1", version=version)
        right, undetected = broken_rules(fmu.description), undetected_changes(fmu.description)
        check("FMI %d: each rule rejects the descriptions that break it" % version, right == undetected == [], right + undetected)


def test_description():
    fmu = export("impact-oscillator")
    by_name = {variable.get("name"): variable for variable in fmu.variables}
    stiffness, gap = by_name["k1.stiffness"], by_name["stop.restitution"]
    check("a number is a parameter with its unit, its least and its meaning",
          [stiffness.get(key) for key in ("causality", "variability", "unit", "min", "start", "description")]
          == ["parameter", "fixed", "N/m", "0", "30", "force per unit of compression"], stiffness.attrib)
    check("and with its most", gap.get("max") == "1", gap.attrib)
    unit = [unit.find("BaseUnit").attrib for unit in fmu.description.iter("Unit") if unit.get("name") == "N/m"]
    check("units are powers of the basic ones", unit == [{"kg": "1", "s": "-2"}], unit)
    check("the signals that are recorded are outputs", fmu.outputs == rows_of("impact-oscillator", "--duration", "0.02")[0])
    kind = fmu.description.find("CoSimulation")
    check("its steps are the network's", kind.get("fixedInternalStepSize") == "0.005", kind.attrib)
    archives = []
    for part in ("one", "other"):
        os.mkdir(os.path.join(folder, part))
        run("export", network_file("impact-oscillator"), "--fmu", "-o", os.path.join(folder, part, "same.fmu"))
        archives.append(open(os.path.join(folder, part, "same.fmu"), "rb").read())
    check("the same network is the same archive", archives[0] == archives[1])
    check("of another one the token is another", export("two-dof").token != fmu.token)


# ---- co-simulation


def test_rows():
    # an event scheduled at a row may be a last digit behind it: in cruise and buck
    names = ["two-dof", "impact-oscillator", "cruise", "ball-drag", "stick-slip", "pendulum-hit", "buck", "collision", "rc-diode", "quarter-car", "crane",
             "dented-rail", "thermostat", "free-kick"]
    names = [name for name in names if os.path.exists(network_file(name))]
    for i, name in enumerate(names[:6] if brief else names):
        for version in ((2 + i % 2,) if brief else (2, 3)):
            fine, n = contest(name, version, *(["--duration", "0.2"] if name == "two-dof" else []))
            check("%s, FMI %d: %d rows as of ifbam run, to the last bit" % (name, version, n), fine)


def test_schemes():
    for scheme in ("original", "averaged", "euler", "symplectic-euler", "verlet", "rk4", "implicit", "tr-bdf2"):
        fine, _n = contest("impact-oscillator", 3, "--scheme", scheme, "--duration", "2",
                           "--record", "m1.position,m1.acceleration,k1.force,stop.force,stop.mode,network.energy,network.dissipated,"
                           "network.supplied,k1.dissipated,shaker.force")
        check("all that can be recorded, %s" % scheme, fine)


def test_sample():
    fmu = export("two-dof", "--duration", "0.1")
    _signals, rows = rows_of("two-dof", "--duration", "0.1")
    for every in (1, 7, 100):
        instance = Instance(fmu)
        instance.begin()
        told = course(fmu, instance, [row[0] for row in rows[::every]])
        check("steps of the importer of %d of the network's" % every, is_same(rows[::every], told))
        instance.free()


def test_start_time():
    fmu = export("two-dof", "--duration", "0.1")
    _signals, rows = rows_of("two-dof", "--duration", "0.1")
    instance = Instance(fmu)
    instance.begin(start=32.0)
    told = course(fmu, instance, [32 + row[0] for row in rows])
    check("the network starts when the simulation does", is_same([row[1:] for row in rows], [row[1:] for row in told]))
    check("the time is the importer's", instance.get("time") == 32 + rows[-1][0])
    instance.free()


def test_between_rows():
    """Between rows: on the cubics; rows are unchanged."""
    for name, scheme in (("two-dof", "averaged"), ("two-dof", "rk4"), ("impact-oscillator", "rk4")):
        words = ["--scheme", scheme, "--step", "0.5ms", "--sample", "0.5ms", "--duration", "1", "--record", "m*.position,k1.force"]
        fine = words[:3] + ["0.05ms", "--sample", "0.05ms"] + words[6:]
        fmu = export(name, *words)
        _signals, rows = rows_of(name, *words)
        exact = [row[1] for row in rows_of(name, *fine)[1]]
        instance = Instance(fmu)
        instance.begin()
        times = [0.0]
        for row in rows[1:]:
            times += [row[0] - 0.35e-3, row[0]]
        told = course(fmu, instance, times)
        check("%s, %s: rows are the same where others are asked for between them" % (name, scheme), is_same(rows, told[::2]))
        errors = [max(abs(row[1] - exact[round(row[0] / 0.05e-3)]) for row in part) for part in (told[::2], told[1::2])]
        # (h w)^4 / 384 of an amplitude of 1 mm
        check("%s, %s: between rows it is no farther from the truth than there" % (name, scheme),
              errors[1] <= 1.01 * errors[0] + 3e-9, errors)
        instance.free()


def test_mode_between_rows():
    """A mode changes at its instant, not with the row, nor on a line from one to the other."""
    instant = float(events_of("stick-slip")[0]["time"])
    fmu = export("stick-slip", "--output", "f1.mode")
    row = math.floor(instant / fmu.step) * fmu.step
    instance = Instance(fmu)
    instance.begin()
    told = []
    for before, after in ((0, row), (row, 0.5 * (row + instant)), (0.5 * (row + instant), 0.5 * (instant + row + fmu.step)),
                          (0.5 * (instant + row + fmu.step), row + fmu.step)):
        instance.do_step(before, after - before)
        told.append(instance.get("f1.mode"))
    check("a mode between rows is that before the instant, then that behind it",
          told[0] == told[1] and told[1] != told[2] and told[2] == told[3], told)
    instance.free()


def test_two_instances():
    fmu = export("impact-oscillator", "--duration", "4")
    _signals, rows = rows_of("impact-oscillator", "--duration", "4")
    _signals, others = rows_of("impact-oscillator", "--duration", "4", "--set", "k1.stiffness=33")
    one, other = Instance(fmu), Instance(fmu)
    other.set("k1.stiffness", 33.0)
    one.begin()
    other.begin()
    get_one, get_other = one.getter(fmu.outputs), other.getter(fmu.outputs)
    told = [[0.0] + get_one()], [[0.0] + get_other()]
    for before, row in zip(rows, rows[1:]):
        for instance, get, list_ in ((one, get_one, told[0]), (other, get_other, told[1])):
            instance.do_step(before[0], row[0] - before[0])
            list_.append([row[0]] + get())
    check("two instances side by side, and a parameter of one", is_same(rows, told[0]) and is_same(others, told[1]))
    one.free()
    other.free()


def test_parameters():
    fmu = export("impact-oscillator", "--duration", "2")
    words = ["--duration", "2", "--set", "m1.position=-1mm", "--set", "m1.mass=2", "--set", "shaker.phase=0.5", "--set",
             "k1.cubic=100"]
    _signals, rows = rows_of("impact-oscillator", *words)
    instance = Instance(fmu)
    for name, value in (("m1.position.start", -1e-3), ("m1.mass", 2.0), ("shaker.phase", 0.5)):
        instance.set(name, value)
    instance.initialize()
    check("outputs are known in the initialization", instance.get("m1.position") == -1e-3)
    instance.set("k1.cubic", 100.0)
    instance.call("ExitInitializationMode")
    check("a parameter is what it was set to", instance.get("k1.cubic") == 100)
    check("parameters are as --set", is_same(rows, course(fmu, instance, [row[0] for row in rows])))
    instance.call("Terminate")
    instance.call("Reset")
    check("after a reset they are as they were", instance.get("k1.cubic") == 0)
    instance.begin()
    _signals, rows = rows_of("impact-oscillator", "--duration", "2")
    check("and so is what it does", is_same(rows, course(fmu, instance, [row[0] for row in rows])))
    instance.free()


def test_lists():
    path = text_file("chain.ini", "[network]\nstep=1ms\nduration=0.2\nrecord=c.*.position\n[ground g]\n[chain c]\nfrom=g\ncount=3\n"
                     "mass=1\nstiffness=100, 200\nposition=1mm\n")
    fmu = export(path)
    _signals, rows = rows_of(path, "--set", "c.stiffness=100,300", "--set", "c.mass=2")
    instance = Instance(fmu)
    instance.set("c.stiffness[2]", 300.0)
    instance.set("c.mass", 2.0)
    instance.begin()
    check("numbers of lists are parameters", is_same(rows, course(fmu, instance, [row[0] for row in rows])))
    instance.free()


def test_states():
    for name, version in (("impact-oscillator", 3), ("ball-drag", 2), ("two-dof", 3)):
        fmu = export(name, "--duration", "3", version=version)
        _signals, rows = rows_of(name, "--duration", "3")
        times = [row[0] for row in rows]
        half = len(times) // 2
        instance, other = Instance(fmu), Instance(fmu)
        instance.begin()
        course(fmu, instance, times[:half + 1])
        kept = instance.state()
        block = instance.bytes_of(kept)
        first = course(fmu, instance, times[half:])
        instance.set_state(kept)
        second = course(fmu, instance, times[half:])
        copy = other.state_of(block)
        other.set_state(copy)
        third = course(fmu, other, times[half:])
        check("%s, FMI %d: goes on from a state, and from its bytes in another instance, with the same bits" % (name, version),
              is_same(rows[half:], first) and is_same(first, second) and is_same(first, third))
        instance.set_state(kept)
        between = course(fmu, instance, [times[half], times[half] + 0.3 * (times[1] - times[0])])
        again = instance.state()
        later = course(fmu, instance, [between[-1][0], times[-1]])
        other.set_state(again)
        check("%s: from one between rows, too" % name, is_same(later, course(fmu, other, [between[-1][0], times[-1]])))
        for state in (kept, again):
            instance.free_state(state)
        other.free_state(copy)
        try:
            bad = instance.state_of(block[:100])
            instance.set_state(bad)
            check("what is no state is refused", False)
        except Refused as refused:
            check("what is no state is refused", "the state is none of this FMU" in str(refused), refused)
        instance.free_state(bad)
        instance.free()
        other.free()


def driven(name, node, words, force, first, last):
    """Rows with an input from one row to another, and with an element in its place, `late` after it."""
    fmu = export(name, *words, "--input", "force@" + node)
    step = float(fmu.step)
    late = step if "averaged" in words else 0
    text = open(network_file(name), encoding="utf-8").read()
    file = text_file("late.ini", text + "\n[force extra]\non = %s\nvalue = %r\nstart = %r\nend = %r\n"
                     % (node, force, first * step + late, last * step + late))
    _signals, rows = rows_of(file, *words)
    times = [row[0] for row in rows]
    instance = Instance(fmu)
    instance.begin()
    told = course(fmu, instance, times[:first + 1])
    instance.set("force@" + node, force)
    told += course(fmu, instance, times[first:last + 1])[1:]
    kept = instance.state()
    instance.set("force@" + node, 0.0)
    told += course(fmu, instance, times[last:])[1:]
    instance.set_state(kept)
    check("%s: an input's value is part of the state" % name, instance.get("force@" + node) == force)
    instance.set("force@" + node, 0.0)
    check("%s: and it goes on from there with the same bits" % name,
          is_same(told[last + 1:], course(fmu, instance, times[last:])[1:]))
    instance.free_state(kept)
    instance.free()
    # a row at a change has the value before
    return [[[row[1]] for i, row in enumerate(part) if i not in (first, last)] for part in (rows, told)]


def test_inputs():
    """A force that is there from the start is an element; so is one that comes and goes, with one that starts and ends."""
    for name, node, scheme in (("two-dof", "m1", "rk4"), ("stick-slip", "m1", "rk4"), ("two-dof", "m1", "averaged")):
        words = ["--scheme", scheme, "--step", "1ms", "--sample", "1ms", "--duration", "1"]
        text = open(network_file(name), encoding="utf-8").read()
        constant = text_file("constant.ini", text + "\n[force extra]\non = %s\nvalue = 3 N\n" % node)
        instance = Instance(export(name, *words, "--input", "force@" + node))
        instance.set("force@" + node, 3.0)
        instance.begin()
        _signals, rows = rows_of(constant, *words)
        check("%s, %s: an input that is there from the start" % (name, scheme),
              is_same(rows, course(instance.fmu, instance, [row[0] for row in rows])))
        instance.free()
    for name, force in (("two-dof", 3.0), ("stick-slip", 12.0)):
        rows, told = driven(name, "m1", ["--scheme", "rk4", "--step", "1ms", "--sample", "1ms", "--duration", "1"], force, 250, 500)
        largest = max(abs(row[0]) for row in rows)
        check("%s: one that comes and goes" % name, difference(rows, told) < 1e-12 * largest, (difference(rows, told), largest))
    # An input set within a cycle acts a step later; the rest is the scheme's error.
    errors = []
    for step, n in (("1ms", 1), ("0.5ms", 2)):
        rows, told = driven("two-dof", "m1", ["--scheme", "averaged", "--step", step, "--sample", step, "--duration", "1"], 3.0,
                            250 * n, 500 * n)
        errors.append(difference(rows, told))
    check("under averaged a step later, but for what is of second order", errors[1] < errors[0] / 3, errors)


def moved(name, given, said, text, words):
    """Rows of an importer that says values of an input at rows (row: value), of an element that does so, and the input's name."""
    fmu = export(name, *words, "--input", given)
    _signals, rows = rows_of(text_file("moved.ini", text), *words)
    times = [row[0] for row in rows]
    instance, other = Instance(fmu), Instance(fmu)
    instance.begin()
    told = course(fmu, instance, times[:1])
    bounds = sorted(said) + [len(rows) - 1]
    told += course(fmu, instance, times[:bounds[0] + 1])[1:]
    for first, last in zip(bounds, bounds[1:]):
        instance.set(given, said[first])
        told += course(fmu, instance, times[first:last + 1])[1:]
    kept = instance.state()
    copy = other.state_of(instance.bytes_of(kept))
    other.set_state(copy)
    instance.free_state(kept)
    other.free_state(copy)
    for one in (instance, other):
        one.do_step(times[-1], times[-1] - times[-2])
    check("%s, %s: in the state, too" % (name, given), other.getter(fmu.outputs)() == instance.getter(fmu.outputs)())
    instance.free()
    other.free()
    return rows, told


def test_motions():
    """Inputs of given nodes in addition to their laws, against ramps in the file, and closed forms."""
    words = ["--scheme", "rk4", "--step", "0.1ms", "--sample", "2ms", "--duration", "0.4", "--record", "m1.position,m1.velocity"]
    damped = open(network_file("damped"), encoding="utf-8").read()
    ramp = "[drive wall]\nwave = ramp\namplitude = %r\nat = %r\nover = %r\n"
    rows, told = moved("damped", "position@wall", {50: 3e-3, 60: 3e-3}, damped.replace("[ground wall]\n", ramp % (3e-3, 0.1, 2e-3)), words)
    check("a place that is said is reached on a line within the importer's step", difference(rows, told) < 1e-13, difference(rows, told))
    rows, told = moved("damped", "velocity@wall", {50: 0.1, 150: 0.0},
                       damped.replace("[ground wall]\n", ramp % (0.02, 0.1, 0.2)), words)
    check("a velocity that is said, for a while", difference(rows, told) < 1e-12, difference(rows, told))
    rows, told = moved("damped", "acceleration@wall", {0: 2.0, 100: 2.0},
                       damped.replace("[ground wall]\n", "[drive wall]\nacceleration = 2\n"), words)
    check("an acceleration", difference(rows, told) < 1e-12, difference(rows, told))
    belt = open(network_file("stick-slip"), encoding="utf-8").read()
    rows, told = moved("stick-slip", "velocity@belt", {100: 0.3, 240: 0.0, 250: 0.0}, belt.replace(
        "[drive belt]\n", "[drive belt]\nwave = ramp\namplitude = %r\nat = 5\nover = 7\n" % (0.3 * 7)), ["--record", "m1.position"])
    check("a belt that is told to go faster than it does by itself: what sticks and slips", difference(rows, told) < 1e-12,
          difference(rows, told))
    fmu = export("rc", "--input", "voltage@supply", "--output", "c1.voltage")
    instance = Instance(fmu)
    instance.begin()
    instance.do_step(0, 1e-3)
    instance.set("voltage@supply", 3.0)
    instance.do_step(1e-3, 2e-3)
    expected = 5 * (1 - math.exp(-3)) + 3 * (1 - math.exp(-2))
    check("a voltage: a capacitor's course by the closed form", abs(instance.get("c1.voltage") - expected) < 1e-9 * expected,
          (instance.get("c1.voltage"), expected))
    instance.free()
    for scheme in ("averaged", "rk4", "implicit"):
        for given, key, value in (("position@floor", "position", 2e-3), ("velocity@floor", "velocity", 0.1)):
            fmu = export("driven", "--scheme", scheme, "--input", given)
            instance = Instance(fmu)
            instance.set(given, value)
            instance.begin()
            _signals, rows = rows_of("driven", "--scheme", scheme, "--set", "floor.%s=%r" % (key, value))
            check("%s, %s from the start on is as --set, to the last bit" % (scheme, given),
                  is_same(rows, course(fmu, instance, [row[0] for row in rows])))
            instance.free()
    both = text_file("both.ini", damped.replace("[ground wall]\n", "[drive wall]\nposition = 2 mm\nvelocity = 0.1\n"))
    fmu = export("damped", *words, "--input", "position@wall", "--input", "velocity@wall")
    instance = Instance(fmu)
    instance.set("position@wall", 2e-3)
    instance.set("velocity@wall", 0.1)
    instance.begin()
    _signals, rows = rows_of(both, *words)
    check("a ground that is told two things is as a drive that has both", is_same(rows, course(fmu, instance, [row[0] for row in rows])))
    instance.free()
    said = subprocess.run([program, "export", network_file("damped"), "--fmu", "--input", "force@m1", "--input", "force@m1", "-o", os.path.join(folder, "no.fmu")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    check("an input that is told twice", said.returncode == 2 and "force@m1 is there twice" in said.stderr, said.stderr)
    check("whose motion is said is for co-simulation", fmu.description.find("ModelExchange") is None)
    said = subprocess.run([program, "export", network_file("inerter"), "--fmu", "--input", "force@b1", "-o", os.path.join(folder, "no.fmu")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    check("what only ties two nodes", said.returncode == 2 and "force@b1 is between two nodes" in said.stderr, said.stderr)
    said = subprocess.run([program, "export", network_file("rc"), "--fmu", "--input", "flux@supply", "-o", os.path.join(folder, "no.fmu")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    check("what a source is not told", said.returncode == 2 and "the input of a voltage-source is its voltage (want voltage@supply)" in said.stderr,
          said.stderr)


def events_of(name, *words):
    path = os.path.join(folder, "events.csv")
    run("run", network_file(name), *words, "--events", path, "-o", os.path.join(folder, "course.csv"))
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_event_mode():
    fmu = export("impact-oscillator")
    expected = [float(event["time"]) for event in events_of("impact-oscillator")]
    _signals, rows = rows_of("impact-oscillator")
    instance = Instance(fmu, events=True, early=True)
    instance.begin()
    instance.update()
    instance.call("EnterStepMode")
    time, told, speeds, position = 0.0, [], [], []
    get = instance.getter(["m1.velocity", "m1.position"])
    course_ = [[0.0] + instance.getter(fmu.outputs)()]
    for row in rows[1:]:
        while time < row[0]:
            event, early, time = instance.do_step(time, row[0] - time)
            if event:
                before = get()
                instance.call("EnterEventMode")
                instance.update()
                after = get()
                told.append(time)
                speeds.append(after[0] / before[0])
                position.append((before[1], after[1]))
                instance.call("EnterStepMode")
            if not early:
                time = row[0]
        course_.append([time] + instance.getter(fmu.outputs)())
    check("steps end where something happens, %d times" % len(told), told == expected, (told, expected))
    check("before and behind it: the velocity is turned", all(abs(speed + 0.8) < 1e-9 for speed in speeds), speeds)
    check("the position is not", all(abs(a - b) < 1e-12 and abs(a + 0.01) < 1e-9 for a, b in position), position)
    check("rows are what they were", is_same(rows, course_))
    check("it tells of them", len(instance.happened) == len(expected) and "stop" in instance.happened[0], instance.happened[:2])
    instance.free()
    # sampled each 0.1 s, which no double is: some of its instants are behind the rows by rounding
    instance = Instance(export("cruise", "--duration", "3"), events=True, early=True)
    instance.begin()
    instance.update()
    instance.call("EnterStepMode")
    time, told = 0.0, []
    while time < 3:
        event, _early, time = instance.do_step(time, min(0.2 * (math.floor(5 * time + 1e-6) + 1), 3.0) - time)
        told += [time] if event else []
        if event:
            instance.call("EnterEventMode")
            instance.update()
            instance.call("EnterStepMode")
    check("what is given to happen at ends of steps is told there", [round(10 * time, 6) for time in told] == list(range(1, 31)), told)
    instance.free()


def refuses(name, what, *parts):
    try:
        what()
        check(name, False, "it was taken")
    except Refused as refused:
        check(name, all(part in str(refused) for part in parts), refused)


def test_refusals():
    for version in (2, 3):
        fmu = export("impact-oscillator", version=version)
        refuses("another token", lambda: Instance(fmu, token="{no}"), "{no} is not the one of this FMU's description")
        instance = Instance(fmu)
        refuses("a number out of range is refused in the program's words", lambda: instance.set("stop.restitution", 2.0),
                "[impact stop] restitution: 2 is above the most, 1")
        refuses("and a mass of 0", lambda: instance.set("m1.mass", 0.0), "[mass m1] mass: must be above 0, not 0")
        refuses("what is no number", lambda: instance.set("m1.mass", math.nan), "no value")
        refuses("outputs before the initialization", lambda: instance.get("m1.position"), "m1.position is not known before")
        refuses("a step before it", lambda: instance.do_step(0, 1), "the initialization has not ended")
        instance.set("shaker.seed", 1.5)
        refuses("what does not go together", instance.begin, "[drive shaker] seed")
        instance.set("shaker.seed", 0.0)
        instance.call("ExitInitializationMode")
        refuses("a parameter while it runs", lambda: instance.set("m1.mass", 2.0), "mass is fixed")
        refuses("an output can't be set", lambda: instance.set("m1.position", 2.0), "m1.position is an output")
        refuses("a step from elsewhere", lambda: instance.do_step(3, 1), "the step begins at 3 s, but the last one ended at 0 s")
        instance.do_step(0, 0.1)
        instance.free()
    said = subprocess.run([program, "export", network_file("two-dof"), "--fmu", "--input", "force@m7", "--input", "force@wall"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    check("inputs that are none", said.returncode != 0 and 'm7' in said.stderr and "(want position@wall)" in said.stderr, said.stderr)
    check("nothing is left of it", not os.path.exists("two-dof.fmu"))


def reference_of(instance, reference, value=None):
    """Gets, or sets, by a number that no name has."""
    words = [byref(ctypes.c_uint(reference)), ctypes.c_size_t(1), byref(ctypes.c_double(value or 0))] + [ctypes.c_size_t(1)] * instance.third
    instance.call(("Get" if value is None else "Set") + ("Float64" if instance.third else "Real"), *words)


def test_damaged_archives():
    """The resources of an archive, damaged in turn: each is told, and costs nothing."""
    fmu = export("impact-oscillator")
    resources = os.path.join(fmu.folder, "resources")
    files = {}
    for name in os.listdir(resources):
        with open(os.path.join(resources, name), encoding="utf-8") as file:
            files[name] = file.read()
    network, listed = sorted(files, key=lambda name: "variable" in name)
    first, line, *_rest = files[listed].split("\n")
    kind = line.split(" ")[0]
    wrong = ["nonsense", kind, "state", "state 1 2", "output", "output a b", "parameter m1 mass", "parameter m1 mass 0 0",
             "parameter m9 mass 0", "parameter m1 weight 0", "input m1", "input nobody value", "guess 3"]
    for text in wrong:
        with open(os.path.join(resources, listed), "w", encoding="utf-8") as file:
            file.write("\n".join([first, line, text, *_rest]))
        refuses("a line of variables that is none: %s" % text, lambda: Instance(fmu), "line 3", text, "no variable of this network")
    with open(os.path.join(resources, listed), "w", encoding="utf-8") as file:
        file.write(files[listed])
    for text, said in (("weight m1\n", 'no class "weight"'), (files[network].replace("mass", "mess", 1), 'no class "mess"'), ("", "")):
        with open(os.path.join(resources, network), "w", encoding="utf-8") as file:
            file.write(text)
        refuses("a network that is none: %r" % text, lambda: Instance(fmu), said)
    for name in (network, listed):
        for other, text in files.items():
            with open(os.path.join(resources, other), "w", encoding="utf-8") as file:
                file.write(text)
        os.remove(os.path.join(resources, name))
        refuses("an archive without %s" % name, lambda: Instance(fmu), name, "can't be read")
        os.mkdir(os.path.join(resources, name))
        refuses("an archive with a folder in the place of %s" % name, lambda: Instance(fmu), name, "can't be read")
        os.rmdir(os.path.join(resources, name))
    for other, text in files.items():
        with open(os.path.join(resources, other), "w", encoding="utf-8") as file:
            file.write(text)
    with open(os.path.join(resources, listed), "a", encoding="utf-8") as file:
        file.write("output m1.position\n")
    refuses("an output that is there twice", lambda: Instance(fmu).begin(), "the network has not the outputs of the list")
    with open(os.path.join(resources, listed), "w", encoding="utf-8") as file:
        file.write(files[listed])
    instance = Instance(fmu)
    instance.begin()
    check("whole again, it runs", instance.do_step(0, 0.1)[2] == 0.1)
    instance.free()
    for token, where, said in ((None, resources, "instantiation token is missing"), (fmu.token, None, "path of the resources is missing")):
        heard = []
        logger = LOG3(lambda _environment, _status, _category, text, heard=heard: heard.append(text.decode()))
        make = fmu.library.fmi3InstantiateCoSimulation
        make.restype = ctypes.c_void_p
        made = make(b"one", token and token.encode(), where and where.encode(), *[ctypes.c_bool(False)] * 4, None, ctypes.c_size_t(0),
                    None, logger, None)
        check("without one of both there is no instance, and a word", made is None and said in "".join(heard), heard)


def test_order_of_calls():
    """Calls too early, too late, or with other sizes are errors; the run is unaffected."""
    for version in (2, 3):
        fmu = export("impact-oscillator", "--duration", "1", version=version)
        _signals, rows = rows_of("impact-oscillator", "--duration", "1")
        size = ctypes.c_size_t
        instance = Instance(fmu)
        numbers = instance.numbers(99)
        word = "State" if version == 3 else "state"
        refuses("an end before the beginning", lambda: instance.call("ExitInitializationMode"), "can't be before the initialization")
        refuses("no time to start at", lambda: instance.initialize(math.nan), "the start time nan is no time")
        if version == 3:
            refuses("an event before it", lambda: instance.call("EnterEventMode"), "an event can't be before the initialization")
        early = instance.state()
        instance.begin()
        refuses("a second initialization", instance.initialize, "the initialization can't be while it runs")
        refuses("no variable", lambda: reference_of(instance, 999), "value reference 999: there is no such variable")
        refuses("nothing to set", lambda: reference_of(instance, 999, 1.0), "value reference 999: nothing that could be set")
        refuses("time can't be set", lambda: reference_of(instance, 0, 1.0), "value reference 0: nothing that could be set")
        reference_of(instance, 0)
        check("states are those of the row; how they change, and distances of events, are nobody's in co-simulation",
              instance.get("m1.coordinate") == instance.get("m1.position") and instance.get("m1.rate") == instance.get("m1.velocity")
              and instance.get("der(m1.rate)") == 0 and instance.get("stop.guard1") == 0)
        refuses("a time in co-simulation", lambda: instance.call("SetTime", ctypes.c_double(0)), "that is for model exchange")
        for name in ("SetContinuousStates", "GetContinuousStates", "GetEventIndicators", "GetNominalsOfContinuousStates",
                     "GetContinuousStateDerivatives" if version == 3 else "GetDerivatives"):
            refuses("%s in co-simulation" % name, lambda name=name: instance.call(name, numbers, size(2)), "that is for model exchange")
        refuses("a step without end", lambda: instance.do_step(0, math.inf), "inf s is no length of a step")
        refuses("a step backward", lambda: instance.do_step(0, -0.1), "-0.1 s is no length of a step")
        refuses("a step to where no number leads", lambda: instance.do_step(0, 1e300), "beyond the last step that has a number")
        half = len(rows) // 2
        times = [row[0] for row in rows]
        told = course(fmu, instance, times[:half + 1])
        kept = instance.state()
        block = ctypes.create_string_buffer(100)
        refuses("a state into less than it takes", lambda: instance.call("SerializeFMU" + word if version == 3 else "SerializeFMUstate",
                                                                         kept, block, size(100)), "bytes, not 100")
        refuses("no state", lambda: instance.set_state(ctypes.c_void_p()), "there is no such state")
        whole = instance.bytes_of(kept)
        for damaged in (whole[:20], whole[:-1], whole + b"0", b"x" + whole[1:], whole[:8] + b"\xff" + whole[9:]):
            bad = instance.state_of(damaged)
            refuses("a damaged state", lambda bad=bad: instance.set_state(bad), "the state is none of this FMU")
            instance.free_state(bad)
        told += course(fmu, instance, times[half:])[1:]
        check("FMI %d: after all that the rows are those of the program" % version, is_same(rows, told))
        instance.call("Terminate")
        refuses("a step after the end", lambda: instance.do_step(1, 1), "a step can't be taken now")
        instance.call("Reset")
        instance.set("m1.mass", 3.0)
        instance.set_state(early)
        check("a state from before the initialization has its parameters", instance.get("m1.mass") == 1)
        instance.begin()
        check("and leads to the same rows", is_same(rows, course(fmu, instance, times)))
        instance.call("Reset")
        instance.set("m1.mass", 3.0)
        instance.set_state(kept)
        check("a state from within takes its parameters along", instance.get("m1.mass") == 1
              and is_same(rows[half:], course(fmu, instance, times[half:])))
        for state in (early, kept):
            instance.free_state(state)
        instance.free()
        other = Instance(export("impact-oscillator", "--output", "m1.position", version=version), exchange=True)
        refuses("states before the initialization", lambda: other.call("GetContinuousStates", numbers, size(2)), "that is for model exchange")
        refuses("a step's end before it", lambda: other.call("CompletedIntegratorStep", *[ctypes.c_bool(False), byref(ctypes.c_bool()),
                                                                                         byref(ctypes.c_bool())]), "that is for model exchange")
        other.begin()
        refuses("states of another number", lambda: other.call("SetContinuousStates", numbers, size(99)), "of them, not 99")
        refuses("and to get them", lambda: other.call("GetContinuousStates", numbers, size(1)), "there are 2 of them, not 1")
        refuses("a state in model exchange", other.state, "states are kept in co-simulation only")
        if version == 3:
            for name, n in (("States", 2), ("Indicators", 4)):
                found = size()
                other.call("GetNumberOf%s%s" % ("Continuous" if n == 2 else "Event", name), byref(found))
                check("FMI 3: there are %d of its %s" % (n, name.lower()), found.value == n, found.value)
        rate = instance_nominals(other)
        check("nominals are above 0", len(rate) == 2 and all(value > 0 for value in rate), rate)
        listed = Integrator(other)
        check("states, how they change, and distances of events are variables, too",
              [other.get("m1.coordinate"), other.get("m1.rate")] == listed.get("GetContinuousStates", 2)
              and other.get("der(m1.rate)") == listed.rates(0, listed.states())[1]
              and [other.get("stop.guard%d" % (k + 1)) for k in range(4)] == listed.guards(0, listed.states()))
        other.free()


# The functions of the standard, without fmi2 or fmi3.
FUNCTIONS = """GetVersion SetDebugLogging FreeInstance EnterInitializationMode ExitInitializationMode EnterEventMode Terminate Reset DoStep
  EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates GetEventIndicators GetContinuousStates
  GetNominalsOfContinuousStates GetDirectionalDerivative GetBoolean SetBoolean GetString SetString"""
FUNCTIONS_OF = {2: """GetTypesPlatform Instantiate SetupExperiment GetReal SetReal GetInteger SetInteger GetFMUstate SetFMUstate FreeFMUstate
  SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate SetRealInputDerivatives GetRealOutputDerivatives CancelStep GetStatus
  GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus NewDiscreteStates GetDerivatives""",
                3: """InstantiateCoSimulation InstantiateModelExchange InstantiateScheduledExecution GetFloat32 SetFloat32 GetFloat64 SetFloat64
  GetInt8 SetInt8 GetUInt8 SetUInt8 GetInt16 SetInt16 GetUInt16 SetUInt16 GetInt32 SetInt32 GetUInt32 SetUInt32 GetInt64 SetInt64 GetUInt64
  SetUInt64 GetBinary SetBinary GetClock SetClock GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize SerializeFMUState
  DeserializeFMUState GetNumberOfVariableDependencies GetVariableDependencies GetAdjointDerivative EnterConfigurationMode
  ExitConfigurationMode GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction
  SetShiftDecimal SetShiftFraction EvaluateDiscreteStates UpdateDiscreteStates GetContinuousStateDerivatives
  GetNumberOfEventIndicators GetNumberOfContinuousStates EnterStepMode GetOutputDerivatives ActivateModelPartition"""}


def status_of(instance, name, *words):
    """Returns a call's status and its message."""
    instance.said = []
    return getattr(instance.fmu.library, instance.prefix + name)(ctypes.c_void_p(instance.instance), *words), "; ".join(instance.said)


def test_what_is_not_offered():
    """All functions of the standard are there. Unsupported ones return an error without effect on the run."""
    absent = {
        2: (("GetDirectionalDerivative", "directional derivatives", 6), ("SetRealInputDerivatives", "inputs that are interpolated", 4),
            ("GetRealOutputDerivatives", "derivatives of outputs", 4), ("CancelStep", "step that is still under way", 0)),
        3: (("GetNumberOfVariableDependencies", "variables whose dependencies change", 2),
            ("GetVariableDependencies", "variables whose dependencies change", 6), ("GetDirectionalDerivative", "directional derivatives", 8),
            ("GetAdjointDerivative", "adjoint derivatives", 8), ("EnterConfigurationMode", "structural parameters", 0),
            ("ExitConfigurationMode", "structural parameters", 0), ("GetIntervalDecimal", "clocks", 4), ("GetIntervalFraction", "clocks", 5),
            ("GetShiftDecimal", "clocks", 3), ("GetShiftFraction", "clocks", 4), ("SetIntervalDecimal", "clocks", 3),
            ("SetIntervalFraction", "clocks", 4), ("SetShiftDecimal", "clocks", 3), ("SetShiftFraction", "clocks", 4),
            ("GetOutputDerivatives", "derivatives of outputs", 5), ("ActivateModelPartition", "partitions", 0))}
    types = {2: ("Integer", "Boolean", "String"),
             3: ("Float32", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Boolean", "String", "Binary", "Clock")}
    nothing, one = [ctypes.c_void_p()] * 8, ctypes.c_size_t(1)
    for version in (2, 3):
        fmu = export("impact-oscillator", "--duration", "0.1", version=version)
        _signals, rows = rows_of("impact-oscillator", "--duration", "0.1")
        names = ["fmi%d%s" % (version, name) for name in (FUNCTIONS + " " + FUNCTIONS_OF[version]).split()]
        check("FMI %d: all %d functions of the standard are there" % (version, len(names)),
              len(set(names)) == {2: 44, 3: 75}[version] and [name for name in names if not hasattr(fmu.library, name)] == [], names)
        version_of = getattr(fmu.library, "fmi%dGetVersion" % version)
        version_of.restype = ctypes.c_char_p
        check("and the version is that of the description", version_of().decode() == fmu.description.get("fmiVersion"), version_of())
        instance = Instance(fmu)
        instance.begin()
        for name, what, n in absent[version]:
            told = status_of(instance, name, *nothing[:n])
            check("FMI %d: %s: refused, with a word" % (version, name), told == (3, "this FMU has no " + what), told)
        for name in [part + kind for kind in types[version] for part in ("Get", "Set")]:
            told = status_of(instance, name, ctypes.c_void_p(), one, *nothing[:3])
            check("FMI %d: %s: there are none" % (version, name), told == (3, "there are no variables of type %s: all are %s" % (
                name[3:], "Float64" if version == 3 else "Real")), told)
            told = status_of(instance, name, ctypes.c_void_p(), ctypes.c_size_t(0), *nothing[:3])
            check("FMI %d: %s: none of them is none" % (version, name), told == (0, ""), told)
        if version == 2:
            for kind in ("Status", "RealStatus", "IntegerStatus", "BooleanStatus", "StringStatus"):
                told = status_of(instance, "Get" + kind, ctypes.c_int(0), None)
                check("FMI 2: Get%s: there is none to be discarded" % kind, told == (2, "this FMU has no step that is still under way"), told)
            platform = fmu.library.fmi2GetTypesPlatform
            platform.restype = ctypes.c_char_p
            check("FMI 2: types are those of the standard's header", platform() == b"default", platform())
        else:
            told = status_of(instance, "EvaluateDiscreteStates")
            check("FMI 3: discrete states are always evaluated", told == (0, ""), told)
            for part in ("Get", "Set"):
                told = status_of(instance, part + "Float64", byref(ctypes.c_uint(0)), one, instance.numbers(2), ctypes.c_size_t(2))
                check("FMI 3: %sFloat64 with more values than variables" % part, told == (3, "1 variables have as many values, not 2"), told)
            heard = []
            logger = LOG3(lambda _environment, status, category, text, heard=heard: heard.append((status, category, text)))
            make = fmu.library.fmi3InstantiateScheduledExecution
            make.restype = ctypes.c_void_p
            words = [b"one", fmu.token.encode(), b"", ctypes.c_bool(False), ctypes.c_bool(True), None]
            made = [make(*words, log, None, None, None) for log in (logger, None)]
            check("FMI 3: scheduled execution", made == [None, None]
                  and heard == [(3, b"logStatusError", b"one: this FMU is not for scheduled execution")], (made, heard))
        check("FMI %d: after all that the rows are those of the program" % version,
              is_same(rows, course(fmu, instance, [row[0] for row in rows])))
        instance.free()


def test_logging():
    """Events are told where their category is asked for, and only there."""
    until = 2.0
    for version in (2, 3):
        fmu = export("impact-oscillator", "--duration", str(until), version=version)
        expected = events_of("impact-oscillator", "--duration", str(until))
        instance = Instance(fmu)
        yes = (ctypes.c_bool if version == 3 else ctypes.c_int)
        for on, categories, heard in ((False, (), False), (True, (), True), (True, (b"logStatusError",), False),
                                      (True, (b"logStatusError", b"logEvents"), True), (False, (b"logEvents",), False)):
            instance.begin()
            instance.happened = []
            instance.call("SetDebugLogging", yes(on), ctypes.c_size_t(len(categories)), (ctypes.c_char_p * 2)(*categories))
            instance.do_step(0, until)
            check("FMI %d: logging %s of %s" % (version, "on" if on else "off", categories or "all"),
                  len(expected) > 0 and len(instance.happened) == (len(expected) if heard else 0), instance.happened)
            instance.call("Reset")
        instance.free()


def test_places_of_resources():
    """FMI 2: resources are where a URI says, with a host and letters in hexadecimal, or a path."""
    fmu = export("two-dof", version=2)
    resources = os.path.join(fmu.folder, "resources")
    coded = "".join("%%%02x" % ord(c) if c in "es" else "%%%02X" % ord(c) if c in "omn-" else c for c in resources)
    make = fmu.library.fmi2Instantiate
    make.restype = ctypes.c_void_p
    for place in (resources, "file:" + resources, "file://localhost" + resources, "file://" + coded):
        made = make(b"one", ctypes.c_int(1), fmu.token.encode(), place.encode(), None, ctypes.c_int(0), ctypes.c_int(0))
        check("resources at %s" % place.replace(folder, "..."), made is not None)
        fmu.library.fmi2FreeInstance(ctypes.c_void_p(made))
    made = make(b"one", ctypes.c_int(1), fmu.token.encode(), ("file://" + resources + "%2").encode(), None, ctypes.c_int(0), ctypes.c_int(0))
    check("a letter in hexadecimal that is not whole is none", made is None)


def test_end_of_a_run():
    """A network that can't go on says so in its own words, has no state then, and goes on from an earlier one."""
    endless = text_file("endless.ini", "[network]\nstep=1ms\nduration=1\nscheme=rk4\n[mass m]\nmass=1\nvelocity=1\n[force f]\non=m\nvalue=-4\n"
                        "[monitor down]\nsignal=m.velocity\ndirection=falling\n[monitor up]\nsignal=m.velocity\ndirection=rising\n"
                        "[impulse lift]\non=m\nwhen=down\nimpulse=1\n[impulse drop]\non=m\nwhen=up\nimpulse=-1\n")
    for version in (2, 3):
        fmu = export(endless, version=version)
        instance = Instance(fmu)
        instance.begin()
        instance.do_step(0, 0.2)
        kept, there = instance.state(), instance.get("m.position")
        refuses("FMI %d: impulses without end" % version, lambda: instance.do_step(0.2, 0.1), "trigger each other without end")
        refuses("FMI %d: a state of what can't go on" % version, instance.state, "the network can't go on: it has no state")
        instance.set_state(kept)
        check("FMI %d: the state before is" % version, instance.get("m.position") == there and round(instance.do_step(0.2, 0.01)[2], 9) == 0.21)
        instance.free_state(kept)
        instance.free()
        other = Instance(fmu, exchange=True)
        refuses("FMI %d: and in model exchange" % version, lambda: Integrator(other).run(0.02, 0.5), "trigger each other without end")
        other.free()


def test_inputs_of_an_integrator():
    """A force input acts at once in model exchange: it adds F/m to the acceleration."""
    instance = Instance(export("two-dof", "--input", "force@m1", "--input", "force@m2"), exchange=True)
    instance.begin()
    instance.update()
    instance.call("EnterContinuousTimeMode")
    before, other = instance.get("der(m1.rate)"), instance.get("der(m2.rate)")
    instance.set("force@m1", 3.0)
    check("a force that is set while an importer integrates", instance.get("der(m1.rate)") == before + 3.0 / instance.get("m1.mass"),
          (before, instance.get("der(m1.rate)")))
    instance.set("force@m2", 5.0)
    check("and one of two", instance.get("der(m2.rate)") == other + 5.0 / instance.get("m2.mass")
          and instance.get("der(m1.rate)") == before + 3.0 / instance.get("m1.mass"))
    instance.free()
    instance = Instance(export("friction-stop", "--output", "f1.dissipated,m1.position"), exchange=True)
    instance.begin()
    check("what is an account of steps is no number without steps",
          math.isnan(instance.get("f1.dissipated")) and math.isfinite(instance.get("m1.position")))
    instance.free()
    instance = Instance(export("two-dof", "--input", "position@wall"), exchange=True)
    refuses("who says motions does so in co-simulation", instance.begin, "motions as inputs are for co-simulation only")
    instance.free()
    light = text_file("light.ini", "[network]\nstep=1ms\nduration=1\nscheme=tr-bdf2\n[ground g]\n[junction j]\n[mass m]\n"
                                "mass=1\n[spring a]\nbetween=g,j\nstiffness=9\n[damper b]\nbetween=j,m\ndamping=2\n")
    instance = Instance(export(light), exchange=True)
    refuses("nodes without inertia", instance.begin, "nodes without inertia have no rates: model exchange can't be")
    instance.free()


def test_damaged_numbers_of_a_state():
    """A state of the right length with invalid values: each part is an error, and an earlier state can be restored."""
    fmu = export("two-dof", "--input", "position@wall")
    instance, other = Instance(fmu), Instance(fmu)
    instance.begin()
    instance.do_step(0, 0.1)
    kept = instance.state()
    block = instance.bytes_of(kept)
    with open(os.path.join(fmu.folder, "resources", "variables.txt"), encoding="utf-8") as file:
        parameters = [line for line in file.read().split("\n")[1:] if line]
    mass, own = [i for i, line in enumerate(parameters) if "m1 mass" in line][0], 56 + 24 * len(parameters)
    for where, what, said in ((56 + 24 * mass, struct.pack("<d", math.nan), "[mass m1] mass: is no number"),
                              (56 + 24 * mass, struct.pack("<d", -1.0), "[mass m1] mass: "),
                              (own + 8, b"\xff" * 8, "the state is none of this network"),
                              (own + 24, b"\7", "the state is none of this network"),
                              (own + 32, b"nonsense", "are no state of an engine")):
        bad = instance.state_of(block[:where] + what + block[where + len(what):])
        refuses("a state that is damaged at byte %d" % where, lambda bad=bad: instance.set_state(bad), said)
        instance.free_state(bad)
    instance.set_state(kept)
    instance.do_step(0.1, 0.1)
    other.set("position@wall", 1e-3)
    other.begin()
    other.do_step(0, 0.1)
    other.set_state(kept)
    check("an instance whose motions began otherwise takes a state's", other.get("position@wall") == 0)
    other.do_step(0.1, 0.1)
    check("and goes on with the same bits", other.getter(fmu.outputs)() == instance.getter(fmu.outputs)())
    other.call("Reset")
    other.set("wall.position.start", 1e308)
    other.set("position@wall", 1e308)
    refuses("a place and what is said beside it that are beyond all numbers", other.begin, "[drive wall] position: inf is above the most")
    instance.free_state(kept)
    instance.free()
    other.free()


def instance_nominals(instance, n=2):
    numbers = instance.numbers(n)
    instance.call("GetNominalsOfContinuousStates", numbers, ctypes.c_size_t(n))
    return list(numbers)


# ---- model exchange


class Integrator:
    """Runge and Kutta's fourth order, which halves a step until an indicator's change of sign is known."""

    def __init__(self, instance):
        self.instance, self.third = instance, instance.third
        self.n_states = sum(1 for variable in instance.fmu.variables if self.is_rate(variable, self.third))
        self.n_guards = sum(1 for variable in instance.fmu.variables if ".guard" in variable.get("name"))

    @staticmethod
    def is_rate(variable, third):
        return (variable if third else variable.find("Real")).get("derivative") is not None

    def get(self, name, n):
        values = self.instance.numbers(n)
        self.instance.call(name, values, ctypes.c_size_t(n))
        return list(values)

    def states(self):
        return self.get("GetContinuousStates", self.n_states)

    def put(self, time, states):
        self.instance.call("SetTime", ctypes.c_double(time))
        self.instance.call("SetContinuousStates", (ctypes.c_double * self.n_states)(*states), ctypes.c_size_t(self.n_states))

    def rates(self, time, states):
        self.put(time, states)
        return self.get("GetContinuousStateDerivatives" if self.third else "GetDerivatives", self.n_states)

    def guards(self, time, states):
        self.put(time, states)
        return self.get("GetEventIndicators", self.n_guards)

    def step(self, time, states, h):
        def along(rates, part):
            return [x + part * h * rate for x, rate in zip(states, rates)]
        a = self.rates(time, states)
        b = self.rates(time + h / 2, along(a, 0.5))
        c = self.rates(time + h / 2, along(b, 0.5))
        d = self.rates(time + h, along(c, 1))
        return [x + h / 6 * (i + 2 * j + 2 * k + m) for x, i, j, k, m in zip(states, a, b, c, d)]

    def run(self, h, until, look=None):
        """Instants at which something happened, and the least indicator that was seen beside them."""
        self.instance.begin()
        _changed, given = self.instance.update()
        self.instance.call("EnterContinuousTimeMode")
        time, states, instants, least, seen = 0.0, self.states(), [], math.inf, []
        while time < until - 1e-12:
            to = min(h, until - time, (given - time) if given is not None and given > time else h)
            later = self.step(time, states, to)
            if min(self.guards(time + to, later), default=1) <= 0:
                low, high = 0.0, to
                while high - low > 1e-15:
                    middle = 0.5 * (low + high)
                    if middle in (low, high):
                        break
                    value = min(self.guards(time + middle, self.step(time, states, middle)))
                    seen.append((middle, value))
                    low, high = (middle, high) if value > 0 else (low, middle)
                later, to = self.step(time, states, high), high
            time += to
            self.put(time, later)
            event, end = (ctypes.c_bool(), ctypes.c_bool()) if self.third else (ctypes.c_int(), ctypes.c_int())
            self.instance.call("CompletedIntegratorStep", (ctypes.c_bool if self.third else ctypes.c_int)(True),
                               ctypes.byref(event), ctypes.byref(end))
            now = self.guards(time, later)
            if event.value or min(now, default=1) <= 0 or time == given:
                self.instance.call("EnterEventMode")
                _changed, given = self.instance.update()
                self.instance.call("EnterContinuousTimeMode")
                if min(now, default=1) <= 0:
                    instants.append(time)
                later = self.states()
                now = self.guards(time, later)
            least = min(least, min(now, default=1))
            states = later
            if look is not None:
                look()
        return instants, least, seen


def test_exchange():
    for name, version, until in (("impact-oscillator", 3, 4.0), ("stick-slip", 2, 10.0)):
        fmu = export(name, version=version)
        expected = [float(event["time"]) for event in events_of(name) if float(event["time"]) < until]
        instance = Instance(fmu, exchange=True)
        integrator = Integrator(instance)
        instants, least, seen = integrator.run(2e-3 if name == "impact-oscillator" else 10e-3, until)
        check("%s, FMI %d: all that happens is found by indicators, %d times" % (name, version, len(expected)),
              len(instants) == len(expected), (instants, expected))
        check("%s: at its instants" % name, max(abs(a - b) for a, b in zip(instants, expected)) < 1e-8, (instants, expected))
        check("%s: an indicator is above 0 until then" % name, least > 0, least)
        check("%s: and goes through 0 as a distance does, not as a sign" % name, min(abs(value) for _time, value in seen) < 1e-9)
        check("%s: it tells of it" % name, len(instance.happened) == len(expected), instance.happened)
        refuses("a step of co-simulation in model exchange", lambda: instance.do_step(until, 1), "a step can't be taken now")
        instance.free()
    fmu = export("two-dof", "--scheme", "rk4", "--step", "0.1ms", "--sample", "0.1ms", "--duration", "0.1")
    _signals, rows = rows_of("two-dof", "--scheme", "rk4", "--step", "0.1ms", "--sample", "0.1ms", "--duration", "0.1")
    instance = Instance(fmu, exchange=True)
    Integrator(instance).run(1e-4, 0.1)
    check("what is smooth is what rk4 says", max(abs(a - b) for a, b in zip(instance.getter(fmu.outputs)(), rows[-1][1:])) < 1e-15)
    check("a state is a variable", instance.get("m1.coordinate") == instance.get("m1.position"))
    instance.free()
    fmu = export(text_file("given.ini", "[network]\nstep=1ms\nduration=1\nscheme=rk4\n[mass m]\nmass=2\n[force f]\non=m\nvalue=3\n"
                           "start=0.25\nend=0.5\n[impulse hit]\non=m\nat=0.75\nimpulse=4\n"))
    instance = Instance(fmu, exchange=True)
    Integrator(instance).run(1e-2, 1.0)
    check("given instants are told before", abs(instance.get("m.rate") - (3 * 0.25 / 2 + 4 / 2)) < 1e-13, instance.get("m.rate"))
    instance.free()
    light = text_file("light.ini", "[network]\nstep=1ms\nduration=1\nscheme=tr-bdf2\n[ground g]\n[junction j]\n[mass m]\n"
                                "mass=1\n[spring a]\nbetween=g,j\nstiffness=9\n[damper b]\nbetween=j,m\ndamping=2\n")
    for path, reason in ((light, 'junction "j" has no inertia, so no rate'), (network_file("friction-stop"), "f1.dissipated is an account of steps")):
        to = os.path.join(folder, "none.fmu")
        said = subprocess.run([program, "export", path, "--fmu", "-o", to], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        only = Fmu(to, tempfile.mkdtemp(dir=folder))
        kinds = [only.description.find(kind) is not None for kind in ("ModelExchange", "CoSimulation")]
        check("co-simulation only, and it says why: %s" % reason, kinds == [False, True] and said.returncode == 0
              and said.stderr == "ifbam: note: %s: the FMU is for co-simulation only\n" % reason, (kinds, said.stderr))


def test_found():
    """Where nothing moves at first, a guard is at 0 to the last bit: it is on its side, and crossed as others are."""
    expected = [float(event["time"]) for event in events_of("shock-absorber") if float(event["time"]) < 0.4]
    instance = Instance(export("shock-absorber"), exchange=True)
    integrator = Integrator(instance)
    instance.begin()
    instance.update()
    now = integrator.guards(0.0, integrator.states())
    check("an indicator at 0 is above it, and so is its product with small numbers", min(now) > 0 and min(now) * 1e-10 > 0, now)
    instance.free()
    instance = Instance(export("shock-absorber"), exchange=True)
    instants, _least, _seen = Integrator(instance).run(0.5e-3, 0.4)
    check("shock-absorber: each of its %d events is found, and no other" % len(expected), len(instants) == len(expected)
          and max(abs(a - b) for a, b in zip(instants, expected)) < 1e-7, (instants, expected))
    instance.free()


def test_account():
    """Supplied work is a state of the integrator; the balance gives the dissipation."""
    for name, until, step in (("impact-oscillator", 2.0, 4e-3), ("plunger-pump", 0.3, 1e-3), ("frame", 1.0, 2e-3)):
        words = ["--duration", str(until), "--record", "network.energy,network.dissipated,network.supplied"]
        _signals, rows = rows_of(name, *words)
        fmu = export(name, "--duration", str(until), "--output", words[-1])
        instance = Instance(fmu, exchange=True)
        Integrator(instance).run(step, until)
        told = instance.getter(fmu.outputs)()
        scale = max(abs(value) for value in rows[-1][1:])
        listed = Integrator(instance)
        work, nominal = listed.states()[-1], instance_nominals(instance, listed.n_states)[-1]
        check("%s: the nominal value of what is done on it is no less than that, and no more than all that it stores and is supplied" % name,
              abs(work) <= nominal <= 2 * scale, (work, nominal, scale))
        check("%s: energies in model exchange are those of a run" % name,
              max(abs(a - b) for a, b in zip(told, rows[-1][1:])) < 1e-6 * scale, (told, rows[-1]))
        instance.free()


def test_rods():
    """Rods keep their length over a whole run, under an integrator that knows nothing of them."""
    places = "b1.x,b1.y,b2.x,b2.y"
    fmu = export("double-pendulum", "--output", places)
    instance = Instance(fmu, exchange=True)
    get, worst = instance.getter(fmu.outputs), [0.0, 0.0]

    def look():
        x1, y1, x2, y2 = get()
        worst[0] = max(worst[0], abs(math.hypot(x1, y1) - 1))
        worst[1] = max(worst[1], abs(math.hypot(x2 - x1, y2 - y1) - 1))
    Integrator(instance).run(5e-3, 3.0, look)
    check("rods are as long as they are, within 1e-8 m", 0 < max(worst) < 1e-8, worst)
    instance.free()


# ---- another importer


def ask_fmusim(path, *words):
    output = os.path.join(folder, "fmusim.csv")
    done = subprocess.run([fmusim, *words, "--output-file", output, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        return done.stdout, []
    with open(output, encoding="utf-8") as file:
        return done.stdout, [[float(field) for field in row] for row in list(csv.reader(file))[1:]]


def as_printed(rows):
    """fmusim prints 16 digits."""
    return [[float("%.16g" % number) for number in row] for row in rows]


def test_fmusim():
    if fmusim is None:
        print("ok - fmu: fmusim # skip it is not there")
        return
    for version in (2, 3):
        for name in ("two-dof", "impact-oscillator", "ball-drag", "stick-slip", "pendulum-hit"):
            export(name, version=version)
            _signals, rows = rows_of(name)
            said, told = ask_fmusim(os.path.join(folder, "a%d.fmu" % n_archives), "--interface-type", "cs")
            check("fmusim, FMI %d: %s, %d rows" % (version, name, len(told)),
                  is_same([row[1:] for row in as_printed(rows)], [row[1:] for row in told]), said[:500])
        for name, signal in (("impact-oscillator", 0), ("ball-drag", 0), ("stick-slip", 0), ("pendulum-hit", 0)):
            fmu = export(name, version=version)
            tolerance = fmu.description.find("DefaultExperiment").get("tolerance")
            expected = [(event["element"], event["event"], float(event["time"])) for event in events_of(name)]
            said, told = ask_fmusim(os.path.join(folder, "a%d.fmu" % n_archives), "--interface-type", "me", "--solver", "cvode",
                                    "--tolerance", tolerance, "--logging-on")
            found = [(a, b, float(c)) for a, b, c in re.findall(r"(\S+): ([\w -]+) at t = (\S+) s, impulse", said)]
            check("fmusim's CVODE, FMI %d: %s, all %d events" % (version, name, len(expected)),
                  [event[:2] for event in found] == [event[:2] for event in expected], (found[:5], said[-300:]))
            error = max(abs(a[2] - b[2]) for a, b in zip(found, expected))
            check("within 1e-8 s", error < 1e-8, error)
            _signals, rows = rows_of(name)
            last = {round(row[0], 9): row for row in told}
            error = max(abs(row[1 + signal] - last[round(row[0], 9)][1 + signal]) for row in rows)
            check("rows within 1e-8 m", error < 1e-8, error)
        for name, ends in (("double-pendulum", ["b1", "b2"]), ("rod-chain", ["c.m%d" % (i + 1) for i in range(30)])):
            export(name, "--output", ",".join("%s.x,%s.y" % (end, end) for end in ends), version=version)
            said, told = ask_fmusim(os.path.join(folder, "a%d.fmu" % n_archives), "--interface-type", "me", "--solver", "cvode",
                                    "--tolerance", tolerance)
            rod = 1.0 if name == "double-pendulum" else 0.1
            worst = max((abs(math.hypot(b[0] - a[0], b[1] - a[1]) - rod) for row in told
                         for a, b in zip([(0, 0)] + list(zip(row[1::2], row[2::2])), zip(row[1::2], row[2::2]))), default=math.inf)
            check("%s: %d rods within 1e-8 m over %d rows" % (name, len(ends), len(told)), worst < 1e-8, (worst, said[-300:]))
    # friction that stops at rates far below others, and a guard that is at 0 at first
    for name in ("lead-screw", "shock-absorber"):
        export(name)
        expected = [(event["element"], event["event"], float(event["time"])) for event in events_of(name)]
        said, _told = ask_fmusim(os.path.join(folder, "a%d.fmu" % n_archives), "--interface-type", "me", "--solver", "cvode",
                                 "--tolerance", tolerance, "--logging-on")
        found = [(a, b, float(c)) for a, b, c in re.findall(r"(\S+): ([\w -]+) at t = (\S+) s, impulse", said)]
        check("fmusim's CVODE: %s, all %d events" % (name, len(expected)), [event[:2] for event in found] == [event[:2] for event in expected]
              and max(abs(a[2] - b[2]) for a, b in zip(found, expected)) < 1e-7, (found[:5], said[-300:]))
    # Resting contacts without force depend on rounding; impacts, their times and impulses do not.
    export("cradle")
    said, _told = ask_fmusim(os.path.join(folder, "a%d.fmu" % n_archives), "--interface-type", "me", "--solver", "cvode",
                             "--tolerance", tolerance, "--logging-on")
    found = [(a, float(b), float(c)) for a, b, c in re.findall(r"(\S+): impact at t = (\S+) s, impulse (\S+)", said)]
    expected = [(event["element"], float(event["time"]), float(event["impulse"])) for event in events_of("cradle") if event["event"] == "impact"]
    check("fmusim's CVODE: cradle, all %d hits" % len(expected), [hit[0] for hit in found] == [hit[0] for hit in expected]
          and max(abs(a[k] - b[k]) for a, b in zip(found, expected) for k in (1, 2)) < 1e-8, (found, expected))


try:
    for name, test in list(globals().items()):
        if name.startswith("test_") and word in name:
            test()
finally:
    shutil.rmtree(folder)
