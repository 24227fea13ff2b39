#!/usr/bin/python3
"""test-sensitivity.py: ifbam modes --sensitivity: changes of modes by the numbers of a network

References: the published numbers of three-dof, closed forms of pendulum, lever, disk and equal modes; for random
networks with dampers, gyroscopic pairs, junctions and levers the differences of modes at two values (ifbam sweep).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import os
import random
import tempfile

from expect import by_effort, check, finish, ifbam

folder = tempfile.TemporaryDirectory()
HEAD = "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n"


def network(text, name="n.ini"):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + text)
    return path


def sensitivities(path, *words):
    done = ifbam("modes", path, "--sensitivity", "--json", *words)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    found = json.loads(done.stdout)
    return found["modes"], {own["number"]: own for own in found["sensitivities"]}


def close(one, other, tolerance=1e-6):
    return all(abs(a - b) <= tolerance for a, b in zip(one, other)) and len(one) == len(other)


# Published numbers and closed forms

modes, own = sensitivities("networks/three-dof.ini")
check(close([own[name]["frequency"][0] for name in ("k1.stiffness", "k2.stiffness", "k3.stiffness", "m1.mass")],
            [0.457812, 0.018846, 0.023342, -0.168664])
      and close([own[f"k{i}.stiffness"]["frequency"][1] for i in (1, 2, 3)], [0.008740, 0.068903, 0.422357]),
      "three-dof: published sensitivities", own)
text = ifbam("modes", "networks/three-dof.ini", "--sensitivity").stdout
check("sum over stiffnesses            0.500000    0.500000    0.500000" in text
      and "sum over inertias              -0.500000   -0.500000   -0.500000" in text,
      "three-dof: sums over stiffnesses and inertias are 1/2 and -1/2", text)
modes, own = sensitivities("networks/pendulum.ini", "--start", "equilibrium")
check(close(own["earth.acceleration"]["frequency"], [0.5]), "pendulum: the frequency is in proportion to the root of g", own)
modes, own = sensitivities(network("""
[mass m]
mass = 2 kg
[mass lever]
mass = 1 kg
[ratio r]
ratio = 3
between = m, lever
[spring k]
stiffness = 1 kN/m
between = lever, g
"""))
# x_m = 3 x_lever: w^2 = k / (9 m + n)
check(close([own[name]["frequency"][0] for name in ("m.mass", "lever.mass", "r.ratio", "k.stiffness")],
            [-9 / 19, -0.5 / 19, -18 / 19, 0.5]), "lever: masses, stiffness, and the ratio, which moves the constraint", own)
modes, own = sensitivities(network("""
[mass m]
mass = 2 kg
[junction j]
[spring k]
stiffness = 300 N/m
between = m, j
[spring l]
stiffness = 100 N/m
between = j, g
[damper d]
damping = 2 N s/m
between = m, g
"""))
# w^2 = 75 / 2, c / (2 m) = 1/2: damped frequency and ratio
w2, a = 75 / 2, 0.5
check(close([own[name]["frequency"][0] for name in ("k.stiffness", "l.stiffness", "d.damping")],
            [0.5 * w2 / (w2 - a * a) / 4, 0.5 * w2 / (w2 - a * a) * 3 / 4, -a * a / (w2 - a * a)])
      and close([own[name]["damping_ratio"][0] for name in ("k.stiffness", "l.stiffness", "d.damping", "m.mass")],
                [-1 / 8, -3 / 8, 1, -0.5]), "springs in series at a junction, with a damper", own)

# Equal modes: two equal oscillators, and with a coupling that separates nothing

modes, own = sensitivities(network("".join(
    f"[mass {n}]\nmass = 1 kg\n[spring k{n}]\nstiffness = 100 N/m\nbetween = {n}, g\n" for n in "xyz")))
check(all(close(sorted(own[f"k{n}.stiffness"]["frequency"]), [0, 0, 0.5])
          and close(sorted(own[f"{n}.mass"]["frequency"]), [-0.5, 0, 0]) for n in "xyz"),
      "three equal modes: each spring moves one of them", own)

# Random networks: differences of modes at two values

STEPS = (1e-4, 1e-5)  # the longer one for rounding, the shorter one for nearly equal modes


def differences(path, number, value, n_modes, H):
    done = ifbam("sweep", path, "--vary", f"{number}={value * (1 - H)!r},{value * (1 + H)!r}", "--measure", "frequencies",
                 "--measure", "damping", "--count", "50", "--by-rank")
    names, *rows = (line.split(",") for line in done.stdout.splitlines())
    low, high = (dict(zip(names, map(lambda t: float(t) if t else 0, row))) for row in rows)

    def change(kind, i):
        a, b = low[f"{kind}:{i}"], high[f"{kind}:{i}"]
        return 0 if a + b == 0 else (b - a) / (a + b) / H
    kept = [i for i in range(1, 51) if low.get(f"frequencies:{i}", 0) > 0]
    return [change("frequencies", i) for i in kept][:n_modes], [change("damping", i) for i in kept][:n_modes]


def random_network(seed):
    draw = random.Random(seed)
    n = draw.randint(2, 5)
    text = "".join(f"[mass m{i}]\nmass = {draw.uniform(0.5, 3):.6g} kg\n" for i in range(n))
    nodes = [f"m{i}" for i in range(n)] + ["g"]
    if draw.random() < 0.4:
        text += "[junction j]\n"
        nodes.append("j")
    pairs = [(f"m{i}", f"m{i + 1}" if i + 1 < n else "g") for i in range(n)]
    pairs += [tuple(draw.sample(nodes, 2)) for _ in range(n)] + ([("j", "m0"), ("j", "m1")] if "j" in nodes else [])
    for i, (a, b) in enumerate(pairs):
        text += f"[spring k{i}]\nstiffness = {draw.uniform(200, 2000):.6g} N/m\nbetween = {a}, {b}\n"
    for i, (a, b) in enumerate(draw.sample(pairs[:2 * n], 2)):
        text += f"[damper d{i}]\ndamping = {draw.uniform(0.5, 5):.6g} N s/m\nbetween = {a}, {b}\n"
    if draw.random() < 0.5 and "j" not in nodes:
        c = draw.uniform(1, 10)
        text += (f"[cross-damper p]\ndamping = {c:.6g} N s/m\nbetween = m0, g\ninput = m1\n"
                 f"[cross-damper q]\ndamping = {-c:.6g} N s/m\nbetween = m1, g\ninput = m0\n")
    if draw.random() < 0.3:
        text += f"[mass far]\nmass = 1 kg\n[ratio r]\nratio = {draw.uniform(0.5, 2):.6g}\nbetween = m0, far\n"
    return network(text, f"{seed}.ini")


worst, tried, N = (0, None), 0, by_effort(2, 8, 200)
for seed in range(N):
    path = random_network(seed)
    modes, own = sensitivities(path)
    for number, found in own.items():
        references = [differences(path, number, found["value"], len(modes), step) for step in STEPS]
        for i, mode in enumerate(modes):
            tried += 1
            off = min(abs(found["frequency"][i] - frequency[i]) for frequency, _ in references)
            if mode["damping_ratio"] > 1e-4:
                off = max(off, min(abs(found["damping_ratio"][i] - damping[i]) for _, damping in references))
            worst = max(worst, (off, f"seed {seed}, {number}, mode {i + 1}"))
check(tried > 20 * N and worst[0] < 1e-6, f"{N} random networks, {tried} sensitivities: differences to {worst[0]:.1e}", worst)

# Faults, picture

picture = os.path.join(folder.name, "s.svg")
ifbam("modes", "networks/three-dof.ini", "--sensitivity", "-o", picture)
drawn = open(picture, encoding="utf-8").read() if os.path.exists(picture) else ""
check("k1.stiffness" in drawn and "9.6602 Hz" in drawn, "the picture names numbers and modes")
done = ifbam("modes", "networks/chain-1000.ini", "--sensitivity")
check(done.returncode == 1 and "at most 300" in done.stderr, "a network that is too large is refused", done.stderr)
done = ifbam("modes", "networks/three-dof.ini", "--sensitivity", "--export", folder.name)
check(done.returncode == 2 and "--export" in done.stderr, "--export stands alone", done.stderr)
check(math.isclose(json.loads(ifbam("modes", "networks/three-dof.ini", "--sensitivity", "--count", "1", "--json").stdout)
                   ["modes"][0]["frequency"], 9.6602, rel_tol=1e-4), "--count")

finish()
