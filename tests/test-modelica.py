#!/usr/bin/python3
# test-modelica.py: networks after examples of the Modelica Standard Library, against solutions of their own
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The examples are implemented here again, by the equations of the library's components (ElastoGap, ElastoBacklash,
# MassWithStopAndFriction), and solved without this program: by steps so short that a kink
# within one counts for nothing, by an implicit scheme of the third order where the example is stiff, and by seeking where friction sticks and slips. Runs
# must be within 1e-4 of a signal's range.
import csv
import io
import math
import os

import numpy

from expect import check, finish, ifbam, networks

WITHIN = 1e-4


def course(name):
    said = ifbam("run", os.path.join(networks, name + ".ini"))
    rows = list(csv.reader(io.StringIO(said.stdout)))
    table = numpy.array(rows[1:], float)
    return {head: table[:, i] for i, head in enumerate(rows[0])}


def compare(name, expected):
    """expected: signals, and their values at the rows' times."""
    got = course(name)
    for signal, f in expected(got["time"]).items():
        span = f.max() - f.min()
        apart = numpy.abs(got[signal] - f).max() / span
        check(len(f) > 20 and apart < WITHIN, f"{name}: {signal}", f"{apart:.2g} of its range of {span:.6g}")


def runge_kutta(slope, state, times, step):
    """The fourth-order one, in steps of about `step` from row to row."""
    rows, state, time = [], numpy.array(state, float), times[0]
    for end in times:
        n = max(1, math.ceil((end - time) / step - 1e-9)) if end > time else 0
        h = (end - time) / n if n else 0
        for k in range(n):
            t = time + k * h
            a = slope(t, state)
            b = slope(t + h / 2, state + h / 2 * a)
            c = slope(t + h / 2, state + h / 2 * b)
            state = state + h / 6 * (a + 2 * b + 2 * c + slope(t + h, state + h * c))
        time = end
        rows.append(state)
    return numpy.array(rows).T


def radau(slope, state, times, step):
    """Radau IIA of two stages (Hairer & Wanner 1996, table IV.5.5), by Newton's method with differences."""
    A = numpy.array([[5 / 12, -1 / 12], [3 / 4, 1 / 4]])
    c = (1 / 3, 1.0)
    rows, state, time, n, off = [], numpy.array(state, float), times[0], len(state), 1e-7
    for end in times:
        m = max(1, round((end - time) / step)) if end > time else 0
        h = (end - time) / m if m else 0
        for k in range(m):
            t = time + k * h
            stage = numpy.concatenate([state, state])
            for _ in range(30):
                f = [slope(t + c[i] * h, stage[i * n:i * n + n]) for i in range(2)]
                rest = stage - numpy.concatenate([state + h * (A[i, 0] * f[0] + A[i, 1] * f[1]) for i in range(2)])
                J = [numpy.array([(slope(t + c[i] * h, stage[i * n:i * n + n] + off * unit) - f[i]) / off
                                  for unit in numpy.eye(n)]).T for i in range(2)]
                matrix = numpy.eye(2 * n) - h * numpy.block([[A[i, 0] * J[0], A[i, 1] * J[1]] for i in range(2)])
                change = numpy.linalg.solve(matrix, rest)
                stage = stage - change
                if numpy.abs(change).max() < 1e-13:
                    break
            state = stage[n:]
        time = end
        rows.append(state)
    return numpy.array(rows).T


def elasto_gap(apart, closing, stiffness, damping):
    """The force that pushes its ends apart: the damper's is no more than the spring's."""
    if apart >= 0:
        return 0.0
    spring = -stiffness * apart
    return spring + min(max(damping * closing, -spring), spring)


def gaps(times):
    def slope(_, y):
        held = -20 * y[0] - 3 * y[1]
        met = elasto_gap(y[2] + 0.5, -y[3], 10, 1.5) - elasto_gap(0.5 - y[2], y[3], 10, 1.5)
        return numpy.array([y[1], held, y[3], met])
    y = runge_kutta(slope, [2, 0, 2, 0], times, 0.5e-3)
    return dict(zip(("m1.position", "m1.velocity", "m2.position", "m2.velocity"), y))


def backlashes(times):
    def torque(angle, speed, bounded):
        beyond = abs(angle) - math.pi / 8
        spring, damper = 20e3 * beyond, 50 * math.copysign(1, angle) * speed
        if beyond <= 0 or spring + damper <= 0:
            return 0.0
        return math.copysign(spring + (min(spring, damper) if bounded else damper), angle)

    def slope(_, y):
        return numpy.array([y[1], -(20e3 * y[0] + 50 * y[1]) / 5, y[3], -torque(y[2], y[3], True) / 5,
                            y[5], -torque(y[4], y[5], False) / 5])
    quarter = math.pi / 2
    y = runge_kutta(slope, [quarter, 0, quarter, 0, quarter, 0], times, 0.01e-3)  # the torque of the last one jumps
    return dict(zip(("tight.angle", "tight.speed", "loose.angle", "loose.speed", "struck.angle", "struck.speed"), y))


def spool(times):
    """Positions as the example has them; the network counts from where the spool is, and the spring relaxed."""
    left, right = -0.0955, -0.0955 + 0.0305

    def gap(a, b, v_a, v_b, length):
        return elasto_gap(b - a - length, v_a - v_b, 1e6, 250)

    def slope(t, y):
        s, a, b, v, v_a, v_b = y
        outer_a = gap(left, a - 0.001, 0, v_a, 0.0015)
        outer_b = gap(b + 0.001, right, v_b, 0, 0.0015)
        inner_a = gap(s - 0.095 - 0.00575, a + 0.001 + 0.007, v, v_a, 0.001)
        inner_b = gap(b - 0.001 - 0.007, s - 0.095 + 0.00575, v_b, v, 0.001)
        spring = 20e3 * (0.025 - (b - 0.001 - (a + 0.001)))
        push = 150 * math.sin(2 * math.pi * 0.01 * t)
        return numpy.array([v, v_a, v_b, (push - 2500 * v - inner_a + inner_b) / 0.150,
                            (outer_a + inner_a - spring) / 0.010, (spring - outer_b - inner_b) / 0.010])
    y = radau(slope, [0.01475, -0.093, -0.06925, 0, 0, 0], times, 20e-3)
    return {"spool.position": y[0] - 0.01475, "a.position": y[1] + 0.093, "b.position": y[2] + 0.093 - 0.027,
            "spool.velocity": y[3]}


def stribeck(times, push, coulomb, extra, state, stop):
    """A mass of 1 kg with Stribeck's friction between stops that take its speed: push (time, position)."""
    step, rows, time = 0.1e-3, [], 0.0
    x, v = state
    way = numpy.sign(v)  # in which it slips; 0: it sticks

    def slope(t, y):
        return numpy.array([y[1], push(t, y[0]) - way * (coulomb + extra * math.exp(-2 * abs(y[1]))) - y[1]])

    def ends(y):
        """Below 0 where it can't go on as it does: it turns round, or is at a stop."""
        return min(way * y[1], stop - way * y[0])

    for end in times:
        while end - time > 1e-12:
            h = min(step, end - time)
            if way == 0:
                force = push(time + h, x)
                if abs(force) > coulomb + extra:
                    least, most = 0.0, h
                    for _ in range(60):
                        half = (least + most) / 2
                        least, most = (least, half) if abs(push(time + half, x)) > coulomb + extra else (half, most)
                    time, way, v = time + most, numpy.sign(force), 0.0
                else:
                    time += h
                continue
            y = runge_kutta(slope, [x, v], [time, time + h], h)[:, 1]
            if ends(y) < 0:
                least, most = 0.0, h
                for _ in range(60):
                    half = (least + most) / 2
                    if ends(runge_kutta(slope, [x, v], [time, time + half], half)[:, 1]) < 0:
                        most = half
                    else:
                        least = half
                y, h = runge_kutta(slope, [x, v], [time, time + most], most)[:, 1], most
                y[1] = 0
                force = push(time + h, y[0])
                way = numpy.sign(force) if abs(force) > coulomb + extra else 0
            time, (x, v) = time + h, y
        rows.append((x, v))
    return numpy.array(rows).T


def frictions(times):
    y = [*stribeck(times, lambda t, x: 25 * math.sin(2 * math.pi * 0.25 * t), 5, 10, (0, 0), 24.5),
         *stribeck(times, lambda t, x: -500 * (x + 1.75 - 1 - 0.5), 3, 5, (0, -5), 0.4)]
    return dict(zip(("m1.position", "m1.velocity", "m2.position", "m2.velocity"), y))


def press(clutch, time):
    """Returns a clutch's torque while it slips [N m]; at a corner the later one."""
    return 10 * ((time < 1.25) * math.cos(0.4 * math.pi * time), time >= 0.4, time >= 0.9)[clutch]


def clutches(times):
    """Four wheels of 1 kg m2; ways: in which the clutches slip, 0: they stick."""
    shake = lambda t: 10 * math.sin(10 * math.pi * t)

    def pull(t, half, ways):
        """Returns torques of clutches and wheels: sticking ones have equal speeds. half: after or before t."""
        matrix, rest = numpy.eye(3), numpy.zeros(3)
        for i in range(3):
            if ways[i] == 0:
                matrix[i] = [-(abs(j - i) == 1) + 2 * (j == i) for j in range(3)]
                rest[i] = shake(t) if i == 0 else 0
            else:
                rest[i] = ways[i] * press(i, t + half)
        torque = numpy.linalg.solve(matrix, rest)
        return torque, numpy.array([shake(t), 0, 0, 0]) + numpy.array([0, *torque]) - numpy.array([*torque, 0])

    def move(t, h, speed, ways):
        """Accelerations are of the time alone: by Simpson's rule."""
        parts = (pull(t, 1e-9, ways)[1], pull(t + h / 2, 0, ways)[1], pull(t + h, -1e-9, ways)[1])
        return speed + h / 6 * (parts[0] + 4 * parts[1] + parts[2])

    def worst(t, speed, ways):
        """Below 0 where a clutch does not go on: it stops slipping, or does not hold."""
        torque = pull(t, -1e-9, ways)[0]
        each = [way * (speed[i] - speed[i + 1]) if way else 1.1 * press(i, t - 1e-9) - abs(torque[i])
                for i, way in enumerate(ways)]
        return min(each), each.index(min(each)), torque

    rows, time, speed, ways = [], 0.0, numpy.array([10.0, 0, 0, 0]), [1, 0, 0]
    for end in times:
        while end - time > 1e-12:
            for i in range(3):  # clutches just closed or opened
                if ways[i] == 0 and abs(speed[i] - speed[i + 1]) > 1e-9:
                    ways[i] = int(numpy.sign(speed[i] - speed[i + 1]))
            h = min([0.5e-3, end - time] + [at - time for at in (0.4, 0.9, 1.25) if at - time > 1e-12])
            least, most = 0.0, h
            if worst(time + h, move(time, h, speed, ways), ways)[0] < -1e-12:
                for _ in range(50):
                    half = (least + most) / 2
                    if worst(time + half, move(time, half, speed, ways), ways)[0] < -1e-12:
                        most = half
                    else:
                        least = half
                time, speed = time + most, move(time, most, speed, ways)
                _, i, torque = worst(time, speed, ways)
                if ways[i]:
                    ways[i], speed[i + 1] = 0, speed[i]
                else:
                    ways[i] = int(numpy.sign(torque[i]))
            else:
                time, speed = time + h, move(time, h, speed, ways)
        rows.append(speed)
    return dict(zip(("j1.speed", "j2.speed", "j3.speed", "j4.speed"), numpy.array(rows).T))


compare("elasto-gap", gaps)
compare("elasto-backlash", backlashes)
compare("preload", spool)
compare("stribeck", frictions)
compare("coupled-clutches", clutches)
finish()
