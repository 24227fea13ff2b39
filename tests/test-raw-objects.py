#!/usr/bin/python3
# test-raw-objects.py: no function of the library crashes on raw objects (Ifbam.X()) or on odd arguments
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each constructor, method and function in the typelib is called in a child process of its own with several sets of
# arguments: raises, warnings and answers are fine, a signal or a call without end is a fault.
import itertools
import os
import shutil
import signal
import sys
import tempfile

# A warning of GLib is an answer: it must not end the process here.
if os.environ.pop("G_DEBUG", None):
    os.execv(sys.executable, [sys.executable, "-B", *sys.argv])
build = os.environ.get("GI_TYPELIB_PATH", "").split(":")[0]
try:
    if build and not os.path.exists(os.path.join(build, "Ifbam-1.0.typelib")):
        raise ValueError("no typelib was built")
    import gi
    gi.require_version("Ifbam", "1.0")
    from gi import _gi
    from gi.repository import Gio, GLib, Ifbam
    from gi.module import get_introspection_module
except (ImportError, ValueError) as reason:
    print("ok - introspection # skip", reason)
    sys.exit(0)

# Functions that write take names like these, too.
folder = tempfile.TemporaryDirectory(prefix="ifbam-test-")
shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "networks", "one-dof.ini"), folder.name)
Ifbam.Network()  # the library is loaded from here
os.chdir(folder.name)
MOST_SECONDS = 60
library = get_introspection_module("Ifbam")
failures = calls = 0
namespace = _gi.Repository.get_default()
infos = list(namespace.get_infos("Ifbam"))
classes = [info for info in infos if isinstance(info, _gi.ObjectInfo)]


def raw(name):
    """An object that no constructor has filled; of the abstract class Element one that no network has joined."""
    return getattr(library, name)() if name != "Element" else Ifbam.Network().add("spring", "k1")


def candidates(argument):
    """Odd values of an argument's type; of objects functions that make them, in the child."""
    kind = argument.get_type()
    tag = kind.get_tag_as_string()
    if tag == "interface":
        info = kind.get_interface()
        if isinstance(info, _gi.EnumInfo):
            return [0, 1, 99]
        if isinstance(info, _gi.CallbackInfo):
            return [None]
        if info.get_name() == "Bytes":
            return [GLib.Bytes.new(b""), GLib.Bytes.new(b"no state"), GLib.Bytes.new(bytes(100000))]
        if info.get_namespace() == "Ifbam" and isinstance(info, _gi.ObjectInfo):
            return [lambda: raw(info.get_name()), None]
        return [None, Gio.Cancellable()]
    if tag in ("double", "float"):
        return [0.0, -1.0, float("nan"), 1e308]
    if tag == "array":
        inner = kind.get_param_type(0).get_tag_as_string()
        return ([[], [0.0], [float("nan")] * 9, [1e-3 * i for i in range(20)]] if inner == "double"
                else [[], ["m1.position"], ["", "m1.position=1"]] if inner == "utf8" else [[], None])
    if tag in ("utf8", "filename"):
        return ["", "m1.position", None, "one-dof.ini"]
    if tag == "gboolean":
        return [False, True]
    return [0, 1, 7, 2**31 - 1]


def sets_of(function):
    """Sets of arguments: the first odd value of each, the second of each, ..., and some mixtures."""
    kinds = [candidates(one) for one in function.get_arguments() if one.get_direction() == 0]
    found = []
    for i in range(max(map(len, kinds), default=1)):
        found.append([values[i % len(values)] for values in kinds])
    for one in itertools.islice(itertools.product(*(values[:2] for values in kinds)), 8):
        found.append(list(one))
    return [one for i, one in enumerate(found) if repr(one) not in map(repr, found[:i])]


def in_child(call):
    """The signal that ended a child process that made this call; 0: none."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.dup2(null, 1)
        signal.alarm(MOST_SECONDS)
        try:
            call()
        except Exception:  # pylint: disable=broad-except
            pass
        os._exit(0)
    return os.waitpid(child, 0)[1] & 0x7f


def try_function(name, of, function):
    """of: returns the object, class or module of the call."""
    global failures, calls
    for arguments in sets_of(function):
        def call():
            getattr(of(), function.get_name())(*[one() if callable(one) else one for one in arguments])
        calls += 1
        ended = in_child(call)
        if ended:
            failures += 1
            print("not ok - %s%r ends by %s" % (name, tuple(arguments), signal.Signals(ended).name))


for info in classes:
    name = info.get_name()
    if in_child(lambda: raw(name)):
        failures += 1
        print("not ok - a raw", name)
    for method in info.get_methods():
        made = (lambda: raw(name)) if method.is_method() else lambda: getattr(Ifbam, name)
        try_function("%s.%s" % (name, method.get_name()), made, method)
for info in infos:
    if isinstance(info, _gi.FunctionInfo):
        try_function(info.get_name(), lambda: Ifbam, info)

# Additions of the Python module: lengths, keys, attributes, pictures.
for info in classes:
    cls = getattr(Ifbam, info.get_name())
    made = cls if info.get_name() != "Element" else lambda: raw("Element")
    names = [name for name in dir(cls) if isinstance(getattr(cls, name, None), property)]
    for name in names + ["__len__", "__iter__", "__repr__", "_repr_html_", "keys", "modes", "run", "check", "spectrum"]:
        def look():
            value = getattr(made(), name)
            list(value()) if callable(value) else value
        calls += 1
        if in_child(look):
            failures += 1
            print("not ok - %s of a raw %s" % (name, info.get_name()))
    for prop in cls.list_properties():
        calls += 1
        if in_child(lambda: made().get_property(prop.name)):
            failures += 1
            print("not ok - property %s of a raw %s" % (prop.name, info.get_name()))

for call in (lambda: Ifbam.Spectrum.new([1e-3 * i for i in range(4096)], [1.0] * 8, 0),
             lambda: Ifbam.Spectrum.new_averaged([1e-3 * i for i in range(4096)], [1.0] * 8, 0, 64, 0.5),
             lambda: Ifbam.Spectrogram.new([1.0] * 8, [1e-3 * i for i in range(4096)], 0, 64, 0.5),
             lambda: Ifbam.refine_peaks([1e-3 * i for i in range(4096)], [1.0] * 8, [], 0.1)):
    try:
        call()
        print("not ok - arrays of two lengths are taken")
        failures += 1
    except ValueError:
        print("ok - arrays of two lengths are refused")

print("%s - %d calls of %d classes: no crash" % ("not ok" if failures else "ok", calls, len(classes)))
sys.exit(1 if failures or len(classes) < 9 or calls < 200 else 0)
