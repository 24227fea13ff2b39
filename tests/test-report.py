#!/usr/bin/python3
# test-report.py: the page of `ifbam report` in a browser: it opens from disk, is used, and says no error
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Chromium without a window, driven by Selenium. REPORT_KEEP=DIRECTORY keeps pages and pictures there.
import base64
import cmath
import csv
import io
import json
import math
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from browser import start_browser, wait_for
from expect import hears
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
IFBAM = os.path.abspath(os.environ.get("IFBAM", "build/ifbam"))
folder = os.environ.get("REPORT_KEEP") or tempfile.mkdtemp(prefix="ifbam-test-")
os.makedirs(folder, exist_ok=True)
failures = 0


def check(fine, what, said=""):
    global failures
    failures += not fine
    print("ok" if fine else "not ok", "-", what)
    if not fine and said != "":
        print("#", str(said).replace("\n", "\n# "))
    return fine


def run(*words, **options):
    return subprocess.run([IFBAM, *words], capture_output=True, **options)


def place(name):
    return os.path.join(folder, name)


def write(name, text):
    with open(place(name), "w", encoding="utf-8") as file:
        file.write(text)
    return place(name)


# ---- the page

class Page:
    """A report in the browser."""

    def __init__(self, browser, path, width=1280, height=800, dark=False):
        self.browser = browser
        self.path = path
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get_log("performance")
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        browser.get("file://" + path)
        self.drawn = wait_for(lambda: self.ask("return window.ifbamReport !== undefined"))

    def ask(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def click(self, selector):
        element = self.find(selector)
        self.ask("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def text(self, selector):
        return self.ask("return document.querySelector(arguments[0]).textContent", selector)

    def keys(self, *keys):
        actions = ActionChains(self.browser)
        actions.send_keys(*keys)
        actions.perform()

    def focus(self):
        return self.ask("const e = document.activeElement; return e.id || e.textContent || e.tagName")

    def curve(self, chart, series):
        """Times and values of a chart's series, without its gaps."""
        x, y = self.ask("""const plot = window.ifbamReport.charts.find(c => c.name === arguments[0]).plot;
            return [Array.from(plot.data[0]), Array.from(plot.data[arguments[1]])];""", chart, series)
        pairs = [(a, b) for a, b in zip(x, y) if b is not None]
        return [a for a, b in pairs], [b for a, b in pairs]

    def ink(self, chart):
        """How many different colours a chart's canvas has."""
        return self.ask("""const plot = window.ifbamReport.charts.find(c => c.name === arguments[0]).plot;
            const canvas = plot.root.querySelector("canvas");
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            const seen = new Set();
            for (let i = 0; i < pixels.length; i += 4)
                seen.add(pixels[i] << 24 | pixels[i + 1] << 16 | pixels[i + 2] << 8 | pixels[i + 3]);
            return seen.size;""", chart)

    def picture(self, name):
        if os.environ.get("REPORT_KEEP"):
            self.ask("window.scrollTo(0, 0)")
            height = self.ask("return document.documentElement.scrollHeight")
            width = self.ask("return document.documentElement.clientWidth")
            shot = self.browser.execute_cdp_cmd("Page.captureScreenshot", {
                "captureBeyondViewport": True,
                "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
            with open(place(name), "wb") as file:
                file.write(base64.b64decode(shot["data"]))

    def complaints(self):
        """Returns messages of the console, and requests beside the page itself."""
        said = [entry["message"] for entry in self.browser.get_log("browser")]
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if url not in ("file://" + self.path, "about:blank", "data:,"):
                    said.append("asked for " + url[:200])
        return said


def report(name, *words):
    path = place(name)
    made = run("report", *words, "-o", path)
    check(made.returncode == 0 and os.path.getsize(path) > 0, "%s is written" % name,
          made.stderr.decode())
    check(os.path.getsize(path) < 4e6, "%s is small" % name, os.path.getsize(path))
    return path


# ---- contents of a page

def test_whole_page(browser):
    path = report("three-dof.html", "networks/three-dof.ini")
    again = run("report", "networks/three-dof.ini")
    with open(path, "rb") as file:
        check(again.stdout == file.read(), "the same network gives the same page, byte for byte")
    page = Page(browser, path)
    check(page.drawn, "it opens from disk")
    check(page.ask("return document.title") == "System with three degrees of freedom", "its title")
    names = page.ask("""return Array.from(document.querySelectorAll("#diagram [data-name]"))
        .map(e => e.dataset.name).sort()""")
    check(names == ["k1", "k2", "k3", "m1", "m2", "m3", "wall"], "the diagram has every element", names)
    sayings = page.ask("""return Array.from(document.querySelectorAll("#conversation li.link"))
        .map(e => e.textContent)""")
    spoken = run("dialogue", "networks/three-dof.ini").stdout.decode()
    first = next(line for line in spoken.splitlines() if line.startswith("  k1 to"))
    check(len(sayings) == 9 and sayings[0].replace("\u201c", '"').replace("\u201d", '"')
          == first.strip().replace(': "', '"'), "the dialogue is that of ifbam dialogue", sayings[:1])
    charts = page.ask("return window.ifbamReport.charts.map(c => c.name)")
    check(len(charts) == 14, "a chart for every scheme, and three more", charts)
    check(all(page.ink(chart) > 20 for chart in charts), "every chart is drawn")
    page.picture("three-dof.png")
    check(page.complaints() == [], "no word on the console, nothing fetched", page.complaints())
    return page


def test_slider(page):
    own = page.ask("return window.ifbamReport.state.step")
    steps = page.ask("return window.ifbamReport.data.ladder.steps")
    check(abs(steps[own] - 50e-6) < 1e-15, "it starts at the network's own step", steps[own])
    largest = {}

    def look():
        for scheme in ("original", "averaged", "verlet"):
            largest[scheme] = max(map(abs, page.curve("scheme " + scheme, 2)[1]))
        return dict(largest)

    before = look()
    text = page.text("#step-text")
    # a drag of the slider
    slider = page.find("#step")
    page.ask("arguments[0].scrollIntoView({block: 'center'})", slider)
    width = slider.size["width"]
    last = len(steps) - 1
    start = (width - 16) * (own / last - 0.5)
    actions = ActionChains(page.browser)
    actions.move_to_element_with_offset(slider, int(start), 0).click_and_hold()
    actions.move_by_offset(int((width - 16) * 5 / last), 0).release().perform()
    dragged = page.ask("return window.ifbamReport.state.step")
    after = look()
    check(dragged == own + 5, "the slider is dragged to a longer step", (own, dragged))
    check(page.text("#step-text") != text and "steps in a period" in page.text("#step-text"),
          "the step is told", page.text("#step-text"))
    check(after["original"] > 5 * before["original"], "original grows with the step", (before, after))
    check(abs(after["verlet"] / before["verlet"] - 1) < 0.02, "verlet does not", (before, after))
    check("diverged" in page.text("#panels .panel .badge"), "that it diverged is told")
    check(page.find("#step").get_attribute("aria-valuetext") == "400\u00a0\u00b5s"
          or page.find("#step").get_attribute("aria-valuetext").endswith("\u00b5s"),
          "a screen reader hears the step", page.find("#step").get_attribute("aria-valuetext"))
    # by keys
    page.ask("arguments[0].focus()", slider)
    page.keys(Keys.ARROW_RIGHT)
    check(page.ask("return window.ifbamReport.state.step") == dragged + 1, "an arrow key: one step longer")
    page.keys(Keys.HOME)
    check(page.ask("return window.ifbamReport.state.step") == 0, "Home: the shortest step")
    check(page.find("#shorter").get_property("disabled"), "then there is no shorter one")
    page.click("#longer")
    check(page.ask("return window.ifbamReport.state.step") == 1, "a click on +: one step longer")
    page.click("#own")
    check(look() == before, "back at its own step, the same courses")
    page.click("#play")
    moved = wait_for(lambda: page.ask("return window.ifbamReport.state.step") > own + 1)
    page.click("#play")
    check(moved and page.text("#play") == "Play", "it plays, and stops")
    page.click("#own")


def test_numbers(page):
    """A course on the page is the course of a run, but for 32 bits."""
    ladder = page.ask("return window.ifbamReport.data.ladder")
    for scheme, step in (("averaged", 500e-6), ("rk4", 2e-3), ("verlet", 50e-6)):
        i = min(range(len(ladder["steps"])), key=lambda k: abs(ladder["steps"][k] - step))
        rung = next(s for s in ladder["schemes"] if s["name"] == scheme)["rungs"][i]
        trace = rung["head"] if rung["head"]["stretch"] == 1 else rung["whole"]
        values = page.ask("return Array.from(window.ifbamReport.numbers.subarray(arguments[0], arguments[1]))",
                          trace["at"], trace["at"] + trace["n"])
        course = run("run", "networks/three-dof.ini", "--scheme", scheme, "--step", repr(step),
                     "--record", "m3.position").stdout.decode()
        rows = [float(row[1]) for row in list(csv.reader(io.StringIO(course)))[1:]]
        stride = round(trace["interval"] / step)
        rows = rows[::stride]
        stretch = trace["stretch"]
        if stretch == 1:
            errors = [abs(a - b) for a, b in zip(values, rows)]
        else:
            errors = []
            for k in range(0, trace["n"], 2):
                part = rows[k // 2 * stretch:min((k // 2 + 1) * stretch, trace["rows"])]
                errors += [abs(min(values[k:k + 2]) - min(part)), abs(max(values[k:k + 2]) - max(part))]
        check(len(errors) > 100 and max(errors) < 1e-7 * max(map(abs, rows)),
              "%s at %g s: the page has the numbers of ifbam run" % (scheme, step),
              (len(errors), max(errors)))


def root(scheme, h):
    """The factor per step of the mode by the paper's two characteristic equations (Newton)."""
    equation = {
        "original": lambda z: ((z - 1) ** 2 * (z + 1) + 2 * h * h * z,
                               2 * (z - 1) * (z + 1) + (z - 1) ** 2 + 2 * h * h),
        "averaged": lambda z: ((z - 1) ** 2 * (z + 1) + h * h * (3 * z - 1),
                               2 * (z - 1) * (z + 1) + (z - 1) ** 2 + 3 * h * h),
    }[scheme]
    z = cmath.exp(1j * h)
    for _ in range(50):
        value, slope = equation(z)
        z -= value / slope
    return z


def test_stability(page):
    for scheme, series in (("original", 1), ("averaged", 3)):
        angles, growth = page.curve("stability", series)
        worst = max(abs(g - cmath.log(root(scheme, h)).real) / g
                    for h, g in zip(angles, growth) if 0.03 < h < 0.5)
        check(worst < 1e-5, "growth of %s is that of its polynomial's root" % scheme, worst)
    angles, growth = page.curve("stability", 9)
    check(min(angles) > 1.99, "verlet grows beyond 2 only", min(angles))
    page.click("#stability-legend button")
    hidden = page.ask("""return window.ifbamReport.charts.find(c => c.name === "stability")
        .plot.series.map(s => s.show)""")
    check(hidden[1] is False and hidden[2] is False and hidden[3] is True,
          "a click in the legend hides a scheme", hidden)
    page.click("#stability-legend button")
    rows = page.ask("""return Array.from(document.querySelectorAll("#scheme-rows tr"))
        .map(r => Array.from(r.children).map(c => c.textContent))""")
    check([row[0] for row in rows] == ["original", "averaged", "euler", "symplectic-euler", "verlet", "rk4", "dopri5", "implicit",
                                        "implicit-euler", "tr-bdf2", "esdirk4"]
          and rows[4][2] == "none", "a row for every scheme", rows)


# Points of a scheme's curve in a picture of the plane, on the axes' own scale.
def plane(page, tab, number, box):
    page.click("#plane-tabs button:nth-child(%d)" % tab)
    text = page.ask("""return Array.from(document.querySelectorAll(".plane-curves path"))
        .map(p => p.getAttribute("d"))[%d]""" % number)
    left, right, low, high, height = box
    pairs = [pair.split() for pair in text.replace("L", "M").split("M")[1:]]
    return [(left + (right - left) * (float(x) - 64) / 560, high - (high - low) * (float(y) - 12) / height)
            for x, y in pairs]


def test_planes(page):
    ring = plane(page, 1, 2, (-4, 3, -3.5, 3.5, 560))
    worst = max(abs(abs(1 + complex(*point)) - 1) for point in ring)
    check(len(ring) > 50 and worst < 2e-3, "euler's region is a circle", worst)
    ways = plane(page, 2, 0, (-1.6, 1.6, -1.6, 1.6, 560))
    check(len(ways) > 100, "roots of a scheme", len(ways))
    ratios = plane(page, 3, 4, (0, 0.35, -50, 100, 320))
    worst = max(abs(y / 100 - (math.pi * x / math.asin(math.pi * x) - 1)) for x, y in ratios if x < 0.31)
    check(len(ratios) > 300 and worst < 5e-3, "verlet's period is that of 2 asin(h/2)", worst)
    page.click("#plane-tabs button:nth-child(1)")


def test_tabs(page):
    before = page.curve("scheme averaged", 2)[1]
    page.click("#scheme-signals button:nth-child(2)")
    velocity = page.curve("scheme averaged", 2)[1]
    check(max(map(abs, velocity)) > 10 * max(map(abs, before)), "a click shows another signal")
    page.click("#scheme-windows button:nth-child(2)")
    times = page.curve("scheme averaged", 2)[0]
    check(0.2 < times[-1] <= 0.26, "a click shows the first periods", times[-1])
    page.keys(Keys.ARROW_LEFT)
    check(page.find("#scheme-windows button").get_attribute("aria-selected") == "true"
          and page.curve("scheme averaged", 2)[0][-1] > 3.9, "an arrow key goes back")
    page.click("#scheme-signals button:nth-child(1)")
    page.click("#own-scale")
    scale = page.ask("""const y = window.ifbamReport.charts[0].plot.scales.y; return [y.min, y.max]""")
    check(scale[1] > 0.01, "each its own scale: the whole course is in the panel", scale)
    page.click("#own-scale")
    page.click("#spectrum-log")
    check(page.ask("""return window.ifbamReport.charts.find(c => c.name === "spectrum")
        .plot.scales.y.distr""") == 3, "a logarithmic spectrum")
    page.click("#spectrum-log")
    check(page.complaints() == [], "still no word on the console")


def test_spectrum_and_energy(page):
    peaks = page.ask("return window.ifbamReport.data.spectra[0].peaks")
    told = json.loads(run("spectrum", "networks/three-dof.ini", "--signal", "m3.position",
                          "--json").stdout)["signals"][0]["peaks"]
    check(len(peaks) == 3 and all(a[key] == b[key] for a, b in zip(peaks, told)
                                  for key in ("frequency", "amplitude", "corrected_frequency")),
          "the peaks are those of ifbam spectrum", (peaks, told))
    modes = page.ask("return window.ifbamReport.data.modes.modes")
    told = json.loads(run("modes", "networks/three-dof.ini", "--json").stdout)["modes"]
    check([mode["frequency"] for mode in modes] == [mode["frequency"] for mode in told]
          and all(abs(mode["damping_ratio"]) < 1e-12 for mode in modes),
          "the modes are those of ifbam modes", (modes, told))
    rows = page.ask("""return Array.from(document.querySelectorAll("#mode-rows tr"))
        .map(r => Array.from(r.children).map(c => c.textContent))""")
    differences = [abs(float(row[5].replace("\u2212", "-").rstrip("\u00a0%"))) for row in rows]
    check(len(rows) == 3 and max(differences) < 2e-4 and rows[0][0].startswith("9.66023"),
          "each stands beside its peak, with the difference", rows)
    check(page.ask("return document.querySelectorAll('#mode-rows svg circle').length") == 9,
          "and with its shape")
    long = Page(page.browser, report("long-step.html", "networks/three-dof.ini", "--step", "1ms"))
    rows = long.ask("""return Array.from(document.querySelectorAll("#mode-rows tr"))
        .map(r => Array.from(r.children).map(c => c.textContent))""")
    differences = [abs(float(row[5].replace("\u2212", "-").rstrip("\u00a0%"))) for row in rows]
    raw = [float(row[3].split()[0]) / float(row[0].split()[0]) - 1 for row in rows]
    check(len(rows) == 3 and max(raw) > 0.02 and max(differences) < 2e-4,
          "with a long step the peaks are percents off, without the scheme's error they are not", rows)
    page = Page(page.browser, page.path)
    run("run", "networks/three-dof.ini", "-o", place("run.csv"), "--manifest", place("manifest.json"))
    with open(place("manifest.json"), encoding="utf-8") as file:
        ledger = json.load(file)["ledger"]
    energy = page.ask("return window.ifbamReport.data.energy")
    check(all(energy[key] == ledger[key] for key in ("kinetic", "potential", "dissipated", "supplied")),
          "the ledger is that of ifbam run", (energy, ledger))


def test_keyboard(browser, path):
    page = Page(browser, path)
    seen = []
    for _ in range(120):
        page.keys(Keys.TAB)
        seen.append(page.focus())
        if seen[-1] == "BODY":
            break
    order = ["Skip to the report", "Network", "diagram", "conversation", "step", "longer", "play",
             "m3.position", "All the time", "own-scale", "spectrum-log"]
    places = [seen.index(name) if name in seen else -1 for name in order]
    check(-1 not in places and places == sorted(places), "the keyboard goes through it in order",
          list(zip(order, places)))
    page.ask("document.activeElement.blur(); window.scrollTo(0, 0)")
    check("m3.velocity" not in seen, "of tabs only the one that is on is on the way")


def overflow(page):
    return page.ask("""return Array.from(document.querySelectorAll("body *"))
        .filter(e => !e.closest(".scroll") && !e.closest("nav ul") && !e.closest(".uplot")
                && !e.closest("script") && !e.matches(".skip")
                && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map(e => e.tagName + "#" + e.id + "." + e.className)""")


def test_phone(browser, path):
    page = Page(browser, path, 360, 740)
    check(page.ask("return document.documentElement.scrollWidth") <= 360 and overflow(page) == [],
          "360 pixels: nothing is wider", overflow(page))
    small = page.ask("""return Array.from(document.querySelectorAll("button, input, summary, nav a"))
        .filter(e => e.getClientRects().length && e.getBoundingClientRect().height < 24)
        .map(e => e.textContent)""")
    check(small == [], "360 pixels: what is touched is large enough", small)
    check(page.ask("""return Math.min(...Array.from(document.querySelectorAll("p, li, td, th, dd, dt"))
        .filter(e => e.getClientRects().length).map(e => parseFloat(getComputedStyle(e).fontSize)))""") >= 12,
          "360 pixels: letters can be read")
    check(page.ask("""return window.ifbamReport.charts.every(
        c => c.plot.width <= 340 && c.plot.width >= 240)"""), "360 pixels: charts fit")
    hidden = page.ask("""return Array.from(document.querySelectorAll("nav a")).filter(a => {
            document.querySelector("details").open = true;
            a.click();
            location.hash = a.getAttribute("href");
            const title = document.querySelector(a.getAttribute("href") + " h2").getBoundingClientRect();
            const over = document.elementFromPoint(title.left + 5, title.top + title.height / 2);
            return title.top < 0 || over === null || over.tagName !== "H2";
        }).map(a => a.textContent)""")
    check(hidden == [], "360 pixels: the bar hides no heading", hidden)
    check(page.ask("""return Array.from(document.querySelectorAll("table, .scroll:not(#diagram)"))
        .every(e => e.scrollWidth <= e.clientWidth + 1)"""), "360 pixels: tables are not cut off")
    check(page.ask("""return document.querySelector("#scheme-rows td:nth-child(3)").dataset.label""")
          == "Growth at this step", "360 pixels: cells say what they are")
    check(page.complaints() == [], "360 pixels: no word on the console")
    page.picture("phone.png")


def luminance(page, script):
    red, green, blue = [int(x) / 255 for x in page.ask(script).strip("rgba() ").split(",")[:3]]
    return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2


def test_dark(browser, path):
    contrast = {}
    for dark in (False, True):
        page = Page(browser, path, dark=dark)
        paper = luminance(page, "return getComputedStyle(document.querySelector('main section')).backgroundColor")
        contrast[dark] = []
        for selector in ("p.lead", "h2", "td", "#panels .badge", ".note", "summary"):
            ink = luminance(page, "return getComputedStyle(document.querySelector('%s')).color" % selector)
            contrast[dark].append((max(ink, paper) + 0.05) / (min(ink, paper) + 0.05))
        check((paper < 0.05) == dark, "%s paper" % ("dark" if dark else "light"), paper)
        check(page.complaints() == [], "no word on the console")
        page.picture("dark.png" if dark else "light.png")
    check(min(contrast[False] + contrast[True]) > 4.5, "texts stand out from their paper", contrast)


def test_print(browser, path):
    page = Page(browser, path, dark=True)
    page.ask("""window.widths = [];
        window.addEventListener("beforeprint", () => {
            window.widths = window.ifbamReport.charts.map(c => c.plot.width);
            window.paper = getComputedStyle(document.querySelector("main section")).backgroundColor;
        });""")
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    with open(place("print.pdf"), "wb") as file:
        file.write(pdf)
    check(pdf.startswith(b"%PDF") and len(pdf) > 50000, "it is printed", len(pdf))
    widths = page.ask("return window.widths")
    check(len(widths) == 14 and max(widths) < 690 and min(widths) > 250, "charts fit the paper", widths)
    check(page.ask("return window.paper") == "rgb(255, 255, 255)", "on paper it is light")
    check(page.ask("return document.documentElement.dataset.print") is None, "and as it was after it")
    check(page.complaints() == [], "no word on the console", page.complaints())


def test_motion(browser):
    """The mechanism moves: by its slider, by its button, by keys; it is where the run has it."""
    run("run", "networks/double-pendulum.ini", "-o", place("motion.csv"), "--record", "b2.x, b2.y")
    with open(place("motion.csv"), encoding="utf-8") as file:
        rows = [[float(n) for n in row] for row in list(csv.reader(file))[1:]]
    page = Page(browser, report("motion.html", "networks/double-pendulum.ini"))
    where = """const svg = document.querySelector("#movie svg");
        const m = svg.querySelector("[data-name=b2] circle").getCTM(), root = svg.getCTM();
        const p = new DOMPoint(0, 0).matrixTransform(m).matrixTransform(root.inverse());
        return [(p.x - svg.dataset.x) / svg.dataset.scale, (svg.dataset.y - p.y) / svg.dataset.scale];"""
    for part in (250, 730):
        page.ask("""const s = document.getElementById("motion-time"); s.value = arguments[0];
            s.dispatchEvent(new Event("input"));""", part)
        row = rows[round(part / 1000 * (len(rows) - 1))]
        x, y = page.ask(where)
        check(abs(x - row[1]) + abs(y - row[2]) < 0.01, "the slider moves the mechanism", (part, x, y, row))
    check(page.text("#motion-text") == "7.3\u00a0s of 10\u00a0s", "and tells the time", page.text("#motion-text"))
    page.click("#motion-play")
    check(page.ask("return document.querySelector('#motion-play').getAttribute('aria-pressed')") == "true"
          and wait_for(lambda: page.ask(where) != [x, y]), "the button lets it go on")
    check(wait_for(lambda: page.ask("return Number(document.getElementById('motion-time').value)") > 732),
          "and the slider goes with it")
    page.click("#motion-play")
    stood = page.ask(where)
    time.sleep(0.1)
    check(page.ask(where) == stood, "pressed again it stops")
    before = page.ask("return Number(document.getElementById('motion-time').value)")
    page.ask("document.getElementById('motion-time').focus()")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    check(page.ask("return Number(document.getElementById('motion-time').value)") == before + 2
          and page.ask(where) != stood, "keys move it, too")
    page.click("#motion-play")
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    check(pdf.startswith(b"%PDF") and page.text("#motion-play") == "Play", "on paper it stands still")
    check(page.complaints() == [], "no word on the console", page.complaints())
    phone = Page(browser, page.path, 375, 667)
    check(overflow(phone) == [] and phone.ask("""const box = document.querySelector("#movie svg")
        .getBoundingClientRect(); return box.width > 250 && box.height > 150 && box.height < 667;"""),
          "on a phone it fits", overflow(phone))
    check(phone.ask("""return Math.min(...Array.from(document.querySelectorAll("#movie text"))
        .filter(e => e.textContent && !e.closest(".flash"))
        .map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))""") > 8.5,
          "and its words can be read")
    line = Page(browser, report("line.html", "networks/two-dof.ini"))
    check(line.ask("return document.querySelector('#motion, #motion-link')") is None,
          "where nothing is in the plane there is no such section")
    # A long step of the ladder, at which hinges can't be kept, ends that course alone.
    check(Page(browser, report("four-bar.html", "networks/four-bar.ini")).drawn, "a mechanism that stops at long steps has a report")


HEAD = "[network]\nstep = 1 ms\nduration = 1 s\n"


def test_networks(browser):
    long = "\u03a9" * 400 + " \u0416 \U0001f600 "
    awkward = '<b>&"it\'s" </script><!-- ]]> \u2028 ' + long
    networks = {
        "one mass": HEAD + "[mass m]\nmass = 1 kg\nvelocity = 2 m/s\n",
        "awkward": HEAD.replace("[network]", "[network]\ntitle = " + awkward)
        + "[ground wall]\n[mass a-mass-with-a-name-that-is-longer-than-anybody-wants-to-read-it]\n"
          "mass = 1 kg\nposition = 1 mm\n[spring k1]\nstiffness = 1 kN/m\n"
          "between = wall, a-mass-with-a-name-that-is-longer-than-anybody-wants-to-read-it\n",
        "diverging": "[network]\nstep = 20 ms\nduration = 10 s\nscheme = euler\n[ground wall]\n"
                     "[mass m]\nmass = 1 kg\nposition = 1 mm\n[spring k]\nstiffness = 1 kN/m\n"
                     "between = wall, m\n",
        "at rest": HEAD + "[ground wall]\n[mass m]\nmass = 1 kg\n[spring k]\nstiffness = 1 kN/m\n"
                          "between = wall, m\n",
        "short": "[network]\nstep = 1 ms\nduration = 1 ms\n[ground wall]\n[mass m]\nmass = 1 kg\n"
                 "[spring k]\nstiffness = 1 kN/m\nbetween = wall, m\n",
        "stiff": "[network]\nstep = 1 us\nduration = 1 s\n[ground wall]\n[mass m]\nmass = 1e-9 kg\n"
                 "position = 1 mm\n[spring k]\nstiffness = 1e9 N/m\nbetween = wall, m\n",
    }
    paths = {name: write(name.replace(" ", "-") + ".ini", text) for name, text in networks.items()}
    paths.update({"1000 masses": "networks/chain-1000.ini", "nonlinear": "networks/duffing.ini",
                  "torsion": "networks/torsion.ini", "two domains": "networks/mixed.ini",
                  "mesh": "networks/mesh.ini",
                  "ball": "networks/ball-sine-small.ini", "friction": "networks/stick-slip.ini", "measured": "networks/measured-floor.ini"})
    shorter = {"1000 masses": ["--duration", "20s"], "nonlinear": ["--duration", "1s"]}
    for name, network in paths.items():
        page = Page(browser, report(name.replace(" ", "-") + ".html", network, *shorter.get(name, [])))
        complaints = page.complaints()
        check(page.drawn and complaints == [], "%s: it opens without a word" % name, complaints)
        page.click("#longer" if not page.find("#longer").get_property("disabled") else "#shorter")
        page.keys(Keys.END)
        check(page.complaints() == [], "%s: and works" % name)
        page.picture(name.replace(" ", "-") + ".png")
        if name == "awkward":
            check(page.text("h1").strip() == awkward.strip() and page.ask("return document.title").split()
                  == awkward.split(), "a title of any letters is shown as it is", page.text("h1")[:80])
            check(page.ask("return document.querySelectorAll('h1 *').length") == 0, "and is no markup")
            check(overflow(page) == [], "and no wider than the page", overflow(page))
        if name == "diverging":
            check("diverged" in page.text("#diverged") and page.find("#diverged").is_displayed(),
                  "a network that diverges says so", page.text("#diverged"))
        if name == "1000 masses":
            drawn = page.ask("return document.querySelectorAll('#diagram .node').length")
            check(drawn == 7 and "7" in page.text("#diagram-note"), "a few of 1000 masses are drawn", drawn)
        if name == "nonlinear":
            check("Not linear" in page.text("#spectrum-note") and "k1" in page.text("#spectrum-note"),
                  "that a law is not linear is told", page.text("#spectrum-note"))
        if name == "torsion":
            check("overdamped" in page.text("#mode-rows") or "free" in page.text("#mode-rows"),
                  "a mode that does not swing is told so", page.text("#mode-rows"))
        if name == "one mass":
            check("Nothing in this network oscillates" in page.text("#stability-note"), "no mode is marked")


# ---- errors

def test_what_happens(browser):
    page = Page(browser, report("collision.html", "networks/collision.ini"))
    steps = page.ask("""return Array.from(document.querySelectorAll("#conversation h3")).map(e => e.textContent)""")
    check(steps[0].startswith("Step 0,") and steps[1].startswith("Step 59,"),
          "the dialogue goes on where something happens", steps)
    check("meet: I give the impulse" in page.text("#conversation") and "step 59" in page.text("#dialogue-note"),
          "it tells the impact, and what it leaves out")
    page = Page(browser, report("ball.html", "networks/ball-listing.ini", "--signal", "b.y", "--duration", "4s"))
    badges = page.ask("""return Array.from(document.querySelectorAll(".badge")).map(e => e.textContent)""")
    check(badges[-1] == "steady", "what agrees with the finest is steady", badges)
    page.ask("""const last = window.ifbamReport.data.ladder.steps.length - 1;
        const slider = document.querySelector("#step");
        slider.value = last; slider.dispatchEvent(new Event("input"));""")
    badges = page.ask("""return Array.from(document.querySelectorAll(".badge")).map(e => e.textContent)""")
    check(any(badge.startswith("strays") for badge in badges), "what does not is not", badges)
    box = page.ask("""const box = document.querySelector("#diagram .node .box").getBoundingClientRect();
        return [box.width, box.height];""")
    check(abs(box[0] - box[1]) < 1, "a ball is round", box)
    ground = page.ask("""const ground = document.querySelector("#diagram .given .symbol").getBoundingClientRect();
        return [ground.width, ground.height];""")
    check(ground[0] > 2 * ground[1], "its ground is level", ground)


def test_progress():
    """A report of long runs shows its progress on a terminal: parts of one whole, which never fall."""
    terminal, end = pty.openpty()
    began = time.monotonic()
    work = subprocess.Popen([IFBAM, "report", "networks/chain-1000.ini", "--duration", "200s", "-o", place("long.html")], stderr=end)
    os.close(end)
    text = b""
    try:
        while more := os.read(terminal, 4096):
            text += more
    except OSError:  # the last writer has ended
        pass
    os.close(terminal)
    parts = [int(part) for part in re.findall(r"(\d+) % done", text.decode())]
    # Progress is shown from the third second on; a fast machine may have finished by then.
    check(work.wait() == 0 and (len(parts) > 0 or time.monotonic() - began < 4) and parts == sorted(parts), "a long report shows its progress", text)


def test_errors():
    network = "networks/one-dof.ini"
    before = sorted(os.listdir(folder))
    for name, words, code in (
            ("a folder that isn't there", (network, "-o", place("none/report.html")), 1),
            ("a full disk", (network, "-o", "/dev/full"), 1),
            ("no network", (place("none.ini"), "-o", place("none.html")), 1),
            ("an unknown signal", (network, "--signal", "m9.position", "-o", place("none.html")), 2),
            ("too many signals", ("networks/chain.ini", "--signal", "c.m[1:12].position", "-o",
                                  place("none.html")), 2),
            ("no cycles", (network, "-n", "0", "-o", place("none.html")), 2),
            ("a word too many", (network, network, "-o", place("none.html")), 2)):
        said = run("report", *words)
        check(said.returncode == code and len(said.stderr) > 10 and said.stdout == b"",
              "%s: an error" % name, (said.returncode, said.stderr.decode()))
    check(sorted(os.listdir(folder)) == before, "and nothing written")
    kept = write("kept.html", "as it was")
    run("report", "networks/invalid/cold-verlet.ini", "-o", kept)
    with open(kept, encoding="utf-8") as file:
        check(file.read() == "as it was", "what was there stays where a network is wrong")
    process = subprocess.Popen([IFBAM, "report", "networks/chain-1000.ini", "-o", kept],
                               stderr=subprocess.PIPE)
    hears(process, signal.SIGINT)
    time.sleep(0.15)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1].decode()
    with open(kept, encoding="utf-8") as file:
        check(process.returncode == 130 and file.read() == "as it was" and "interrupted" in said,
              "Ctrl-C: exit 130, nothing half-written", (process.returncode, said))
    before.append("kept.html")
    check(sorted(os.listdir(folder)) == sorted(before), "and nothing beside it")


browser = start_browser(place("profile"))
try:
    page = test_whole_page(browser)
    test_slider(page)
    test_tabs(page)
    test_numbers(page)
    test_stability(page)
    test_planes(page)
    test_spectrum_and_energy(page)
    test_keyboard(browser, page.path)
    test_phone(browser, page.path)
    test_dark(browser, page.path)
    test_print(browser, page.path)
    test_networks(browser)
    test_what_happens(browser)
    test_motion(browser)
    test_progress()
    test_errors()
finally:
    browser.quit()
    if not os.environ.get("REPORT_KEEP"):
        shutil.rmtree(folder, ignore_errors=True)
sys.exit(1 if failures else 0)
