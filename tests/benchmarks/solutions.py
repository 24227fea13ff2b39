#!/usr/bin/python3
"""solutions.py: solves the benchmark problems without ifbam, by closed forms or by equations of motion of their own

    tests/benchmarks/solutions.py        prints rows for tests/benchmarks/table (half a minute)

Smooth equations are integrated by the classical Runge-Kutta method in short steps; linear ones with kinks are advanced by
matrix exponentials from kink to kink. Each function returns {quantity: {time: value}} of one problem.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math

import numpy

G = 9.81
SOLUTIONS = {}


def solution(name):
    return lambda function: SOLUTIONS.setdefault(name, function)


def advance(slope, state, start, end, step):
    """The classical Runge-Kutta method from start to end, in equal steps of at most `step`."""
    state, n = numpy.array(state, float), max(1, math.ceil((end - start) / step - 1e-9))
    h = (end - start) / n
    for k in range(n):
        t = start + k * h
        a = slope(t, state)
        b = slope(t + h / 2, state + h / 2 * a)
        c = slope(t + h / 2, state + h / 2 * b)
        state = state + h / 6 * (a + 2 * b + 2 * c + slope(t + h, state + h * c))
    return state


def at_times(slope, state, times, step, names):
    """{name: {time: value}} of the named components of the state (name: index)."""
    found, now = {name: {} for name in names}, 0.0
    for time in times:
        state, now = advance(slope, state, now, time, step), time
        for name, index in names.items():
            found[name][time] = state[index]
    return found


def crossing(slope, state, start, step, height):
    """The first time after start + step at which height (state) rises through 0, and the state there."""
    now = start
    while True:
        after = advance(slope, state, now, now + step, step)
        if now > start and height(state) <= 0 < height(after):
            low, high = 0.0, step
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if height(advance(slope, state, now, now + middle, step)) > 0 else (middle, high)
            return now + low, advance(slope, state, now, now + low, step)
        state, now = after, now + step


def advance_linear(pieces, piece_of, state, end, step):
    """x' = A x + b with (A, b) by the piece in which x is; kinks are found by bisection within steps of `step`."""
    state, now = numpy.array(state, float), 0.0

    def flow(piece, x, h):
        n = len(x)
        extended = numpy.zeros((n + 1, n + 1))
        extended[:n, :n], extended[:n, n] = pieces[piece]
        values, vectors = numpy.linalg.eig(extended)
        return (vectors @ (numpy.exp(values * h) * numpy.linalg.solve(vectors, numpy.append(x, 1.0)))).real[:n]

    while end - now > 1e-12 * end:
        h, piece = min(step, end - now), piece_of(flow(piece_of(state), state, 1e-9 * step))
        after = flow(piece, state, h)
        if piece_of(after) != piece:
            low, high = 0.0, h
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if piece_of(flow(piece, state, middle)) == piece else (low, middle)
            h, after = high, flow(piece, state, high)
        state, now = after, now + h
    return state


@solution("ca-sdld25-modes.ini")
def chain_modes():
    """Undamped 2 sqrt (k / m) sin (n pi / 18); dampers in proportion to springs."""
    omega = [2 * math.sqrt(1e5 / 10) * math.sin(n * math.pi / 18) for n in range(1, 9)]
    return {"mode %d" % n: {0: w * math.sqrt(1 - (w * 50 / 1e5 / 2) ** 2) / (2 * math.pi)} for n, w in enumerate(omega, 1)}


@solution("ca-sdld321.ini")
def critical():
    """x = (a + b t) exp (-50 t) + the response -i / (k + c i w - m w^2) at w = 50."""
    w, force = 50, 5
    x = force / (25e3 + 1e3 * 1j * w - 10 * w * w)
    a = -x.imag
    b = 50 * a - (x * 1j * w).imag
    return {"m.position": {t: (a + b * t) * math.exp(-50 * t) + (x * numpy.exp(1j * w * t)).imag for t in (0.05, 0.5, 2.0)}}


@solution("ca-sdnd106.ini")
def rubbing():
    loose = math.acos(1 - 300 * 1e4 / (3000 * 1e4)) / math.sqrt(1e4 / 5)
    xb = 0.3 * (1 - math.cos(math.sqrt(2000) * loose))

    def slope(t, s):
        assert s[2] > -1e-9
        spring = 1e4 * (s[1] - s[0])
        return numpy.array([s[2], s[3], (spring - 200) / 5, ((3000 if t < 0.2 - 1e-12 else 0) - spring) / 5])

    state = advance(slope, [0, xb, 0, 0.3 * math.sqrt(2000) * math.sin(math.sqrt(2000) * loose)], loose, 0.1, 1e-5)
    at_02 = advance(lambda t, s: slope(0, s), state, 0.1, 0.2, 1e-5)
    at_03 = advance(lambda t, s: slope(1, s), at_02, 0.2, 0.3, 1e-5)
    return {name: {0.1: state[i], 0.2: at_02[i], 0.3: at_03[i]} for name, i in (("a.position", 0), ("b.position", 1))}


@solution("ca-sdnd122.ini")
def one_sided():
    """The frequency over the energy, and the position by the time within the period."""
    w, w2, speed, gap = math.sqrt(10), math.sqrt(60), math.sqrt(2 * 0.00650108331626), 0.01
    free = math.asin(gap * w / speed) / w
    at_gap, middle = speed * math.cos(w * free), 0.5 / 60
    half = math.atan2(at_gap, (gap - middle) * w2) / w2
    period = 2 * free + 2 * half + math.pi / w

    def position(t):
        t %= period
        if t < free:
            return speed / w * math.sin(w * t)
        if t < free + 2 * half:
            return middle + math.hypot(gap - middle, at_gap / w2) * math.cos(w2 * (t - free - half))
        return -speed / w * math.sin(w * (t - 2 * free - 2 * half))

    assert abs(1 / period - 0.6466310406) < 1e-10 # as code_aster's page has it, whose printed formula is 6e-4 off
    return {"m.position": {t: position(t) for t in (1.0, 10.0, 20.0)}}


@solution("msl-cauer.ini")
def cauer():
    l1, l2, c2, c4 = 1.304, 0.8586, 1 / (1.704992 ** 2 * 1.304), 1 / (1.179945 ** 2 * 0.8586)
    capacity = numpy.array([[1.072 + c2, -c2, 0], [-c2, 1.682 + c2 + c4, -c4], [0, -c4, 0.7262 + c4]])
    inverse = numpy.linalg.inv(capacity)

    def slope(t, s):
        u, i = s[:3], s[3:]
        current = numpy.array([(1 - u[0]) - i[0], i[0] - i[1], i[1] - u[2]])
        return numpy.append(inverse @ current, [(u[0] - u[1]) / l1, (u[1] - u[2]) / l2])

    found = at_times(slope, numpy.zeros(5), (2.0, 11.0, 29.0), 0.002, {"n1.voltage": 0, "n3.voltage": 1, "n5.voltage": 2, "l1.current": 3})
    return {name: {t + 1: x for t, x in row.items()} for name, row in found.items()}


@solution("msl-first.ini")
def first():
    def slope(t, s):
        spring = 1e4 * (s[0] - s[2])
        return numpy.array([s[1], (100 * math.sin(10 * math.pi * t) - spring - 10 * s[1]) / 12, s[3], spring / 2])

    return at_times(slope, [0, 0, 0, 0], (0.5, 1.0), 5e-5, {"i2.angle": 0, "i2.speed": 1, "i3.angle": 2, "i3.speed": 3})


@solution("msl-oscillator.ini")
def oscillator():
    def slope(t, s):
        force = math.sin(2 * math.pi * 15.9155 * t)
        return numpy.array([s[1], force - 1e4 * s[0], s[3], force - 1e4 * s[2] - 10 * s[3]])

    return at_times(slope, [0, 0, 0, 0], (0.5, 1.0), 5e-5, {"m1.position": 0, "m2.position": 2})


@solution("msl-damper.ini")
def damper():
    found = at_times(lambda t, s: numpy.array([s[1], -25 * s[1] - s[0]]), [0, 10], (0.1, 1.0), 1e-4, {"m2.position": 0, "m2.velocity": 1})
    return {"m1.position": {t: -1 + 0.4 * (1 - math.exp(-25 * t)) for t in (0.1, 1.0)}, **found}


@solution("msl-elasticbearing.ini")
def elastic_bearing():
    """The planetary gear's reaction holds the massless flange: shaft + 2 housing = 3 out."""
    def slope(t, s):
        shaft, load, housing = s[0], s[1], s[2]
        pull = 1e3 * ((shaft + 2 * housing) / 3 - load)
        return numpy.array([s[3], s[4], s[5], 20 * min(t, 5) - pull / 3, pull / 50, (-2 * pull / 3 - 1e5 * housing - 5 * s[5]) / 5])

    return at_times(slope, numpy.zeros(6), (2.5, 5.0, 10.0), 2e-4, {"shaft.angle": 0, "load.angle": 1, "shaft.speed": 3, "load.speed": 4})


@solution("msl-rollingwheel.ini")
def rolling_wheel():
    """2 v' = 10 - 0.4 v^2."""
    return {"i.speed": {t: 5 * math.tanh(t - 0.1) for t in (1.0, 5.0)}, "i.angle": {t: 5 * math.log(math.cosh(t - 0.1)) for t in (1.0, 5.0)}}


@solution("msl-brake.ini")
def brake():
    return {"m.position": {0.5: 0.1 + 0.4 - 0.4 ** 2 / 2, 2.0: 0.6}, "m.velocity": {0.5: 0.6, 2.0: 0}}


def two_bars(m1, a1, l1, i1, m2, a2, l2, i2, tip, damping):
    """The slope of (angles, speeds) of two hinged bars with a mass at their tip; angles from the horizontal."""
    def slope(t, s):
        coupling = (m2 * a2 + tip * l2) * l1
        c, h = coupling * math.cos(s[0] - s[1]), coupling * math.sin(s[0] - s[1])
        one, two = i1 + m1 * a1 * a1 + (m2 + tip) * l1 * l1, i2 + m2 * a2 * a2 + tip * l2 * l2
        p = -h * s[3] ** 2 - G * math.cos(s[0]) * (m1 * a1 + (m2 + tip) * l1) - damping * s[2]
        q = h * s[2] ** 2 - G * math.cos(s[1]) * (m2 * a2 + tip * l2)
        d = one * two - c * c
        return numpy.array([s[2], s[3], (two * p - c * q) / d, (one * q - c * p) / d])

    return slope


@solution("msl-doublependulum.ini")
def double_pendulum():
    m = 7700 * 0.5 * 0.06 ** 2
    inertia = m * (0.5 ** 2 + 0.06 ** 2) / 12
    slope = two_bars(m, 0.25, 0.5, inertia, m, 0.25, 0.5, inertia, 0, 0.1)
    return at_times(slope, [0, 0, 0, 0], (1.0, 2.0, 3.0), 5e-4, {"b1.angle": 0, "b2.angle": 1, "b2.speed": 3})


@solution("si-slider-crank.ini")
def slider_crank():
    """The time of the first contact of a corner with the channel, 26 mm from its middle."""
    slope = two_bars(0.038, 0.0765, 0.153, 7.4e-5, 0.038, 0.153, 0.306, 5.9e-4, 0.076, 0)
    now, state = 0.0, numpy.array([0, 0, 150.0, -75.0])

    def depth(t, s):
        y, turn = 0.153 * math.sin(s[0]) + 0.306 * math.sin(s[1]), -0.01 * t
        return max(abs(y + x * math.sin(turn) + z * math.cos(turn)) for x in (-0.05, 0.05) for z in (-0.025, 0.025)) - 0.026

    for h in (1e-5, 1e-8, 1e-11, 1e-13):
        while depth(now + h, advance(slope, state, now, now + h, h)) < 0:
            state, now = advance(slope, state, now, now + h, h), now + h
    return {"impact 1": {0: now}}


@solution("msl-chua.ini")
def chua():
    g = 0.565

    def piece(conductance, current):
        matrix = numpy.array([[(-g - conductance) / 10, g / 10, 0], [g / 100, -g / 100, -0.01], [0, 1 / 18, -0.0125 / 18]])
        return matrix, numpy.array([-current / 10, 0, 0])

    outer = 0.757576 - 0.409091
    pieces = [piece(-0.409091, outer), piece(-0.757576, 0), piece(-0.409091, -outer)]
    state = advance_linear(pieces, lambda x: int(x[0] > -1) + int(x[0] > 1), [4, 0, 0], 10000, 0.5)
    return {name: {10000.0: x} for name, x in zip(("c1.voltage", "c2.voltage", "l.current"), state)}


@solution("si-rlcd.ini")
def diode_circuit():
    pieces = [(numpy.array([[-conductance / 1e-6, -1e6], [100, 0]]), numpy.zeros(2)) for conductance in (0, 1e-3)]
    state = advance_linear(pieces, lambda x: int(x[0] > 0), [10, 0], 4.99e-3, 1e-5)
    return {"c.voltage": {4.99e-3: state[0]}, "l.current": {4.99e-3: state[1]}}


@solution("msl-overvoltage.ini")
def overvoltage():
    """At the source's peaks, where the capacitor takes no current: the balance of the resistors and both diodes."""
    def diode(u):
        return 1e-6 * math.expm1(u / 0.04) - 0.7 * math.exp(-5.1 / 0.0296) * math.expm1(-u / 0.0296) + u / 1e8

    def root(function, low, high):
        for _ in range(200):
            low, high = (low, (low + high) / 2) if function((low + high) / 2) > 0 else ((low + high) / 2, high)
        return low

    def balance(out):
        middle = root(lambda u: -diode(-u) - diode(out - u), 0, out)
        return out / 2000 + diode(out - middle) - (10 - out) / 20

    value = root(balance, 0, 8)
    return {"out.voltage": {0.05: value, 0.15: -value, 0.25: value}}


@solution("rocking.ini")
def rocking():
    """Housner 1963: theta'' = p^2 sin (theta - alpha), the rate after an impact is 1 - 3/2 sin^2 alpha of that before."""
    alpha, radius = math.atan(0.2), math.hypot(0.1, 0.5)
    factor, kept = G / (4 / 3 * radius), 1 - 1.5 * math.sin(alpha) ** 2

    def slope(t, s):
        return numpy.array([s[1], -factor * math.sin(alpha - s[0])])

    times, now, state = {}, 0.0, numpy.array([0.1, 0.0])
    for number in range(1, 7):
        now, state = crossing(slope, state, now, 1e-3, lambda s: -s[0])
        times["rest %d" % number] = {0: now}
        state = numpy.array([0.0, -kept * state[1]])
    return times


@solution("zeno.ini")
def zeno():
    return {"rest 1": {0: math.sqrt(2 / G) * 3}}


@solution("painleve.ini")
def painleve():
    """N = m g / (1 + 3 cos^2 a + 3 mu sin a cos a), for slip in this direction, with tan a = 2."""
    return {"slide.force": {0: G / (1.6 + 1.2 * 1.3)}}


@solution("hydraulic.ini")
def hydraulic():
    def slope(t, s):
        return numpy.array([s[1], (-s[0] / 7e-13 - 430 * abs(s[1]) * s[1] / (0.61e-4) ** 2) / 1e7])

    return at_times(slope, [0, 1e-3], (0.1, 0.2), 1e-5, {"p.flow": 1})


@solution("boucwen.ini")
def bouc_wen():
    def slope(t, s):
        u = s[2] / 0.02
        rate = s[1] - 0.7 * abs(s[1]) * abs(u) * u - 0.3 * s[1] * u * u
        return numpy.array([s[1], 1.5 * math.sin(1.6 * math.pi * t) - 4 * s[0] - 36 * s[2] - 0.3 * s[1], rate])

    return at_times(slope, [0, 0, 0], (5.0, 10.0), 2e-4, {"m.position": 0, "b.z": 2})


@solution("nes.ini")
def sink():
    def slope(t, s):
        pull = (s[0] - s[2]) ** 3 + 0.002 * (s[1] - s[3])
        return numpy.array([s[1], -s[0] - pull, s[3], pull / 0.05])

    return at_times(slope, [0, 0.5, 0, 0], (50.0, 150.0, 200.0), 5e-3, {"m.position": 0, "n.position": 2})


@solution("sommerfeld.ini")
def sommerfeld():
    def slope(t, s):
        sine, cosine = 0.02 * math.sin(s[2]), 0.02 * math.cos(s[2])
        p, q = cosine * s[3] ** 2 - 1e4 * s[0] - 20 * s[1], 0.02 * (40 - s[3])
        d = 11 * 0.0104 - sine * sine
        return numpy.array([s[1], (0.0104 * p + sine * q) / d, s[3], (11 * q + sine * p) / d])

    return at_times(slope, [0, 0, 0, 0], (5.0, 10.0), 2e-4, {"cart.x": 0, "rotor.speed": 3, "rotor.angle": 2})


@solution("mathieu-tongue.ini")
def mathieu():
    return at_times(lambda t, s: numpy.array([s[1], (0.8 * math.cos(2 * t) - 1) * s[0]]), [1, 0], (10.0, 20.0), 1e-3, {"m.position": 0})


@solution("toda.ini")
def toda():
    """Toda 1967: x = log ((1 + exp (u + K)) / (1 + exp (u - K))) - K with u = 2 (K (20.5 - n) + t sinh K), K = 1."""
    def position(n, t):
        u = 2 * (20.5 - n + t * math.sinh(1))
        return numpy.logaddexp(0, u + 1) - numpy.logaddexp(0, u - 1) - 1

    return {"m%d.position" % n: {25.0: position(n, 25)} for n in (45, 49, 50, 53)}


@solution("hertz.ini")
def hertz():
    mass, n = 0.07159756678174414, 100
    stiffness = 4 / 3 * 111538461538.46153 * math.sqrt(0.0065)

    def slope(t, s):
        force = stiffness * numpy.maximum(0, -numpy.diff(s[:n])) ** 1.5 / mass
        return numpy.concatenate([s[n:], numpy.append(0, force) - numpy.append(force, 0)])

    state, found, now = numpy.zeros(2 * n), {"k30.force": {}, "k60.force": {}}, 0.0
    state[n] = 1
    for name, time in (("k30.force", 1.18e-3), ("k60.force", 2.34e-3)):
        state, now = advance(slope, state, now, time, 1e-7), time
        k = int(name[1:3])
        found[name][time] = stiffness * max(0, state[k - 1] - state[k]) ** 1.5
    return found


@solution("fput.ini")
def fermi():
    """The energy of the first mode at its recurrence, relative to that at the start."""
    n, shape = 31, math.sqrt(2 / 32) * numpy.sin(math.pi / 32 * numpy.arange(1, 32))

    def slope(t, s):
        stretch = numpy.diff(s[:n], prepend=0, append=0)
        return numpy.concatenate([s[n:], numpy.diff(stretch + 0.25 * stretch ** 2)])

    state = advance(slope, numpy.concatenate([math.sqrt(16) * shape, numpy.zeros(n)]), 0, 9380, 0.1)
    energy = ((shape @ state[n:]) ** 2 + (2 * math.sin(math.pi / 64) * (shape @ state[:n])) ** 2) / 2
    return {"first-mode": {9380.0: energy / (16 * (2 * math.sin(math.pi / 64)) ** 2 / 2)}}


@solution("tmd.ini")
def damper_of_den_hartog():
    mu = 0.05
    k, c = mu / (1 + mu) ** 2, 2 * mu * math.sqrt(3 * mu / (8 * (1 + mu) ** 3))

    def amplitude(w):
        tie = k + 1j * w * c
        return abs((tie - mu * w * w) / ((1 + tie - w * w) * (tie - mu * w * w) - tie * tie))

    peak = max(numpy.linspace(0.9, 1.2, 300001), key=amplitude)
    return {"peak": {0: amplitude(peak)}, "peak-frequency": {0: peak / (2 * math.pi)}}


if __name__ == "__main__":
    for name, solve in SOLUTIONS.items():
        print("[%s]" % name)
        for quantity, row in solve().items():
            for time, value in row.items():
                print("%-16s %-8s %.12g" % (quantity.replace(" ", "-"), "-" if time == 0 and "." not in quantity else "%g" % time, value))
