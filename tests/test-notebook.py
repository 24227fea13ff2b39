#!/usr/bin/python3
# test-notebook.py: in notebooks networks and courses show pictures; the gallery runs from its first cell to its last
# SPDX-License-Identifier: GPL-3.0-or-later
#
# By Jupyter's own client, headless, where that and its kernel are there; else the cells are run one after the other here.
import json
import math
import os
import re
import tempfile
import xml.etree.ElementTree as ElementTree

import gi

gi.require_version("Ifbam", "1.0")
from gi.repository import Ifbam

GALLERY = "networks/gallery.ipynb"


def check(name, fine, more=""):
    print("%s - notebook: %s%s" % ("ok" if fine else "not ok", name, "" if fine else "\n# " + str(more)[:2000]), flush=True)


def pictures(text):
    """Returns the SVG elements of an HTML text, as an XML parser reads them."""
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.S)]


def of(svg, tag):
    return [element for element in svg.iter() if element.tag.split("}")[-1] == tag]


# Representations of objects

network = Ifbam.Network.new_from_file("networks/two-dof.ini")
shown = network._repr_html_()
drawn = pictures(shown)
words = ["".join(text.itertext()) for text in of(drawn[0], "text")] if drawn else []
check("a network shows its diagram, with the names of its elements", len(drawn) == 1 and all(name in " ".join(words) for name in ("m1", "k1", "m2", "k2", "wall")), shown)
check("its words are no part of the page's", '<div class="ifbam-diagram">' in shown and "<script" not in shown)
network["k1"].stiffness = 0
network.remove(network["wall"])
check("one that is wrong shows what is wrong", network._repr_html_().startswith("<pre>") and "wall" in network._repr_html_(), network._repr_html_())

course = Ifbam.Network.new_from_file("networks/two-dof.ini").run(record="m1.position, m2.velocity, m2.position", duration="1 s")
shown = course._repr_html_()
drawn = pictures(shown)
lines = [of(svg, "polyline") for svg in drawn]
check("a course has a figure for each unit, a line for each signal", [len(one) for one in lines] == [2, 1], shown[:500])
points = [tuple(map(float, point.split(","))) for point in lines[0][0].get("points").split()]
values = course["m1.position"]
heights = [y for _, y in points]
peak = max(range(len(values)), key=lambda i: values[i])
at = min(points, key=lambda point: point[1])
check("a line is as long as the course, and has its peak where that has it",
      points == sorted(points, key=lambda point: point[0]) and len(points) > 200 and max(heights) - min(heights) > 50
      and abs((at[0] - points[0][0]) / (points[-1][0] - points[0][0]) - course["time"][peak] / course["time"][-1]) < 0.01, points[:5])
with tempfile.TemporaryDirectory() as work:
    with open(os.path.join(work, "c.csv"), "w", encoding="utf-8") as file:
        file.write("time,<b>bold</b>\n0,1\n1,2\n")
    shown = Ifbam.Course.new_from_csv(os.path.join(work, "c.csv"))._repr_html_()
check("names are no HTML", "<b>" not in shown and "&lt;b&gt;bold" in shown and len(pictures(shown)) == 1, shown)
many = Ifbam.Network.new_from_file("networks/chain-1000.ini").run(record="*.position", duration="1 ms")._repr_html_()
check("of a thousand signals some are shown", "more signals" in many and len(many) < 100000)
flat = Ifbam.Network.new_from_file("networks/two-dof.ini", ["m1.position=0"]).run(duration="1 ms")._repr_html_()
check("what does not move has a picture, too", len(pictures(flat)) == 1 and not re.search(r"nan|inf", flat), flat)

# The gallery

with open(GALLERY, encoding="utf-8") as file:
    book = json.load(file)
cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
check("no outputs are stored in it", all(not cell["outputs"] and cell["execution_count"] is None for cell in cells) and len(cells) > 4)


def shown_by(outputs):
    """Returns the output of cells, as text."""
    return ["".join(part for output in own for part in (output.get("data", {}).get("text/html", ""), output.get("text", ""))) for own in outputs]


def run_by_jupyter():
    import nbformat
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as work:
        os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = os.environ["JUPYTER_CONFIG_DIR"] = work
        done = nbformat.read(GALLERY, as_version=4)
        nbformat.validate(done)
        NotebookClient(done, timeout=300, kernel_name="python3").execute()
    return [[dict(output) for output in cell["outputs"]] for cell in done["cells"] if cell["cell_type"] == "code"]


def run_here():
    """Runs a cell as a kernel does: the value of its last line is shown."""
    import ast
    import contextlib
    import io

    names, outputs = {}, []
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(tree, GALLERY, "exec"), names)
            value = eval(compile(last, GALLERY, "eval"), names) if last is not None else None
        own = [{"text": said.getvalue()}]
        if hasattr(value, "_repr_html_"):
            own.append({"data": {"text/html": value._repr_html_()}})
        outputs.append(own)
    return outputs


def has_jupyter():
    try:
        import ipykernel  # noqa: F401
        import nbclient  # noqa: F401
    except ImportError:
        return False
    return True


for name, there, runs in (("by Jupyter", has_jupyter(), run_by_jupyter), ("cell by cell", True, run_here)):
    if not there:
        print("ok - notebook: the gallery %s # SKIP python3-nbclient or python3-ipykernel is missing" % name)
        continue
    try:
        outputs = shown_by(runs())
    except Exception as error:
        check("the gallery runs " + name, False, error)
        continue
    n_pictures = sum(len(pictures(text)) for text in outputs)
    frequencies = [float(word) for word in re.findall(r"([0-9.]+) Hz", "".join(outputs))]
    check("the gallery runs %s: diagrams, courses, frequencies, events" % name,
          n_pictures >= 6 and len(frequencies) == 6 and all(math.isfinite(f) and f > 0 for f in frequencies) and re.search(r"\b16 events", "".join(outputs)),
          (n_pictures, frequencies))
