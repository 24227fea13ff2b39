#!/usr/bin/python3
# test-faults.py: the nth allocation (of those of a page, too), opening, write, fsync, close and rename fail: outputs are whole or as they were, and a message says why
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   FAULTS=all IFBAM=build/ifbam BUILD=build tests/test-faults.py [COMMAND...]      each n, not a few of them; more commands
#   FAULTS=more ...                                                                 a few of them; more commands
#
# Ctrl-C at the nth allocation, wherever that is: exit 130 and a word, or 0; outputs as above, or the rows until then.
#
# Without memory even for small arrays GLib ends the program with its own message (by a signal);
# an unfinished file may remain as NAME.part. Otherwise there is an exit code and a message of ours.
import os
import shutil
import signal
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
program = os.path.abspath(os.environ.get("IFBAM", "build/ifbam"))
preload = os.path.abspath(os.path.join(os.environ.get("BUILD", "build"), "tests", "faults.so"))
every = os.environ.get("FAULTS") == "all"
more = os.environ.get("FAULTS") in ("all", "more")
folder = tempfile.mkdtemp()
given = tempfile.mkdtemp()  # files that commands read from others
OLD = b"what stood there before\n"


def network(name):
    return os.path.join(root, "networks", name + ".ini")


VARIED = [network("two-dof"), "--vary", "m1.mass=1,2,3 kg", "--measure", "max:m1.position"]
COMMANDS = {
    "run": ["run", network("collision"), "--duration", "20ms", "-o", "out.csv", "--events", "events.csv"],
    "run --manifest": ["run", network("two-dof"), "--duration", "20ms", "-o", "out.csv", "--manifest", "made.json"],
    "run to HDF5": ["run", network("two-dof"), "--duration", "20ms", "-o", "out.h5"],
    "run of objects": ["run", network("balls"), "--duration", "5ms", "-o", "out.csv", "--engine", "objects"],
    "check": ["check", network("balls")],
    "dialogue": ["dialogue", network("two-dof")],
    "spectrum": ["spectrum", network("two-dof")],
    "modes": ["modes", network("three-dof")],
    "modes of many": ["modes", network("chain-1000"), "--count", "3"],
    "modes of many beside": ["modes", network("chain-1000"), "--count", "3", "--near", "1"],
    "modes of many that are damped": ["modes", network("chain-1000"), "--count", "3", "--set", "c.damping=0.1"],
    "modes of them beside": ["modes", network("chain-1000"), "--count", "3", "--set", "c.damping=0.1", "--near", "1"],
    "stability": ["stability", network("three-dof")],
    "response": ["response", network("three-dof"), "--input", "force@m1", "--points", "20", "-o", "out.csv"],
    "response of many": ["response", network("chain-1000"), "--input", "force@c.m1", "--output", "c.m1000.position", "--points", "3",
                         "--set", "c.damping=0.1"],
    "equilibrium": ["equilibrium", network("duffing")],
    "sweep": ["sweep", network("two-dof"), "--vary", "m1.mass=1,2,3 kg", "--measure", "max:m1.position", "-o", "out.csv"],
    "sweep to HDF5": ["sweep", network("two-dof"), "--vary", "m1.mass=1,2,3 kg", "--measure", "max:m1.position", "-o", "sweep.h5"],
    "plot": ["plot", "course", network("two-dof"), "-o", "out.svg"],
    "report": ["report", network("one-dof"), "--duration", "20ms", "-o", "out.html"],
    "lab": ["lab", network("one-dof"), "--duration", "20ms", "-o", "out.html"],
    "plot sweep": ["plot", "sweep", given + "/part1.csv", "-o", "out.svg"],
    "plot movie": ["plot", "movie", network("pendulum"), "--duration", "20ms", "-o", "out.svg"],
    "sweep --part": ["sweep", *VARIED, "--part", "1/2", "-o", "out.csv"],
    "sweep --join": ["sweep", "--join", given + "/part1.csv", given + "/part2.csv", "-o", "out.csv"],
    "modes --export": ["modes", network("three-dof"), "--export", "matrices"],
    "export --fmu": ["export", network("two-dof"), "--fmu", "-o", "out.fmu"],
    "export --c": ["export", network("two-dof"), "--c", "-o", "out.c"],
    "export to HDF5": ["export", network("two-dof"), "--columns", "-o", "out.h5"],
    "rerun of HDF5": ["rerun", given + "/made.h5"],
    "elements": ["elements"],
    "schemes": ["schemes"],
}
MORE = {
    "run with states": ["run", network("collision"), "--duration", "20ms", "-o", "out.csv", "--final", "final.h5"],
    "run that goes on from HDF5": ["run", network("two-dof"), "--duration", "20ms", "-o", "out.csv", "--initial", given + "/final.h5"],
    "dialogue of events": ["dialogue", network("collision"), "-n", "4"],
    "dialogue of equations": ["dialogue", network("three-dof"), "--scheme", "implicit-euler"],
    "spectrum of a table": ["spectrum", given + "/course.csv", "--json"],
    "check as JSON": ["check", network("three-dof"), "--json"],
    "modes to a picture": ["modes", network("three-dof"), "-o", "out.svg"],
    "response beside runs": ["response", network("three-dof"), "--input", "force@m1", "--output", "m1.position", "--points", "3", "--check", "1"],
    "sweep of modes": ["sweep", network("two-dof"), "--vary", "m1.mass=1,2,3 kg", "--measure", "damping", "-o", "out.csv"],
    "sweep with checkpoints": ["sweep", *VARIED, "-o", "out.csv", "--checkpoint", "point.h5,1"],
    "sweep that goes on": ["sweep", *VARIED, "-o", "out.csv", "--resume", given + "/part1.csv"],
    "report of the plane": ["report", network("collision"), "--duration", "5ms", "--still", "-o", "out.html"],
    "lab of the plane": ["lab", network("pendulum"), "--duration", "20ms", "-o", "out.html"],
    "plot of two": ["plot", "course", network("two-dof"), network("three-dof"), "--duration", "20ms", "-o", "out.svg"],
    "plot phase": ["plot", "phase", network("two-dof"), "--also", "m1.mass=2 kg", "--duration", "20ms", "-o", "out.svg"],
    "plot spectrum": ["plot", "spectrum", given + "/course.csv", "-o", "out.svg"],
    "plot spectrogram": ["plot", "spectrogram", given + "/course.csv", "-o", "out.svg"],
    "plot path": ["plot", "path", network("pendulum"), "--duration", "20ms", "-o", "out.svg"],
    "plot modes": ["plot", "modes", network("three-dof"), "-o", "out.svg"],
    "plot response": ["plot", "response", network("three-dof"), "--input", "force@m1", "--points", "20", "-o", "out.svg"],
    "plot stability": ["plot", "stability", network("three-dof"), "-o", "out.svg"],
    "plot roots": ["plot", "roots", network("three-dof"), "-o", "out.svg"],
    "export --c of more": ["export", network("duffing"), "--c", "-o", "out.c"],
}
if more:
    COMMANDS.update(MORE)
SEALED = ("sweep.h5",)
STATES = ("final.h5", "point.h5")  # they have been read back whole wherever they are read: test-checkpoint.py
OUTPUTS = ("sweep.h5", "out.csv", "out.h5", "out.svg", "out.html", "out.fmu", "out.c", "events.csv", "made.json")


def run(command, **fault):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    for name in OUTPUTS:
        if name in command:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(OLD)
    settings = {"FAULT_" + key.upper(): str(value) for key, value in fault.items()}
    try:
        done = subprocess.run([program] + command, cwd=folder, capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, LD_PRELOAD=preload, OPENBLAS_NUM_THREADS="1", G_SLICE="always-malloc",
                                       **settings))
    except subprocess.TimeoutExpired:
        return None, b"", {}
    files = {}
    for place, _, names in os.walk(folder):
        for path in (os.path.join(place, name) for name in names):
            if path.endswith(".lock"):
                continue  # it is the lock on it that counts, which ends with its program
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return done.returncode, done.stderr, files


def count(command, call):
    path = os.path.join(tempfile.gettempdir(), "faults-%d" % os.getpid())
    code, said, files = run(command, call=call, number=0, count=path)
    with open(path) as file:
        n = int(file.read())
    os.remove(path)
    return n, code, files


def numbers(n):
    """All; or the first and the last ones, and a few between."""
    if every or n <= 6:
        return range(1, n + 1)
    few = {1, 2, n - 1, n}
    k = 3
    while k < n:
        few.add(k)
        k = (2 if more else 4) * k + 1
    return sorted(few)


def is_readable(path):
    """A result in HDF5 grows under its name, by whole rows: so it may stop anywhere, and be read."""
    done = subprocess.run([program, "spectrum", path], capture_output=True, timeout=60)
    return done.returncode == 0 or b"no row" in done.stderr or b"too few" in done.stderr


def wrong(call, code, said, files, whole):
    """Why this is not as it should be; None: it is."""
    if code is None:
        return "it does not end"
    aborted = call in ("malloc", "large") and code < 0 and -code in (signal.SIGTRAP, signal.SIGABRT) and said
    if code not in (0, 1, 2) and not aborted:
        return "exit %d" % code
    if code != 0 and not said.strip():
        return "not a word"
    for name, content in files.items():
        if name.endswith(".part") or ".part" in name:
            if not aborted:
                return "%s is left" % name
        elif name in STATES:
            continue
        elif name.endswith(".h5"):
            if content not in (OLD, whole.get(name)) and (name in SEALED or not is_readable(os.path.join(folder, name))):
                return "%s can't be read" % name
        elif content != OLD and content != whole.get(name) and not (name == "made.json" and content.endswith(b"}\n")):
            return "%s is neither as it was nor whole" % name
    if code == 0:
        if "out.h5" in whole and subprocess.run(["h5dump", "-H", os.path.join(folder, "out.h5")],
                                                capture_output=True, timeout=60).returncode != 0:
            return "exit 0, and others can't open out.h5"
        for name in whole:
            if files.get(name) == OLD:
                return "exit 0, and %s is as it was" % name
    return None


def not_heard(code, said, files, whole):
    """Returns the fault of an interrupted command's end; None: right."""
    if code not in (0, 130):
        return "exit %s" % code
    if code == 130 and not said.strip():
        return "not a word"
    for name, content in files.items():
        if ".part" in name:
            return "%s is left" % name
        if content in (OLD, whole.get(name)) or name.endswith((".h5", ".json")):
            continue
        if not name.endswith(".csv") or not whole[name].startswith(content[:content.rfind(b"\n") + 1]):
            return "%s is neither as it was nor whole" % name
        if not content.endswith(b"\n"):
            return "%s ends in the midst of a row" % name
    return None


if subprocess.run([program, "--version"], capture_output=True, env=dict(os.environ, LD_PRELOAD=preload)).returncode != 0:
    print("ok - faults # SKIP a sanitizer allocates by itself")
    sys.exit(0)
for k in "1", "2":
    subprocess.run([program, "sweep", *VARIED, "--part", k + "/2", "-o", given + "/part%s.csv" % k], check=True, capture_output=True)
subprocess.run([program, "run", network("two-dof"), "--duration", "20ms", "-o", given + "/made.h5", "--final", given + "/final.h5"], check=True, capture_output=True)
subprocess.run([program, "run", network("two-dof"), "-o", given + "/course.csv"], check=True, capture_output=True)
status = 0
for name, command in COMMANDS.items():
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        continue
    if "HDF5" not in name:
        n, code, whole = count(command, "malloc")
        faults = []
        for k in range(1, n + 1, 1 if every else n // 3 + 1):
            code, said, files = run(command, call="malloc", number=k, how="interrupt")
            why = not_heard(code, said, files, whole)
            if why:
                faults.append("%d of %d: %s: %s" % (k, n, why, said[-300:].decode(errors="replace").strip()))
        print("%s - %s: Ctrl-C at any of %d allocations" % ("not ok" if faults else "ok", name, n))
        for fault in faults[:20]:
            print("# " + fault.replace("\n", "\n# "))
        status |= bool(faults)
    for call in ("malloc", "large", "open", "write", "mode", "fsync", "close", "rename"):
        if call in ("malloc", "large") and "HDF5" in name:
            continue  # the library takes NULL for a place where it begins (H5_hash_string), which is not ours to mend
        if call == "large" and name == "export --fmu":
            continue  # nor is libarchive's list of files, of 64 kB, which it writes to without a look (cd_alloc)
        n, code, whole = count(command, call)
        if code != 0:
            print("not ok - %s without a fault: exit %s" % (name, code))
            status = 1
            break
        faults = []
        for k in numbers(n) if call != "large" else range(1, n + 1, 1 if every else n // (12 if more else 6) + 1):
            code, said, files = run(command, call=call, number=k)
            why = wrong(call, code, said, files, whole)
            if why:
                faults.append("%s %d of %d: %s: %s" % (call, k, n, why, said[-300:].decode(errors="replace").strip()))
        print("%s - %s: each %s of %d may fail" % ("not ok" if faults else "ok", name, call, n))
        for fault in faults[:20]:
            print("# " + fault.replace("\n", "\n# "))
        sys.stdout.flush()
        status |= bool(faults)
shutil.rmtree(folder)
shutil.rmtree(given)
sys.exit(status)
