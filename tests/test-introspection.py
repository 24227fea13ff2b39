#!/usr/bin/python3
# test-introspection.py: the library from Python: a stiffness is changed, and the frequency moves
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Takes the build that the environment names (GI_TYPELIB_PATH, LD_LIBRARY_PATH), or without that the
# installed library.
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

failures = 0


def check(fine, what):
    global failures
    failures += not fine
    print("ok" if fine else "not ok", "-", what)


def skip(reason):
    print("ok - introspection # skip", reason)
    sys.exit(0)


folder = os.environ.get("GI_TYPELIB_PATH", "").split(":")[0]
if folder and not os.path.exists(os.path.join(folder, "Ifbam-1.0.typelib")):
    skip("no typelib was built")
try:
    import gi
except ImportError:
    skip("python3-gi is missing")
try:
    gi.require_version("Ifbam", "1.0")
    from gi.repository import GLib, Ifbam
except ValueError as reason:
    skip(str(reason))

try:
    import numpy
except ImportError:
    numpy = None

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


# The example of README.md, word for word.
def example():
    with open("README.md", encoding="utf-8") as file:
        return file.read().split("```python\n", 1)[1].split("```", 1)[0]


run = subprocess.run([sys.executable, "-c", example()], capture_output=True, text=True)
check(run.returncode == 0, "the example of README.md runs")
if run.returncode != 0:
    print("#", run.stderr.replace("\n", "\n# "))
numbers = [float(word) for word in run.stdout.split()]
check(len(numbers) == 2 and abs(numbers[1] / numbers[0] - 2**0.5) < 1e-4,
      "twice the stiffness: the frequency times the square root of two")

# Introspection data, beyond the example.
network = Ifbam.Network.new_from_file("networks/one-dof.ini", ["network.step=1 ms", "k1.stiffness=20 kN/m"])
spring = network.get_element("k1")
check(spring.props.stiffness == 20e3 and spring.get_class_name() == "spring", "a property is read")
spring.set_text("stiffness", "10 N/mm")
check(spring.props.stiffness == 10e3, "a value is set as text, with its unit")
check(network.get_element("k9") is None, "an element that isn't there is None")
objects = network.run(Ifbam.EngineKind.OBJECTS)
plan = network.run(Ifbam.EngineKind.PLAN)
check(list(plan.get_signals()) == ["m1.position"] and plan.get_n_rows() == 401, "signals and rows")
check(list(plan.get_times())[-1] == 0.4, "times")
check(plan.get_values("m1.position") == objects.get_values("m1.position"), "objects and plan agree")
with tempfile.TemporaryDirectory() as work:
    os.environ["XDG_CACHE_HOME"] = work
    compiled = network.run(Ifbam.EngineKind.COMPILED)
    check(compiled.get_values("m1.position") == plan.get_values("m1.position"), "so does what the machine's compiler has made")

with tempfile.TemporaryDirectory() as work:
    for name in ("course.h5", "course.csv"):
        subprocess.run([os.path.join(os.environ.get("BUILD", "build"), "ifbam"), "run", "networks/two-dof.ini", "-o",
                        os.path.join(work, name)], check=True, capture_output=True)
    result, plain = (Ifbam.Course.new_from_file(os.path.join(work, name)) for name in ("course.h5", "course.csv"))
check(result.get_values("m2.position") == plain.get_values("m2.position") and result.get_unit("m2.position") == "m",
      "a course from a result in HDF5 is that from CSV, and knows its units")

network = Ifbam.Network.new()
wall = network.add("ground", "wall")
spring = network.add("spring", "k1")
mass = network.add("mass", "m1")
spring.props.stiffness = 10e3
mass.props.mass, mass.props.position = 1.0, 1e-3
network.join(spring, wall, mass)
network.get_settings().props.step = 1e-3
network.reset()
spring.master_from_left(mass)
mass.master_from_right(spring)
spring.slave()
mass.slave()
by_hand = mass.get_quantity("position")
network.reset()
network.turn()
check(by_hand == mass.get_quantity("position") < 1e-3, "a turn of the dialogue, by hand and at once")


def fault(call):
    try:
        call()
    except GLib.Error as error:
        return error
    return None


network = Ifbam.Network.new()
check(fault(lambda: network.add("sprong", "k2")).matches(Ifbam.error_quark(), Ifbam.Error.USAGE),
      "an unknown class is an error of the library's domain")
check(GLib.quark_to_string(Ifbam.error_quark()) == "ifbam-error-quark", "the domain has its name")
check(fault(lambda: Ifbam.Network.new_from_file("networks/none.ini", None)) is not None,
      "a file that isn't there is an error")

# Lists.
classes = {one.name: one for one in Ifbam.list_classes()}
check(classes["spring"].kind == "link" and "compression" in classes["spring"].quantities, "classes")
parameters = {one.key: one for one in Ifbam.list_parameters("spring")}
check(parameters["stiffness"].unit == "N/m" and parameters["stiffness"].required
      and parameters["cubic"].standard == 0, "parameters of a class")
check(fault(lambda: Ifbam.list_parameters("sprong")) is not None, "... which has to be there")
check({one.name: one.order for one in Ifbam.list_schemes()}["rk4"] == 4, "schemes")
for name in classes:
    element = Ifbam.Network.new().add(name, "e")
    keys = [one.key for one in Ifbam.list_parameters(name)]
    check(all(element.find_property(key) is not None for key in keys), f"{name}: parameters are properties")

# A run as an object.
network = Ifbam.Network.new_from_file("networks/ball-drag.ini", None)
run = Ifbam.Run.new(network)
rows, events, parts = [], [], []
run.connect("row", lambda run, time, values: rows.append((time, len(values.get_data()) // 8)))
run.connect("event", lambda run, event: events.append((event.time, event.element, event.word)))
run.connect("progress", lambda run, part: parts.append(part))
Ifbam.Run.run(run, None)
check(len(rows) == run.get_course().get_n_rows() and rows[0][1] == len(run.get_course().get_signals()),
      "every row is told")
check([(one.time, one.element, one.word) for one in run.get_events()] == events and len(events) > 9,
      "every event is told")
check(parts[-1] == 1 and run.props.finished, "progress is told")
ledger = run.get_ledger()
check(ledger.energy == ledger.kinetic + ledger.potential, "the ledger")

# Python's own words.
pythonic = hasattr(Ifbam.Network, "__getitem__")
check(pythonic, "the module for Python is found")
network = Ifbam.Network.new_from_file("networks/two-dof.ini", ["network.duration=1 s"])
spring = network["k1"]
spring.stiffness = "20 kN/m"
check(spring.stiffness == 20e3 and spring["stiffness"] == 20e3, "a parameter is an attribute; a text has a unit")
spring.stiffness = 10e3
check(spring.props.stiffness == 10e3 and spring.between == ["wall", "m1"], "... and numbers and names are such")


def raises(kind, call):
    try:
        call()
    except kind:
        return True
    return False


def assign(value):
    spring.stiffness = value


check(raises(ValueError, lambda: assign(-1)) and raises(GLib.Error, lambda: assign("5 kg"))
      and spring.stiffness == 10e3, "a wrong value is refused")
check(raises(KeyError, lambda: network["k9"]) and raises(AttributeError, lambda: spring.stiff)
      and raises(KeyError, lambda: spring["stiff"]), "what isn't there is an error")


def misspelt(thing, name, meant):
    """Assigning to a property that is not there is an error that names the one that is meant."""
    try:
        setattr(thing, name, 1.0)
    except AttributeError as error:
        return f'"{meant}"' in str(error)
    return False


check(misspelt(spring, "stifness", "stiffness") and misspelt(network, "duratoin", "duration")
      and misspelt(Ifbam.Run.new(network), "toleranc", "tolerance"), "a misspelt property is refused")
check(raises(AttributeError, lambda: setattr(Ifbam.Run.new(network), "step", 1e-3))
      and raises(KeyError, lambda: network.run(scheem="rk4")), "... so is what is a method, or no argument")
check(raises(GLib.Error, lambda: Ifbam.Run().run()), "a run without a network is an error")
check([one.get_name() for one in network] == ["wall", "k1", "m1", "k2", "m2"] and len(network) == 5
      and "k1" in network and "k9" not in network, "elements are gone through")
network.step = "0.1 ms"
check(network.step == 1e-4 and network.title.startswith("System"), "the network's own values")
parts = []
course = network.run(progress=parts.append)
other = network.run(scheme="verlet", step="50 us")
check(parts[-1] == 1 and len(course["time"]) == 10001 and len(other["time"]) == 20001
      and network.step == 1e-4, "a run with a spec for itself")
check(course["m1.position"].tolist() == course.get_values("m1.position")
      and raises(KeyError, lambda: course["m9.position"]), "columns by name")
check(list(course) == course.get_signals() and "time" in course and "m9.position" not in course, "their names")
run = Ifbam.Run(network=network, scheme="rk4", record="m1.position", step="1 ms")
run.step(10)
check(run.time == 0.01 and run["m1.position"] == run.course["m1.position"][-1] and len(run.events) == 0,
      "a run goes on step by step")


def stop(part):
    raise ZeroDivisionError


check(raises(ZeroDivisionError, lambda: network.run(progress=stop, duration=1e5, sample=1.0)),
      "what progress() raises ends the run")
chain = Ifbam.Network.new()
chain.add("ground", "wall")
chain.add("chain", "c", count=3, mass=[1, 2], stiffness="10 kN/m", **{"from": [chain["wall"]]})
chain.step, chain.duration = 1e-3, 0.1
again = Ifbam.Network.new_from_data(chain.to_data(), None, None)
check(again["c"].mass == [1.0, 2.0] and again["c"]["from"] == ["wall"] and chain.check(),
      "lists of numbers and of elements; written and read")
del chain["c"]
check("c" not in chain and len(chain) == 1, "an element is removed")


# Questions, as the program answers them.
def program(*words):
    done = subprocess.run([os.environ.get("IFBAM", "build/ifbam"), *words], capture_output=True, text=True)
    return done.stdout


network = Ifbam.Network.new_from_file("networks/bungee.ini", None)
rest = network.find_equilibrium()
told = json.loads(program("equilibrium", "networks/bungee.ini", "--json"))
same = [rest.get_values(f"{name}.{quantity}") == [value] for kind in ("nodes", "links")
        for name, values in told[kind].items() for quantity, value in values.items()]
check(all(same) and len(same) == len(rest.get_signals()) > 2, "equilibrium")
check(rest.get_unit(rest.get_signals()[0]) == "m", "... with units")

network = Ifbam.Network.new_from_file("networks/three-dof.ini", None)
verdicts = network.find_stability()
told = json.loads(program("stability", "networks/three-dof.ini", "--json"))["schemes"]


def number(value):
    return value if value == value and abs(value) != float("inf") else None


check([one.scheme for one in verdicts] == [one["scheme"] for one in told]
      and all(number(getattr(one, key)) == other[key] for one, other in zip(verdicts, told)
              for key in ("step", "growth_rate", "critical_step", "longest_step", "frequency_error")),
      "stability")
check(fault(lambda: Ifbam.Network.new().find_stability()) is not None, "... of nothing is an error")

network = Ifbam.Network.new_from_file("networks/two-dof.ini", ["network.duration=0.2 s"])
parts = []
table = network.sweep({"k1.stiffness": "5kN/m:20kN/m:3", "m2.mass": [1, 2]}, ["max:m1.position", "frequencies"],
                      count=2, progress=parts.append)
lines = program("sweep", "networks/two-dof.ini", "--duration", "0.2s", "--vary", "k1.stiffness=5kN/m:20kN/m:3",
                "--vary", "m2.mass=1,2", "--measure", "max:m1.position", "--measure", "frequencies", "--count",
                "2").split()
told = list(zip(*[[float(word) if word else None for word in line.split(",")] for line in lines[1:]]))
check(list(table) == lines[0].split(",") and table.get_n_rows() == 6
      and all([number(value) for value in table[name].tolist()] == list(column)
              for name, column in zip(table, told)), "a sweep")
check(raises(KeyError, lambda: table["k9"]) and "m2.mass" in table and raises(GLib.Error, lambda: network.sweep(["k9=1"])),
      "... and what it lacks")
table = Ifbam.sweep_file("networks/parameters.ini", None, ["k=1kN/m,2kN/m"], None, 1, 0, None, None)
check(table.get_values("k [N/m]") == [1000, 2000], "... over a parameter of a file")
network = Ifbam.Network.new_from_file("networks/parameters.ini", None)
told = network.sweep({"k": "1kN/m,2kN/m"}, count=1)
check(told.get_columns() == table.get_columns()
      and all(list(told[name]) == list(table[name]) for name in table), "... and of a network that was read from it")
network["k1"].stiffness = 9e3
told = network.sweep({"k": "4kN/m"}, count=1)
for name in ("k2", "k3"):
    network[name].stiffness = 4e3
check(told["frequencies:1"][0] == network.modes(1).frequencies[0] and network["k1"].stiffness == 9e3,
      "... but for what was set since")

# Arrays of modes, responses and spectra are not copied, and outlive them.
network = Ifbam.Network.new_from_file("networks/damped.ini", None)
modes = network.modes()
check(list(modes.frequencies) == [one.frequency for one in modes.get_modes()]
      and list(modes.damping_ratios) == [one.damping_ratio for one in modes.get_modes()]
      and list(modes.decay_rates) == [one.decay_rate for one in modes.get_modes()] and len(modes) > 0, "modes")
shapes = [modes.shape(i) for i in range(len(modes))]
check(all(list(shape) == [complex(*both) for both in zip(modes.get_shape(i), modes.get_imaginary_shape(i)
                                                         or [0] * len(shape))]
          for i, shape in enumerate(shapes)), "... and their shapes")
frequencies = [1.0, 2.5, 4.0]
node = modes.get_nodes()[0]
response = network.response(f"force@{node}", f"{node}.position", frequencies)
amplitudes, phases = response.amplitudes(f"{node}.position"), response.phases(f"{node}.position")
check(list(response.frequencies) == frequencies and list(amplitudes) == response.get_amplitudes(0)
      and list(phases) == response.get_phases(0), "a response")
check(raises(KeyError, lambda: response.phases("m9.position")), "... and what it lacks")
course = network.run(sample="1 ms")
spectrum = course.spectrum(list(course)[0])
lines = spectrum.amplitudes
check(list(lines) == spectrum.get_amplitudes() and list(spectrum.frequencies) == spectrum.get_frequencies(),
      "a spectrum")
spectrogram = Ifbam.Spectrogram.new(course["time"], course[list(course)[0]], Ifbam.Window.HANN, 256, 0.5)
check([value for row in spectrogram.amplitudes for value in row] == spectrogram.get_amplitudes()
      and len(spectrogram.amplitudes) == len(spectrogram.times), "a spectrogram")
kept = list(amplitudes), list(lines), list(shapes[0])
if numpy is not None:
    check(not any(one.flags.owndata or one.flags.writeable for one in (amplitudes, lines, modes.frequencies)),
          "... by numpy, without a copy, read-only")
del modes, response, spectrum
check((list(amplitudes), list(lines), list(shapes[0])) == kept, "... which outlive what they are of")


# Ten million rows, of which no copy may be made: 80 MB each for the times and the signal.
def resident():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmRSS"))


count = 10_000_000
network = Ifbam.Network.new_from_file(
    "networks/one-dof.ini", ["network.step=50 us", f"network.duration={count * 50e-6} s"])
before = resident()
course = network.run()
ran = resident()
values, times = course["m1.position"], course["time"]
held = resident()
print(f"# {count} rows: {(ran - before) / 2**20:.0f} MiB for the run, {(held - ran) / 2**20:.1f} more to see them")
check(len(values) == count + 1 == len(times), "a course of 10^7 rows")
check(ran - before < 16 * (count + 1) + (32 << 20), "... needs no more memory than its rows")
check(held - ran < 4 << 20, "... and is seen without a copy")
if numpy is not None:
    check(float(numpy.abs(values).max()) >= 1e-3 and not values.flags.writeable
          and not values.flags.owndata, "... by numpy, read-only")
del course, network
check(values[0] == 1e-3 and times[1] == 50e-6, "... which outlives course and network")

# The same without numpy.
plain = subprocess.run([sys.executable, "-c", """
import sys
sys.modules["numpy"] = None
import gi
gi.require_version("Ifbam", "1.0")
from gi.repository import Ifbam
course = Ifbam.Network.new_from_file("networks/one-dof.ini", None).run()
column = course["m1.position"]
assert isinstance(column, memoryview) and column.readonly and column.tolist() == course.get_values("m1.position")
"""], capture_output=True, text=True)
check(plain.returncode == 0, "without numpy a column is a memoryview")
if plain.returncode != 0:
    print("#", plain.stderr.replace("\n", "\n# "))

# A run of minutes, and a real Ctrl-C: as soon as it runs, after a while, and beside a progress of one's own.
ENDLESS = """
import sys, time
import gi
gi.require_version("Ifbam", "1.0")
from gi.repository import Ifbam
network = Ifbam.Network.new_from_file("networks/%s.ini", ["network.duration=1e6 s", "network.sample=10 s"])
print("runs", flush=True)
try:
    network.run(progress=%s)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
for name, progress, wait in (("two-dof", None, 0.05), ("two-dof", "lambda part: None", 1.0), ("friction-stop", None, 0.5)):
    endless = subprocess.Popen([sys.executable, "-c", ENDLESS % (name, progress)],
                               stdout=subprocess.PIPE, text=True)
    endless.stdout.readline()
    time.sleep(wait)
    sent = time.monotonic()
    endless.send_signal(signal.SIGINT)
    try:
        said = endless.communicate(timeout=60)[0].split()
    except subprocess.TimeoutExpired:
        endless.kill()
        said = []
    print(f"# {name}: the process has ended after {1e3 * (time.monotonic() - sent):.0f} ms")
    check(said == ["interrupted"], f"Ctrl-C ends a run of minutes ({name}, after {wait} s)")

sys.exit(1 if failures else 0)
