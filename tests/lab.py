# lab.py: pages of ifbam lab in a browser, for the tests of them
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import io
import os
import shlex
import struct
import subprocess
import tempfile

from browser import wait_for

IFBAM = os.path.abspath(os.environ.get("IFBAM", "build/ifbam"))
folder = tempfile.mkdtemp(prefix="ifbam-lab-")
failed = []


def check(name, fine, more=""):
    if not fine:
        failed.append(name)
    print("%s - lab: %s%s" % ("ok" if fine else "not ok", name, "" if fine else "\n# " + str(more)), flush=True)


def run(*words, **more):
    return subprocess.run([IFBAM, *words], capture_output=True, text=True, check=False, **more)


def make(name, *words):
    path = os.path.join(folder, name + ".html")
    made = run("lab", "networks/%s.ini" % name, *words, "-o", path)
    check("a page of %s" % name, made.returncode == 0 and made.stdout + made.stderr == "", made.stderr)
    return path


def open_page(browser, path, hash_part="", width=1280, height=800, mobile=False):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
    browser.get("about:blank")
    browser.get("file://" + path + hash_part)
    check("%s opens" % os.path.basename(path),
          wait_for(lambda: browser.execute_script("return document.documentElement.dataset.ready"), 60))


def value(browser, script, *more):
    return browser.execute_script("return " + script, *more)


def after_run(browser, act):
    """What act does ends with another run."""
    before = value(browser, "document.documentElement.dataset.runs")
    act()
    return wait_for(lambda: value(browser, "document.documentElement.dataset.runs") != before)


def same_as_program(browser, what, *words, inner="document"):
    """All rows of the page's run, and its events, against those of the command that it shows."""
    command = shlex.split(value(browser, inner + ".getElementById('command').textContent"))
    names = value(browser, """JSON.parse(document.getElementById('lab-data').textContent).nodes
        .filter((node) => node.free).map((node) => /\\.(x|y|angle)$/.test(node.name) ? node.name
                                         : node.name + '.' + node.coordinate)""")
    told = run("run", "networks/" + command[2], *command[3:], "--record", ",".join(names), *words, "-o", "-")
    rows = list(csv.reader(io.StringIO(told.stdout)))[1:]
    its = value(browser, """(() => { const r = lab.state.run; const rows = [];
        for (let i = 0; i < r.n; i++) { rows.push([...r.data.subarray(i * r.width, i * r.width + 1 + arguments[0])]); }
        return rows; })()""", len(names))
    fine = command[:2] == ["ifbam", "run"] and len(rows) == len(its) > 10 and all(
        [struct.pack("d", float(a)) for a in row[1:]] == [struct.pack("d", float(b)) for b in other[1:]]
        for row, other in zip(rows, its))
    check("%s: %d rows are those of '%s', to the last bit" % (what, len(its), " ".join(command)), fine,
          told.stderr or "%d rows, and %d in the page: %s %s" % (len(rows), len(its), rows[1:2], its[1:2]))


def silent(browser, what):
    said = [entry for entry in browser.get_log("browser") if entry["level"] != "DEBUG"]
    check("%s: nothing on the console" % what, not said, said)
