"""random_networks.py: texts of random networks with elements of all domains, the same for a seed in each run

Time constants lie about a twentieth of the duration; steps are drawn from a ten-thousandth of it to a twentieth, so that
some are too long.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import random


class Draft:
    """A text that grows by elements."""

    def __init__(self, draw):
        self.d, self.text, self.n = draw, "", 0

    def add(self, kind, **values):
        """Adds an element; returns its name."""
        self.n += 1
        name = f"e{self.n}"
        self.text += f"[{kind} {name}]\n" + "".join(f"{k.replace('_', '-')} = {v}\n" for k, v in values.items())
        return name

    def u(self, lo, hi):
        """A number whose logarithm is evenly distributed."""
        return float("%.4g" % math.exp(self.d.uniform(math.log(lo), math.log(hi))))

    def s(self, lo, hi):
        """An evenly distributed number."""
        return float("%.4g" % self.d.uniform(lo, hi))

    def instants(self, span):
        """A list of one to four times."""
        return ", ".join("%.6g" % t for t in sorted(span * self.d.uniform(0.05, 0.9) for _ in range(self.d.randint(1, 4))))

    def table(self, kx, ky):
        """Points of a characteristic that rises through 0."""
        xs = sorted({self.s(-kx, kx) for _ in range(self.d.randint(2, 5))} | {0.0})
        y, ys = -abs(ky), []
        for _ in xs:
            ys.append(float("%.4g" % y)); y += self.u(0.1 * ky, 2 * ky)
        ys = [y - ys[xs.index(0.0)] for y in ys]
        return ", ".join(map(str, xs)), ", ".join("%.4g" % y for y in ys)


def mechanical(d, turning, span):
    """Masses or inertias in a row, with links beside each other."""
    D = d.d
    t = "torsion-" if turning else ""
    node = "inertia" if turning else "mass"
    place, rate = ("angle", "speed") if turning else ("position", "velocity")
    given = [d.add("ground")]
    if D.random() < 0.3:
        given.append(d.add("drive", **({"amplitude": f"{d.u(1e-3, 0.1)} rad"} if turning else {"amplitude": d.u(1e-3, 0.1)}), frequency=d.u(0.2, 5) / span * 2))
    free = [d.add(node, **{node: d.u(0.1, 10), place: d.s(-0.05, 0.05), rate: d.s(-1, 1)}) for _ in range(D.randint(1, 5))]
    every = given + free
    omega = 20 / span
    def pair():
        a = D.choice(free)
        b = D.choice([x for x in every if x != a])
        return f"{a}, {b}"
    k = lambda: d.u(0.2, 20) * omega ** 2
    c = lambda: d.u(0.02, 5) * omega
    x0 = 0.05
    kinds = ["spring"] * 3 + ["damper"] * 2 + ["sine-spring", "friction", "backlash", "pressed-friction", "characteristic"]
    if not turning:
        kinds += ["hysteresis", "limiter", "plastic-spring", "contact", "contact", "hertz", "impact", "dent", "bouc-wen", "exponential-spring", "parametric-spring", "van-der-pol", "damper-characteristic", "drag", "inerter"]
    else:
        kinds += ["gear", "clutch", "dog-clutch", "ratio", "planetary", "relation", "inerter"]
    for _ in range(D.randint(1, 7)):
        kind = D.choice(kinds)
        name = t + kind if kind in ("spring", "damper", "sine-spring", "friction", "backlash", "characteristic", "inerter", "pressed-friction") else kind
        if kind == "spring":
            d.add(name, stiffness=k(), between=pair(), **({"cubic": k() * d.u(0.1, 10) / x0 ** 2} if D.random() < 0.2 else {}))
        elif kind == "damper":
            d.add(name, damping=c(), between=pair())
        elif kind == "sine-spring":
            d.add(name, stiffness=k(), scale=x0, between=pair())
        elif kind == "friction":
            d.add(name, coulomb=k() * x0 * 0.1, breakaway=k() * x0 * 20, viscous=c() * D.choice((0, 1, 5)), between=pair())
        elif kind == "pressed-friction":
            d.add(name, friction=0.3, normal=k() * x0, viscous=c() * D.choice((0, 1, 5)), between=pair())
        elif kind == "backlash":
            d.add(name, stiffness=5 * k(), damping=c(), play=d.u(1e-3, x0), between=pair())
        elif kind == "characteristic":
            xs, ys = d.table(x0, k() * x0)
            d.add(name, compression=xs, force=ys, between=pair())
        elif kind == "damper-characteristic":
            xs, ys = d.table(1, c())
            d.add(name, rate=xs, force=ys, between=pair())
        elif kind == "hysteresis":
            d.add(name, low=k() * x0 * 0.1, high=-k() * x0 * 0.1, lower=-0.1 * x0, upper=0.1 * x0, between=pair())
        elif kind == "limiter":
            d.add(name, stiffness=5 * k(), lower=-k() * x0, upper=k() * x0, between=pair())
        elif kind == "plastic-spring":
            d.add(name, stiffness=5 * k(), **{"yield": k() * x0}, between=pair())
        elif kind == "contact":
            d.add(name, stiffness=10 * k(), damping=c(), gap=d.s(-0.01, 0.1), between=pair())
        elif kind == "hertz":
            d.add(name, modulus=10 * k() / math.sqrt(x0), radius=1, gap=d.s(-0.01, 0.1), between=pair())
        elif kind == "impact":
            d.add(name, gap=0.2, restitution=d.s(0, 1), between=pair())
        elif kind == "dent":
            d.add(name, stiffness=10 * k(), **{"yield": k() * x0}, viscosity=c(), gap=d.s(0, 0.1), between=pair())
        elif kind == "bouc-wen":
            d.add(name, stiffness=k(), ratio=0.3, **{"yield": 0.3 * x0}, between=pair())
        elif kind == "exponential-spring":
            d.add(name, stiffness=k(), scale=x0, between=pair())
        elif kind == "parametric-spring":
            d.add(name, stiffness=k(), depth=0.2, frequency=1 / span, between=pair())
        elif kind == "van-der-pol":
            d.add(name, damping=c() * 0.1, amplitude=x0, between=pair())
        elif kind == "drag":
            d.add(name, **{"on": D.choice(free), "coefficient": d.u(0.1, 10)})
        elif kind == "inerter":
            d.add(name, inertance=d.u(0.1, 5), between=pair())
        elif kind == "gear":
            d.add(name, ratio=D.choice((-3, -1, 2)), stiffness=5 * k(), damping=c(), **({"play": d.u(1e-3, x0)} if D.random() < 0.6 else {}), between=pair())
        elif kind in ("clutch",):
            d.add(name, between=pair())
        elif kind == "dog-clutch":
            d.add(name, between=pair(), toggle=d.instants(span))
        elif kind == "ratio":
            d.add(name, ratio=D.choice((-2, 0.5, 3)), between=pair())
        elif kind == "planetary" and len(free) >= 3:
            d.add(name, ratio=2, between=", ".join(D.sample(free, 3)))
        elif kind == "relation" and len(free) >= 3:
            d.add(name, terms=", ".join(f"{D.choice((-2, 1, 3))} * {node}" for node in D.sample(free, 3)))
    if D.random() < 0.4:
        d.add("torque" if turning else "force", on=D.choice(free), value=k() * x0)
    if D.random() < 0.3 and not turning:
        d.add("gravity", on=", ".join(free))
    if D.random() < 0.2 and not turning:
        d.add("cross-damper", damping=c() * D.choice((-1, 1)), between=pair(), input=D.choice(free))
    return free


def electric(d, span):
    """Capacitors, joined by resistors, inductors, switches and diodes."""
    D = d.d
    given = [d.add("ground")]
    if D.random() < 0.6:
        given.append(d.add("voltage-source", voltage=d.s(1, 12), **({"frequency": d.u(0.5, 5) / span, "amplitude": d.s(1, 10)} if D.random() < 0.3 else {})))
    cap = [d.add("capacitor", capacitance=d.u(1e-7, 1e-5), voltage=d.s(-5, 5)) for _ in range(D.randint(1, 4))]
    every = given + cap
    def pair():
        a = D.choice(cap)
        b = D.choice([x for x in every if x != a])
        return f"{a}, {b}" if D.random() < 0.5 else f"{b}, {a}"
    tau = span / 20
    r = lambda: d.u(0.1, 30) * tau / 1e-6
    l = lambda: d.u(0.1, 10) * tau ** 2 / 1e-6
    for _ in range(D.randint(1, 6)):
        kind = D.choice(["resistor", "resistor", "inductor", "switch", "switch", "switch", "diode", "diode", "shockley-diode", "resistor-characteristic", "saturating-inductor", "capacitor"])
        if kind == "resistor":
            d.add(kind, resistance=r(), between=pair())
        elif kind == "inductor":
            d.add(kind, inductance=l(), between=pair())
        elif kind == "switch":
            d.add(kind, resistance=r(), between=pair(), state=D.choice(("open", "closed")), toggle=d.instants(span))
        elif kind == "diode":
            d.add(kind, resistance=r(), between=pair())
        elif kind == "shockley-diode":
            d.add(kind, saturation_current="1 nA", between=pair())
        elif kind == "resistor-characteristic":
            xs, ys = d.table(5, 5 / r())
            d.add(kind, voltage=xs, current=ys, between=pair())
        elif kind == "saturating-inductor":
            d.add(kind, inductance=l(), saturated=1e-2 * tau ** 2 / 1e-6, saturation=d.u(1e-3, 1), between=pair())
        elif kind == "capacitor":
            d.add(kind, capacitance=d.u(1e-7, 1e-5), between=pair())
    if D.random() < 0.3:
        m = d.add("monitor", signal=f"{cap[0]}.voltage", level=f"{d.s(-2, 4)} V")
        d.add("switch", resistance=r(), between=pair(), when=m)
    return cap


def hydraulic(d, span):
    """Pipes, joined by orifices, chambers, valves and pistons."""
    D = d.d
    tank = d.add("tank")
    pipes = [d.add("pipe", inertance=d.u(1e6, 2e7), flow=d.s(-6e-3, 6e-3)) for _ in range(D.randint(1, 4))]
    def pair():
        a = D.choice(pipes)
        b = D.choice([x for x in pipes + [tank] if x != a])
        return f"{a}, {b}"
    for _ in range(D.randint(1, 4)):
        kind = D.choice(["orifice", "orifice", "chamber", "check-valve", "piston"])
        if kind == "orifice":
            d.add(kind, area=f"{d.u(0.3, 30)} cm2", between=pair())
        elif kind == "chamber":
            d.add(kind, volume=d.u(1e-3, 1e-1), compressibility="0.7 GPa-1", between=pair())
        elif kind == "check-valve":
            d.add(kind, between=pair())
        elif kind == "piston":
            m = d.add("mass", mass=d.u(0.5, 10))
            d.add(kind, area=f"{d.u(10, 100)} cm2", between=f"{m}, {D.choice(pipes)}")
    if D.random() < 0.5:
        d.add("pressure-source", on=D.choice(pipes), value=f"{d.u(0.1, 20)} kPa")
    return pipes


def planar(d, span):
    """Balls above a floor, joined by springs, dampers and rods."""
    D = d.d
    omega = 20 / span
    d.add("ground")
    points = []
    for i in range(D.randint(1, 3)):
        points.append(d.add("ball", mass=d.u(0.5, 5), radius=0.05, x=0.3 * i, y=d.s(0.06, 0.3), vx=d.s(-1, 1), vy=d.s(-1, 1),
                            **({"inertia": d.u(1e-4, 1e-2)} if D.random() < 0.5 else {})))
    if D.random() < 0.6:
        floor = d.add("surface")
        for p in points:
            kind = D.choice(["impact", "contact", "hertz", None])
            if kind == "impact":
                d.add("bounce", restitution=d.s(0, 1), friction=d.s(0, 0.5), between=f"{p}, {floor}")
            elif kind == "contact":
                d.add("contact", stiffness=d.u(1, 100) * omega ** 2, damping=d.u(0.02, 5) * omega, between=f"{p}, {floor}")
            elif kind == "hertz":
                d.add("hertz", modulus=d.u(1, 100) * omega ** 2 * 10, between=f"{p}, {floor}")
        d.add("gravity", on=", ".join(points))
    pins = points + [d.add("point", x=d.s(-0.5, 0.5), y=0.5)]
    for _ in range(D.randint(1, 4)):
        a, b = D.sample(pins, 2)
        if a not in points and b not in points:
            continue
        kind = D.choice(["spring", "spring", "damper", "rod", "string", "gas-spring"])
        if kind == "spring":
            d.add(kind, stiffness=d.u(0.2, 20) * omega ** 2, between=f"{a}, {b}")
        elif kind == "damper":
            d.add(kind, damping=d.u(0.02, 5) * omega, between=f"{a}, {b}")
        else:
            d.add(kind, between=f"{a}, {b}", **({"area": "1 cm2", "length": 0.3, "pressure": "1 bar"} if kind == "gas-spring" else {}))
    return points


SCHEMES = ["original", "averaged", "euler", "symplectic-euler", "verlet", "rk4", "dopri5"]


def network(seed):
    """Returns the domain, the scheme and the text of the network of a seed."""
    draw = random.Random(seed)
    d = Draft(draw)
    kind = draw.choice(["mechanical", "turning", "electric", "electric", "hydraulic", "planar"])
    span = {"electric": 10 ** draw.uniform(-4, -1), "hydraulic": 10 ** draw.uniform(-1, 1)}.get(kind, 10 ** draw.uniform(-0.5, 1))
    step = float("%.4g" % (span * 10 ** draw.uniform(-4, -1.3)))
    scheme = draw.choice(SCHEMES)
    {"mechanical": lambda: mechanical(d, False, span), "turning": lambda: mechanical(d, True, span), "electric": lambda: electric(d, span),
     "hydraulic": lambda: hydraulic(d, span), "planar": lambda: planar(d, span)}[kind]()
    return kind, scheme, f"[network]\nscheme = {scheme}\nstep = {step}\nduration = {int(span / step) * step:.8g}\n" + d.text
