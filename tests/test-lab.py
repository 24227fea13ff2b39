#!/usr/bin/python3
# test-lab.py: the page of ifbam lab, in a browser: it runs the network as `ifbam run` does, to the last bit
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import io
import os
import re
import shlex
import shutil
import time

try:
    from browser import start_browser, wait_for
    from lab import after_run, check, failed, folder, make, open_page, run, same_as_program, silent, value
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("ok - lab # skip no selenium")
    raise SystemExit(0)

def test_three_dof(browser):
    path = make("three-dof", "--duration", "0.1s")
    text = open(path, encoding="utf-8").read()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    check("a policy without eval", "default-src 'none'" in policy and "'wasm-unsafe-eval'" in policy
          and "'unsafe-eval'" not in policy and "'unsafe-inline'" not in policy, policy)
    check("nothing is asked of the network", not re.search(r'(src|href)="(?!data:)', text.split("<script")[0]))
    open_page(browser, path)
    print("# opened in %s ms, %.0f kB" % (value(browser, "document.documentElement.dataset.ready"), len(text) / 1e3))
    same_as_program(browser, "as it is")

    slider = browser.find_element(By.CSS_SELECTOR, "[data-name='k2.stiffness'] input[type=range]")
    check("a slider by keys", after_run(browser, lambda: slider.send_keys(Keys.ARROW_RIGHT)))
    said = slider.get_attribute("aria-valuetext")
    check("it says what it is", said != "40 kN/m" and said.endswith(" kN/m"), said)
    same_as_program(browser, "a slider moved")
    field = browser.find_element(By.CSS_SELECTOR, "[data-name='m2.mass'] input[type=text]")
    check("a field with its unit", after_run(browser, lambda: (field.click(), field.send_keys(
        Keys.CONTROL, "a"), field.send_keys(Keys.NULL, "0.52 kg", Keys.ENTER))))
    field = browser.find_element(By.CSS_SELECTOR, "[data-name='m1.position'] input[type=text]")
    after_run(browser, lambda: (field.click(), field.send_keys(Keys.CONTROL, "a"),
                                field.send_keys(Keys.NULL, "0.52 mm", Keys.ENTER)))
    check("0.52 mm is 0.52e-3 m", value(browser, "lab.network.value('m1.position')") == 0.52e-3)
    same_as_program(browser, "two fields written")
    field.click()
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.NULL, "3 kg", Keys.ENTER)
    check("a wrong unit is told", "is no position: kg does not convert to m" in browser.find_element(By.ID, "fault-m1.position").text
          and value(browser, "lab.network.value('m1.position')") == 0.52e-3)
    after_run(browser, lambda: browser.execute_script(
        "const s = document.getElementById('scheme'); s.value = 'rk4'; s.dispatchEvent(new Event('change'))"))
    same_as_program(browser, "another scheme")
    check("the address says what differs", wait_for(lambda: {"m1.position=0.00052", "scheme=rk4"} <= set(
        value(browser, "location.hash").lstrip("#").split("&"))), value(browser, "location.hash"))
    address = value(browser, "location.hash")
    after_run(browser, lambda: browser.find_element(By.ID, "undo").click())
    after_run(browser, lambda: browser.find_element(By.ID, "redo").click())
    check("redo makes it again", value(browser, "lab.network.scheme()") == "rk4"
          and not browser.find_element(By.ID, "redo").is_enabled())
    after_run(browser, lambda: browser.find_element(By.ID, "undo").click())
    check("undo takes one back", value(browser, "lab.network.scheme()") == "averaged"
          and value(browser, "lab.network.value('m1.position')") == 0.52e-3)
    after_run(browser, lambda: browser.find_element(By.ID, "reset").click())
    check("reset", value(browser, "lab.network.isChanged()") is False)
    browser.execute_script("lab.change('m1.mass', -1)")
    check("what the core refuses is told in its words", browser.find_element(By.ID, "fault-m1.mass").text
          .startswith("must be above 0, not -1"), browser.find_element(By.ID, "numbers").text)
    open_page(browser, path, address + "&k9.stiffness=3&t=0.05")
    same_as_program(browser, "a link")
    check("a wrong part of a link is named", "k9.stiffness=3" in browser.find_element(By.ID, "note").text)
    check("the instant of a link", abs(value(browser, "lab.state.time") - 0.05) < 1e-9)
    silent(browser, "three-dof")


def test_time(browser):
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.HOME)
    check("Home", value(browser, "lab.state.time") == 0)
    body.send_keys(Keys.ARROW_RIGHT)
    first = value(browser, "lab.state.time")
    check("an arrow is a step", first > 0)
    body.send_keys(Keys.SPACE)
    check("space plays", wait_for(lambda: value(browser, "lab.state.time") > first)
          and browser.find_element(By.ID, "play").text == "Pause")
    body.send_keys(Keys.SPACE)
    check("and stops", browser.find_element(By.ID, "play").text == "Play")
    times = []
    for _ in range(60):
        start = time.monotonic()
        after_run(browser, lambda: browser.execute_script("lab.change('k2.stiffness', 40e3 + 1e3 * Math.random())"))
        times.append(time.monotonic() - start)
    before = value(browser, "performance.memory.usedJSHeapSize")
    print("# a change, seen from outside: median %.0f ms; heap %.1f MB" % (1e3 * sorted(times)[30], before / 1e6))


def test_drag(browser):
    place = value(browser, "(() => { lab.seek(0); const p = document.getElementById('scene').getBoundingClientRect();"
                  "return [p.left, p.top, p.width, p.height]; })()")
    where = value(browser, "lab.place('m2')")
    check("a mass is found where it is drawn", where is not None, place)
    actions = ActionChains(browser)
    actions.w3c_actions.pointer_action.move_to_location(round(place[0] + where["x"]), round(place[1] + where["y"]))
    actions.w3c_actions.pointer_action.pointer_down()
    actions.w3c_actions.pointer_action.move_to_location(round(place[0] + where["x"] + 40), round(place[1] + where["y"]))
    actions.w3c_actions.pointer_action.pointer_up()
    check("a mass is dragged", after_run(browser, actions.perform) and value(browser, "lab.network.value('m2.position')") > 0)
    wait_for(lambda: value(browser, "lab.state.playing"))
    browser.execute_script("document.getElementById('play').click()")
    same_as_program(browser, "a start by hand")


def drag(browser, name, *way):
    """Pulls the handle there along a path of pixels from its place, and stops the run that follows."""
    place = value(browser, "(() => { lab.seek(0); const p = document.getElementById('scene').getBoundingClientRect(); "
                  "const m = lab.place(arguments[0]); return [p.left + m.x, p.top + m.y]; })()", name)
    pointer = ActionChains(browser)
    to = pointer.w3c_actions.pointer_action
    to.move_to_location(round(place[0] + way[0][0]), round(place[1] + way[0][1]))
    to.pointer_down()
    for x, y in way[1:]:
        to.move_to_location(round(place[0] + x), round(place[1] + y))
    to.pointer_up()
    moved = after_run(browser, pointer.perform)
    wait_for(lambda: value(browser, "lab.state.playing"), 2)
    browser.execute_script("lab.play(false)")
    return moved


def test_starts(browser):
    """Rotating bodies are turned, nodes with a voltage are filled, moving bodies stay visible."""
    open_page(browser, make("torsion", "--duration", "0.1s"))
    check("a wheel is turned", drag(browser, "wheel", (0, -30), (-30, 0)) and 0.3 < value(browser, "lab.network.value('wheel.angle')") < 2.5,
          value(browser, "lab.network.value('wheel.angle')"))
    same_as_program(browser, "a wheel that was turned")
    handle = browser.find_element(By.CSS_SELECTOR, "#handles [role=slider][aria-label='Start of rotor']")
    after_run(browser, lambda: handle.send_keys(Keys.ARROW_UP))
    check("keys do, too", value(browser, "lab.network.value('rotor.angle')") > 0 and handle.get_attribute("aria-valuetext").endswith("rad"))
    open_page(browser, make("rc"))
    check("a capacitor is filled", drag(browser, "c1", (0, 0), (0, -20)) and value(browser, "lab.network.value('c1.voltage')") > 0.5)
    same_as_program(browser, "a capacitor that was filled")
    open_page(browser, make("stick-slip"))
    browser.execute_script("lab.seek(25)")
    belt = value(browser, "[lab.stage.targets.get('belt'), document.getElementById('scene').clientWidth]")
    check("a belt that runs on stays in sight", belt[0][0] + belt[0][2] <= belt[1], belt)
    open_page(browser, make("balls", "--duration", "1s"))
    event = value(browser, "lab.state.run.events.find((e) => e.element.startsWith('h'))")
    browser.execute_script("lab.seek(arguments[0])", event["time"])
    ends = value(browser, "lab.network.ends(arguments[0]).split(',')", event["element"])
    check("balls that hit flash", all(value(browser, "lab.state.lanes[0].flashing.has(arguments[0])", end) for end in ends), (event, ends))
    silent(browser, "starts")


def test_lists(browser):
    """Numbers of a list one by one; long or large numbers have few digits."""
    open_page(browser, make("chain", "--duration", "0.05s"))
    slider = browser.find_element(By.CSS_SELECTOR, "[data-name='c.stiffness[3]'] input[type=range]")
    check("a number of a list", after_run(browser, lambda: slider.send_keys(Keys.PAGE_UP))
          and value(browser, "lab.network.value('c.stiffness[3]')") > 20000)
    command = browser.find_element(By.ID, "command").text
    check("the command says all of it", "--set c.stiffness=10000,10000," in command, command)
    same_as_program(browser, "a list")
    check("a link does", wait_for(lambda: "c.stiffness[3]=" in value(browser, "decodeURI(location.hash)")), value(browser, "location.hash"))
    saved = os.path.join(folder, "chain-lab.ini")
    open(saved, "w", encoding="utf-8").write(value(browser, "lab.network.fileText()"))
    check("and the saved network", run("run", saved, "-o", "-").stdout
          == run("run", "networks/chain.ini", *shlex.split(command)[3:], "-o", "-").stdout != "")
    check("how many there are is none of them", value(browser, "lab.network.has('c.count')") is False)
    open_page(browser, make("plunger-pump", "--duration", "0.1s"))
    field = browser.find_element(By.ID, "field-rising.inertance")
    check("no field cuts its number", field.get_attribute("value") == "2e7 kg/m4" and value(
        browser, "[...document.querySelectorAll('#sliders input[type=text]')].every((f) => f.scrollWidth <= f.clientWidth)"), field.get_attribute("value"))
    after_run(browser, lambda: (field.click(), field.send_keys(Keys.CONTROL, "a"), field.send_keys(Keys.NULL, "2.5e7 kg/m4", Keys.ENTER)))
    check("and it is read as it is written", value(browser, "lab.network.value('rising.inertance')") == 2.5e7)
    open_page(browser, make("marble-table"))
    check("a table has all of the stage", value(browser, "lab.stage.hasBoxes") is False)
    silent(browser, "lists")


def test_modes(browser):
    """Eigenfrequencies follow the numbers, found by the core; those of `ifbam modes` are by another way."""
    for name, setting in (("three-dof", "k2.stiffness=52000"), ("torsion", "wheel.inertia=0.07"), ("half-car", "front-spring.stiffness=31000")):
        open_page(browser, make(name, "--duration", "0.1s"))
        after_run(browser, lambda: browser.execute_script("lab.change(arguments[0], Number(arguments[1]))", *setting.split("=")))
        told = [line.split() for line in run("modes", "networks/%s.ini" % name, "--set", setting).stdout.splitlines()]
        told = [float(line[1]) for line in told if len(line) in (5, 6) and line[0].isdigit() and float(line[1]) > 0]
        its = value(browser, "lab.modes()")
        check("%s has its modes after a change" % name, len(its) == len(told) > 0
              and all(abs(a - b) < 2e-7 * b for a, b in zip(its, told)), (its, told))
        check("which stand in the spectrum", wait_for(lambda: browser.find_element(By.ID, "whence").text.startswith("dotted: modes")))
    open_page(browser, make("crane", "--duration", "0.1s"))
    after_run(browser, lambda: browser.execute_script("lab.change('load.mass', 310)"))
    check("where it can't tell them so it says what it shows", wait_for(
        lambda: browser.find_element(By.ID, "whence").text == "its highest lines"), browser.find_element(By.ID, "whence").text)
    silent(browser, "modes")


def test_ends(browser):
    """The error that ends a run is the program's message, and the last course remains."""
    open_page(browser, make("crane"))
    after_run(browser, lambda: browser.execute_script("lab.change('winch.amplitude', -6)"))
    told = run("run", "networks/crane.ini", "--set", "winch.amplitude=-6", "-o", os.devnull).stderr
    said = browser.find_element(By.ID, "note").text
    check("what goes wrong on the way", "gets the length 0" in said and told.startswith("ifbam: " + said), (said, told))
    check("and when", browser.find_element(By.ID, "verdict").text == "ends at 7.84 s", browser.find_element(By.ID, "verdict").text)
    same_as_program(browser, "a course that ends early")
    jam = os.path.join(folder, "jam.ini")
    open(jam, "w", encoding="utf-8").write(
        "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 2 s\n[ground g]\n[mass m]\nmass = 1 kg\nposition = 0.5 m\n[drive d]\n"
        "position = 1 m\namplitude = 0.4 m\nfrequency = 1 Hz\n[impact a]\nrestitution = 0\nbetween = g, m\n[impact b]\nrestitution = 0\nbetween = m, d\n")
    page = os.path.join(folder, "jam.html")
    run("lab", jam, "-o", page)
    open_page(browser, page)
    after_run(browser, lambda: browser.execute_script("lab.change('d.amplitude', 4)"))
    told = run("run", jam, "--set", "d.amplitude=4", "-o", os.devnull).stderr
    said = browser.find_element(By.ID, "note").text
    check("what jams", "jammed" in said and told.startswith("ifbam: " + said), (said, told))
    after_run(browser, lambda: browser.find_element(By.ID, "undo").click())
    check("which is gone with its number", not browser.find_element(By.ID, "note").is_displayed())
    open_page(browser, make("rope", "--duration", "0.5s"))
    rows = value(browser, "lab.state.run.n")
    browser.execute_script("lab.change('head.x', 12.5)")
    told = run("run", "networks/rope.ini", "--set", "head.x=12.5", "-o", os.devnull).stderr
    said = browser.find_element(By.ID, "fault-head.x").text
    check("what is refused", said != "" and said.split("it can't")[0].split("] ")[-1] in told and value(browser, "lab.state.run.n") == rows, (said, told))
    silent(browser, "ends")


def test_large(browser):
    """Long work shows its progress; too long runs have no page."""
    watch = """new MutationObserver(() => { const v = document.getElementById('verdict'); if (v && /^it runs: \\d+ %$/.test(v.textContent)) {
        window.ran = v.textContent; } }).observe(document, { subtree: true, childList: true, characterData: true })"""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watch})
    open_page(browser, make("chain-1000", "--duration", "960s"))
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    check("what takes long says how far it is", value(browser, "window.ran || ''").startswith("it runs: "))
    check("and then what came of it", not browser.find_element(By.ID, "verdict").text.startswith("it runs"))
    silent(browser, "a long run")
    page = os.path.join(folder, "large.html")
    for words, said in ((("--set", "c.count=100000"), "200004 nodes, links and sources are more than a page runs"),
                        (("--duration", "30000s"), "steps are more than a page runs")):
        made = run("lab", "networks/chain-1000.ini", *words, "-o", page)
        check("too much is refused: " + " ".join(words), made.returncode == 1 and made.stderr.startswith("chain-1000.ini: no page runs this: ")
              and said in made.stderr and not os.path.exists(page), made.stderr)


def test_schemes(browser):
    path = make("three-dof")
    open_page(browser, path)
    check("two schemes beside each other", value(browser, "lab.state.lanes.map((lane) => lane.name)") == ["original", "averaged"])
    verdicts = [browser.find_element(By.ID, "verdict-other").text, browser.find_element(By.ID, "verdict").text]
    check("one grows, one holds", verdicts[0].startswith("grows: energy \u00d7 ") and verdicts[1].startswith("holds: "), verdicts)
    told = run("run", "networks/three-dof.ini", "--scheme", "original", "--record", "network.kinetic,network.potential",
               "--sample", "50us", "-o", "-")
    rows = list(csv.reader(io.StringIO(told.stdout)))[1:]
    its = value(browser, "(() => { const a = lab.state.lanes[0].run.account; return a.rows.map((r, i) => [r, ...a.energies[i]]); })()")
    check("%d energies are those of ifbam run, to the last bit" % len(its), len(its) > 300 and all(
        [float(x) for x in rows[int(r)][1:]] == [k, p] for r, k, p in its), told.stderr)
    open_page(browser, path, "#step=0.001&t=0.35")
    check("a divergence has the instant of ifbam run", browser.find_element(By.ID, "verdict-other").text == "diverges at 0.293 s",
          browser.find_element(By.ID, "verdict-other").text)
    silent(browser, "two schemes")


def test_words(browser):
    path = make("three-dof", "--duration", "0.1s")
    open_page(browser, path)
    told = run("dialogue", "networks/three-dof.ini", "-n", "4").stdout.split("Step 3,")[1]
    forces = re.findall(r"(k\d) to .* F = (\S+) N:", told)
    before = value(browser, "document.documentElement.dataset.heard")
    browser.execute_script("document.getElementById('forces').click(); lab.seek(3 * 50e-6)")
    wait_for(lambda: value(browser, "document.documentElement.dataset.heard") != before
             and value(browser, "lab.state.lanes[1].said.cycle") == 3)
    its = value(browser, "[...lab.state.lanes[1].said.forces]")
    check("forces are what the dialogue says", len(forces) == 3 and [(n, float(f)) for n, f in forces]
          == [(n, float("%.9g" % f)) for n, f in its], (forces, its))
    # All at once: they are written anew with each frame.
    sentences = "[...document.querySelectorAll('#sentences li')].map((line) => line.innerText)"
    wait_for(lambda: len(value(browser, sentences)) == 6)
    said = value(browser, sentences)
    check("and stand there in words", len(said) == 6 and said[0].startswith("k1 to wall and m1: \u201cI act with the force F = "), said)
    handle = browser.find_element(By.CSS_SELECTOR, "#handles [role=slider][aria-label='Start of m2']")
    check("a mass is a slider for keys", after_run(browser, lambda: handle.send_keys(Keys.ARROW_RIGHT))
          and value(browser, "lab.network.value('m2.position')") > 0
          and handle.get_attribute("aria-valuetext").endswith("m"), handle.get_attribute("aria-valuetext"))
    same_as_program(browser, "a start by keys")
    browser.execute_script("lab.seek(3 * 50e-6)")
    wait_for(lambda: value(browser, "lab.state.lanes[1].said && lab.state.lanes[1].said.cycle") == 3)
    browser.find_element(By.ID, "cycle").click()
    check("the next cycle", wait_for(lambda: value(browser, "lab.state.lanes[1].said.cycle") == 4))
    browser.find_element(By.TAG_NAME, "body").send_keys(".")
    check("a key does, too", wait_for(lambda: value(browser, "lab.state.lanes[1].said.cycle") == 5))
    silent(browser, "words")


def test_structure(browser):
    path = make("three-dof", "--duration", "0.1s")
    open_page(browser, path)
    browser.execute_script("const s = document.getElementById('chosen'); s.value = 'k3'; s.dispatchEvent(new Event('change'))")
    after_run(browser, lambda: browser.execute_script(
        "const s = document.getElementById('end-0'); s.value = 'm2'; s.dispatchEvent(new Event('change'))"))
    check("the line that is another one", browser.find_element(By.ID, "lines").text.split("]")[-1].split()
          == "between = m1, m3 between = m2, m3".split(), browser.find_element(By.ID, "lines").text)
    same_as_program(browser, "a link joined elsewhere")
    after_run(browser, lambda: browser.execute_script("lab.change('m2.mass', 0.7)"))
    saved = os.path.join(folder, "three-dof-lab.ini")
    open(saved, "w", encoding="utf-8").write(value(browser, "lab.network.fileText()"))
    names = "m1.position,m2.position,m3.position"
    options = shlex.split(value(browser, "document.getElementById('command').textContent"))[3:]
    check("the saved network is the same", run("run", saved, "--record", names, "-o", "-").stdout
          == run("run", "networks/three-dof.ini", *options, "--record", names, "-o", "-").stdout != "")
    after_run(browser, lambda: browser.find_element(By.ID, "take-off").click())
    open(saved, "w", encoding="utf-8").write(value(browser, "lab.network.fileText()"))
    its = value(browser, "(() => { const r = lab.state.run; return [...r.data.subarray((r.n - 1) * r.width, r.n * r.width)]; })()")
    told = run("run", saved, "--record", names, "-o", "-").stdout.strip().split("\n")[-1].split(",")
    check("without a link it is that of the saved network", [float(x) for x in told[1:]] == its[1:4], (told, its))
    silent(browser, "structure")


def test_grips(browser):
    """Ends of a chosen link are dragged to other nodes, or into the void."""
    open_page(browser, make("three-dof", "--duration", "0.1s"))
    at = value(browser, "(() => { const box = document.getElementById('stage').getBoundingClientRect(); return [box.left + 1, box.top + 1]; })()")

    def drag(end, where):
        actions = ActionChains(browser)
        grip = browser.find_element(By.ID, "grip-%d" % end)
        pointer = actions.w3c_actions.pointer_action
        pointer.move_to(grip)
        pointer.pointer_down()
        pointer.move_to_location(round(at[0] + where[0]), round(at[1] + where[1]))
        pointer.pointer_up()
        return after_run(browser, actions.perform)

    ends = value(browser, "lab.stage.links.get('k3').ends")
    actions = ActionChains(browser)
    actions.w3c_actions.pointer_action.move_to_location(round(at[0] + sum(e[0] for e in ends) / 2), round(at[1] + sum(e[1] for e in ends) / 2))
    actions.w3c_actions.pointer_action.pointer_down()
    actions.w3c_actions.pointer_action.pointer_up()
    actions.perform()
    check("a click chooses a link", value(browser, "lab.stage.chosen") == "k3" and browser.find_element(By.ID, "grip-0").is_displayed())
    m2 = value(browser, "(() => { const p = lab.place('m2'); return [p.x, p.y]; })()")
    check("its end is dragged to another mass", drag(0, m2) and value(browser, "lab.network.ends('k3')") == "m2,m3",
          value(browser, "lab.network.changes"))
    same_as_program(browser, "a link dragged elsewhere")
    wall = value(browser, "(() => { const [x, y, w, h] = lab.stage.targets.get('wall'); return [x + w / 2, y + h / 2]; })()")
    check("and to the wall", drag(0, wall) and value(browser, "lab.network.ends('k3')") == "wall,m3", value(browser, "lab.network.changes"))
    check("or into the void: it is off", drag(0, [30, 60]) and value(browser, "lab.network.ends('k3')") == "off",
          value(browser, "lab.network.changes"))
    after_run(browser, lambda: browser.find_element(By.TAG_NAME, "body").send_keys(Keys.DELETE))
    check("Delete puts it back", value(browser, "lab.network.isChanged()") is False, value(browser, "lab.network.changes"))
    silent(browser, "ends of links")


def names_of(browser):
    """Returns role and name of every control, as a screen reader gets them."""
    said = []
    for node in browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in ("button", "slider", "textbox", "combobox", "checkbox", "tab", "image", "dialog", "tablist"):
            said.append((role, node.get("name", {}).get("value", "")))
    return said


def test_controls(browser):
    """Every control has a name, and does something."""
    open_page(browser, make("impact-oscillator", "--duration", "3s"))
    said = names_of(browser)
    check("%d controls have names" % len(said), len(said) > 40 and all(name.strip() for role, name in said),
          [pair for pair in said if not pair[1].strip()])
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys("?")
    check("? shows the keys", wait_for(lambda: browser.find_element(By.ID, "keys").is_displayed())
          and "Space" in browser.find_element(By.ID, "keys").text)
    before = value(browser, "lab.state.time")
    browser.find_element(By.ID, "close-keys").send_keys(Keys.ARROW_RIGHT)
    check("which are not heard meanwhile", value(browser, "lab.state.time") == before)
    browser.find_element(By.ID, "close-keys").click()
    check("and goes", not browser.find_element(By.ID, "keys").is_displayed())
    browser.find_element(By.ID, "help").click()
    body.send_keys(Keys.ESCAPE)
    check("a button does, too", wait_for(lambda: not browser.find_element(By.ID, "keys").is_displayed()))
    step = value(browser, "lab.state.run.data[lab.state.run.width]")
    browser.find_element(By.ID, "on").click()
    on = value(browser, "lab.state.time")
    browser.find_element(By.ID, "back").click()
    check("a step on, and back", abs(on - step) < 1e-9 and value(browser, "lab.state.time") < 1e-9, (on, step))
    browser.execute_script("const s = document.getElementById('scrub'); s.value = 2; s.dispatchEvent(new Event('input'))")
    check("the strip is dragged through time", value(browser, "lab.state.time") == 2)
    place = value(browser, "(() => { const p = document.getElementById('course-chart').getBoundingClientRect(); return [p.left, p.top, p.width]; })()")
    across = value(browser, "[lab.state.see.seenFrom, lab.state.see.perPixel]")
    pointer = ActionChains(browser)
    pointer.w3c_actions.pointer_action.move_to_location(round(place[0] + 162), round(place[1] + 40))
    pointer.w3c_actions.pointer_action.pointer_down()
    pointer.w3c_actions.pointer_action.move_to_location(round(place[0] + 122), round(place[1] + 40))
    pointer.w3c_actions.pointer_action.pointer_up()
    pointer.perform()
    check("and so is the course", abs(value(browser, "lab.state.time") - across[0] - 60 * across[1]) < 2 * across[1]
          and value(browser, "lab.state.see.from") is None, (value(browser, "lab.state.time"), across))
    browser.find_element(By.ID, "start").click()
    check("to the start", value(browser, "lab.state.time") == 0)
    browser.execute_script("const s = document.getElementById('speed'); s.value = '100'; s.dispatchEvent(new Event('change'))")
    check("slower", value(browser, "lab.state.slower") == 100)
    ink = "(() => { const c = document.getElementById('%s'); return c.toDataURL(); })()"
    course = value(browser, ink % "course-chart")
    browser.execute_script("const s = document.getElementById('view'); s.value = 'phase'; s.dispatchEvent(new Event('change'))")
    phase = value(browser, ink % "course-chart")
    check("a phase portrait", value(browser, "lab.state.isPhase") is True and phase != course)
    browser.execute_script("const s = document.getElementById('signal'); s.value = s.options[1].value; s.dispatchEvent(new Event('change'))")
    check("another signal", value(browser, "lab.state.isRate") is True)
    after_run(browser, lambda: browser.find_element(By.ID, "compare").click())
    check("another scheme beside it", value(browser, "lab.state.lanes.length") == 2 and browser.find_element(By.ID, "other").is_displayed())
    after_run(browser, lambda: browser.execute_script(
        "const s = document.getElementById('other'); s.value = 'implicit'; s.dispatchEvent(new Event('change'))"))
    check("any", value(browser, "lab.state.lanes[0].name") == "implicit")
    tabs = {tab.text: tab for tab in browser.find_elements(By.CSS_SELECTOR, "#beside [role=tab]")}
    tabs["Events"].click()
    check("events instead of words", browser.find_element(By.ID, "events").is_displayed()
          and not browser.find_element(By.ID, "words").is_displayed())
    tabs["Events"].send_keys(Keys.ARROW_LEFT)
    check("an arrow goes to the next tab", browser.find_element(By.ID, "words").is_displayed())
    browser.execute_script("""window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };""")
    for name in ("save-network", "save-rows", "save-picture"):
        browser.find_element(By.ID, name).click()
    check("three things are saved", wait_for(lambda: value(browser, "window.saved") == [
        "impact-oscillator-lab.ini", "impact-oscillator.csv", "impact-oscillator.png"]), value(browser, "window.saved"))
    field = browser.find_element(By.ID, "field-k1.stiffness")
    field.click()
    field.clear()
    field.send_keys("7 apples", Keys.ENTER)
    check("a field refuses what is no number", browser.find_element(By.ID, "fault-k1.stiffness").text.startswith('unit "apples" is unknown (want a stiffness in N/m')
          and field.get_attribute("aria-invalid") == "true")
    field.send_keys(Keys.ESCAPE)
    check("Escape gives it up", field.get_attribute("value") == "30 N/m" and field.get_attribute("aria-invalid") == "false",
          field.get_attribute("value"))
    focus = []
    for _ in range(100):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        focus.append(value(browser, "document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"))
    order = ["save-network", "Start of m1", "scheme", "play", "scrub", "view", "signal", "field-k1.stiffness", "chosen", "cycle", "copy"]
    places = [focus.index(name) if name in focus else -1 for name in order]
    check("the keyboard goes through all", -1 not in places, list(zip(order, places)))
    silent(browser, "controls")


def test_rope(browser):
    """A rope hangs as the engine says."""
    open_page(browser, make("rope", "--duration", "0.5s"))
    wait_for(lambda: value(browser, "lab.state.lanes[0].shapeOf !== undefined"))
    shape = value(browser, "(() => { const r = lab.state.run; return [...lab.state.lanes[0].shapeOf('r', r.data.subarray(0, r.width))]; })()")
    places = list(zip(shape[::2], shape[1::2]))
    length = sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in zip(places, places[1:]))
    told = run("run", "networks/rope.ini", "--duration", "1ms", "--record", "head.x,head.y", "-o", "-").stdout.split("\n")[1].split(",")
    check("from end to end, as long as it is", places[0] == (0, 0) and all(abs(a - float(b)) < 1e-9 for a, b in zip(places[-1], told[1:]))
          and 11.97 < length <= 12, (places[0], places[-1], length))
    check("and above the edge of the stage", value(browser, "lab.stage.bounds.low") < min(y for x, y in places))
    silent(browser, "a rope")


def test_others(browser):
    for name, duration in (("impact-oscillator", "3s"), ("crane", "0.3s"), ("rc", None), ("torsion", None),
                           ("pendulum-hit", "0.5s")):
        path = make(name, *(["--duration", duration] if duration else []))
        open_page(browser, path)
        same_as_program(browser, name)
        if name == "crane":
            ends = value(browser, "lab.network.data.plane.links.slice(0, 1).map((link) => [lab.at(link.left), lab.at(link.right)])")
            check("what follows a node along one axis stands where it is said on the other", ends == [[[0, 8], [0, 3]]], ends)
        silent(browser, name)
    open_page(browser, make("half-car"))
    places = value(browser, "['car', 'front-wheel', 'rear-wheel'].map((name) => { const p = lab.place(name); return [p.x, p.y]; })")
    check("wheels are below their ends of the car, as in the movie", value(browser, "lab.stage.hasBoxes") is False
          and all(wheel[1] > places[0][1] + 44 for wheel in places[1:])
          and (places[1][0] - places[0][0]) * (places[2][0] - places[0][0]) < 0, places)
    silent(browser, "half-car")
    path = make("impact-oscillator")
    open_page(browser, path)
    told = run("run", "networks/impact-oscillator.ini", "--events", os.path.join(folder, "e.csv"), "-o", os.devnull)
    events = list(csv.DictReader(open(os.path.join(folder, "e.csv")))) if told.returncode == 0 else []
    its = value(browser, "lab.state.run.events.map((e) => [e.time, e.element, e.impulse])")
    check("%d events and their impulses" % len(its), len(its) > 5 and [
        [float(e["time"]), e["element"], float(e["impulse"])] for e in events] == its, told.stderr or (events[:1], its[:1]))
    check("and they are listed", len(browser.find_elements(By.CSS_SELECTOR, "#events tbody tr")) == len(its))


def test_text(browser):
    """A lecturer's words beside it: a little Markdown, and nothing that does anything."""
    words = os.path.join(folder, "words.md")
    open(words, "w", encoding="utf-8").write(
        "# Questions\n\nWhat does a *softer* `k2` do? [Look](#k2.stiffness=20000&t=0.05), [read](https://example.org/a?b=1&c=2).\n\n"
        "1. one\n2. two\n\n![shape](https://example.org/p.png) [bad](javascript:alert(1)) [plain](http://example.org)\n"
        "<b onclick='x()'>bold</b>\n\n<script>document.title = 'taken'</script>\n\n<img src=x onerror=alert(1)>\n")
    path = make("three-dof", "--duration", "0.1s", "--text", words)
    open_page(browser, path)
    panel = browser.find_element(By.ID, "text")
    tags = value(browser, "[...new Set([...document.querySelectorAll('#text *')].map((e) => e.tagName))].sort()")
    check("its words are there", panel.is_displayed() and "What does a softer k2 do?" in panel.text and
          tags == ["A", "CODE", "EM", "H3", "LI", "OL", "P", "PRE"], (tags, panel.text))
    links = value(browser, "[...document.querySelectorAll('#text a')].map((a) => a.getAttribute('href'))")
    check("links lead to https and to places only", links == ["#k2.stiffness=20000&t=0.05", "https://example.org/a?b=1&c=2"], links)
    check("what is no Markdown stands there as it was written", "<script>document.title = 'taken'</script>" in panel.text
          and "<b onclick='x()'>bold</b>" in panel.text and "<img src=x" in panel.text and "shape bad plain" in panel.text, panel.text)
    after_run(browser, lambda: panel.find_element(By.TAG_NAME, "a").click())
    check("a link in it sets numbers",
          wait_for(lambda: value(browser, "[lab.network.value('k2.stiffness'), lab.state.time]") == [20000, 0.05]))
    same_as_program(browser, "a link in the text")
    after_run(browser, lambda: browser.find_element(By.ID, "undo").click())
    check("which undo takes back", value(browser, "lab.network.isChanged()") is False)
    silent(browser, "words beside it")
    open_page(browser, path, width=390, height=844, mobile=True)
    tab = browser.find_element(By.CSS_SELECTOR, "#tabs [aria-controls=text]")
    tab.click()
    check("a phone has a tab for it", browser.find_element(By.ID, "text").is_displayed() and value(
        browser, "document.documentElement.scrollWidth") <= 390)
    report = os.path.join(folder, "text-report.html")
    for still in (("--still",), ()):
        made = run("report", "networks/three-dof.ini", "--duration", "0.1s", "--text", words, "-o", report, *still)
        open_page(browser, report) if not still else browser.get("file://" + report)
        at = "document" if still else "document.getElementById('laboratory').shadowRoot"
        check("a report has it, too" + "".join(still), made.returncode == 0 and "What does a softer k2 do?" in value(
            browser, at + ".getElementById('text').textContent"), made.stderr)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    check("on paper it is in the handout", browser.find_element(By.ID, "text").is_displayed())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    silent(browser, "words in a report")
    broken, large = os.path.join(folder, "broken.md"), os.path.join(folder, "large.md")
    open(broken, "wb").write(b"caf\xe9")
    open(large, "w", encoding="utf-8").write("word " * 60000)
    for name, said in ((broken, "broken.md: it is not UTF-8 text"), (large, "large.md: it has more than 256 kB"),
                       (folder, "Is a directory"), ("none.md", "none.md: No such file")):
        for command in ("lab", "report"):
            refused = run(command, "networks/three-dof.ini", "--text", name, "-o", os.path.join(folder, "no.html"))
            check("%s refuses %s" % (command, os.path.basename(name)), refused.returncode == 1 and said in refused.stderr
                  and not os.path.exists(os.path.join(folder, "no.html")), refused.stderr)


def test_report(browser):
    """The laboratory on top of a report: the same, in a tree of its own; without it the report is as it was."""
    path, still = os.path.join(folder, "report.html"), os.path.join(folder, "still-report.html")
    words = ("report", "networks/three-dof.ini", "--duration", "0.4s", "-o")
    made, without = run(*words, path), run(*words, still, "--still")
    check("a report with a laboratory, and without", made.returncode == without.returncode == 0 and made.stderr + without.stderr == "",
          made.stderr + without.stderr)
    more = os.path.getsize(path) - os.path.getsize(still)
    check("it has at most 460 kB more", more <= 460000, more)
    text = open(path, encoding="utf-8").read()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    check("its policy lets in its own scripts and the core", "script-src 'wasm-unsafe-eval' 'sha256-" in policy
          and "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
          and "unsafe-inline" not in policy.split("script-src")[1], policy)
    check("a still one has none of it", "wasm" not in open(still, encoding="utf-8").read().replace("lab-core", "")
          and 'id="laboratory"' not in open(still, encoding="utf-8").read())
    open_page(browser, path)
    check("the report below is there", value(browser, "window.ifbamReport.charts.length") == 14)
    inner = "document.getElementById('laboratory').shadowRoot"
    after_run(browser, lambda: browser.execute_script("""const field = %s.getElementById('field-k2.stiffness');
        field.value = '52 kN/m'; field.dispatchEvent(new Event('change'))""" % inner))
    same_as_program(browser, "in a report", inner=inner)
    looks = value(browser, "[document.querySelector('h2'), %s.querySelector('#sliders h3')].map((e) => getComputedStyle(e).fontSize)" % inner)
    check("each has its own looks", [round(float(size[:-2])) for size in looks] == [27, 13], looks)
    at = value(browser, "[lab.state.time, window.ifbamReport.state.step]")
    slider = browser.find_element(By.ID, "step")
    slider.send_keys(Keys.ARROW_RIGHT)
    check("keys below are not its own", value(browser, "[lab.state.time, window.ifbamReport.state.step]") == [at[0], at[1] + 1])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    check("paper has the handout", value(browser, "getComputedStyle(document.getElementById('laboratory')).display") == "none"
          and browser.find_element(By.ID, "diagram").is_displayed())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    open_page(browser, path, "#network")
    check("a link to a section is none of its own", value(browser, inner + ".getElementById('note').hidden") is True)
    open_page(browser, path, "#k2.stiffness=52000&embed")
    check("embedded it stands alone", value(browser, "lab.network.value('k2.stiffness')") == 52000
          and not browser.find_element(By.ID, "diagram").is_displayed())
    silent(browser, "a report")
    open_page(browser, path, width=390, height=844, mobile=True)
    check("on a phone it is no wider", value(browser, "document.documentElement.scrollWidth") <= 390)
    open(path, "w", encoding="utf-8").write(re.sub(r'(id="lab-core">)[^<]*', r"\1", text))
    open_page(browser, path)
    check("without the engine a sentence stands there", "stands still" in value(browser, inner + ".textContent")
          and value(browser, "document.getElementById('laboratory').getBoundingClientRect().height") < 100
          and value(browser, "window.ifbamReport.charts.length") == 14)
    made = run("report", "networks/chain-1000.ini", "--set", "c.count=12000", "--duration", "1ms", "-o", still)
    check("what is too large has none, and says so", made.returncode == 0 and "more than a page runs" in made.stderr
          and "more than a page runs" in open(still, encoding="utf-8").read(), made.stderr)


def test_phone(browser):
    path = make("three-dof", "--duration", "0.1s")
    open_page(browser, path, width=390, height=844, mobile=True)
    check("nothing is wider than a phone", value(browser, "document.documentElement.scrollWidth") <= 390)
    shown = []
    for tab in browser.find_elements(By.CSS_SELECTOR, "#tabs [role=tab]"):
        tab.click()
        shown += [[panel.get_attribute("id") for panel in browser.find_elements(By.CLASS_NAME, "panel") if panel.is_displayed()]]
    check("a tab shows its panel", shown == [["numbers"], ["course"], ["spectrum"], ["energy"], ["words"], ["why"]], shown)
    check("numbers begin above the fold", value(browser, "document.getElementById('tabs').getBoundingClientRect().bottom") < 800)
    check("fingers find buttons", all(b.size["height"] >= 42 for b in browser.find_elements(By.CSS_SELECTOR, "#time button")))
    silent(browser, "a phone")


def wide(browser):
    """Returns elements wider than the window, and texts of the stage that are cut."""
    return value(browser, """[...document.querySelectorAll('body *')].filter((e) => e.getClientRects().length > 0 && !e.closest('.unseen') &&
        (e.getBoundingClientRect().right > innerWidth + 1 || (e.matches('.lane span, .tabs button, h2, label') && e.scrollWidth > e.clientWidth + 1
         && getComputedStyle(e).display !== 'inline'))).map((e) => e.tagName + '#' + e.id)""")


def test_looks(browser):
    """Nothing is cut or scrolls where it need not, from a phone to a projector, dark or still."""
    path = make("three-dof")
    for width, height in ((390, 844), (360, 740), (1280, 800), (1920, 1080)):
        open_page(browser, path, width=width, height=height, mobile=width < 600)
        browser.execute_script("lab.seek(1.48)")
        wait_for(lambda: value(browser, "lab.state.lanes[1].said !== undefined"))
        check("%d x %d: nothing is cut" % (width, height), wide(browser) == [], wide(browser))
        if width > 600:
            time.sleep(0.2)
            check("and nothing scrolls", value(browser, """[document.documentElement, ...document.querySelectorAll('#numbers, #words')]
                .every((e) => e.scrollHeight <= e.clientHeight + 1)"""), value(browser, """[document.documentElement,
                ...document.querySelectorAll('#numbers, #words')].map((e) => [e.scrollHeight, e.clientHeight])"""))
    size = value(browser, "parseFloat(getComputedStyle(document.querySelector('#words li')).fontSize)")
    for name in ("wagon", "torsion"):
        other = make(name, "--duration", "0.3s")
        for width, height in ((1280, 800), (1920, 1080)):
            open_page(browser, other, width=width, height=height)
            check("%s, %d x %d: what stands at the side ends above the foot, and no field is cut" % (name, width, height), value(
                browser, """[...document.querySelectorAll('#numbers, #words')].every((e) => e.getBoundingClientRect().height >= 100 &&
                e.getBoundingClientRect().bottom <= document.querySelector('.foot').getBoundingClientRect().top + 1) &&
                [...document.querySelectorAll('#sliders input[type=text]')].every((f) => f.scrollWidth <= f.clientWidth)"""))
    open_page(browser, path, width=1920, height=1080)
    check("letters are larger on a projector", size > 16, size)
    dark = "getComputedStyle(document.querySelector('.lab')).backgroundColor"
    light = value(browser, dark)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"},
                                                                        {"name": "prefers-reduced-motion", "value": "reduce"}]})
    check("dark by preference", value(browser, dark) != light, light)
    open_page(browser, path)
    place = value(browser, "(() => { const p = document.getElementById('scene').getBoundingClientRect(); const m = lab.place('m2'); return [p.left + m.x, p.top + m.y]; })()")
    pointer = ActionChains(browser)
    pointer.w3c_actions.pointer_action.move_to_location(round(place[0]), round(place[1]))
    pointer.w3c_actions.pointer_action.pointer_down()
    pointer.w3c_actions.pointer_action.move_to_location(round(place[0]) + 30, round(place[1]))
    pointer.w3c_actions.pointer_action.pointer_up()
    after_run(browser, pointer.perform)
    check("with reduced motion nothing plays by itself", value(browser, "lab.state.playing") is False
          and value(browser, "lab.network.value('m2.position')") > 0)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    check("on paper all is there, without controls", not browser.find_element(By.ID, "time").is_displayed()
          and all(browser.find_element(By.ID, name).is_displayed() for name in ("scene", "course-chart", "energy-chart", "numbers", "words")))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    silent(browser, "looks")


def test_still():
    """Without the engine it stands still, and says so."""
    browser = start_browser(os.path.join(folder, "still"))
    try:
        path = os.path.join(folder, "three-dof.html")
        text = open(path, encoding="utf-8").read()
        still = os.path.join(folder, "still.html")
        open(still, "w", encoding="utf-8").write(re.sub(r'(id="lab-core">)[^<]*', r"\1", text))
        open_page(browser, still)
        check("without the engine it says why it stands still",
              "stands still" in browser.find_element(By.ID, "note").text
              and all(not b.is_enabled() for b in browser.find_elements(By.TAG_NAME, "button")))
        check("and which command gives its numbers",
              browser.find_element(By.ID, "command").text.startswith("ifbam run three-dof.ini"))
    finally:
        browser.quit()


if not (shutil.which("chromium") and os.path.exists("/usr/bin/chromedriver")):
    print("ok - lab # skip no chromium")
    raise SystemExit(0)
driver = start_browser(os.path.join(folder, "profile"))
try:
    test_three_dof(driver)
    test_time(driver)
    test_drag(driver)
    test_starts(driver)
    test_lists(driver)
    test_modes(driver)
    test_ends(driver)
    test_large(driver)
    test_schemes(driver)
    test_words(driver)
    test_structure(driver)
    test_grips(driver)
    test_controls(driver)
    test_rope(driver)
    test_others(driver)
    test_phone(driver)
    test_looks(driver)
    test_text(driver)
    test_report(driver)
finally:
    driver.quit()
test_still()
refused = run("lab", "networks/invalid/cold-verlet.ini", "-o", os.path.join(folder, "no.html"))
check("a wrong network costs nothing", refused.returncode == 1 and not os.path.exists(os.path.join(folder, "no.html")))
shutil.rmtree(folder)
raise SystemExit(len(failed) > 0)
