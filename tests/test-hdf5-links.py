#!/usr/bin/python3
# test-hdf5-links.py: HDF5 files with values in other files are neither read nor appended to
# SPDX-License-Identifier: GPL-3.0-or-later
import hashlib
import os
import shutil
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
    print("ok - links in files # skip without h5py")
    sys.exit(0)

work = tempfile.TemporaryDirectory()
os.chdir(work.name)
two = os.path.join(networks, "two-dof.ini")
ball = os.path.join(networks, "bungee.ini")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def seal(path):
    """Sets the checksum of a sealed file right again."""
    whole = read(path)
    if b"SHA-256 is " not in whole[:512]:
        return
    head = whole[:whole.index(b"SHA-256 is ") + 11] + hashlib.sha256(whole[512:]).hexdigest().encode() + b"\n"
    with open(path, "wb") as file:
        file.write(head.ljust(512, b"\0") + whole[512:])


def soft(file, name):
    file.move(name, "elsewhere")
    file[name] = h5py.SoftLink("/elsewhere")


def external(file, name):
    del file[name]
    file[name] = h5py.ExternalLink("victim.h5", name)


def storage(file, name):
    """Values in a file of their own, as numbers or bytes."""
    values = file[name][...]
    attributes = dict(file[name].attrs)
    with open("victim.bin", "wb") as raw:
        raw.write(values.tobytes())
    del file[name]
    made = file.create_dataset(name, values.shape, values.dtype, external=[("victim.bin", 0, values.nbytes)])
    made.attrs.update(attributes)


def virtual(file, name):
    values = file[name]
    layout = h5py.VirtualLayout(values.shape, values.dtype)
    layout[...] = h5py.VirtualSource("victim.h5", name, values.shape, values.dtype)
    attributes = dict(values.attrs)
    del file[name]
    file.create_virtual_dataset(name, layout)
    file[name].attrs.update(attributes)


ways = ((soft, "soft or external link"), (external, "soft or external link"), (storage, "external storage"), (virtual, "virtual dataset"))


def refused(what, path, name, words, kinds=ways, spoilt=None):
    """A command refuses each file in which an object stands elsewhere, and writes nothing."""
    victim = read(path)
    for way, reason in kinds:
        if name == "links" and way in (storage, virtual):
            continue
        with open("victim.h5", "wb") as file:
            file.write(victim)
        with h5py.File(path, "r+", libver="v110") as file:
            way(file, name)
        seal(path)
        before = read(path)
        said = ifbam(*words)
        check(said.returncode in (1, 2) and reason in said.stderr, "%s: \"%s\" has %s: refused" % (what, name, reason), said.stderr)
        check(read("victim.h5") == victim and (spoilt or read(path) == before), "%s: nothing is written" % what)
        with open(path, "wb") as file:
            file.write(victim)


ifbam("run", ball, "-o", "result.h5", "--duration", "3s")
refused("a result", "result.h5", "course", ("plot", "course", "result.h5"))
refused("a result", "result.h5", "events", ("plot", "course", "result.h5"), ways[:2])
ifbam("run", two, "-o", "end.csv", "--duration", "1s", "--final", "end.h5")
refused("a state", "end.h5", "state/node.position", ("run", two, "--initial", "end.h5", "-o", "a.csv"))
refused("a state", "end.h5", "untold", ("run", two, "--initial", "end.h5", "-o", "a.csv"), ways[:2])
check(not os.path.exists("a.csv"), "and nothing is run")
sweep = ("sweep", two, "--vary", "k1.stiffness=1kN/m,2kN/m", "--measure", "max:m2.position", "-o", "grid.h5")
ifbam(*sweep)
refused("a grid", "grid.h5", "max:m2.position", ("plot", "sweep", "grid.h5"))
ifbam("export", os.path.join(networks, "chain.ini"), "--columns", "-o", "columns.h5")
with open("columns.ini", "w", encoding="utf-8") as text:
    text.write("[network]\nstep = 1 ms\nduration = 1 s\n[ground left]\n[ground right]\n[columns c]\nfile = columns.h5\nouter = left, right\n")
right = ifbam("check", "columns.ini")
check(right.returncode == 0, "columns are read", right.stderr)
for name in "nodes/mass", "links/left", "links/stiffness", "links":
    refused("columns", "columns.h5", name, ("check", "columns.ini"))
with open("measured.ini", "w", encoding="utf-8") as text:
    text.write("[network]\nstep = 1 ms\nduration = 1 s\n[drive d]\ncourse = course.h5:m1.position\n[spring k]\nstiffness = 1 N/m\nbetween = d, m\n[mass m]\nmass = 1 kg\n")
ifbam("run", two, "-o", "course.h5", "--duration", "1s")
right = ifbam("check", "measured.ini")
check(right.returncode == 0, "a measured course is read", right.stderr)
refused("a measured course", "course.h5", "course", ("check", "measured.ini"))

# A run that goes on appends to its own result only.
options = ("run", two, "--duration", "1000s", "--sample", "100ms", "-o", "out.h5")
run = subprocess.Popen([program, *options, "--checkpoint", "c.h5,2000"], stderr=subprocess.DEVNULL)
while not os.path.exists("c.h5") and run.poll() is None:
    time.sleep(0.01)
run.send_signal(signal.SIGINT)
run.wait()
shutil.copy("c.h5", "kept.h5")
resume = (*options, "--resume", "c.h5")
refused("an interrupted run", "out.h5", "course", resume, ways[:2], spoilt=True)
shutil.copy("out.h5", "own.h5")
ifbam("run", ball, "-o", "out.h5", "--duration", "3s")
others = read("out.h5")
said = ifbam(*resume)
check(said.returncode == 2 and "out.h5: is of another network" in said.stderr and read("kept.h5") == read("c.h5"),
      "another network's result is not appended to", said.stderr)
check(read("out.h5") == others, "which stays as it was")
shutil.copy("own.h5", "out.h5")
said = ifbam(*resume)
check(said.returncode == 0, "its own result is continued", said.stderr)

# A few bytes may announce any number of values.
for path, name, words in (("end.h5", "state/head", ("run", two, "--initial", "end.h5", "-o", "a.csv")),
                          ("columns.h5", "nodes/mass", ("check", "columns.ini")),
                          ("grid.h5", "k1.stiffness", ("plot", "sweep", "grid.h5")),
                          ("result.h5", "events", ("rerun", "result.h5")),
                          ("end.h5", "untold", ("run", two, "--initial", "end.h5", "-o", "a.csv"))):
    whole = read(path)
    with h5py.File(path, "r+", libver="v110") as file:
        attributes, kind = dict(file[name].attrs), file[name].dtype
        del file[name]
        file.create_dataset(name, (1 << 45,), kind, chunks=(1 << 16,))
        file[name].attrs.update(attributes)
    seal(path)
    said = ifbam(*words)
    check(said.returncode == 1 and "of memory" in said.stderr, "%s: 2^45 values in \"%s\" are refused" % (path, name), said.stderr)
    with open(path, "wb") as file:
        file.write(whole)
finish()
