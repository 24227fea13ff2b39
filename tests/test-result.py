#!/usr/bin/python3
# test-result.py: results in HDF5 as others read them: the same bits as CSV, whole rows while they grow, made again
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: tests/test-result.py [SECONDS]   (for which a file that grows is looked at; 4 by default)
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

from expect import check, finish, ifbam, networks, program

try:
    import h5py
    import numpy
except ImportError:
    print("ok - results in HDF5 # skip without h5py")
    sys.exit(0)

work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def table(path):
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
        return names, [line.rstrip("\n").split(",") for line in file]


# Every shipped kind of network: smooth, with impacts, with hundreds of events, driven by a measured course, with frictions of contacts, whose
# names are the longest ones ("left-end.friction").
for name in ("two-dof", "collision", "balls", "driven", "cradle", "pick-up", "falling-bar"):
    path = os.path.join(networks, name + ".ini")
    if not os.path.exists(path):
        continue
    ifbam("run", path, "-o", "a.csv", "--events", "e.csv")
    said = ifbam("run", path, "-o", "a.h5", "--compress")
    names, rows = table("a.csv")
    _, events = table("e.csv")
    with h5py.File("a.h5") as file:
        course = file["course"]
        check(list(course.attrs["names"]) == names, name + ": the columns of the CSV", said.stderr)
        # 17 digits give the exact double.
        check(numpy.array_equal(numpy.array(rows, float), course[:]), name + ": its rows, to the bit")
        units = dict(zip(names, course.attrs["units"]))
        check(units["time"] == "s" and all(units[n] == "m" for n in names if n.endswith(".position")),
              name + ": the units of its columns", units)
        listed = [[e["time"], e["element"].decode(), e["event"].decode(), e["impulse"], e["rate_before"],
                   e["rate_after"], e["energy_change"]] for e in file["events"][:]]
        wanted = [[float(e[0]), e[1], e[2], *map(float, e[3:])] for e in events]
        check(listed == wanted, name + ": its events, to the bit")
        with open(path, encoding="utf-8") as text:
            check(file["manifest"].attrs["network"] == text.read(), name + ": the text of its network")
        check(file.attrs["complete"] == 1 and file.attrs["ended"] == b"done", name + ": it is complete")
    again = ifbam("rerun", "a.h5")
    check(again.returncode == 0 and "the same to the last bit, %d rows, %d events" % (len(rows), len(events))
          in again.stdout, name + ": made again, it is the same", again.stdout + again.stderr)
    dump = subprocess.run(["h5dump", "-H", "a.h5"], capture_output=True, text=True)
    check(dump.returncode == 0 and 'DATASET "course"' in dump.stdout, name + ": h5dump reads it", dump.stderr)

# The run's options are in the result.
path = os.path.join(networks, "two-dof.ini")
ifbam("run", path, "--set", "k1.stiffness=20kN/m", "--scheme", "verlet", "--step", "1ms", "--record", "m*.position",
      "-o", "options.h5")
again = ifbam("rerun", "options.h5")
check(again.returncode == 0, "a run with options is made again", again.stdout + again.stderr)
with h5py.File("options.h5", "r+") as file:
    file["course"][7, 1] = numpy.nextafter(file["course"][7, 1], 1)
again = ifbam("rerun", "options.h5")
check(again.returncode == 1 and "not the same: row 7, at t = 0.007 s, differs" in again.stdout,
      "one bit in one row is told", again.stdout + again.stderr)
check(ifbam("run", os.path.join(networks, "collision.ini"), "-o", "hit.h5").returncode == 0, "a run with an impact")
with h5py.File("hit.h5", "r+") as file:
    event = file["events"][0]
    event["impulse"] = numpy.nextafter(event["impulse"], 1)
    file["events"][0] = event
again = ifbam("rerun", "hit.h5")
check(again.returncode == 1 and "event 0" in again.stdout, "one bit of an event is told", again.stdout)

# Commands take it wherever they take CSV.
for kind in ("csv", "h5"):
    ifbam("run", path, "-o", "course." + kind)
check(ifbam("spectrum", "course.csv").stdout == ifbam("spectrum", "course.h5").stdout,
      "the spectrum of a result is that of its CSV")
check(ifbam("plot", "course", "course.h5", "-o", "x.svg").returncode == 0 and os.path.exists("x.svg"),
      "the courses of a result are drawn")
for kind in ("csv", "h5"):
    with open("moved.ini", "w", encoding="utf-8") as file:
        file.write("[network]\nstep=1ms\nduration=1s\nrecord=m.position\n[drive d]\ncourse=course.%s:m1.position\n"
                   "[spring k]\nstiffness=1kN/m\nbetween=d,m\n[mass m]\nmass=1kg\n" % kind)
    ifbam("run", "moved.ini", "-o", "moved-%s.csv" % kind)
check(table("moved-csv.csv")[1] == table("moved-h5.csv")[1], "a measured course from a result moves a node alike")

# A sweep: arrays with named axes, the numbers of the CSV to the bit.
words = ("sweep", path, "--vary", "k1.stiffness=5kN/m:20kN/m:4", "--vary", "network.step=0.1ms,60ms", "--vary", "m2.mass=1kg,2kg,3kg",
         "--scheme", "verlet", "--measure", "max:m2.position,spectrum:m1.position,settling:m1.velocity", "--measure",
         "frequencies,damping,response:force@m1:m2.position", "--best", "min:max:m2.position", "--count", "3")
said = [ifbam(*words, "-o", "sweep." + kind) for kind in ("csv", "h5")]
check(said[0].returncode == 0 and said[0].stderr == said[1].stderr, "a sweep says the same, whatever it writes", said[1].stderr)
names, rows = table("sweep.csv")
axes = ["k1.stiffness", "network.step", "m2.mass"]
with h5py.File("sweep.h5") as file:
    check([d.label for d in file["max:m2.position"].dims] == axes and file["max:m2.position"].shape == (4, 2, 3)
          and [d.label for d in file["frequencies"].dims] == axes + ["mode"], "its axes have names")
    check(all(file["max:m2.position"].dims[k][0] == file[axes[k]] for k in range(3)), "which lead to their scales")
    check([file[n].attrs["units"] for n in axes] == ["N/m", "s", "kg"] and file["max:m2.position"].attrs["units"] == "m"
          and file["settling:m1.velocity"].attrs["units"] == "s" and file["frequencies"].attrs["units"] == "Hz"
          and file["response:force@m1:m2.position:amplitude"].attrs["units"] == "m/N", "its arrays have units")
    columns = {"diverged": file["diverged"][:].ravel()}
    for name in file.attrs["measured"]:
        values = file[name][:].reshape(24, -1)
        for number, column in enumerate(file[name].attrs["columns"]):
            columns[column] = values[:, number]
    grid = numpy.meshgrid(*(file[n][:] for n in axes), indexing="ij")
    columns.update((n, g.ravel()) for n, g in zip(axes, grid))
    wrong = [n for i, n in enumerate(names) if n != "best" and not numpy.array_equal(
        columns[n], [float(row[i] or "nan") for row in rows], equal_nan=True)]
    check(not wrong and len(rows) == 24, "its numbers are those of the CSV, to the bit", wrong)
    check(file["state"][:].ravel().tolist().count(2) == 12 and file.attrs["complete"] == 1 and file.attrs["ended"] == "done"
          and file.attrs["best"] == "min:max:m2.position", "its states are those of the variants")
    with open(path, encoding="utf-8") as text:
        check(file["manifest"].attrs["network"] == text.read(), "the text of its network")
again = ifbam("rerun", "sweep.h5")
check(again.returncode == 0 and "the same to the last bit, 24 variants" in again.stdout, "made again, it is the same",
      again.stdout + again.stderr)
for kind in ("csv", "h5"):
    ifbam("plot", "sweep", "sweep." + kind, "--signal", "max:m2.position", "-o", kind + ".svg")
with open("csv.svg", "rb") as one, open("h5.svg", "rb") as other:
    check(one.read() == other.read(), "it is drawn as the CSV is")
check(subprocess.run(["h5dump", "sweep.h5"], capture_output=True).returncode == 0, "h5dump reads it")
with h5py.File("sweep.h5", "r+") as file:
    file["max:m2.position"][2, 0, 1] = numpy.nextafter(file["max:m2.position"][2, 0, 1], 1)
again = ifbam("rerun", "sweep.h5")
check(again.returncode == 1 and "k1.stiffness = 15000 N/m, network.step = 0.0001 s, m2.mass = 2 kg differs" in again.stdout,
      "one bit of one variant is told", again.stdout + again.stderr)
with open("sweep.h5", "rb") as file:
    whole = file.read()


def broken(what, change, *words, reason="its sweep can't be read"):
    with open("broken.h5", "wb") as file:
        file.write(whole)
    with h5py.File("broken.h5", "r+") as file:
        change(file)
    said = ifbam(*(words or ("plot", "sweep", "broken.h5")))
    check(said.returncode == 1 and reason in said.stderr, "a sweep %s is refused" % what, said.stderr)


def put(file, name, value):
    del file[name]
    file[name] = value


broken("without an axis", lambda f: f.__delitem__("m2.mass"))
broken("whose axis is longer", lambda f: put(f, "m2.mass", [1.0, 2, 3, 4]))
broken("whose axis has no unit", lambda f: f["m2.mass"].attrs.__delitem__("units"))
broken("whose axis has no values", lambda f: put(f, "m2.mass", numpy.zeros(0)))
broken("without an array", lambda f: f.__delitem__("settling:m1.velocity"))
broken("whose array has no columns", lambda f: f["settling:m1.velocity"].attrs.__delitem__("columns"))
broken("whose array has another rank", lambda f: f["settling:m1.velocity"].attrs.__setitem__("axis", "mode"))
broken("whose states mean nothing", lambda f: f["state"].__setitem__((0, 0, 0), 7))
broken("whose states are of another size", lambda f: put(f, "state", numpy.zeros((4, 2, 2), "u1")))
broken("whose instants are of another rank", lambda f: put(f, "diverged", numpy.zeros(24)))
broken("with words for axes", lambda f: put(f, "m2.mass", ["a", "b", "c"]))
broken("whose best is nothing", lambda f: f.attrs.modify("best", "min:nothing"))
broken("without a list of arrays", lambda f: f.attrs.__delitem__("measured"))
broken("without a manifest", lambda f: f.__delitem__("manifest"), reason="lacks the network and options that produced it")
broken("without its network's text", lambda f: f["manifest"].attrs.__delitem__("network"), reason="lacks the network and options that produced it")
broken("of another kind", lambda f: f.attrs.modify("format", "other"), reason="has no sweep")
broken("of a newer program", lambda f: f.attrs.modify("version", 2), reason="is from a newer program")
broken("whose options do not exist", lambda f: f["manifest"].attrs.__setitem__("options", ["--colour", "red"]), "rerun", "broken.h5",
       reason="Unknown option --colour")
broken("of other options", lambda f: f["manifest"].attrs.__setitem__("options", ["--vary", "m2.mass=1,2"]), "rerun", "broken.h5",
       reason="are not those of its options")
broken("of another network", lambda f: f["manifest"].attrs.__setitem__("network", "[mass m]"), "rerun", "broken.h5", reason="mass")
with h5py.File("broken.h5", "w") as file:
    file.attrs["format"] = "ifbam sweep"
check("has no sweep" in ifbam("rerun", "broken.h5").stderr, "a sweep without a version is refused")
check("none with courses" in ifbam("spectrum", "sweep.h5").stderr, "a sweep has no spectrum", ifbam("spectrum", "sweep.h5").stderr)

# Bad files are refused with the reason, and cost nothing.
with open("options.h5", "rb") as file:
    whole = file.read()
with open("cut.h5", "wb") as file:
    file.write(whole[: len(whole) // 2])
with h5py.File("foreign.h5", "w") as file:
    file["x"] = [1, 2, 3]
with open("newer.h5", "wb") as file:
    file.write(whole)
with h5py.File("newer.h5", "r+") as file:
    file.attrs.modify("version", numpy.int64(99))
for bad, reason in (("cut.h5", "truncated"), ("foreign.h5", "none with courses"), ("newer.h5", "newer program"),
                    ("nowhere.h5", "No such file")):
    for words in (("spectrum", bad), ("rerun", bad), ("plot", "course", bad, "-o", "bad.svg")):
        said = ifbam(*words)
        check(said.returncode in (1, 2) and reason in said.stderr and not os.path.exists("bad.svg"),
              "%s %s is refused: %s" % (words[0], bad, reason), said.stderr)
# A modified result is rejected if it is inconsistent, or differs from a rerun.
ifbam("run", os.path.join(networks, "collision.ini"), "-o", "hit.h5")
with open("hit.h5", "rb") as file:
    whole = file.read()


def rename_columns(names):
    return lambda f: f["course"].attrs.__setitem__("names", names)


COLUMNS = list(h5py.File("hit.h5")["course"].attrs["names"])
broken("whose first column is no time", rename_columns(["zeit", *COLUMNS[1:]]), "spectrum", "broken.h5",
       reason='the first column is not "time"')
broken("with two columns of one name", rename_columns([*COLUMNS[:-1], COLUMNS[1]]), "spectrum", "broken.h5",
       reason='two columns are called "%s"' % COLUMNS[1])
broken("with a name too many", rename_columns([*COLUMNS, "more"]), "spectrum", "broken.h5", reason="has no course with names and units")
broken("with names that are none", lambda f: f["course"].attrs.__setitem__("units", 7), "spectrum", "broken.h5",
       reason="has no course with names and units")
broken("without a course", lambda f: f.__delitem__("course"), "spectrum", "broken.h5", reason="has no course")
broken("with other columns than names", lambda f: (f["course"].attrs.__setitem__("names", ["time"]),
                                                   f["course"].attrs.__setitem__("units", ["s"])), "spectrum", "broken.h5",
       reason="its columns and their names differ")
broken("without rows", lambda f: f["course"].resize(0, axis=0), "spectrum", "broken.h5", reason="has names but no row of numbers")
broken("with a number that is none", lambda f: f["course"].__setitem__((3, 1), numpy.nan), "spectrum", "broken.h5",
       reason="row 3 has a number that is not finite")
broken("whose time runs back", lambda f: f["course"].__setitem__((3, 0), f["course"][1, 0]), "spectrum", "broken.h5",
       reason="row 3: its time is before that of the last row")
broken("without a manifest", lambda f: f.__delitem__("manifest"), "rerun", "broken.h5", reason="lacks the network and options that produced it")
broken("without its options", lambda f: f["manifest"].attrs.__delitem__("options"), "rerun", "broken.h5",
       reason="lacks the network and options that produced it")
broken("without its events", lambda f: f.__delitem__("events"), "rerun", "broken.h5", reason="its events can't be read")
broken("whose events have no time", lambda f: put(f, "events", numpy.zeros(3, [("when", "f8")])), "rerun", "broken.h5",
       reason="its events can't be read")
broken("whose events are numbers", lambda f: put(f, "events", [1.0, 2]), "rerun", "broken.h5", reason="its events can't be read")
broken("of a network with other signals", lambda f: f["manifest"].attrs.__setitem__("options", ["--record", "network.energy"]),
       "rerun", "broken.h5", reason="its columns are not those that its network records")
broken("of options that do not exist", lambda f: f["manifest"].attrs.__setitem__("options", ["--colour", "red"]), "rerun", "broken.h5",
       reason="Unknown option --colour")
broken("of a network that can't be", lambda f: f["manifest"].attrs.__setitem__("network", "[mass m]"), "rerun", "broken.h5",
       reason="mass")


def differs(what, change, reason, code=1):
    with open("broken.h5", "wb") as file:
        file.write(whole)
    with h5py.File("broken.h5", "r+") as file:
        change(file)
    said = ifbam("rerun", "broken.h5")
    check(said.returncode == code and reason in said.stdout, "a result %s: %s" % (what, reason), said.stdout + said.stderr)


def shorten(f, rows, complete):
    f["course"].resize(f["course"].shape[0] - rows, axis=0)
    f.attrs["complete"] = numpy.int64(complete)


differs("with rows that are missing", lambda f: shorten(f, 2, 1), "not the same: row")
differs("that was cut off", lambda f: shorten(f, 2, 0), "where it ends early", 0)
differs("without its last event", lambda f: f["events"].resize(len(f["events"]) - 1, axis=0), "not the same: event")
differs("with an event too many", lambda f: (f["events"].resize(len(f["events"]) + 1, axis=0)), "where the run has")
differs("of another version", lambda f: f["manifest"].attrs.__setitem__("version", "0.0.1"), "made by version 0.0.1; this is", 0)
differs("of no version", lambda f: f["manifest"].attrs.__delitem__("version"), "made by version ?; this is", 0)

check("--compress" in ifbam("run", path, "--compress").stderr, "--compress wants an HDF5 file")
with open("options.h5", "rb") as file:
    before = file.read()
check(ifbam("run", path, "--set", "k1.stiffness=x", "-o", "options.h5").returncode != 0
      and open("options.h5", "rb").read() == before, "a run that is refused leaves the old result as it was")

# While it grows: whole rows at every read, by a new handle or an open one; a run that is killed
# leaves a readable file.
run = subprocess.Popen([program, "run", path, "--scheme", "verlet", "--step", "1ms", "--sample", "100ms", "--duration",
                        "10000000s", "-o", "long.h5"], stderr=subprocess.DEVNULL)
seen, looks, faults, stays = 0, 0, [], None


def look(file, n_before):
    n = file["course"].shape[0]
    first = max(0, n - 20)
    last = file["course"][first:n]
    if n < n_before or last.shape != (n - first, 3) or not numpy.allclose(last[:, 0], numpy.arange(first, n) * 0.1, rtol=1e-9) \
            or (n > 20 and (last[:, 1:] == 0).any()):
        faults.append((n_before, n, last))
    if file.attrs["complete"] != 0 or file.attrs["ended"] != b"running":
        faults.append("it is complete")
    return n


end = time.time() + (float(sys.argv[1]) if len(sys.argv) > 1 else 4)
while time.time() < end or ((seen == 0 or looks < 60) and run.poll() is None):
    time.sleep(0.01)
    if not os.path.exists("long.h5"):
        continue
    try:
        with h5py.File("long.h5", "r", swmr=True) as file:
            seen = look(file, seen)
        if stays is None:
            stays = h5py.File("long.h5", "r", swmr=True)
        stays["course"].id.refresh()
        seen = look(stays, seen)
        looks += 2
    except OSError as reason:
        faults.append(reason)
stays.close()
check(looks > 50 and seen > 0 and not faults, "%d looks at a result that grows, to %d rows" % (looks, seen), faults[:3])
run.send_signal(signal.SIGKILL)
run.wait()
with h5py.File("long.h5", "r", swmr=True) as file:
    n = file["course"].shape[0]
    check(n >= seen and file["course"][n - 1, 0] > 0 and file.attrs["ended"] == b"running",
          "a run that was killed leaves its rows")
check("the same to the last bit, %d rows" % n in ifbam("rerun", "long.h5").stdout, "and they are those of the run")

# A disk that is full at any of several positions: a message and no crash; an old file is readable or absent.
def little_room(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


for size in (100, 1000, 5000, 20000, 300000, 2000000):
    if os.path.exists("full.h5"):
        os.remove("full.h5")
    said = subprocess.run([program, "run", path, "--scheme", "verlet", "--step", "1ms", "--sample", "1ms", "--duration",
                           "1000s", "-o", "full.h5"], stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: little_room(size))
    check(said.returncode == 1 and "full.h5: can't be written: File too large" in said.stderr,
          "room for %d bytes: it can't be written" % size, said.stderr)
    if os.path.exists("full.h5"):
        with h5py.File("full.h5", "r", swmr=True) as file:
            times = file["course"][:, 0]
            check(numpy.allclose(times, numpy.arange(len(times)) * 1e-3) and file.attrs["complete"] == 0,
                  "room for %d bytes: what can be read is right" % size)
check(not [name for name in os.listdir(".") if ".part" in name], "nothing unfinished is left")

# The same run writes the same bytes, whenever it is run: HDF5 keeps seconds unless told not to.
copies = []
for _ in range(2):
    ifbam("run", os.path.join(networks, "bungee.ini"), "-o", "same.h5")
    with open("same.h5", "rb") as file:
        copies.append(file.read())
    time.sleep(1.1)
check(copies[0] == copies[1], "a run made again later writes the same bytes")

# An interrupted run says so, and keeps its rows.
run = subprocess.Popen([program, "run", path, "--scheme", "verlet", "--step", "1ms", "--sample", "1s", "--duration",
                        "1000000s", "-o", "stopped.h5"], stderr=subprocess.PIPE, text=True)
while not os.path.exists("stopped.h5") and run.poll() is None:
    time.sleep(0.01)
time.sleep(0.3)
run.send_signal(signal.SIGTERM)
said = run.communicate()[1]
with h5py.File("stopped.h5") as file:
    check(file.attrs["ended"] == b"interrupted" and file.attrs["complete"] == 0 and file["course"].shape[0] > 1,
          "an interrupted run keeps its rows and says how it ended", said)

finish()
