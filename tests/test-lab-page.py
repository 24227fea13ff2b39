#!/usr/bin/python3
# test-lab-page.py: the page of ifbam lab as readers use it: refused numbers, layout, drawing, verdicts, signals
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re
import shlex
import shutil
import time

try:
    from browser import start_browser, wait_for
    from lab import after_run, check, failed, folder, make, open_page, run, same_as_program, silent, value
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("ok - lab page # skip no selenium")
    raise SystemExit(0)


def write_number(browser, name, text):
    field = browser.find_element(By.ID, "field-" + name)
    field.click()
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.NULL, text, Keys.ENTER)
    return field


def what_changed(browser):
    return value(browser, """[JSON.stringify(lab.network.changes), document.getElementById('command').textContent, location.hash,
        document.getElementById('verdict').textContent, lab.state.run.n, document.getElementById('undo').disabled]""")


def test_refused(browser):
    """A refused number changes nothing but its own field, which says why."""
    path = make("three-dof", "--duration", "0.1s")
    open_page(browser, path)
    before = what_changed(browser)
    for name, text, why in (("step", "-1 ms", "must be above 0"), ("step", "100 s", "longer than the run"),
                            ("step", "1e-12", "more than a page runs"), ("step", "1e400", "too large"), ("m1.mass", "-1 kg", "must be above 0"),
                            ("m1.mass", "1e400", "too large"), ("m1.mass", "1,000 kg", "thousands have no mark"), ("k2.stiffness", "12 apples", "unit \"apples\" is unknown")):
        runs = value(browser, "document.documentElement.dataset.runs")
        field = write_number(browser, name, text)
        time.sleep(0.3)
        said = browser.find_elements(By.ID, "fault-" + name)
        check("%s = %s is refused in its field" % (name, text), len(said) == 1 and why in said[0].text and field.get_attribute("value") == text
              and field.get_attribute("aria-invalid") == "true" and not browser.find_element(By.ID, "note").is_displayed(),
              [one.text for one in said])
        check("and changes nothing", what_changed(browser) == before and value(browser, "document.documentElement.dataset.runs") == runs,
              (before, what_changed(browser)))
        field.send_keys(Keys.ESCAPE)
        check("Escape gives it up", not browser.find_elements(By.ID, "fault-" + name) and field.get_attribute("aria-invalid") == "false")
    write_number(browser, "m1.mass", "-1 kg")
    check("another number is taken beside it", after_run(browser, lambda: write_number(browser, "k2.stiffness", "50 kN/m"))
          and value(browser, "lab.network.changes") == {"k2.stiffness": 50000})
    same_as_program(browser, "a number beside a refused one")
    after_run(browser, lambda: browser.find_element(By.ID, "undo").click())
    check("one step back is the file, without the refused text", value(browser, "lab.network.isChanged()") is False
          and not browser.find_elements(By.CLASS_NAME, "fault"))
    silent(browser, "refused numbers")


def test_links(browser):
    """No link leaves a page blank: invalid parts are named, the others apply."""
    path = make("three-dof", "--duration", "0.1s")
    for link, named in (("#%", "%"), ("#t=-4", ""), ("#t=", "t="), ("#step=-1", "step=-1"), ("#m1.mass=-1&k2.stiffness=50000", "m1.mass=-1"),
                        ("#step=1e-12&k2.stiffness=50000", "step=1e-12"), ("#m1.mass=1e400", "m1.mass=1e400"), ("#t=1e400", "t=1e400")):
        open_page(browser, path, link)
        note = browser.find_element(By.ID, "note")
        check("%s opens with a course" % link, value(browser, "lab.state.run.n") > 10 and value(browser, "lab.state.time") >= 0
              and browser.find_element(By.ID, "verdict").text != "")
        check("and names what it says in vain", named in note.text and note.is_displayed() == (named != ""), note.text)
        check("and keeps the rest", value(browser, "lab.network.changes") == ({"k2.stiffness": 50000} if "k2" in link else {}),
              value(browser, "lab.network.changes"))
    open_page(browser, path, "#embed")
    after_run(browser, lambda: browser.execute_script("lab.change('k2.stiffness', 50000)"))
    check("#embed stays in the address", wait_for(lambda: "k2.stiffness" in value(browser, "location.hash"))
          and "embed" in value(browser, "location.hash").lstrip("#").split("&"), value(browser, "location.hash"))
    silent(browser, "links")


def test_first_run(browser):
    """A long run: controls work before it ends, and it can be stopped."""
    slow = "const later = window.setTimeout; window.setTimeout = (act, ms) => later(act, ms || 200);"  # a run's slices wait
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": slow})
    browser.get("about:blank")
    browser.get("file://" + make("chain-1000", "--duration", "960s"))
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    stop = browser.find_element(By.ID, "stop")
    check("a long run can be stopped", wait_for(stop.is_displayed))
    check("its page is not yet ready", value(browser, "document.documentElement.dataset.ready") is None)
    browser.find_element(By.ID, "help").click()
    check("buttons do something meanwhile", browser.find_element(By.ID, "keys").is_displayed())
    browser.find_element(By.ID, "close-keys").click()
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT, ".", Keys.HOME)
    for name in ("back", "on", "play", "save-rows"):
        browser.find_element(By.ID, name).click()
    stop.click()
    check("and is", wait_for(lambda: value(browser, "document.documentElement.dataset.ready")) and value(
        browser, "lab.state.run.n < lab.state.run.rows") and not stop.is_displayed())
    check("its verdict says so", browser.find_element(By.ID, "verdict").text.startswith("stopped at "), browser.find_element(By.ID, "verdict").text)
    silent(browser, "a run that was stopped")


def test_hidden(browser):
    """A tab that was hidden goes on from where it was."""
    open_page(browser, make("three-dof"))
    browser.execute_script("""lab.state.slower = 1; const later = performance.now.bind(performance); const frame = requestAnimationFrame;
        window.shift = 0; window.requestAnimationFrame = (act) => frame((now) => act(now + window.shift)); performance.now = () => later() + window.shift;
        lab.play(true);""")
    wait_for(lambda: value(browser, "lab.state.time") > 0.02)
    before = value(browser, "(() => { const t = lab.state.time; window.shift += 3e6; return t; })()")
    wait_for(lambda: value(browser, "lab.state.time") > before + 0.02)
    check("a pause of the browser is no jump", value(browser, "lab.state.time") < before + 1.5, (before, value(browser, "lab.state.time")))
    silent(browser, "a hidden tab")


# Texts on canvases: each with its letters' height and its rectangle in pixels of the page, as drawn last.
WRITTEN = """window.written = new Map(); const fill = CanvasRenderingContext2D.prototype.fillText; const clear = CanvasRenderingContext2D.prototype.clearRect;
    CanvasRenderingContext2D.prototype.clearRect = function (...all) { window.written.set(this.canvas, []); return clear.apply(this, all); };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const m = this.getTransform(), ratio = window.devicePixelRatio || 1, size = parseFloat(this.font), width = this.measureText(text).width;
        const at = m.transformPoint(new DOMPoint(x - width * ({ center: 0.5, right: 1, end: 1 }[this.textAlign] || 0), y));
        const zoom = Math.hypot(m.a, m.b) / ratio;
        const list = window.written.get(this.canvas) || [];
        list.push({ text, size: size * zoom, left: at.x / ratio, right: at.x / ratio + width * zoom, top: at.y / ratio - 0.72 * size * zoom, bottom: at.y / ratio });
        window.written.set(this.canvas, list); return fill.apply(this, arguments); };"""

# Faults of a layout: controls that overlap or are too small, elements off the sheet sideways, small letters.
LAYOUT = """(() => {
    const wrong = [], seen = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden' && !e.closest('.unseen, #handles, .grip, dialog');
    const name = (e) => e.tagName + '#' + (e.id || e.className || e.textContent.slice(0, 12));
    const shown = (e) => { const b = e.getBoundingClientRect(); let [left, top, right, bottom] = [b.left, b.top, b.right, b.bottom];
        for (let p = e.parentElement; p; p = p.parentElement) { if (/auto|hidden|scroll/.test(getComputedStyle(p).overflow) && p !== document.documentElement) {
            const c = p.getBoundingClientRect(); left = Math.max(left, c.left); top = Math.max(top, c.top); right = Math.min(right, c.right); bottom = Math.min(bottom, c.bottom); } }
        return { e, left, top, right, bottom, width: b.width, height: b.height }; };
    const boxes = [...document.querySelectorAll('button, select, input, summary, label.box')].filter((e) => seen(e) && !(e.type === 'checkbox')).map(shown)
        .filter((b) => b.right > b.left && b.bottom > b.top);
    boxes.forEach((a, i) => {
        if (a.width < 24 || a.height < 24) { wrong.push(name(a.e) + ' is ' + a.width.toFixed(1) + ' x ' + a.height.toFixed(1)); }
        if (a.e.scrollWidth > a.e.clientWidth + 1 && a.e.tagName === 'BUTTON') { wrong.push(name(a.e) + ' cuts its text'); }
        boxes.slice(i + 1).forEach((b) => {
            if (!a.e.contains(b.e) && !b.e.contains(a.e) && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) {
                wrong.push(name(a.e) + ' overlaps ' + name(b.e)); } }); });
    if (document.documentElement.scrollWidth > innerWidth) { wrong.push('scrolls sideways: ' + document.documentElement.scrollWidth); }
    [...document.querySelectorAll('body *')].filter(seen).forEach((e) => {
        if (e.getBoundingClientRect().right > innerWidth + 1) { wrong.push(name(e) + ' ends off the sheet'); }
        if ([...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && parseFloat(getComputedStyle(e).fontSize) < 9) { wrong.push(name(e) + ' has small letters'); } });
    for (const [canvas, texts] of window.written) { if (seen(canvas) && document.contains(canvas)) { for (const t of texts) {
        if (t.size < 8.99) { wrong.push(canvas.id + ': "' + t.text + '" has ' + t.size.toFixed(1) + ' px'); } } } }
    const areas = [...document.querySelectorAll('#stage, #time, #strip, .panel, .foot, .head, #tabs, #beside, #note')].filter(seen).map(shown);
    areas.forEach((a, i) => areas.slice(i + 1).forEach((b) => {
        if (!a.e.contains(b.e) && !b.e.contains(a.e) && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) {
            wrong.push(name(a.e) + ' lies on ' + name(b.e)); } }));
    const stage = document.getElementById('stage').getBoundingClientRect();
    if (stage.height < 140) { wrong.push('the stage is ' + stage.height + ' high'); }
    return [...new Set(wrong)]; })()"""

SIZES = ((390, 844), (768, 1024), (820, 1180), (844, 390), (800, 600), (1024, 768), (1112, 834), (1440, 900), (1920, 1080))


def test_layout(browser):
    """From a phone to a projector nothing overlaps, scrolls sideways or is too small."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRITTEN})
    for name in ("three-dof", "wagon", "shearer-drive"):
        path = make(name, "--duration", "0.1s")
        for width, height in SIZES:
            open_page(browser, path, width=width, height=height, mobile=min(width, height) < 500)
            for tab in [one for one in browser.find_elements(By.CSS_SELECTOR, "#tabs button") if one.is_displayed()] or [None]:
                if tab is not None:
                    tab.click()
                wrong = value(browser, LAYOUT)
                check("%s, %d x %d%s: nothing is in the way" % (name, width, height, "" if tab is None else ", " + tab.text), wrong == [], wrong[:12])
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    silent(browser, "layout")


# Pairs of texts of one chart that lie on each other.
COLLISIONS = """['course-chart', 'spectrum-chart', 'energy-chart'].flatMap((id) => {
    const texts = (window.written.get(document.getElementById(id)) || []).filter((t) => t.text !== ''), found = [];
    texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5) {
            found.push(id + ': "' + a.text + '" and "' + b.text + '"'); } }));
    return found; })"""

# Numbers without meaning: rounding, or limits.
STRANGE = """(() => { const said = document.body.innerText + ' ' + [...document.querySelectorAll('input')].map((f) => f.value).join(' ') + ' ' +
    [...window.written.values()].flat().map((t) => t.text).join(' ');
    return said.match(/\\S*(e[+\u2212-]?(1[5-9]|[2-9]\\d|\\d{3,})|NaN|Infinity|undefined)\\S*/g) || []; })()"""


def test_drawing(browser):
    """Contacts are drawn as touching, on their side; all links are there; axes are readable."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRITTEN})
    edges = "(() => { const p = (name) => { const { x, r } = lab.place(name); return [x - r + 6, x + r - 6]; }; return [%s]; })()"
    open_page(browser, make("collision"))
    browser.execute_script("lab.seek(lab.state.run.events[0].time)")
    left, right = value(browser, edges % "p('left'), p('right')")
    check("two masses touch when they collide", abs(left[1] - right[0]) < 1.5, (left, right))
    browser.execute_script("lab.seek(0)")
    left, right = value(browser, edges % "p('left'), p('right')")
    check("and else do not", left[1] < right[0] - 10, (left, right))
    open_page(browser, make("impact-oscillator"))
    anvil = "lab.stage.targets.get('anvil')[0] + lab.stage.targets.get('anvil')[2] / 2"
    for at, touches in (("lab.state.run.events[2].time", True), ("0", False)):
        browser.execute_script("lab.seek(%s)" % at)
        mass, wall = value(browser, edges % ("p('m1'), " + anvil))
        check("a mass %s its anvil on the left" % ("touches" if touches else "is away from"),
              abs(mass[0] - wall) < 1.5 if touches else mass[0] > wall + 3, (mass, wall))
    for name, links in (("servo", "ram servo flywheel foot shaft"), ("bridge", "winding d1 d2 d3 d4 load"), ("caliper", "caliper pads"), ("mathieu", "k1 limit d1")):
        open_page(browser, make(name))
        drawn = value(browser, "[...lab.stage.links.keys()].sort()")
        check("all links of %s are drawn" % name, drawn == sorted(links.split()), drawn)
        check("and nothing else is a box", value(browser, "lab.stage.boxes.filter((box) => box.kind === 'free').length")
              == len(set(re.findall(r"^\[(?:mass|inertia|capacitor) (\S+)\]", open("networks/%s.ini" % name, encoding="utf-8").read(), re.M))))
    for name, train in (("shearer-drive", "motor pinion shaft1 shaft2 head"), ("gear-train", "motor middle drum"), ("starter", "starter engine disc load")):
        open_page(browser, make(name, "--duration", "0.1s"))
        places = value(browser, "arguments[0].map((name) => lab.place(name).x)", train.split())
        check("%s reads from left to right" % name, places == sorted(places), places)
    for name in ("caliper", "cruise", "three-dof", "plunger-pump", "struck-chain", "quarter-car", "shearer-drive"):
        path = make(name)
        for width, height in ((1280, 800), (390, 844), (1024, 768), (1920, 1080)):
            open_page(browser, path, width=width, height=height, mobile=width < 600)
            wait_for(lambda: not value(browser, "document.getElementById('verdict').textContent").startswith("its account is"))
            for at in (0, 0.5, 1):
                browser.execute_script("document.querySelector('details').open = true; lab.seek(arguments[0] * Number(document.getElementById('scrub').max))", at)
                for tab in ("course", "spectrum", "energy"):
                    if width < 600:
                        browser.execute_script("document.querySelector('#tabs [aria-controls=%s]').click()" % tab)
                        time.sleep(0.05)
                wrong = value(browser, COLLISIONS) + value(browser, STRANGE)
                if wrong:
                    break
            check("%s, %d x %d: axis marks stand apart and numbers are numbers" % (name, width, height), wrong == [], wrong[:6])
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    silent(browser, "drawings")


def verdict_of(browser, name="verdict"):
    wait_for(lambda: value(browser, "document.getElementById(arguments[0]).textContent", name) not in ("", "its account is added up")
             and not value(browser, "document.getElementById(arguments[0]).textContent", name).startswith("it runs"))
    return value(browser, "document.getElementById(arguments[0]).textContent", name)


def test_explosion(browser):
    """Growing signals are visible to their end, on one scale or by powers of ten."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRITTEN})
    path = make("three-dof")
    marks = "(window.written.get(document.getElementById('course-chart')) || []).map((t) => t.text)"
    largest = "Math.max(...lab.state.lanes.map(({ run }) => { let m = 0; for (let r = 0; r < run.n; r++) { m = Math.max(m, Math.abs(run.data[r * run.width + 1])); } return m; }))"
    open_page(browser, path)
    lanes = value(browser, "lab.state.lanes.map((lane) => lane.name)")
    check("original grows beside averaged", lanes == ["original", "averaged"] and verdict_of(browser, "verdict-other").startswith("grows: energy \u00d7 "))
    most, begin = value(browser, largest), value(browser, "[lab.stage.largest.translation]")
    check("the stage has the beginning's scale", begin[0] < 0.1 * most, (begin, most))
    browser.execute_script("const s = document.getElementById('view'); s.value = 'all'; s.dispatchEvent(new Event('change'))")
    check("fit all: so does the picture", abs(value(browser, "lab.stage.largest.translation") - most) < 1e-9 + 0.5 * most, most)
    shown = [float(t.replace("\u2212", "-")) for t in value(browser, marks) if re.match(r"^[\u2212\d.]+$", t)]
    check("and the course, up to its largest value", max(shown) > 300 * most, (shown, most))
    browser.execute_script("const s = document.getElementById('view'); s.value = 'log'; s.dispatchEvent(new Event('change'))")
    decades = [t for t in value(browser, marks) if t.startswith("10\u207b") or t in ("1", "10")]
    check("logarithmic: decades", len(decades) >= 3, value(browser, marks))
    check("they stand apart", value(browser, COLLISIONS) == [], value(browser, COLLISIONS))
    check("the address keeps it", wait_for(lambda: "view=log" in value(browser, "location.hash")))
    open_page(browser, path, "#step=0.001&view=all")
    check("a link opens it, also where it diverges", value(browser, "document.getElementById('view').value") == "all"
          and verdict_of(browser, "verdict-other").startswith("diverges at"))
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    silent(browser, "an explosion")


def test_verdicts(browser):
    """Verdicts are true: an oscillation neither grows nor decays, impacts are not due to the scheme, each network has one."""
    path = make("three-dof")
    for link, wanted in (("#scheme=symplectic-euler&step=0.002&compare=no", "holds: energy swings by"), ("#scheme=verlet&step=0.003&compare=no", "holds: energy swings by"),
                         ("#scheme=implicit-euler&step=0.001&compare=no", "decays: energy"), ("#scheme=euler&step=0.00002&compare=no", "grows: energy"),
                         ("#compare=no", "holds: energy the same after 4 s")):
        open_page(browser, path, link)
        check("three-dof%s: %s" % (link, wanted), verdict_of(browser).startswith(wanted), verdict_of(browser))
    for name in ("charges", "toda"):
        open_page(browser, make(name))
        check("%s: what an impulse gives is fed" % name, verdict_of(browser).startswith("holds: its account closes"), verdict_of(browser))
    full = os.environ.get("TEST_EFFORT") == "full"
    names = sorted(os.listdir("networks")) if full else ["servo.ini", "balls.ini", "plunger-pump.ini", "shearer-drive.ini", "preload.ini", "rope.ini"]
    for name in [one[:-4] for one in names if one.endswith(".ini")]:
        open_page(browser, make(name))
        said = verdict_of(browser)
        check("%s opens with a verdict" % name, re.match(r"(holds|loses|grows|decays|diverges|ends|at rest)", said) is not None
              and not re.search(r"NaN|Infinity|undefined", said), said)
        silent(browser, name)


def test_signals(browser):
    """Forces and torques are signals; the first signal oscillates; fields take the units of the file."""
    open_page(browser, make("shearer-drive"))
    names = value(browser, "[...document.getElementById('signal').options].map((one) => one.textContent)")
    check("torques are among the signals", {"gear1.torque", "drive.torque", "motor.speed"} <= set(names), names)
    check("the first signal oscillates", value(browser, "lab.state.see.name").endswith(".speed"), value(browser, "lab.state.see.name"))
    for name, signal in (("three-dof", "k2.force"), ("torsion", "shaft.torque"), ("rlc", "r1.current"), ("impact-oscillator", "k1.force")):
        open_page(browser, make(name))
        check("%s: the first signal swings" % name, value(browser, """(() => { const r = lab.state.run, c = lab.state.see.column; let n = 0, before = 0;
            for (let i = 1; i < r.n; i++) { const d = Math.sign(r.data[i * r.width + c] - r.data[(i - 1) * r.width + c]); n += d * before < 0 ? 1 : 0; before = d || before; }
            return n; })()""") > 2, value(browser, "lab.state.see.name"))
        check("%s is chosen" % signal, after_run(browser, lambda: browser.execute_script("""const s = document.getElementById('signal');
            s.value = [...s.options].find((one) => one.textContent === arguments[0]).value; s.dispatchEvent(new Event('change'))""", signal)))
        told = run("run", "networks/%s.ini" % name, "--record", signal, "-o", "-").stdout.strip().split("\n")[1:]
        its = value(browser, "[...lab.state.run.forces]")
        check("%s has the rows of ifbam run, to the last bit" % signal, [float(row.split(",")[1]) for row in told] == its and max(map(abs, its)) > 0,
              (len(told), len(its), told[:2], its[:2]))
        check("the link holds it", wait_for(lambda: "see=" + signal in value(browser, "location.hash")))
    address = value(browser, "location.hash")
    open_page(browser, os.path.join(folder, "impact-oscillator.html"), address)
    check("and opens it", value(browser, "[lab.state.see.name, lab.state.see.unit, lab.state.run.forces.length > 10]") == ["k1.force", "N", True])
    open_page(browser, make("shearer-drive", "--duration", "20ms"))
    for text, key, wanted in (("1500 rpm", "motor.speed", 1500 * 2 * 3.141592653589793 / 60), ("157 rad/s", "motor.speed", 157), ("12 kN m", "picks.value", 12e3),
                              ("2.5 t m2", "motor.inertia", 2500), ("3e4 g m^2", "motor.inertia", 30), ("2 N mm s/rad", "rubber.damping", 0.002)):
        if value(browser, "lab.network.has(arguments[0])", key):
            after_run(browser, lambda: write_number(browser, key, text))
            its = value(browser, "lab.network.value(arguments[0])", key)
            check("%s is taken" % text, abs(its - wanted) <= 4e-16 * wanted, (its, wanted))
    open_page(browser, make("three-dof", "--duration", "20ms"))
    for text, key, wanted in (("10.5 N/mm", "k1.stiffness", 10500), ("500 g", "m1.mass", 0.5), ("0.2 cm", "m1.position", 0.002), ("60 us", "step", 60e-6),
                              ("12 kN/m", "k1.stiffness", 12000), ("0,3 kg", "m1.mass", 0.3)):
        after_run(browser, lambda: write_number(browser, key, text))
        check("%s is taken" % text, value(browser, "lab.network.value(arguments[0])", key) == wanted, value(browser, "lab.network.value(arguments[0])", key))
    same_as_program(browser, "numbers with other units")
    for text in ("5 N", "5 kg/m", "5 N/m/m", "5 rad N/m", "5 1/s"):
        write_number(browser, "k1.stiffness", text)
        check("%s is no stiffness" % text, len(browser.find_elements(By.ID, "fault-k1.stiffness")) == 1)
    silent(browser, "signals")


def test_parameters(browser):
    """Parameters of the file have sliders; dependent values follow in the run, the command and the saved file."""
    for name, key, text, follows in (("parameters", "$k", "5 N/mm", {"k1.stiffness": 5000, "k3.stiffness": 5000}),
                                     ("parameters", "$step", "0.25 ms", {"step": 0.25e-3}),
                                     ("inerter", "$f", "2.5 Hz", {"road.frequency": 2.5, "b1.inertance": 12000 / (2 * 3.141592653589793 * 2.5) ** 2})):
        open_page(browser, make(name, *(() if key == "$step" else ("--duration", "0.3s"))))
        slider = browser.find_element(By.CSS_SELECTOR, "[data-name='%s'] input[type=range]" % key)
        after_run(browser, lambda: slider.send_keys(Keys.HOME))  # a tenth
        check("%s: %s has a slider" % (name, key), list(value(browser, "lab.network.changes")) == [key], value(browser, "lab.network.changes"))
        after_run(browser, lambda: write_number(browser, key, text))
        its = {one: value(browser, "lab.network.value(arguments[0])", one) for one in follows}
        check("%s: numbers follow it" % key, its == follows, its)
        same_as_program(browser, "%s of %s" % (text, key))
        saved = os.path.join(folder, "parameters-lab.ini")
        open(saved, "w", encoding="utf-8").write(value(browser, "lab.network.fileText()"))
        command = shlex.split(value(browser, "document.getElementById('command').textContent"))
        check("the saved file says it", run("run", saved, "-o", "-").stdout == run("run", "networks/" + command[2], *command[3:], "-o", "-").stdout != "")
        address = value(browser, "(lab.play(false), location.hash)")
        wait_for(lambda: "%s=%s" % (key, value(browser, "lab.network.changes")[key]) in value(browser, "decodeURI(location.hash)"))
        open_page(browser, os.path.join(folder, name + ".html"), value(browser, "location.hash") or address)
        check("a link does", {one: value(browser, "lab.network.value(arguments[0])", one) for one in follows} == follows)
    silent(browser, "parameters")


def test_start(browser):
    """At the start the page shows the messages of half steps as the dialogue prints them."""
    open_page(browser, make("three-dof", "--duration", "20ms"))
    told = run("dialogue", "networks/three-dof.ini", "-n", "1").stdout
    halves = {name: float(v) for name, v in re.findall(r"(m\d) to .*half a step ago was v = (\S+) m/s", told)}
    wait_for(lambda: "half a step ago" in value(browser, "document.getElementById('sentences').textContent"), 20)
    said = value(browser, "document.getElementById('sentences').innerText").replace("\u2212", "-")
    its = {name: float(v) * {"m": 1, "mm": 1e-3, "\u00b5m": 1e-6}[unit] for name, v, unit in
           re.findall(r"(m\d) .I start at \S+ m*, with 0 m/s. My velocity half a step ago was (\S+) (\S*m)/s", said)}
    check("velocities half a step ago are those of the dialogue", len(its) == 3 and all(abs(its[n] - halves[n]) < 1e-9 for n in its), (said, halves))
    check("and it says which velocity courses and rows have", "the mean of the halves" in browser.find_element(By.ID, "which").text)
    row = run("run", "networks/three-dof.ini", "--duration", "1ms", "--record", "m3.velocity", "-o", "-").stdout.split("\n")[1].split(",")
    check("as they have", value(browser, "lab.state.run.data[1 + lab.network.data.nodes.length + lab.network.data.nodes.findIndex((n) => n.name === 'm3')]") == float(row[1]))
    silent(browser, "a start")


def test_why(browser):
    """The panel Why has the energies of `ifbam dialogue --energy`, on a desktop and a phone, and a loop per link."""
    path = make("torsion", "--scheme", "original", "--duration", "100ms")
    told = run("dialogue", "networks/torsion.ini", "--scheme", "original", "--energy", "-n", "2000").stdout
    program = {name: float(total) for name, total in re.findall(r"^  (\S+) +\S+ +(\S+)$", told[told.rindex("Step "):], re.M)}
    for width, height, tabs, mobile in ((1920, 1080, "beside", False), (390, 844, "tabs", True)):
        open_page(browser, path, "", width, height, mobile)
        tab = next(one for one in browser.find_elements(By.CSS_SELECTOR, "#%s button" % tabs) if one.text == "Why")
        tab.send_keys(Keys.ENTER)
        check("%d: the panel is computed" % width, wait_for(lambda: value(browser, "lab.state.lanes[0].why !== undefined && lab.state.lanes[0].why.link !== ''"), 20))
        browser.execute_script("lab.seek(1)")
        its = value(browser, "(({ names, rows }) => [names, [...rows[rows.length - 1]]])(lab.state.lanes[0].why)")
        page = dict(zip(its[0] + ["events", "measured"], its[1]))
        check("%d: energies are those of the dialogue" % width, len(its[0]) == 6
              and all(abs(page[name] - program[name]) <= 1e-5 * abs(program[name]) for name in its[0] + ["measured"])
              and abs(sum(its[1][:6]) - program["sum"]) <= 1e-5 * program["sum"], (page, program))
        bars = value(browser, "[...document.querySelectorAll('#terms li')].map((one) => [one.firstChild.textContent, one.querySelector('output').textContent])")
        check("%d: a bar for each" % width, [name for name, _ in bars] == its[0] and all(text.endswith("J") for _, text in bars), bars)
        said = value(browser, "document.getElementById('balance').textContent")
        check("%d: the sum closes" % width, "%.4g mJ" % (1e3 * program["sum"]) in said and "below 0.01 %" in said, said)
        other = next(one for one in browser.find_elements(By.CSS_SELECTOR, "#terms button") if one.text == "bearing")
        other.send_keys(Keys.SPACE)
        check("%d: a key chooses the loop of another link" % width, wait_for(lambda: value(browser, "document.getElementById('loop-words').textContent").startswith("bearing:"), 20))
        check("%d: nothing overflows" % width, value(browser, "document.documentElement.scrollWidth") <= width)
    browser.execute_script("const all = document.getElementById('chosen'); all.value = 'bearing'; all.dispatchEvent(new Event('change'))")
    after_run(browser, lambda: browser.execute_script("document.getElementById('take-off').click()"))
    check("without its link another loop is drawn", wait_for(lambda: value(browser, "document.getElementById('loop-words').textContent").startswith("shaft:"), 20)
          and "bearing" not in value(browser, "document.getElementById('terms').textContent"))
    after_run(browser, lambda: browser.execute_script("lab.change('scheme', 'rk4')"))
    check("rk4: the panel says why it is empty", wait_for(lambda: "symplectic-euler and verlet" in value(browser, "document.getElementById('balance').textContent"), 20))
    silent(browser, "why")


if not (shutil.which("chromium") and os.path.exists("/usr/bin/chromedriver")):
    print("ok - lab page # skip no chromium")
    raise SystemExit(0)
tests = [test_refused, test_links, test_first_run, test_hidden, test_layout, test_drawing, test_explosion, test_verdicts, test_signals, test_parameters, test_start, test_why]
wanted = os.environ.get("LAB_TEST", "")  # a part of the names of those that run
driver = start_browser(os.path.join(folder, "profile"))
try:
    for test in tests:
        if wanted in test.__name__:
            test(driver)
finally:
    driver.quit()
shutil.rmtree(folder)
raise SystemExit(len(failed) > 0)
