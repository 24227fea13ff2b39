#!/usr/bin/python3
# test-rooms.py: includes name the room, no arrow runs back, no circle of files inside a room
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A file may include what stands in its own room and in those before it. FILE.c and FILE.h are one
# file; an arrow also runs to whoever defines a symbol that a file's object asks for, so that a header
# shared by several files hides no circle.
import collections
import glob
import os
import re
import subprocess
import sys

ROOMS = [
    "base", "scheme", "element", "elements", "model", "engine", "event", "core", "fmu", "dialogue", "system", "store", "run", "ranks",
    "motion", "network", "spectrum", "modes", "sweep", "figure", "report", "lab", "export", "library", "program",
]
FOLDERS = {"elements": "elements"}
FOLDERS.update({room: "analysis/" + room for room in ("spectrum", "modes", "sweep", "figure", "report", "lab")})


# What stands at the top; nothing that a tool left there is taken into the history.
TOP = {
    ".ci", ".clang-format", ".editorconfig", ".eslintrc.json", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
    "Makefile", "README.md", "analysis", "debian", "elements", "networks", "src", "tests",
}


def kept_at_the_top():
    """What git keeps there; nothing where this is no checkout."""
    try:
        said = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {path.split("/")[0] for path in said.splitlines()}


def folder_of(room):
    return FOLDERS.get(room, "src/" + room)


def unit(path):
    return re.sub(r"\.(c|h|def)$", "", path)


def room_of(path):
    for room in ROOMS:
        if path.startswith(folder_of(room) + "/"):
            return room
    return None


def find_includes(files, faults):
    """(unit, unit) -> why"""
    arrows = {}
    for path in files:
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match is None or match[1] in ("report-resource.h", "lab-resource.h", "fmu-resource.h", "c-resource.h"):
                continue
            room, slash, name = match[1].partition("/")
            if not slash or room not in ROOMS:
                faults.append(f'{path}:{number}: "{match[1]}" names no room')
                continue
            target = folder_of(room) + "/" + name
            if target not in files:
                faults.append(f'{path}:{number}: there is no {target}')
            elif unit(target) != unit(path):
                arrows.setdefault((unit(path), unit(target)), f"{path}:{number}")
    return arrows


def find_symbols(files, build):
    """The same by the symbols of the objects."""
    owner, wanted, arrows = {}, [], {}
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
    for asker, name in wanted:
        if name in owner and owner[name] != asker:
            arrows.setdefault((asker, owner[name]), name)
    return arrows


def find_circles(arrows, members):
    """Strongly connected groups of more than one (Tarjan 1972)."""
    after = collections.defaultdict(list)
    for a, b in arrows:
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
    faults, back, circles = [], [], []
    stray = [path for path in glob.glob("src/*") + glob.glob("analysis/*")
             if os.path.isfile(path) and not path.endswith(".md")]
    faults += [f"{path} stands in no room" for path in stray]
    faults += [f"{path} stands at the top, where nothing of the kind should be" for path in sorted(kept_at_the_top() - TOP)]
    faults += [f"{path} stands in no room that is known" for path in sorted(files) if room_of(path) is None]
    arrows = find_includes(files, faults)
    symbols = find_symbols(files, build)
    for (a, b), why in sorted({**symbols, **arrows}.items()):
        if ROOMS.index(room_of(a + ".")) < ROOMS.index(room_of(b + ".")):
            back.append(f"{a} -> {b} ({why})")
    every = {**arrows, **symbols}
    for room in ROOMS:
        members = {unit(path) for path in files if room_of(path) == room}
        circles += [f"{room}: " + ", ".join(os.path.basename(m) for m in circle)
                    for circle in find_circles(every, members)]

    status = 0
    for what, list_ in (("every file stands in a room, every include names one", faults),
                        ("no arrow runs back", back), ("no circle of files inside a room", circles)):
        print(f"{'not ok' if list_ else 'ok'} - {what}")
        for line in list_:
            print("# " + line)
        status |= bool(list_)
    if not symbols:
        print("# (no objects in " + build + ": by includes alone)")
    return status


if __name__ == "__main__":
    sys.exit(main())
