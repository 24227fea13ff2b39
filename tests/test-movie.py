#!/usr/bin/python3
# test-movie.py: positions in `ifbam plot movie` against the run's rows, on paper and in a browser
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import io
import math
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from browser import start_browser
from expect import check, finish, ifbam, networks

SVG = "{http://www.w3.org/2000/svg}"
ROUNDING = 0.011  # of two digits [pixels]
SEEN = 0.5        # invisible between keys [pixels]

folder = tempfile.TemporaryDirectory(prefix="ifbam-test-")


def write(name, text):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def make_movie(network, *words):
    path = os.path.join(folder.name, os.path.basename(network).replace(".ini", ".svg"))
    result = ifbam("plot", "movie", network, "-o", path, *words)
    check(result.returncode == 0, "a movie of " + os.path.basename(network), result.stderr)
    return path, ElementTree.parse(path).getroot()


def rows_of(network, signals, *words):
    step = re.search(r"step +(\S+) s", ifbam("check", network).stdout).group(1)
    text = ifbam("run", network, "--record", ",".join(signals), "--sample", step + " s", *words).stdout
    table = list(csv.reader(io.StringIO(text)))
    columns = [[float(row[i]) for row in table[1:]] for i in range(len(table[0]))]
    return dict(zip([name.split(" ")[0] for name in table[0]], columns))


def keys_of(group, kind, duration):
    """Times and values of a group that is moved so; where it is not, at the start."""
    motion = group.find(SVG + "animateTransform")
    if motion is None:
        return [0.0], [numbers(group.get("transform"))]
    assert motion.get("type") == kind and motion.get("repeatCount") == "indefinite"
    times = [float(part) * duration for part in motion.get("keyTimes").split(";")]
    return times, [numbers(text) for text in motion.get("values").split(";")]


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)]


def at(times, values, time):
    """Linear between keys, as the browser has it."""
    i = max([k for k, key in enumerate(times) if key <= time * (1 + 1e-12)] or [0])
    if i + 1 >= len(times):
        return values[i]
    part = (time - times[i]) / (times[i + 1] - times[i])
    return [a + part * (b - a) for a, b in zip(values[i], values[i + 1])]


class Plane:
    def __init__(self, root):
        self.scale = float(root.get("data-scale"))
        self.x, self.y = float(root.get("data-x")), float(root.get("data-y"))
        self.groups = {g.get("data-name"): g for g in root.iter(SVG + "g") if g.get("data-name")}

    def pixels(self, x, y):
        return self.x + self.scale * x, self.y - self.scale * y


def test_positions(name, bodies, *words):
    """Keys are rows of the run, and between them nothing is drawn elsewhere than it is."""
    network = os.path.join(networks, name)
    root = make_movie(network, *words)[1]
    plane = Plane(root)
    turning = [body for body in bodies if bodies[body]]
    rows = rows_of(network, [b + c for b in bodies for c in (".x", ".y")] + [b + ".angle" for b in turning], *words)
    duration = rows["time"][-1]
    worst_key = worst = worst_turn = 0
    for body in bodies:
        moved = plane.groups[body].find(SVG + "g")
        times, places = keys_of(moved, "translate", duration)
        turns = keys_of(moved.find(SVG + "g"), "rotate", duration) if bodies[body] else None
        for i, time in enumerate(rows["time"]):
            x, y = plane.pixels(rows[body + ".x"][i], rows[body + ".y"][i])
            here = at(times, places, time)
            miss = math.hypot(here[0] - x, here[1] - y)
            worst = max(worst, miss)
            if min(abs(key - time) for key in times) < 1e-5 * duration:
                worst_key = max(worst_key, miss)
            if turns:
                worst_turn = max(worst_turn, abs(math.radians(at(*turns, time)[0]) + rows[body + ".angle"][i]))
    check(worst_key < 2 * ROUNDING + 0.02, f"{name}: at keys everything is where its row says", worst_key)
    check(worst < SEEN, f"{name}: and between them", worst)
    check(worst_turn < 0.02, f"{name}: bodies are turned as their rows say", worst_turn)
    return plane, rows


def test_links():
    """A rod's ends are its points, at all times."""
    plane, rows = test_positions("double-pendulum.ini", {"b1": False, "b2": False})
    duration = rows["time"][-1]
    moved = plane.groups["r2"].find(SVG + "g")
    turned = moved.find(SVG + "g")
    stretched = turned.find(SVG + "g")
    places, turns = keys_of(moved, "translate", duration), keys_of(turned, "rotate", duration)
    length = 40 * numbers(stretched.get("transform"))[0]
    worst = 0
    for i, time in enumerate(rows["time"]):
        x, y = at(*places, time)
        angle = math.radians(at(*turns, time)[0])
        worst = max(worst, math.dist((x, y), plane.pixels(rows["b1.x"][i], rows["b1.y"][i])),
                    math.dist((x + length * math.cos(angle), y + length * math.sin(angle)),
                              plane.pixels(rows["b2.x"][i], rows["b2.y"][i])))
    check(stretched.find(SVG + "animateTransform") is None, "a rod keeps its length")
    check(worst < 1, "a rod is drawn from its one ball to the other", worst)


THINGS = """[network]
title = "a" <b> & c
step = 1 ms
duration = 2 s
[surface hall]
height = -0.9 m
[point a]
[ball b]
mass = 1 kg
radius = 5 cm
x = 0.8 m
[string s]
length = 1 m
between = a, b
[ball c]
mass = 1 kg
radius = 8 cm
x = 1.5 m
y = -0.5 m
speed = 5 rad/s
[spring k]
stiffness = 40 N/m
length = 0.6 m
between = a, c
[bounce floor]
restitution = 0.5
between = b, hall
[gravity g]
on = b, c
"""


def test_things():
    network = write("things.ini", THINGS)
    path, root = make_movie(network)
    plane = Plane(root)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    check("<script" not in text and text.count("http") == 1, "no script, nothing from elsewhere")
    check(root.find(SVG + "title").text == '"a" <b> & c', "the title is the network's")
    check(plane.groups["s"].findall(".//" + SVG + "animateTransform[@type='scale']") != [],
          "a string hangs until it is taut")
    spin = keys_of(plane.groups["c"].find(SVG + "g").find(SVG + "g"), "rotate", 2)
    check(abs(spin[1][-1][0] + math.degrees(10)) < 0.02, "a ball's mark turns at its speed", spin[1][-1])
    flashes = [g for g in root.iter(SVG + "g") if g.get("class") == "flash"]
    events = ifbam("run", network, "--events", write("events.csv", ""), "-o", write("x.csv", ""))
    with open(os.path.join(folder.name, "events.csv"), encoding="utf-8") as file:
        told = [(row["element"], float(row["time"])) for row in csv.DictReader(file)]
    firsts = {element: next(t for e, t in told if e == element) for element in dict(told)}
    for element, time in firsts.items():
        flash = next(g for g in flashes if g.get("data-event") == element)
        times = [float(t) * 2 for t in flash.find(SVG + "animate").get("keyTimes").split(";")]
        check(abs(times[2] - time) < 1e-4, f"{element} flashes when it happens", (times, time))
    check(len(firsts) == 2, "the string and the floor have events", (told, events.stderr))
    return path


def test_axes():
    """Springs between a coordinate of a point and a node are drawn, and nodes that a point follows."""
    plane = Plane(make_movie(os.path.join(networks, "half-car.ini"))[1])
    for name in ("front-spring", "front-damper", "front-tyre", "front-wheel", "rear-wheel", "road"):
        check(name in plane.groups, "half-car: its " + name + " is drawn")
    plane = Plane(make_movie(os.path.join(networks, "pendulum-hit.ini"))[1])
    for name in ("k", "d", "block", "wall"):
        check(name in plane.groups, "pendulum-hit: its " + name + " is drawn")
    root = make_movie(os.path.join(networks, "crane.ini"))[1]
    check(len([g for g in root.iter(SVG + "g") if g.get("class") == "cart"]) == 1, "the crane has a trolley")
    text = ifbam("report", os.path.join(networks, "crane.ini")).stdout
    check("joins trolley and block" in text and "joins trolley and winch" in text,
          "its rope leads from the trolley to the block, and to the winch")


def test_speed():
    network = os.path.join(networks, "slider-crank.ini")
    fast, slow = make_movie(network)[1], make_movie(network, "--speed", "0.1")[1]
    durations = [next(root.iter(SVG + "animateTransform")).get("dur") for root in (fast, slow)]
    check(durations == ["0.5s", "5s"], "--speed 0.1 is ten times slower", durations)
    said = ifbam("plot", "movie", network, "-o", write("x.svg", "")).stderr
    check("--speed 0.1" in said, "a short movie tells of --speed", said)


def test_a_ball_at_rest():
    """Where nothing has a size the picture is a metre wide."""
    root = make_movie(write("rest.ini", "[network]\nstep = 1 ms\nduration = 2 s\nsample = 10 ms\n[ball b]\nmass = 1\nx = 3\n"))[1]
    width, scale = float(root.get("viewBox").split()[2]), float(root.get("data-scale"))
    place = Plane(root).pixels(3, 0)
    check(0.9 < width / scale < 1.2 and abs(place[0] - width / 2) < 1, "a ball at rest is in the middle of a metre",
          (width, scale, place))
    check(root.find(".//*[@data-name='b']") is not None, "... and is drawn")


def test_refusals():
    pendulum, line = os.path.join(networks, "pendulum.ini"), os.path.join(networks, "two-dof.ini")
    out = os.path.join(folder.name, "none.svg")
    many = write("many.ini", "[network]\nstep = 1 ms\nduration = 1 ms\n" + "".join(f"[ball b{i}]\nmass = 1\n" for i in range(2001)))
    for words, part in (((line, "-o", out), "nothing moves in the plane"),
                        ((pendulum,), "want -o FILE.svg"),
                        ((pendulum, "-o", out.replace("svg", "png")), "want -o FILE.svg"),
                        ((pendulum.replace("ini", "csv"), "-o", out), "needs a network, not a course"),
                        ((pendulum, "-o", out, "--speed", "0"), "want a number above 0"),
                        ((pendulum, "-o", out, "--x", "0:1"), "--x and --y are not for a movie"),
                        ((pendulum, "-o", out, "--signal", "tip"), "--signal is not for a movie"),
                        ((many, "-o", out), "2001 balls and bodies are too many for a movie (want at most 2000)")):
        result = ifbam("plot", "movie", *words)
        code = 1 if part == "nothing moves in the plane" else 2  # a network has no such thing; a word is wrong
        check(result.returncode == code and part in result.stderr, "refused: " + part, result.stderr)
    result = ifbam("plot", "path", pendulum, "-o", out, "--speed", "2")
    check(result.returncode == 2 and "--speed is for a movie" in result.stderr, "refused: a speed of a path")
    check(not os.path.exists(out), "and nothing is written")


def test_browser(things):
    """Two instants of a movie that a browser plays."""
    network = os.path.join(networks, "double-pendulum.ini")
    path, root = make_movie(network)
    plane, rows = Plane(root), rows_of(network, ["b1.x", "b1.y", "b2.x", "b2.y"])
    browser = start_browser(os.path.join(folder.name, "profile"))
    try:
        browser.get("file://" + path)
        for time in (1.3, 7.9):
            x, y, end_x, end_y = browser.execute_script("""
                const svg = document.documentElement;
                svg.pauseAnimations(); svg.setCurrentTime(arguments[0]);
                const ball = svg.querySelector("[data-name=b1] circle").getCTM();
                const rod = svg.querySelector("[data-name=r2] path").getCTM();
                const root = svg.getCTM();
                const place = (m, x) => new DOMPoint(x, 0).matrixTransform(m).matrixTransform(root.inverse());
                return [place(ball, 0).x, place(ball, 0).y, place(rod, 40).x, place(rod, 40).y];""", time)
            i = min(range(len(rows["time"])), key=lambda k: abs(rows["time"][k] - time))
            miss = max(math.dist((x, y), plane.pixels(rows["b1.x"][i], rows["b1.y"][i])),
                       math.dist((end_x, end_y), plane.pixels(rows["b2.x"][i], rows["b2.y"][i])))
            check(miss < 1, f"in a browser at {time} s it is where the run is", miss)
        browser.get("file://" + things)
        visible = browser.execute_script("""
            const svg = document.documentElement, flash = svg.querySelector("[data-event=floor]");
            const when = parseFloat(flash.querySelector("animate").getAttribute("keyTimes").split(";")[2]) * 2;
            svg.pauseAnimations();
            return [when - 0.05, when + 0.02, when + 0.9].map(t => {
                svg.setCurrentTime(t); return parseFloat(getComputedStyle(flash).opacity); });""")
        check(visible[0] == 0 and visible[1] > 0.9 and visible[2] == 0, "what happens flashes, and goes out", visible)
        errors = [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]]
        check(errors == [], "the browser has nothing to complain of", errors)
    finally:
        browser.quit()


test_positions("pendulum.ini", {"bar": True})
test_positions("four-bar.ini", {"crank": True, "coupler": True, "rocker": True})
test_positions("slider-crank.ini", {"crank": True, "piston": False}, "--duration", "0.1 s")
test_positions("ball-sine-big.ini", {"b": False}, "--duration", "4 s")
test_links()
things = test_things()
test_axes()
test_speed()
test_a_ball_at_rest()
test_refusals()
test_browser(things)
folder.cleanup()
finish()
