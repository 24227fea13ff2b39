#!/usr/bin/python3
"""test-measures.py: the source tree is within the limits of tests/measures.limits, and tests/measures counts correctly

A small source tree holds a known number of each thing that is measured.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import tempfile

from expect import check, finish, root

MEASURES = os.path.join(root, "tests/measures")

C_SOURCE = """/* one two three what
 * who five
 */
typedef struct
{
  int a, *b;
  double c[2][3]; /* d, e; f */
  union
  {
    int g;
    char h;
  };
  void (*call) (int i, int j);
%s} Large;

static const char text[] = "what /* who */ nobody {";

static int
short_function (void)
{
  return '{';
}

int
long_function (int a, int (*b) (int c, int d), int e, int f, int g, int h, int i,
               int j)
{
%s}
"""
PAGE = "%s\n\n| %s |\n\n    %s\n\n```\n%s\n```\n%s\n" % (("x" * 101,) * 4 + ("y" * 100,))
EXPECTED = {
    "lines-of-C src/part": 95, "lines-of-Python tests": 3, "lines-of-JavaScript+CSS analysis": 2, "large-structs program": 1,
    "long-functions program": 1, "long-parameter-lists program": 1, "long-files program": 0, "long-files tests": 1,
    "long-page-lines all": 1, "what-per-1000-words program": 214.29, "who-per-1000-words program": 71.43, "who-per-1000-words tests": 250,
    "several-writers program": 1, "what-per-1000-words src/event": 500,
}


def write(folder, path, text):
    os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
    with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
        file.write(text)


def measures(folder, *options):
    return subprocess.run([sys.executable, MEASURES, "--root", folder, *options], capture_output=True, text=True)


def limits_of(folder):
    with open(os.path.join(folder, "tests/measures.limits"), encoding="utf-8") as file:
        rows = [line.split("#") for line in file if line.strip() and line[0] != "#"]
    return {" ".join(row[0].split()[:2]): (float(row[0].split()[2]), row[1].strip() if row[1:] else "") for row in rows}


def make_tree(folder):
    """A struct of 26 fields, a function of 61 lines with 8 parameters, a file of 601 lines, a page line of 101 characters, a
    field that two files assign."""
    write(folder, "src/part/file.c", C_SOURCE % ("  int x, y;\n" * 9 + "  int z, w;\n", "  a++;\n" * 57))
    write(folder, "analysis/report/uPlot.foreign.js", "/* who what */\n" * 700)
    write(folder, "analysis/page.js", "// four\nlet s = '// who';\n")
    write(folder, "tests/script.py", '"""whom it may"""\ns = "who"\nt = 1 # four\n')
    for name in "ab":
        write(folder, f"src/event/{name}.c", "/* what now */ self->log.failure = NULL; self->nodes.x[0] = 1; if (self->islands.list == NULL) {}\n")
    write(folder, "tests/long.c", "int i;\n" * 601)
    write(folder, "README.md", PAGE)


def test_counts(folder):
    check(measures(folder).returncode == 1, "a measure without a limit fails")
    done = measures(folder, "--raise", "a first count")
    counted = {key: value for key, (value, _) in limits_of(folder).items()}
    wrong = {key: (counted.get(key), value) for key, value in EXPECTED.items() if counted.get(key) != value}
    check(done.returncode == 0 and not wrong, "each thing is counted once, and sources of others are not", f"{wrong} {done.stderr}")
    said = measures(folder, "--list", "long-functions").stdout
    check(said == "61 src/part/file.c:35: long_function ()\n", "--list says where", said)


def test_limits(folder):
    before = limits_of(folder)
    write(folder, "src/part/more.c", "int more;\n")
    done = measures(folder)
    check(done.returncode == 1 and "lines-of-C of src/part: 96, but its limit is 95" in done.stderr,
          "a measure above its limit fails and is named", done.stderr)
    write(folder, "README.md", "short\n")
    done = measures(folder, "--update")
    after = limits_of(folder)
    lowered = {key for key in before if after[key] != before[key]}
    check(done.returncode == 1 and lowered == {"long-page-lines all"} and after["long-page-lines all"] == (0, "a first count"),
          "--update lowers limits, raises none and keeps reasons", f"{lowered} {done.stderr}")
    done = measures(folder, "--raise", "More")
    after = limits_of(folder)
    check(done.returncode == 0 and {key for key in after if after[key][1] == "More"} == {"lines-of-C src/part"},
          "--raise names the feature beside the limits that rise", done.stderr)
    check(measures(folder).returncode == 0, "a tree within its limits passes")
    check(measures(folder, "--raise", " ").returncode == 2, "--raise without a reason is refused")
    write(folder, "tests/measures.limits", "lines-of-C src/part many\n")
    done = measures(folder)
    check(done.returncode == 1 and "measures.limits:1:" in done.stderr, "a damaged limit is refused by its line", done.stderr)


def main():
    done = subprocess.run([sys.executable, MEASURES], capture_output=True, text=True)
    check(done.returncode == 0, "the source tree is within its limits", done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        make_tree(folder)
        test_counts(folder)
        test_limits(folder)
    finish()


main()
