#!/usr/bin/python3
"""scipy-modes.py: ARPACK as SciPy calls it, on the matrices of a network, for cases-modes.c

scipy-modes.py MATRICES COUNT SIGMA: for every line on standard input solves once, and prints the seconds
that it took; at the end of the input prints the eigenvalues, one a line.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import time

import numpy
import scipy.sparse
import scipy.sparse.linalg

path, count, sigma = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
with open(path, "rb") as file:
    n, entries = numpy.fromfile(file, numpy.int64, 2)
    start = numpy.fromfile(file, numpy.int32, n + 1)
    row = numpy.fromfile(file, numpy.int32, entries)
    value = numpy.fromfile(file, numpy.float64, entries)
    inertia = numpy.fromfile(file, numpy.float64, n)
stiffness = scipy.sparse.csc_matrix((value, row, start), shape=(n, n))
mass = scipy.sparse.diags(inertia, format="csc")

found = []
for line in sys.stdin:
    before = time.perf_counter()
    found, shapes = scipy.sparse.linalg.eigsh(stiffness, count, mass, sigma=sigma, tol=1e-10)
    print(f"{time.perf_counter() - before:.9g}", flush=True)
for number in numpy.sort(found):
    print(f"{number:.17g}")
