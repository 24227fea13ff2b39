#!/usr/bin/python3
# test-users.py: networks as users make them (buildings, drive trains, circuits, toys): each command on each, and they agree
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   USERS=100 IFBAM=build/ifbam tests/test-users.py      so many networks, not a few
#   USERS_KEPT=FOLDER ...                                 their files stay there
#
# Results that have to agree: check and run on a step's stability, stability, check and runs on a scheme's growth,
# modes and spectrum on the lines of linear networks without sources.
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

program = os.path.abspath(os.environ.get("IFBAM", "build/ifbam"))
rng = random.Random(1994)
faults = []


def number(low, high):
    return float("%.4g" % math.exp(rng.uniform(math.log(low), math.log(high))))


def group(kind, name, **values):
    return "[%s %s]\n" % (kind, name) + "".join("%s = %s\n" % (k.replace("_", "-"), v) for k, v in values.items()) + "\n"


def building():
    """Storeys on columns; some are damped, some stand on a floor that shakes, some hit a neighbour."""
    n, text = rng.randint(2, 12), ""
    shaken, damped, neighbour = rng.random() < 0.3, rng.random() < 0.4, rng.random() < 0.2
    text += group("drive", "floor", amplitude="2 mm", frequency="%g Hz" % number(1, 5)) if shaken else group("ground", "floor")
    for i in range(1, n + 1):
        text += group("mass", "s%d" % i, mass="%g t" % number(5, 40), position="%g mm" % (0 if shaken else i))
        below = "floor" if i == 1 else "s%d" % (i - 1)
        text += group("spring", "k%d" % i, between="%s, s%d" % (below, i), stiffness="%g MN/m" % number(5, 60))
        if damped:
            text += group("damper", "d%d" % i, between="%s, s%d" % (below, i), damping="%g kN s/m" % number(10, 60))
    if neighbour:
        text += group("ground", "house", position="%g mm" % (n + number(1, 5))) + group("impact", "hit", between="s%d, house" % n, restitution=0.4)
    return text, "s%d.position" % n, 5e-4, 2.0, not (shaken or damped or neighbour), "force@s1", "s1.mass=10 t,20 t"


def drive_train():
    """Shafts with inertias, a gear somewhere, friction or play."""
    n, text = rng.randint(2, 7), ""
    geared, rubs = rng.random() < 0.4, rng.random() < 0.3
    for i in range(1, n + 1):
        text += group("inertia", "j%d" % i, inertia="%g kg m2" % number(0.02, 2), speed="%g rad/s" % (5 if i == 1 else 0))
        if i > 1:
            text += group("torsion-spring", "k%d" % i, between="j%d, j%d" % (i - 1, i), stiffness="%g N m/rad" % number(500, 5e4))
    if geared:
        text += group("inertia", "wheel", inertia="%g kg m2" % number(0.05, 1))
        text += group("gear", "g", between="j%d, wheel" % n, ratio=-rng.randint(2, 5), stiffness="1 MN m/rad")
    if rubs:
        text += group("ground", "housing") + group("torsion-friction", "brake", between="j1, housing", coulomb="0.5 N m", breakaway="%g N m" % number(0.5, 2))
    return text, "j%d.angle" % n, 2e-5, 0.5, not (geared or rubs), "force@j1", "j1.inertia=0.1,0.2 kg m2"


def circuit():
    """Capacitors joined by inductors; resistors, a source, a diode or a switch."""
    n, text = rng.randint(1, 5), group("ground", "earth")
    lossy, fed, valve = rng.random() < 0.5, rng.random() < 0.4, rng.random() < 0.3
    for i in range(1, n + 1):
        text += group("capacitor", "c%d" % i, capacitance="%g uF" % number(0.5, 50), voltage="%g V" % (10 if i == 1 else 0))
        text += group("inductor", "l%d" % i, between="c%d, %s" % (i, "earth" if i == 1 else "c%d" % (i - 1)), inductance="%g mH" % number(0.5, 20))
        if lossy:
            text += group("resistor", "r%d" % i, between="c%d, earth" % i, resistance="%g kohm" % number(0.5, 20))
    if fed:
        text += group("voltage-source", "u", voltage="12 V") + group("resistor", "rs", between="u, c1", resistance="%g ohm" % number(50, 500))
    if valve:
        text += group("diode", "v", between="c%d, earth" % n)
    return text, "c1.voltage", 2e-6, 0.02, not (lossy or fed or valve), None, "c1.capacitance=1,2 uF"


def toy():
    """Balls that bounce, rows of marbles, a wagon against a buffer."""
    kind = rng.randrange(3)
    if kind == 0:
        text = group("surface", "floor") + group("gravity", "g", on="b1, b2")
        for i in (1, 2):
            text += group("ball", "b%d" % i, mass="%g kg" % number(0.05, 1), radius="5 cm", x="%d m" % i, y="%g m" % number(0.2, 2), vx="%g m/s" % (1.5 - i))
            text += group("bounce", "f%d" % i, between="b%d, floor" % i, restitution=rng.choice((0.5, 0.9, 1)))
        text += group("bounce", "each", between="b1, b2", restitution=0.9)
        return text, "b1.y", 1e-3, 1.0, False, None, "b1.mass=0.1,0.2 kg"
    if kind == 1:
        n, text = rng.randint(2, 8), ""
        for i in range(n):
            text += group("mass", "m%d" % i, mass="%g kg" % number(0.1, 1), position="%g m" % (0.1 * i), velocity="%d m/s" % (i == 0))
            if i:
                text += group("impact", "h%d" % i, between="m%d, m%d" % (i - 1, i), restitution=rng.choice((0, 0.6, 1)))
        return text, "m0.position", 1e-3, 0.5, False, None, "m0.mass=1,2 kg"
    text = group("ground", "wall", position="1 m") + group("mass", "wagon", mass="%g kg" % number(100, 900), velocity="1 m/s")
    text += group("contact", "buffer", between="wagon, wall", stiffness="%g kN/m" % number(50, 500), damping="%g kN s/m" % number(0.1, 3))
    return text, "wagon.position", 1e-4, 2.0, False, None, "wagon.mass=100,200 kg"


def run(where, *arguments, limit=60):
    """(code, out, err); whatever else than a result or a refusal is a fault."""
    try:
        done = subprocess.run([program, *arguments], cwd=where, capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        faults.append("%s: no end within %d s" % (" ".join(arguments), limit))
        return None, "", ""
    out, err = done.stdout.decode(), done.stderr.decode()
    if done.returncode not in (0, 1) or (done.returncode == 1 and not err) or any(w in err for w in ("CRITICAL", "WARNING", "Sanitizer", "(null)", "nan")):
        faults.append("%s: exit %s: %s" % (" ".join(arguments), done.returncode, err[-300:]))
    return done.returncode, out, err


def agree(path, where, what, holds, *more):
    if not holds:
        faults.append("%s: %s: %s" % (path, what, " ".join("%.6g" % m if isinstance(m, float) else str(m) for m in more)))


def look_at(path, where, made):
    text, signal, step, duration, alone, shaker, varied = made
    code, out, err = run(where, "check", path, "--json")
    if code != 0:
        faults.append("%s: check refuses it: %s" % (path, err[-300:]))
        return
    check = json.loads(out)
    code, out, err = run(where, "run", path, "-o", "course.csv")
    grows = (check["growth_rate"] or 0) * duration > 5 # energy by 10^4 and more
    agree(path, where, "check has no word against a step that run gives up", code == 0 or grows, err)
    for command in (("dialogue", path), ("equilibrium", path), ("plot", "course", path, "-o", "course.svg"),
                    ("plot", "spectrogram", path, "-o", "map.svg"), ("run", path, "-o", "course.h5"), ("rerun", "course.h5"),
                    ("sweep", path, "--vary", varied, "--measure", "max:" + signal)):
        run(where, *command)
    if shaker is not None:
        run(where, "response", path, "--input", shaker, "--points", "20")
    stability, modes, spectrum = (run(where, *command) for command in (
        ("stability", path, "--json"), ("modes", path, "--no-shapes", "--json"), ("spectrum", path, "--compare", "--json")))
    if stability[0] == 0:
        own = [s for s in json.loads(stability[1])["schemes"] if s["scheme"] == check["scheme"]][0]
        if check["growth_rate"] is not None and own["growth_rate"] is not None and own["growth_rate_is"] == "certain":
            agree(path, where, "stability and check on growth", math.isclose(own["growth_rate"], check["growth_rate"], rel_tol=1e-6, abs_tol=1e-9),
                  own["growth_rate"], check["growth_rate"])
    if not alone:
        return
    # Left to itself, and linear.
    lines = sorted(mode["frequency"] for mode in json.loads(modes[1])["modes"] if mode["kind"] == "oscillating")
    agree(path, where, "the fastest mode", math.isclose(lines[-1], check["fastest_frequency"], rel_tol=1e-6), lines[-1], check["fastest_frequency"])
    for of_signal in json.loads(spectrum[1])["signals"]:
        if of_signal["signal"].startswith("network."):
            continue  # an energy has the modes' lines twice as high, and their sums
        # A line without decay rate is no free oscillation.
        peaks = [p for p in of_signal["peaks"] if p.get("corrected_frequency")]
        strongest = max([peak["amplitude"] for peak in of_signal["peaks"]], default=0)
        for peak in peaks:
            f = peak["corrected_frequency"]
            if peak["amplitude"] > 1e-2 * strongest:
                agree(path, where, "a line of the spectrum that is no mode",
                      min(abs(f - line) for line in lines) < 0.02 * of_signal["resolution"], f, *lines)
    # Steps about verlet's limit, omega step = 2, at which growth begins.
    for part in (0.95, 1.05, 1.6):
        wide = "%.6g s" % (part / (math.pi * lines[-1]))
        long = "%.6g s" % (400 * part / (math.pi * lines[-1]))
        options = (path, "--scheme", "verlet", "--step", wide, "--duration", long, "--sample", wide)
        code, out, err = run(where, "check", *options, "--json")
        if code != 0:
            faults.append("%s: check refuses %s: %s" % (path, wide, err[-300:]))
            continue
        growth = json.loads(out)["growth_rate"]
        code, out, err = run(where, "run", *options, "-o", "wide.csv")
        agree(path, where, "verlet's limit as check sees it, at %g of it" % part, (growth > 0) == (part > 1), growth)
        agree(path, where, "run at %g of verlet's limit" % part, (code == 0) == (part < 1) or (part == 1.05 and "note" in err), code, err)
    # Just beyond it growth soon dominates.
    wide = 1.002 / (math.pi * lines[-1])
    options = (path, "--scheme", "verlet", "--step", "%.17g" % wide, "--duration", "%.17g" % (200 * wide), "--sample", "%.17g" % wide)
    code, out, err = run(where, "check", *options, "--json")
    growth = json.loads(out)["growth_rate"]
    run(where, "run", *options, "--record", "network.energy", "--allow-divergence", "-o", "wide.csv")
    with open(os.path.join(where, "wide.csv"), encoding="utf-8") as file:
        energy = [float(row["network.energy"]) for row in csv.DictReader(file)]
    seen = math.log(energy[200] / energy[160]) / (2 * 40 * wide)
    agree(path, where, "check and run on how fast it grows", math.isclose(growth, seen, rel_tol=1e-2), growth, seen)


kinds = (building, drive_train, circuit, toy)
n = int(os.environ.get("USERS", "12"))
kept = os.environ.get("USERS_KEPT")
folder = kept or tempfile.mkdtemp()
os.makedirs(folder, exist_ok=True)
networks = []
for i in range(max(n, 100)):
    made = kinds[i % len(kinds)]()
    head = "[network]\ntitle = %s %d\nscheme = %s\nstep = %g s\nduration = %g s\nrecord = %s, network.energy\nsample = %g s\n\n" % (
        kinds[i % len(kinds)].__name__.replace("_", " "), i, rng.choice(("verlet", "averaged", "rk4")), made[2], made[3], made[1], 5 * made[2])
    networks.append((head, made))
status = 0
for i, (head, made) in enumerate(networks[:n]):
    faults.clear()
    path = "network-%d.ini" % i
    with open(os.path.join(folder, path), "w") as file:
        file.write(head + made[0])
    look_at(path, folder, made)
    if i % 25 == 3 or n >= 100:
        run(folder, "report", path, "-o", "report.html", limit=120)
    print("%s - %s: each command, and they agree" % ("not ok" if faults else "ok", head.split("\n")[1][8:]))
    for fault in faults[:10]:
        print("# " + fault.replace("\n", "\n# "))
    sys.stdout.flush()
    status |= bool(faults)
if kept is None:
    shutil.rmtree(folder)
sys.exit(status)
