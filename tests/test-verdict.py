#!/usr/bin/python3
"""test-verdict.py: check, run, stability, modes and spectrum never contradict each other

About all shipped networks, and random ones of users' own kinds: buildings, drive trains, circuits, toys with
stops; and of all domains' elements, with switches, pieces of characteristics, orifices and mechanisms (random_networks.py:
TEST_RANDOM of them, by hand 2000). What is asked of each: the growth that check and stability tell is one; the step that stability finds is the
one from which a run warns, with the same number, and up to which it does not; the fastest mode is one; a
spectrum has no line where modes has no mode; and no run ends as diverged of which neither a note nor check has said that
a mode grows, or that laws bend.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import random_networks

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
IFBAM = os.environ.get("IFBAM", "build/ifbam")
NETWORKS = int(os.environ.get("TEST_NETWORKS", "100"))
RANDOM = int(os.environ.get("TEST_RANDOM", "80"))
# Seeds of runs that once diverged unannounced: valves open at the start, laws that get steeper within a step
HARD = [297, 580, 784, 851, 1067, 1466, 1772]
SCHEMES = ["original", "averaged", "euler", "symplectic-euler", "verlet", "rk4"]


class Contradiction(Exception):
    pass


def call(*arguments, codes=(0,)):
    done = subprocess.run([IFBAM, *arguments], capture_output=True, text=True, timeout=100)
    if done.returncode not in codes:
        raise Contradiction(f"ifbam {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
    return done


def ask(*arguments):
    return json.loads(call(*arguments, "--json").stdout)


def agree(what, one, other, tolerance):
    """Numbers, or None where there is none; growth that is no more than rounding is none, too."""
    if one is None or other is None:
        one, other = one or 0, other or 0
    if not abs(one - other) <= tolerance * max(abs(one), abs(other)) + 1e-9:
        raise Contradiction(f"{what}: {one!r} and {other!r}")


def own_row(stability, scheme):
    return next(row for row in stability["schemes"] if row["scheme"] == scheme)


def look_at(path, *options):
    """One growth, one fastest frequency."""
    check = ask("check", path, *options)
    if check["free_nodes"] == 0:
        return None
    stability = ask("stability", path, *options)
    row = own_row(stability, check["scheme"])
    if not check["fastest_is_at_most"]:
        agree("fastest mode of check and stability", check["fastest_frequency"],
              stability["fastest_frequency"], 1e-9)
    # check spends less on large networks, and says so
    if check["free_nodes"] <= 50 and row["growth_rate_is"] != "about" and check["growth_rate"] is not None:
        agree("growth of check and stability", max(0, check["growth_rate"]), max(0, row["growth_rate"] or 0), 1e-6)
    return check, stability, row


def look_at_modes(path, check, stability, *options):
    if stability["nonlinear_links"] > 0 or check["links_with_modes"] > 0 or check["free_nodes"] > 50:
        return
    modes = [mode["frequency"] for mode in ask("modes", path, *options)["modes"] if mode["kind"] == "oscillating"]
    if modes and stability["damped"] and max(modes) > (1 + 1e-6) * check["fastest_frequency"]:
        raise Contradiction(f"check knows no mode of {max(modes)} Hz")
    if modes and not stability["damped"]:
        agree("fastest mode of modes and stability", max(modes), stability["fastest_frequency"], 1e-6)


WHIRL = ("[network]\nstep = 0.1 ms\nduration = 2 s\nscheme = rk4\n[ground f]\n[mass x]\nmass = 0.05\n[mass y]\nmass = 0.05\n"
         "position = 1 mm\n[spring kx]\nstiffness = 50\nbetween = f, x\n[spring ky]\nstiffness = 50\nbetween = f, y\n"
         "[cross-damper gx]\ndamping = 60\nbetween = f, x\ninput = y\n[cross-damper gy]\ndamping = -60\nbetween = f, y\ninput = x\n")


def look_at_whirl(folder):
    """The fastest mode of a gyroscopic network is that of modes; step = auto names schemes that take a longer step."""
    path = os.path.join(folder, "whirl.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(WHIRL)
    agree("fastest mode of check and modes", ask("check", path)["fastest_frequency"],
          max(mode["frequency"] for mode in ask("modes", path)["modes"]), 1e-9)
    for scheme, code in (("averaged", 2), ("euler", 0)):
        told = call("check", path, "--scheme", scheme, "--step", "auto", codes=(code,))
        if not re.search(r"rk4 (would take )?0.00016 s", told.stdout + told.stderr):
            raise Contradiction(f"no scheme is named: {told.stdout}{told.stderr}")


def look_at_steps(path, scheme):
    """A run warns beyond the step that stability finds, and not below it."""
    wanted = own_row(ask("stability", path, "--scheme", scheme), scheme)
    steps = 4000
    for part in (0.98, 1.02):
        step = wanted["critical_step"]
        if step is None or not 0 < step < 1:
            return
        step *= part
        options = ["--scheme", scheme, "--step", repr(step), "--sample", repr(step), "--duration", repr(steps * step)]
        row = own_row(ask("stability", path, *options), scheme)
        grows = (row["growth_rate"] or 0) * steps * step
        done = call("run", path, *options, "-o", os.devnull, codes=(0, 1))
        warned = "too long" in done.stderr or "amplitudes grow" in done.stderr or ") grows at" in done.stderr
        if part < 1 and (warned or done.returncode == 1):
            raise Contradiction(f"{scheme}, {step} s, below the critical step: {done.stderr}")
        if part > 1 and grows > 0.011 and not warned:
            raise Contradiction(f"{scheme}, {step} s, grows by exp {grows}: {done.stderr or 'not a word'}")
        for told in re.findall(r"bears ([0-9.e+-]+) s", done.stderr):
            agree("the step that run and stability tell", float(told), row["critical_step"], 6e-3)
        for told in re.findall(r"[Ss]tep of ([0-9.e+-]+) s would do", done.stderr):
            if not float(told) < step:
                raise Contradiction(f"a longer step than {step} s would do: {done.stderr}")


def look_at_lines(path, scheme):
    """No line of a free motion is where no mode is."""
    options = ["--scheme", scheme]
    modes = [mode["frequency"] for mode in ask("modes", path, *options)["modes"] if mode["kind"] == "oscillating"]
    for signal in ask("spectrum", path, *options)["signals"]:
        strongest = max((peak["amplitude"] for peak in signal["peaks"]), default=0)
        for peak in signal["peaks"]:
            frequency = peak["corrected_frequency"]
            if frequency is None or peak["amplitude"] < 1e-2 * strongest:
                continue
            nearest = min(modes, key=lambda mode: abs(mode - frequency))
            if abs(nearest - frequency) > max(1e-3 * nearest, 0.5 * signal["resolution"]):
                raise Contradiction(f"{signal['signal']}: a line at {frequency} Hz, the nearest mode at {nearest} Hz")


def look_at_divergence(path, bent):
    """A run that diverges is announced; bent: gets the networks that laws make steeper than they are at the start."""
    done = call("run", path, "-o", os.devnull, codes=(0, 1))
    if "the run diverged" not in done.stderr:
        return
    said = [line for line in done.stderr.split("\n") if line.startswith(("ifbam: warning", "ifbam: note"))]
    if any("too long for" in line or "amplitudes grow" in line or ") grows at" in line for line in said):
        return
    if "no steeper than at the start" in call("check", path).stdout:
        bent.append(path)
    else:
        raise Contradiction(f"not announced: {done.stderr}")


def look_at_a_switch(folder):
    """A closed switch with a resistance bears the steps that a resistor in its place does."""
    text = ("[network]\nstep = 1 us\nduration = 100 us\n[ground gnd]\n[voltage-source v]\nvoltage = 5 V\n"
            "[%s s]\nresistance = 20 ohm\nbetween = v, c\n%s[capacitor c]\ncapacitance = 10 pF\n")
    found = []
    for kind, more in (("switch", "state = closed\ntoggle = 20 us\n"), ("switch", "toggle = 20 us\n"), ("resistor", "")):
        path = os.path.join(folder, "switch.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text % (kind, more))
        found.append(ask("stability", path)["schemes"])
    for resistor, *switches in zip(found[-1], *found[:-1]):
        for row in switches if resistor["growth_rate"] > 0 else []:
            for key in "growth_rate", "critical_step", "longest_step":
                agree(f"{key} of a switch and a resistor, {row['scheme']}", row[key], resistor[key], 1e-3)


STATES = {
    "a switch that opens first": "step = 1 us\nduration = 100 us\nscheme = averaged\n[ground g]\n[voltage-source v]\nvoltage = 5 V\n"
    "[switch s]\nresistance = 1 kohm\nstate = open\ntoggle = 10 us, 20 us, 30 us\nbetween = v, c\n[capacitor c]\ncapacitance = 1 nF\n",
    "a switch that closes": "step = 1 ms\nduration = 20 ms\nscheme = rk4\n[ground g]\n[capacitor c]\ncapacitance = 0.44 mF\n"
    "voltage = 2.2 V\n[switch s]\nbetween = g, c\nresistance = 0.22 ohm\ntoggle = 3 ms\n",
    "two switches that close together": "step = 150 us\nduration = 20 ms\nscheme = verlet\n[ground g]\n[capacitor c]\n"
    "capacitance = 0.44 mF\nvoltage = 2.2 V\n[switch s]\nbetween = g, c\nresistance = 0.44 ohm\ntoggle = 3 ms\n"
    "[switch t]\nbetween = g, c\nresistance = 0.44 ohm\ntoggle = 4 ms\n",
    "a steep piece of a characteristic": "step = 1 ms\nduration = 1 s\nscheme = verlet\n[ground g]\n[mass m]\nmass = 1\nvelocity = 1\n"
    "[damper-characteristic d]\nrate = -1, -0.5, 0.5, 1\nforce = -1, 0, 0, 1\nbetween = m, g\n[spring k]\nstiffness = 1\nbetween = m, g\n"
    "[characteristic c]\ncompression = -1, 0, 0.1, 1\nforce = 0, 0, 0, 9e6\nbetween = m, g\n",
    "an orifice beside a piston": "step = 1 ms\nduration = 50 ms\nscheme = averaged\n[pipe h4]\ninertance = 2.391e6\nflow = -1.651e-3\n"
    "[pipe h6]\ninertance = 8.497e6\nflow = 5.587e-3\n[orifice o]\nbetween = h4, h6\narea = 0.5145 cm2\n"
    "[pipe h0]\ninertance = 1.392e7\n[mass m]\nmass = 2.278 kg\n[piston p]\narea = 97.75 cm2\nbetween = m, h0\n",
}


def look_at_state(folder, text):
    """A step that is too long in a state that comes later is told of before the run, and the step named does."""
    path = os.path.join(folder, "state.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[network]\n" + text)
    told = call("run", path, "-o", os.devnull, codes=(0, 1)).stderr
    step = re.search(r"amplitudes grow .*step of ([0-9.e+-]+) s would do", told)
    if step is None or "too long a step" not in call("check", path).stdout:
        raise Contradiction(f"not announced: {told}")
    told = call("run", path, "--step", step.group(1), "--sample", step.group(1), "-o", os.devnull).stderr
    if "amplitudes grow" in told:
        raise Contradiction(f"the step named does not do: {told}")


def look_at_report(path, folder):
    """The page's longest steps are those of stability, dampers and contacts counted."""
    page = os.path.join(folder, "report.html")
    if ask("check", path)["free_nodes"] > 50 or call("report", "--still", path, "-o", page, codes=(0, 1)).returncode:
        return
    with open(page, encoding="utf-8") as file:
        told = re.search(r'"longest_steps":\s*(\[[^\]]*\])', file.read())
    for one, row in zip(json.loads(told.group(1)), ask("stability", path)["schemes"]):
        agree(f"longest step of report and stability, {row['scheme']}", one, row["longest_step"], 1e-6)


def look_at_a_controller(folder):
    """Steps are not searched for through the instants of a controller: the same ones with it and without."""
    text = ("[network]\nstep = 1 ms\nduration = 10 ms\n[tank w]\n[pipe h]\ninertance = 1.134e7\nflow = 3.482e-3\n"
            "[orifice o]\nbetween = w, h\narea = 7.9 cm2\n")
    found = []
    for more in ("", "[controller c]\nsignal = h.flow\ngain = 0.3 s/m3\nevery = 0.3 ms\n"):
        path = os.path.join(folder, "controller.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + more)
        found.append(ask("stability", path)["schemes"])
    for one, other in zip(*found):
        agree(f"critical step with a controller and without, {one['scheme']}", one["critical_step"], other["critical_step"], 1e-6)


def header(step, duration, record):
    return (f"[network]\nscheme = averaged\nstep = {step:.6g}\nduration = {duration:.6g}\nsample = {step:.6g}\n"
            f"record = {record}\n")


def building(draw, damped):
    storeys = draw.randint(1, 8)
    text = "[ground g]\n"
    for i in range(storeys):
        below = "g" if i == 0 else f"m{i - 1}"
        text += f"[mass m{i}]\nmass = {draw.uniform(5e3, 3e4):.6g}\nposition = {draw.uniform(-0.01, 0.01):.4g}\n"
        text += f"[spring k{i}]\nstiffness = {draw.uniform(2e6, 3e7):.6g}\nbetween = {below}, m{i}\n"
        if damped and draw.random() < 0.8:
            text += f"[damper d{i}]\ndamping = {10 ** draw.uniform(3, 5.5):.6g}\nbetween = {below}, m{i}\n"
    return header(2e-3, 20, f"m{storeys - 1}.position") + text


def drive_train(draw, damped):
    wheels = draw.randint(2, 6)
    text = "[ground g]\n"
    for i in range(wheels):
        text += f"[inertia j{i}]\ninertia = {10 ** draw.uniform(-2, 0.5):.6g}\nspeed = {draw.uniform(-1, 1):.4g}\n"
        if i > 0:
            text += f"[torsion-spring k{i}]\nstiffness = {10 ** draw.uniform(2.5, 4):.6g}\nbetween = j{i - 1}, j{i}\n"
        if damped and draw.random() < 0.7:
            text += f"[torsion-damper d{i}]\ndamping = {10 ** draw.uniform(-1, 1):.6g}\nbetween = g, j{i}\n"
    text += f"[torsion-spring k0]\nstiffness = {10 ** draw.uniform(2, 3.5):.6g}\nbetween = g, j0\n"
    return header(1e-3, 10, f"j{wheels - 1}.angle") + text


def circuit(draw, damped):
    stages = draw.randint(1, 6)
    text = "[ground g]\n"
    for i in range(stages):
        before = "g" if i == 0 else f"c{i - 1}"
        text += f"[capacitor c{i}]\ncapacitance = {draw.uniform(1, 20):.6g} uF\nvoltage = {draw.uniform(-5, 5):.4g}\n"
        text += f"[inductor l{i}]\ninductance = {draw.uniform(1, 50):.6g} mH\nbetween = {before}, c{i}\n"
        if damped and draw.random() < 0.7:
            text += f"[resistor r{i}]\nresistance = {10 ** draw.uniform(1.5, 4):.6g}\nbetween = c{i}, g\n"
    return header(2e-6, 0.05, f"c{stages - 1}.voltage") + text


def toy(draw, damped):
    text = "[ground g]\n[mass m]\nmass = 1\nvelocity = 1 m/s\nposition = -0.05\n"
    text += f"[spring k]\nstiffness = {draw.uniform(50, 500):.5g}\nbetween = g, m\n"
    if damped:
        text += f"[damper d]\ndamping = {draw.uniform(0.1, 5):.4g}\nbetween = g, m\n"
    text += f"[contact stop]\nstiffness = {10 ** draw.uniform(4.5, 6.5):.5g}\nbetween = m, g\n"
    if draw.random() < 0.5:
        text += "[impact lid]\nrestitution = 0.7\ngap = 100 m\nbetween = m, g\n"
    return header(1e-3, 2, "m.position") + text


def main():
    failed = 0
    looked = 0

    def report(name, look):
        nonlocal failed
        try:
            look()
        except Contradiction as contradiction:
            failed += 1
            print(f"not ok - {name}")
            print("".join(f"# {line}\n" for line in str(contradiction).split("\n")), end="")

    def shipped(path):
        found = look_at(path)
        if found is not None:
            look_at_modes(path, *found[:2])

    for path in sorted(glob.glob("networks/*.ini")):
        report(path, lambda: shipped(path))
        looked += 1
    draw = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        report("a switch as a resistor", lambda: look_at_a_switch(folder))
        shown = sorted(glob.glob("networks/*.ini"))
        for path in shown[:: 1 if os.environ.get("TEST_EFFORT") == "full" else 12] + ["networks/quarter-car.ini"]:
            report(f"the page of {path}", lambda: look_at_report(path, folder))
        report("a disc that whirls", lambda: look_at_whirl(folder))
        report("a controller that steps pass over", lambda: look_at_a_controller(folder))
        for name, text in STATES.items():
            report(name, lambda: look_at_state(folder, text))
        path = os.path.join(folder, "network.ini")
        for number in range(NETWORKS):
            kind = [building, drive_train, circuit, toy][number % 4]
            damped = draw.random() < 0.6
            text = kind(draw, damped)
            scheme = draw.choice(SCHEMES)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

            def all_of_it():
                try:
                    check, stability, _ = look_at(path, "--scheme", scheme)
                    look_at_modes(path, check, stability)
                    look_at_steps(path, scheme)
                    if not damped and kind is not toy and number % 3 == 0:
                        look_at_lines(path, "verlet")
                except Contradiction as contradiction:
                    raise Contradiction(f"{contradiction}\n{text}") from None

            report(f"{kind.__name__} {number}, {scheme}", all_of_it)
            looked += 1
        bent = []
        for seed in [*range(RANDOM), *HARD]:
            kind, scheme, text = random_networks.network(seed)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            report(f"a run that diverges, {kind} {seed}, {scheme}", lambda: look_at_divergence(path, bent if seed < RANDOM else []))
        # smooth laws are taken by their slopes at the start
        if len(bent) > 0.03 * RANDOM:
            failed += 1
            print(f"not ok - {len(bent)} of {RANDOM} random networks diverge where laws get steeper")
    if failed == 0:
        print(f"ok - {looked} networks: one growth, one step, one fastest mode, and lines where modes are")
    return 1 if failed else 0


sys.exit(main())
