#!/usr/bin/python3
# test-elements.py: the keys of each class as text, as JSON, and in tests/elements.keys
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   UPDATE=1 tests/test-elements.py      writes elements.keys anew: changes there are changes for users (a new class may be added later)
#
# A line for each key: class, key, unit, range (or number of names), default. Only this test has the limits of all ranges.
import json
import os
import re

from expect import check, finish, ifbam, root

MOST = 1.7976931348623157e308
kept = os.path.join(root, "tests", "elements.keys")


def read_text(name):
    """{key: (unit, range, default)}, of the table in `ifbam elements NAME`."""
    lines = ifbam("elements", name).stdout.split("\n")
    first = next((i for i, line in enumerate(lines) if line.startswith("  key ")), None)
    if first is None:
        return {}
    starts = [lines[first].index(word) for word in ("key", "unit", "range", "default", "meaning")]
    table = {}
    for line in lines[first + 1:]:
        if not line.strip():
            break
        # Letters of a unit may take two bytes, and a column be wider than its head.
        cells = [line[a:b].strip() for a, b in zip(starts, starts[1:])]
        table[cells[0]] = tuple(cells[1:])
    return table


def number_of(text):
    return float(re.findall(r"-?[\d.]+(?:e[-+]?\d+)?", text)[0])


def agrees(key, range_text, default):
    """Whether the words of the text are the numbers of the JSON."""
    least, most, standard = key["minimum"], key["maximum"], key["default"]
    if isinstance(standard, str):
        return default == standard and standard in range_text.split(", ")
    if key["required"] != (default == "required"):
        return False
    if range_text == "any":
        fine = least == -MOST and most == MOST
    elif range_text == "above 0":
        fine = 0 < least < 1e-300 and most == MOST
    elif range_text.endswith(" or more"):
        fine = least == number_of(range_text) and most == MOST
    elif " to " in range_text:
        fine = [least, most] == [number_of(part) for part in range_text.split(" to ")]
    else:
        return True
    if default in ("", "required", "none"):
        return fine and (standard is None or default == "none")
    return fine and (abs(standard) == MOST if default == "always" else standard == number_of(default))


told = json.loads(ifbam("elements", "--json").stdout)["elements"]
names = [line.split()[0] for line in ifbam("elements").stdout.split("\n") if re.match(r"[a-z-]+ ", line)]
check(names and names == [element["class"] for element in told][:len(names)], "classes stand in the same order in the text as in the JSON",
      "%s\n%s" % (names, [element["class"] for element in told]))
lines, faults = [], []
for element in told:
    table, name = read_text(element["class"]), element["class"]
    alone = json.loads(ifbam("elements", name, "--json").stdout)
    if alone != element:
        faults.append("%s: its own JSON is not that in the list" % name)
    if set(table) != {key["key"] for key in element["keys"]}:
        faults.append("%s: text has %s" % (name, sorted(table)))
    for key in element["keys"]:
        unit, range_text, default = table.get(key["key"], ("", "", ""))
        if not agrees(key, range_text, default):
            faults.append("%s.%s: \"%s\", \"%s\" and %s" % (name, key["key"], range_text, default, key))
        if "most names" in key:
            range_text = "%d to %s names" % (key["fewest names"], "%d" % key["most names"] if key["most names"] else "any")
        lines.append(" | ".join(["%s.%s" % (name, key["key"]), unit, range_text, default]))
check(not faults, "text and JSON agree about %d keys of %d classes" % (len(lines), len(told)), "\n".join(faults))
if os.environ.get("UPDATE"):
    with open(kept, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
with open(kept, encoding="utf-8") as file:
    wanted = file.read().split("\n")[:-1]
check(set(wanted) <= set(lines), "each key that tests/elements.keys has keeps its unit, range and default",
      "\n".join(["now:  " + line for line in lines if line not in wanted] + ["then: " + line for line in wanted if line not in lines]))
done = ifbam("elements", "sprung")
check(done.returncode == 2 and "spring" in done.stderr, "a class that is none is told, with one that is near", done.stderr)
finish()
