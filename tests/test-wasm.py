#!/usr/bin/python3
# test-wasm.py: build/core.wasm against `ifbam run`, to the last bit; it leaks no memory
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   BUILD=build tests/test-wasm.py         cases of test-matrix, each MATRIX_PART-th network (10; 1: all)
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

build = os.environ.get("BUILD", "build")
core = os.path.join(build, "core.wasm")
part = os.environ.get("MATRIX_PART", "1" if os.environ.get("TEST_EFFORT") == "full" else "10")
node = shutil.which("node") or shutil.which("nodejs")
MOST = 246e3  # bytes, as it is sent

if node is None or not os.path.exists(core + ".gz"):
    print("ok - wasm # skip no %s" % ("node" if node is None else core))
    sys.exit(0)

packed = open(core + ".gz", "rb").read()
whole = gzip.decompress(packed) == open(core, "rb").read()
print("%s - wasm is small: %.1f kB, packed" % ("ok" if whole and len(packed) <= MOST else "not ok", 1e-3 * len(packed)),
      flush=True)
folder = tempfile.mkdtemp(prefix="ifbam-wasm-")
try:
    kept = subprocess.run(
        [os.path.join(build, "tests/test-matrix"), "core"], env=dict(os.environ, MATRIX_KEPT=folder, MATRIX_PART=part),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if kept.returncode != 0:
        print("not ok - wasm: test-matrix keeps rows and events of its cases\n" + kept.stdout.decode())
    told = subprocess.run([node, "tests/wasm.mjs", core, folder], check=False)
    if told.returncode != 0:
        print("not ok - wasm: node ends with %d" % told.returncode)
finally:
    shutil.rmtree(folder)
