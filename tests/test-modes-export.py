#!/usr/bin/python3
# test-modes-export.py: the matrices that `modes --export` writes, read anew and solved, against `modes`
# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import tempfile

import numpy

from expect import check, finish, ifbam, networks


def read(path):
    """A matrix in PETSc's binary format, dense."""
    data = open(path, "rb").read()
    classid, n, m, entries = numpy.frombuffer(data, ">i4", 4)
    check(classid == 1211216 and len(data) == 16 + 4 * n + 12 * entries, f"{os.path.basename(path)}: as long as it says")
    lengths = numpy.frombuffer(data, ">i4", n, 16)
    columns = numpy.frombuffer(data, ">i4", entries, 16 + 4 * n)
    values = numpy.frombuffer(data, ">f8", entries, 16 + 4 * n + 4 * entries)
    rows = numpy.repeat(numpy.arange(n), lengths)
    check(all(a != b or c < d for a, b, c, d in zip(rows, rows[1:], columns, columns[1:])),
          f"{os.path.basename(path)}: columns increase in each row")
    matrix = numpy.zeros((n, m))
    matrix[rows, columns] = values
    return matrix


def eigenvalues(M, C, K):
    """Of M s^2 + C s + K, with their shapes, as a linear problem of twice the size."""
    n = len(M)
    inverse = numpy.diag(1 / numpy.diag(M))
    big = numpy.block([[numpy.zeros((n, n)), numpy.eye(n)], [-inverse @ K, -inverse @ C]])
    s, shapes = numpy.linalg.eig(big)
    return s, shapes[:n]


def compare(name, folder, *options):
    path = os.path.join(networks, name + ".ini")
    to = os.path.join(folder, name)
    said = ifbam("modes", path, "--export", to, *options)
    check(said.returncode == 0 and "coordinates" in said.stdout, f"{name}: exported", said.stderr)
    M, C, K, Z = (read(os.path.join(to, part + ".petsc")) for part in "MCKZ")
    nodes = open(os.path.join(to, "nodes.txt"), encoding="utf-8").read().split()
    check(Z.shape == (len(nodes), len(M)), f"{name}: a row for each node")
    check(numpy.array_equal(M, numpy.diag(numpy.diag(M))), f"{name}: M is a diagonal")
    s, shapes = eigenvalues(M, C, K)
    for mode in json.loads(ifbam("modes", path, "--json", "--count", "all", *options).stdout)["modes"]:
        if mode["kind"] != "oscillating":
            continue
        wanted = -mode["decay_rate"] + 2j * numpy.pi * mode["frequency"]
        at = numpy.abs(s - wanted).argmin()
        check(abs(s[at] - wanted) < 1e-8 * abs(wanted), f"{name}: {mode['frequency']:.6g} Hz", f"{s[at]} {wanted}")
        shape = Z @ shapes[:, at]
        other = numpy.array([mode["shape"][node] for node in nodes], complex)
        if "shape_imaginary" in mode:
            other += 1j * numpy.array([mode["shape_imaginary"][node] for node in nodes])
        largest = numpy.abs(other).argmax()
        apart = numpy.abs(shape / shape[largest] - other / other[largest]).max()
        check(apart < 1e-6, f"{name}: its shape", f"{apart:.2g}")


def refuse(folder):
    three = os.path.join(networks, "three-dof.ini")
    busy = os.path.join(folder, "busy")
    open(busy, "w", encoding="utf-8").close()
    for to, word in ((busy, "busy"), (os.path.join(folder, "not", "there"), "there")):
        said = ifbam("modes", three, "--export", to)
        check(said.returncode == 1 and word in said.stderr, f"{word}: is no folder, and can't become one", said.stderr)
    for option in (("--count", "2"), ("--near", "1Hz"), ("--json",), ("--no-shapes",), ("-o", "x.png")):
        said = ifbam("modes", three, "--export", os.path.join(folder, "m"), *option)
        check(said.returncode == 2 and "--export" in said.stderr, f"--export and {option[0]}", said.stderr)
    check(not os.path.exists(os.path.join(folder, "m")), "what is refused makes no folder")
    if os.geteuid() != 0 or os.path.exists("/dev/full"):
        full = os.path.join(folder, "full")
        os.mkdir(full)
        os.symlink("/dev/full", os.path.join(full, "K.petsc"))
        said = ifbam("modes", three, "--export", full)
        check(said.returncode == 1 and "K.petsc" in said.stderr and os.listdir(full) == ["K.petsc"],
              "a full disk: the file is named, and none is there", said.stderr + str(os.listdir(full)))


with tempfile.TemporaryDirectory() as folder:
    compare("three-dof", folder)
    compare("quarter-car", folder)
    compare("torsion", folder)
    compare("double-pendulum", folder, "--start", "equilibrium")
    compare("half-car", folder, "--start", "equilibrium")
    compare("gear-train", folder)
    refuse(folder)
finish()
