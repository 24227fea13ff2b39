#!/usr/bin/python3
# test-columns.py: networks with HDF5 columns: rows equal to those of texts, and errors
# SPDX-License-Identifier: GPL-3.0-or-later
import hashlib
import json
import os
import re
import sys
import tempfile
import time

from expect import by_effort, check, finish, ifbam, networks

try:
    import h5py
    import numpy
except ImportError:
    print("ok - columns # skip without h5py")
    sys.exit(0)

work = tempfile.TemporaryDirectory()
os.chdir(work.name)
nan = numpy.nan


def write(path, **columns):
    with h5py.File(path, "w") as file:
        for name, values in columns.items():
            if values is not None:
                file[name.replace("__", "/")] = values


def text(path, settings, groups):
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\nstep = 1 ms\nduration = 50 ms\n%s\n%s" % (settings, groups))


def rows(path, *options):
    ran = ifbam("run", path, "-o", "-", *options)
    check(ran.returncode == 0, path + " runs", ran.stderr)
    return ran.stdout.split("\n")[1:]


# As a chain: masses and springs, then dampers beside them.
count = 1000
i, k = numpy.arange(count), numpy.arange(count + 1)
chain = dict(nodes__mass=numpy.array([1.0, 2.0])[i % 2], nodes__position=numpy.array([1e-3, 0, -1e-3])[i % 3],
             links__left=numpy.where(k == 0, count, k - 1), links__right=numpy.where(k == count, count + 1, k),
             links__stiffness=numpy.array([10e3, 30e3, 20e3])[k % 3])
ends = "[ground a]\n[ground b]\n"
in_columns = ends + "[columns c]\nfile = net.h5\nouter = a, b\n[gravity g]\non = c\n"
in_words = ends + ("[chain c]\ncount = %d\nmass = 1, 2\nposition = 1 mm, 0, -1 mm\nstiffness = 10 kN/m, 30 kN/m, 20 kN/m\nfrom = a\nto = b\n%%s"
                   "[gravity g]\non = c\n" % count)
record = "record = c.m[1:1000:37].position, c.m500.velocity, c.k501.force, network.energy"
for what, more in (("a chain", {}), ("a damped one", dict(links__damping=numpy.array([3.0, 1.0])[k % 2]))):
    write("net.h5", **chain, **more)
    extra = ", c.d7.force, network.dissipated" if more else ""
    text("net.ini", record + extra, in_columns)
    text("chain.ini", record + extra, in_words % ("damping = 3, 1\n" if more else ""))
    for scheme in ("averaged", "verlet", "implicit-euler"):
        check(rows("net.ini", "--scheme", scheme) == rows("chain.ini", "--scheme", scheme), what + " has its rows, to the bit: " + scheme)

# Springs and dampers in an order of no kind, some of them both, to nodes of the text; doubles and numbers of any width.
numbers = numpy.random.default_rng(15)
n, m = 40, 120
left = numbers.integers(0, n + 2, m).astype("u8")
right = ((left + 1 + numbers.integers(0, n, m)) % (n + 2)).astype("i2")
kind = numbers.integers(0, 3, m)
stiffness = numpy.where(kind != 1, numbers.uniform(1e3, 1e4, m), nan)
cubic = numpy.where(kind != 1, numpy.where(numbers.integers(0, 2, m) == 1, 1e6, 0), nan)
damping = numpy.where(kind != 0, numbers.uniform(1, 5, m), nan)
mass, velocity = numbers.uniform(1, 2, n), numbers.uniform(-1, 1, n).astype("f4")
write("net.h5", nodes__mass=mass, nodes__velocity=velocity, links__left=left, links__right=right, links__stiffness=stiffness,
      links__cubic=cubic, links__damping=damping)
outer = "[ground w]\n[mass x]\nmass = 3\n"
text("net.ini", "record = c.m*.position, x.position", outer + "[columns c]\nfile = net.h5\nouter = w, x\n[spring last]\nstiffness = 5 kN/m\nbetween = c.m7, x\n")
names = ["m%d" % (j + 1) for j in range(n)] + ["w", "x"]
groups = [outer] + ["[mass m%d]\nmass = %r\nvelocity = %r\n" % (j + 1, float(mass[j]), float(velocity[j])) for j in range(n)]
for j in range(m):
    between = "between = %s, %s\n" % (names[left[j]], names[right[j]])
    if kind[j] != 1:
        groups.append("[spring k%d]\nstiffness = %r\ncubic = %r\n%s" % (j + 1, float(stiffness[j]), float(cubic[j]), between))
    if kind[j] != 0:
        groups.append("[damper d%d]\ndamping = %r\n%s" % (j + 1, float(damping[j]), between))
groups.append("[spring last]\nstiffness = 5 kN/m\nbetween = m7, x\n")
text("words.ini", "record = m*.position, x.position", "".join(groups))
check(rows("net.ini") == rows("words.ini"), "a network in no order has the rows of its text, to the bit")
first = int(numpy.flatnonzero(kind == 1)[3]) + 1
check(rows("net.ini", "--record", "c.d%d.force" % first) == rows("words.ini", "--record", "d%d.force" % first), "a link is known by its row")
listed = ifbam("run", "net.ini", "--record", "c.k%d.force" % first, "-o", "-")
check(listed.returncode != 0 and 'no element "k%d"' % first in listed.stderr, "a row that is no spring has none", listed.stderr)

# A changed file is read again.
with h5py.File("net.h5", "a") as file:
    file["nodes/mass"][0] = 7.0
check(rows("net.ini") != rows("words.ini"), "a file that was written since is read anew")

# A checkpoint is of the numbers that made it.
text("net.ini", "record = c.m7.position", outer + "[columns c]\nfile = net.h5\nouter = w, x\n")
words = ("run", "net.ini", "-o", "kept.csv", "--resume", "kept.h5", "--manifest", "kept.json")
check(ifbam(*words).returncode == 0 and ifbam(*words).returncode == 0, "a run of columns is gone on from")
with open("kept.json", encoding="utf-8") as kept, open("net.h5", "rb") as file:
    check(json.load(kept)["columns"] == hashlib.sha256(file.read()).hexdigest() + "  net.h5\n", "its manifest has the file's checksum")
with h5py.File("net.h5", "a") as file:
    file["nodes/mass"][1] = 8.0
said = ifbam(*words)
check(said.returncode == 2 and "a file of columns that it names has changed" in said.stderr, "and not where a file of columns has changed", said.stderr)

# So is that of a sweep.
words = ("sweep", "net.ini", "--vary", "x.mass=1kg,2kg", "--measure", "max:c.m7.position", "-o", "swept.csv", "--checkpoint", "swept.h5", "--resume", "swept.h5")
check(ifbam(*words).returncode == 0 and ifbam(*words).returncode == 0, "a sweep of columns is gone on from")
with h5py.File("net.h5", "a") as file:
    file["nodes/mass"][1] = 9.0
said = ifbam(*words)
check(said.returncode == 2 and "a file of columns that it names has changed" in said.stderr, "and not where a file of columns has changed", said.stderr)


# All that is wrong, at once.
def refused(what, said, outer="outer = a, b\n", **columns):
    write("bad.h5", **columns)
    text("bad.ini", "record = c.m1.position", ends + "[columns c]\nfile = bad.h5\n" + outer)
    ran = ifbam("check", "bad.ini")
    check(ran.returncode == 1 and ran.stdout == "" and all("bad.ini:8: [columns c] file: ./bad.h5: " + one in ran.stderr for one in said)
          and ran.stderr.count("\n") == len(said), what, ran.stderr)


small = dict(nodes__mass=[1.0, 2.0, 3.0], links__left=[3, 0, 1], links__right=[0, 1, 2], links__stiffness=[1e3, 2e3, 3e3])
refused("datasets that lack", ['there is no dataset "nodes/mass"'], **{**small, "nodes__mass": None})
refused("ends that lack", ['there is no dataset "links/right" (want the number of a node for each link)'], **{**small, "links__right": None})
refused("lengths", ['"links/stiffness" has 2 rows, "links/left" 3 (want as many)', '"nodes/velocity" has 4 rows, "nodes/mass" 3 (want as many)'],
        **{**small, "links__stiffness": [1.0, 2.0], "nodes__velocity": [0.0] * 4})
refused("nodes out of range", ['links/left[0] is 5 (want 0 to 2 for masses, up to 4 for nodes named by "outer")', "links/right[2] is -1 (want 0 to 2"],
        **{**small, "links__left": [5, 0, 1], "links__right": [0, 1, -1]})
refused("nodes that the key would name", ['links/left[0] is 3 (want 0 to 2; other nodes are named by the key "outer")'], outer="", **small)
refused("values out of range", ["nodes/mass[1] must be above 0, not 0", "links/stiffness[0] -1 is below the least, 0 (a [characteristic] may have a negative slope)", "nodes/position[2] is no number"],
        **{**small, "nodes__mass": [1.0, 0.0, 1.0], "links__stiffness": [-1.0, 1.0, 1.0], "nodes__position": [0, 0, nan]})
refused("links that are nothing", ['links[1] has no number for "stiffness" or "damping"', "links[2] has node 1 at both ends",
                                   "links/cubic[1] is a number, and its link has no stiffness"],
        **{**small, "links__stiffness": [1.0, nan, 1.0], "links__cubic": [0.0, 1.0, 0.0], "links__right": [0, 1, 1]})
refused("columns that are none", ['"links/stifness" is no column (there are left, right, stiffness, quadratic, cubic, damping)',
                                  '"nodes/weight" is no column (there are mass, position, velocity)'],
        **{**small, "links__stifness": [1.0], "nodes__weight": [1.0]})
refused("shapes and types", ['"nodes/mass" has not one dimension', '"links/left" is not of whole numbers', '"links/stiffness" is not of numbers'],
        **{**small, "nodes__mass": [[1.0], [2.0]], "links__left": [0.0, 1.0, 1.0], "links__stiffness": ["a", "b", "c"]})
refused("no rows", ['"nodes/mass" has no rows (want a mass at least)'], nodes__mass=numpy.zeros(0))
refused("a group of a dataset's name", ['"nodes/mass" is no dataset'], nodes__mass__more=[1.0])
with h5py.File("bad.h5", "w") as file:
    for name in ("mass", "position"):  # no memory is used before
        file.create_dataset("nodes/" + name, (10**15,), "f8", chunks=(1000,))
said = ifbam("check", "bad.ini").stderr
check(re.search(r'bad.ini:8: \[columns c\] file: ./bad.h5: "nodes/mass" has 1000000000000000 rows, which need .* of memory', said),
      "more rows than there is memory for", said)
with h5py.File("bad.h5", "w") as file:
    file["nodes/mass"] = [1.0, 2.0]
    file.create_dataset("nodes/position", (2,), "f8", external=[("gone.raw", 0, 16)])
said = ifbam("check", "bad.ini").stderr
check("bad.ini:8: [columns c] file: ./bad.h5: can't be read: \"position\" has external storage" in said and said.count("\n") == 1,
      "values in a file of their own", said)
many = numpy.full(1000, -1.0)
refused("many rows: three of them, and how many more", ["nodes/mass[0] must", "nodes/mass[1] must", "nodes/mass[2] must", "nodes/mass: and 997 rows more"],
        nodes__mass=many)
with open("bad.h5", "w", encoding="utf-8") as file:
    file.write("no HDF5")
said = ifbam("check", "bad.ini").stderr
check("bad.ini:8: [columns c] file: ./bad.h5: is no file in HDF5" in said, "a file of another kind", said)

# Exported networks have equal rows: masses, springs and dampers, chains, with all references to them.
for name in by_effort(("damped", "mathieu"), ("two-dof", "chain", "damped", "duffing", "mathieu", "isolator", "cruise", "friction-stop", "buffer"),
                      ("two-dof", "chain", "chain-1000", "damped", "duffing", "mathieu", "isolator", "cruise", "friction-stop", "buffer", "cradle", "frame")):
    path = os.path.join(networks, name + ".ini")
    said = ifbam("export", path, "--columns", "-o", "out.h5")
    check(said.returncode == 0 and said.stderr == "" and "[columns " in open("out.ini", encoding="utf-8").read()
          and "[mass" not in open("out.ini", encoding="utf-8").read(), name + " goes to columns", said.stderr)
    check(rows("out.ini") == rows(path), name + ": the rows of its text, to the bit")
check(not ifbam("export", os.path.join(networks, "chain.ini"), "--columns").stderr and os.path.exists("chain-columns.ini"), "files of its name, but of no other's")
write("net.h5", **chain)
text("net.ini", record, in_columns)
check(ifbam("export", "net.ini", "--columns", "-o", "again.h5").returncode == 0 and rows("again.ini") == rows("net.ini"), "columns go to columns")
with h5py.File("again.h5") as file:
    check(all(numpy.array_equal(file[key.replace("__", "/")][:], values) for key, values in chain.items()), "the same ones")
text("two.ini", "record = p.m1.position", "[ground w]\n" + "".join("[chain %s]\ncount = 1500\nmass = 1\nstiffness = 1e4\nfrom = w\n" % c for c in "pq") + "[gravity g]\non = q\n")
said = ifbam("export", "two.ini", "--columns", "-o", "out.h5")
check(said.returncode == 1 and '[gravity g] names "q", of which 1500 masses are to be among those of others' in said.stderr, "what names a part of many", said.stderr)
said = ifbam("export", "two.ini", "--columns", "-o", "out.h5", "--set", "q.count=3")
check(said.returncode == 0 and rows("out.ini", "--record", "c.m1501.position") == rows("two.ini", "--set", "q.count=3", "--record", "q.m1.position"),
      "what names a part of few", said.stderr)
for words, wanted in ((["--columns", "--c"], "want one of them"), (["--columns", "-o", "-"], "writes two files"), (["--columns", "-o", "two.h5"], "two.ini: this file is read")):
    said = ifbam("export", "two.ini", *words)
    check(said.returncode == 2 and wanted in said.stderr, "export " + " ".join(words), said.stderr)
said = ifbam("export", os.path.join(networks, "bridge.ini"), "--columns", "-o", "none.h5")
check(said.returncode == 2 and "there is no mass" in said.stderr and not os.path.exists("none.h5"), "nothing that could go", said.stderr)
said = ifbam("export", os.path.join(networks, "tomlinson.ini"), "--columns", "-o", "out.h5")
check(said.returncode == 0 and "summed in another order" in said.stderr, "what stands between is told", said.stderr)

# An error without access to files.
text("net.ini", record, in_columns)
said = ifbam("export", "net.ini", "--fmu", "-o", "a.fmu")
check(said.returncode == 2 and 'the values of "c" are in a file' in said.stderr and not os.path.exists("a.fmu"), "an FMU has no columns", said.stderr)
said = ifbam("lab", "net.ini", "-o", "a.html")
check(said.returncode == 1 and 'the values of "c" are in a file' in said.stderr and not os.path.exists("a.html"), "a page has none", said.stderr)

# A million.
count = 1000000
i, k = numpy.arange(count), numpy.arange(count)
write("net.h5", nodes__mass=numpy.ones(count), links__left=numpy.where(k == 0, count, k - 1), links__right=k, links__stiffness=numpy.full(count, 1e4))
text("net.ini", "record = c.m1000000.position", "[ground a]\n[columns c]\nfile = net.h5\nouter = a\n")
began = time.time()
said = ifbam("check", "net.ini")
print("# a million masses and springs in columns: read and checked in %.2f s" % (time.time() - began))
check("1000000 free, 1 given" in said.stdout, "a million are read", said.stderr)
finish()
