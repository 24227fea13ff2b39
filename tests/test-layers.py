#!/usr/bin/python3
"""test-layers.py: includes name their directory, keep to its public header, run with the layers, and form no cycle

A file may depend on its own directory and on those before it in LAYERS. FILE.c and FILE.h count as one file. A file depends
on those that it includes, and on those that define a symbol that its object needs, so that a header which several files
share hides no cycle. src/port has no layer: it stands for GLib and a C library.

The public header of a directory is the one in DOORS. Files of other directories include it, an installed header (ifbam-*.h),
a freestanding one (its first line says so), and nothing else. Each header of base is public.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import glob
import os
import re
import subprocess
import sys

LAYERS = [
    "base", "constraint", "element", "elements", "model", "engine", "event", "dialogue", "file", "linear", "run",
    "spectrum", "sweep", "orbit", "lesson", "figure", "report", "lab", "embed", "program",
]
FOLDERS = {"elements": "elements"}
FOLDERS.update({layer: "analysis/" + layer for layer in ("spectrum", "sweep", "orbit", "lesson", "figure", "report", "lab")})
DOORS = {layer: (layer + ".h",) for layer in LAYERS if layer not in ("base", "program")}
DOORS["elements"] = ("registry.h",)
DOORS["file"] = ("file.h", "reader.h")
DOORS["embed"] = ("embed.h", "core.h", "ifbam.h")
GENERATED = ("report-resource.h", "lab-resource.h", "fmu-resource.h", "c-resource.h")

# The entries of the top folder; the history takes nothing else.
TOP = {
    ".ci", ".clang-format", ".editorconfig", ".eslintrc.json", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
    "Makefile", "README.md", "analysis", "debian", "elements", "networks", "src", "tests",
}


def kept_at_the_top():
    """The entries of the top folder that git tracks; none where this is no checkout."""
    try:
        said = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {path.split("/")[0] for path in said.splitlines()}


def folder_of(layer):
    return FOLDERS.get(layer, "src/" + layer)


def unit(path):
    return re.sub(r"\.(c|h|def)$", "", path)


def layer_of(path):
    for layer in LAYERS:
        if path.startswith(folder_of(layer) + "/"):
            return layer
    return None


def is_public(layer, name):
    """Whether other directories may include a header."""
    if layer == "base" or name in DOORS.get(layer, ()) or name.startswith("ifbam-"):
        return True
    return "freestanding C" in open(folder_of(layer) + "/" + name, encoding="utf-8").readline()


def find_includes(files, faults, private):
    """Returns {(file, file): the line that includes}, both without suffix."""
    dependencies = {}
    for path in files:
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match is None or match[1] in GENERATED:
                continue
            layer, slash, name = match[1].partition("/")
            if not slash or layer not in LAYERS:
                faults.append(f'{path}:{number}: "{match[1]}" names no directory of LAYERS')
                continue
            target = folder_of(layer) + "/" + name
            if target not in files:
                faults.append(f'{path}:{number}: there is no {target}')
                continue
            if layer != layer_of(path) and not is_public(layer, name):
                private.append(f'{path}:{number}: "{match[1]}" is private ({DOORS.get(layer, ("nothing",))[0]} is public)')
            if unit(target) != unit(path):
                dependencies.setdefault((unit(path), unit(target)), f"{path}:{number}")
    return dependencies


def find_symbols(files, build):
    """Returns {(file, file): a symbol that the first needs and the second defines}."""
    owner, wanted, dependencies = {}, [], {}
    for path in files:
        compiled = os.path.join(build, "obj", unit(path) + ".o")
        if not path.endswith(".c") or not os.path.exists(compiled):
            continue
        said = subprocess.run(["nm", "-g", "-P", compiled], capture_output=True, text=True, check=True)
        for line in said.stdout.splitlines():
            name, kind = line.split()[:2]
            if kind == "U":
                wanted.append((unit(path), name))
            else:
                owner[name] = unit(path)
    for user, name in wanted:
        if name in owner and owner[name] != user:
            dependencies.setdefault((user, owner[name]), name)
    return dependencies


def find_cycles(dependencies, members):
    """Returns the strongly connected components of more than one file (Tarjan 1972)."""
    after = collections.defaultdict(list)
    for a, b in dependencies:
        if a in members and b in members:
            after[a].append(b)
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in after[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            group = []
            while not group or group[-1] != v:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for v in sorted(members):
        if v not in index:
            visit(v)
    return found


def main():
    build = os.environ.get("BUILD", "build")
    files = set(glob.glob("src/*/*.[ch]") + glob.glob("analysis/*/*.[ch]") + glob.glob("elements/*.[ch]")
                + glob.glob("elements/*.def"))
    faults, private, against, cycles = [], [], [], []
    stray = [path for path in glob.glob("src/*") + glob.glob("analysis/*")
             if os.path.isfile(path) and not path.endswith(".md")]
    faults += [f"{path} is in no directory" for path in stray]
    faults += [f"{path} is not among the entries of the top folder" for path in sorted(kept_at_the_top() - TOP)]
    faults += [f"{path} is in a directory that LAYERS lacks" for path in sorted(files)
               if layer_of(path) is None and not path.startswith("src/port/")]
    files = {path for path in files if not path.startswith("src/port/")}
    includes = find_includes(files, faults, private)
    symbols = find_symbols(files, build)
    for (a, b), why in sorted({**symbols, **includes}.items()):
        if LAYERS.index(layer_of(a + ".")) < LAYERS.index(layer_of(b + ".")):
            against.append(f"{a} -> {b} ({why})")
    every = {**includes, **symbols}
    for layer in LAYERS:
        members = {unit(path) for path in files if layer_of(path) == layer}
        cycles += [f"{layer}: " + ", ".join(os.path.basename(m) for m in cycle) for cycle in find_cycles(every, members)]

    status = 0
    for what, found in (("every file is in a directory, every include names one", faults),
                        ("other directories include public headers only", private),
                        ("no dependency runs against the layers", against), ("no cycle within a directory", cycles)):
        print(f"{'not ok' if found else 'ok'} - {what}")
        for line in found:
            print("# " + line)
        status |= bool(found)
    if not symbols:
        print("# (no objects in " + build + ": by includes alone)")
    return status


if __name__ == "__main__":
    sys.exit(main())
