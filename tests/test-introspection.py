#!/usr/bin/python3
# test-introspection.py: the library from Python: a stiffness is changed, and the frequency moves
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Takes the build that the environment names (GI_TYPELIB_PATH, LD_LIBRARY_PATH), or without that the
# installed library.
import os
import subprocess
import sys

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

# What the library says of itself, beyond the example.
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


check(fault(lambda: network.add("sprong", "k2")).matches(Ifbam.error_quark(), Ifbam.Error.USAGE),
      "an unknown class is an error of the library's domain")
check(GLib.quark_to_string(Ifbam.error_quark()) == "ifbam-error-quark", "the domain has its name")
check(fault(lambda: Ifbam.Network.new_from_file("networks/none.ini", None)) is not None,
      "a file that isn't there is an error")
sys.exit(1 if failures else 0)
