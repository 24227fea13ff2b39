#!/usr/bin/python3
"""test-circuits.py: converters, rectifiers and saturating amplifiers without helper elements

Ideal, resistive and exponential diodes commutate at junctions. References integrate the currents and voltages by
Heun's method, with the diode's voltage as a function of its current.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import math
import os
import tempfile

from expect import check, effort, finish, ifbam

THERMAL_VOLTAGE = 1.380649e-23 * 300.15 / 1.602176634e-19  # at 27 degC
PERIOD, DURATION, STEP = 20e-6, 0.4e-3, 25e-9
HEAD = "[network]\nscheme = {scheme}\nstep = {step}\nduration = {duration}\nrecord = {record}\n[ground gnd]\n"
DIODES = {
    "ideal": ("diode", "", lambda i: 0),
    "resistive": ("diode", "resistance = 10 mohm\n", lambda i: 0.01 * i),
    "exponential": ("shockley-diode", "saturation-current = 1e-9 A\nemission = 1\n",
                    lambda i: THERMAL_VOLTAGE * math.log(1 + i / 1e-9)),
}
SCHEMES = ("tr-bdf2", "esdirk4", "implicit-euler") if effort == "full" else ("esdirk4",)


def diode(kind, name, anode, cathode):
    word, keys, _ = DIODES[kind]
    return f"[{word} {name}]\n{keys}between = {anode}, {cathode}\n"


def switch(left, right, duty):
    times = [(k + part) * PERIOD * 1e6 for k in range(round(DURATION / PERIOD)) for part in (0, duty)][1:]
    return f"[switch s]\nstate = closed\ntoggle = {', '.join(f'{t:.6f} us' for t in times)}\nbetween = {left}, {right}\n"


def load(resistance):
    return f"[capacitor out]\ncapacitance = 40 uF\n[resistor r]\nresistance = {resistance} ohm\nbetween = out, gnd\n"


def coil(inductance, left, right):
    return f"[inductor l]\ninductance = {inductance * 1e6} uH\nbetween = {left}, {right}\n"


# name: text of a diode's kind, duty, inductance, load, voltage across the coil while the switch is closed (on) and while
# the diode conducts, by the output u and the diode's drop; parts of the coil's current that charge the output
CONVERTERS = {
    "buck": (lambda k: "[voltage-source v]\nvoltage = 24 V\n" + switch("v", "x", 0.4) + "[junction x]\n"
             + diode(k, "d", "gnd", "x") + coil(100e-6, "x", "out") + load(5),
             0.4, 100e-6, 5, lambda u: 24 - u, lambda u, drop: -u - drop, 1, 1),
    "boost": (lambda k: "[voltage-source v]\nvoltage = 12 V\n" + coil(100e-6, "v", "x") + "[junction x]\n"
              + switch("x", "gnd", 0.5) + diode(k, "d", "x", "out") + load(20),
              0.5, 100e-6, 20, lambda u: 12, lambda u, drop: 12 - u - drop, 0, 1),
    "boost that lets its coil run empty": (
        lambda k: "[voltage-source v]\nvoltage = 12 V\n" + coil(10e-6, "v", "x") + "[junction x]\n"
        + switch("x", "gnd", 0.3) + diode(k, "d", "x", "out") + load(200),
        0.3, 10e-6, 200, lambda u: 12, lambda u, drop: 12 - u - drop, 0, 1),
    "buck-boost": (lambda k: "[voltage-source v]\nvoltage = 12 V\n" + switch("v", "x", 0.5) + "[junction x]\n"
                   + coil(100e-6, "x", "gnd") + diode(k, "d", "out", "x") + load(20),
                   0.5, 100e-6, 20, lambda u: 12, lambda u, drop: u - drop, 0, -1),
}


def integrate(converter, kind):
    """Returns the output voltage [V] at the end."""
    _, duty, inductance, resistance, on, off, feeds_on, feeds_off = CONVERTERS[converter]
    drop = DIODES[kind][2]
    current = voltage = 0
    per_period = round(PERIOD / STEP)
    for k in range(round(DURATION / STEP)):
        closed = k % per_period < round(duty * per_period)

        def slopes(i, u):
            if not closed and i <= 0 and off(u, 0) <= 0:
                return 0, -u / resistance / 40e-6
            i = max(i, 0)
            across = on(u) if closed else off(u, drop(i))
            return across / inductance, ((feeds_on if closed else feeds_off) * i - u / resistance) / 40e-6

        i1, u1 = slopes(current, voltage)
        i2, u2 = slopes(current + STEP * i1, voltage + STEP * u1)
        current = max(current + STEP * (i1 + i2) / 2, 0)
        voltage += STEP * (u1 + u2) / 2
    return voltage


def run(text, folder):
    """Returns the last row of a run (without time), or None and the error's text."""
    with open(os.path.join(folder, "circuit.ini"), "w", encoding="utf-8") as file:
        file.write(text)
    done = ifbam("run", file.name, "-o", os.path.join(folder, "rows.csv"))
    if done.returncode != 0:
        return None, done.stderr
    with open(os.path.join(folder, "rows.csv"), encoding="utf-8") as file:
        return [float(value) for value in list(csv.reader(file))[-1][1:]], ""


def expect_row(name, text, folder, exact, tolerance):
    row, why = run(text, folder)
    fine = row is not None and all(abs(a - b) <= tolerance * max(1, abs(b)) for a, b in zip(row, exact))
    check(fine, name, why or f"{row} instead of {exact}")


def check_converters(folder):
    for name, (text, *_) in CONVERTERS.items():
        for kind in DIODES:
            exact = integrate(name, kind)
            for scheme in SCHEMES:
                head = HEAD.format(scheme=scheme, step="1 us" if scheme != "implicit-euler" else "20 ns",
                                   duration=f"{DURATION * 1e3} ms", record="out.voltage")
                expect_row(f"{name}, {kind}, {scheme}", head + text(kind), folder, [exact], 5e-3)
                if scheme != "implicit-euler":
                    head = head.replace("step = 1 us", "step = 1 us\ntolerance = 1e-6\nsample = 4 us")
                    expect_row(f"{name}, {kind}, {scheme}, with a tolerance", head + text(kind), folder, [exact], 5e-3)


def integrate_inverter(drop):
    """Returns the coil's current [A] after 399 us: 18 us at 12 V, 2 us by diodes, 18 us at -12 V, 2 us by diodes, ..."""
    current, step = 0, 10e-9

    def slope(current, phase):
        if phase in (0, 2):
            return ((12 if phase == 0 else -12) - current) / 100e-6
        return (-math.copysign(12 + 2 * drop(abs(current)), current) - current) / 100e-6

    for k in range(39900):
        phase = (k % 4000 >= 1800) + (k % 4000 >= 2000) + (k % 4000 >= 3800)
        first = slope(current, phase)
        current += step * (first + slope(current + step * first, phase)) / 2
    return current


def check_inverters(folder):
    """While all switches are open, two diodes have to take over the coil's current at the same instant."""
    high = [40 * k + time for k in range(10) for time in (0, 18)][1:]
    low = [40 * k + time for k in range(10) for time in (20, 38)]
    for kind, (_, _, drop) in DIODES.items():
        bridge = "[voltage-source p]\nvoltage = 12 V\n[junction x]\n[junction y]\n[junction z]\n"
        for name, times, ends in (("a", high, "p, x"), ("b", low, "x, gnd"), ("c", low, "p, z"), ("d", high, "z, gnd")):
            bridge += (f"[switch {name}]\nstate = {'closed' if times is high else 'open'}\nbetween = {ends}\n"
                       f"toggle = {', '.join(f'{time} us' for time in times)}\n")
        bridge += "".join(diode(kind, f"d{k}", *ends) for k, ends in
                          enumerate((("x", "p"), ("gnd", "x"), ("z", "p"), ("gnd", "z"))))
        bridge += coil(100e-6, "x", "y") + "[resistor r]\nresistance = 1 ohm\nbetween = y, z\n"
        exact = integrate_inverter(drop)
        for scheme in SCHEMES:
            head = HEAD.format(scheme=scheme, step="20 ns" if scheme == "implicit-euler" else "0.5 us", duration="399 us",
                               record="l.current")
            expect_row(f"inverter, {kind}, {scheme}", head + bridge, folder, [exact],
                       1e-3 if scheme == "implicit-euler" else 1e-5)


def check_three_phases(folder):
    """Ideal switches, star of three coils. While one is open, an exponential diode goes from -300 V to its current."""
    rows = {}
    for kind in DIODES:
        bridge = "[voltage-source p]\nvoltage = 300 V\n[junction star]\n"
        for k in range(3):
            halves = [500 * (0.5 + 0.4 * math.sin(2 * math.pi * (n / 20 - k / 3))) for n in range(6)]
            centres = [1000 * n + 500 for n in range(6)]
            up = [f"{centre + sign * half + 5 * (sign < 0):.3f} us" for centre, half in zip(centres, halves) for sign in (-1, 1)]
            low = [f"{centre + sign * half + 5 * (sign > 0):.3f} us" for centre, half in zip(centres, halves) for sign in (-1, 1)]
            bridge += f"[junction x{k}]\n[junction y{k}]\n[switch u{k}]\nstate = open\ntoggle = {', '.join(up)}\nbetween = p, x{k}\n"
            bridge += f"[switch b{k}]\nstate = closed\ntoggle = {', '.join(low)}\nbetween = x{k}, gnd\n"
            bridge += diode(kind, f"d{k}", f"x{k}", "p") + diode(kind, f"e{k}", "gnd", f"x{k}")
            bridge += f"[inductor l{k}]\ninductance = 5 mH\nbetween = x{k}, y{k}\n"
            bridge += f"[resistor r{k}]\nresistance = 2 ohm\nbetween = y{k}, star\n"
        head = HEAD.format(scheme="tr-bdf2", step="2 us", duration="5 ms", record="l0.current, l1.current, l2.current")
        rows[kind], why = run(head + bridge, folder)
        check(rows[kind] is not None and abs(sum(rows[kind])) < 1e-9, f"three phases, {kind}", why or rows[kind])
    if None not in rows.values():
        drops = {kind: max(abs(a - b) for a, b in zip(row, rows["ideal"])) for kind, row in rows.items()}
        # a drop of a volt in 5 of 500 us changes 300 V by 1 %
        check(0 < drops["resistive"] < 0.01 and 0 < drops["exponential"] < 0.05, "three phases: drops of the diodes", drops)


def check_rectifiers(folder):
    """Diodes that block on both sides of a source leave its potential open."""
    supply = "[voltage-source v]\namplitude = 12 V\nfrequency = 50 Hz\nbetween = p, n\n[junction p]\n[junction n]\n"
    phases = "".join(f"[voltage-source v{i}]\namplitude = 100 V\nfrequency = 50 Hz\nphase = {120 * i} deg\n" for i in range(3))
    for kind, (_, _, drop) in DIODES.items():
        bridge = "".join(diode(kind, f"d{i}", *ends) for i, ends in
                         enumerate((("p", "out"), ("n", "out"), ("gnd", "p"), ("gnd", "n"))))
        six = "".join(diode(kind, f"u{i}", f"v{i}", "p") + diode(kind, f"d{i}", "n", f"v{i}") for i in range(3))
        head = HEAD.format(scheme="tr-bdf2", step="20 us", duration="{}", record="{}")
        current = 3.4
        for _ in range(50):
            current = (100 * math.sqrt(3) - 2 * drop(current)) / 50
        expect_row(f"three phases, {kind}", head.format("40 ms", "r.current") + phases + "[junction p]\n[junction n]\n" + six
                   + "[resistor r]\nresistance = 50 ohm\nbetween = p, n\n", folder, [current], 1e-6)
        current = 0.11
        for _ in range(50):
            current = (12 - 2 * drop(current)) / 100
        for name, steps in ("", head), (" with a tolerance", head.replace("20 us", "1 us\ntolerance = 1e-6\nsample = 0.25 ms")):
            expect_row(f"bridge, {kind}{name}", steps.format("25 ms", "r.current") + supply + "[junction out]\n" + bridge
                       + "[resistor r]\nresistance = 100 ohm\nbetween = out, gnd\n", folder, [current],
                       1e-4 if name else 1e-6)
    # 9.30529 V: a solution with steps of 0.1 us and a capacitance of 1 pF at each junction
    bridge = "".join(f"[shockley-diode d{i}]\nsaturation-current = 1e-9 A\nemission = 1.8\nbetween = {ends}\n"
                     for i, ends in enumerate(("p, out", "n, out", "gnd, p", "gnd, n")))
    expect_row("smoothed bridge", HEAD.format(scheme="tr-bdf2", step="10 us", duration="100 ms", record="out.voltage") + supply
               + bridge + "[capacitor out]\ncapacitance = 470 uF\n[resistor r]\nresistance = 100 ohm\nbetween = out, gnd\n",
               folder, [9.30529], 1e-4)
    # With a tolerance, steps pass the jumps of voltages that no state has.
    for scheme in SCHEMES:
        if scheme != "implicit-euler":
            steps = "1 us\ntolerance = 1e-5\nsample = 1 ms"
            expect_row(f"smoothed bridge with a tolerance, {scheme}",
                       HEAD.format(scheme=scheme, step=steps, duration="100 ms", record="out.voltage") + supply + bridge
                       + "[capacitor out]\ncapacitance = 470 uF\n[resistor r]\nresistance = 100 ohm\nbetween = out, gnd\n",
                       folder, [9.30529], 1e-4)


def check_jumps(folder):
    """Sources that jump, beside laws with derivatives that change by many powers of ten."""
    head = HEAD.format(scheme="tr-bdf2", step="{}", duration="{}", record="{}")
    expect_row("light-emitting diode behind a switch", head.format("10 us", "2 ms", "a.voltage, led.current")
               + "[voltage-source v]\nvoltage = 5 V\n[switch s]\ntoggle = 1 ms\nbetween = v, p\n[junction p]\n[resistor r]\n"
               "resistance = 150 ohm\nbetween = p, a\n[junction a]\n[shockley-diode led]\nsaturation-current = 1e-18 A\n"
               "emission = 2\nbetween = a, gnd\n", folder, [1.94264, 20.382e-3], 1e-5)
    expect_row("saturating amplifier as a follower", head.format("1 us", "1 ms", "out.voltage")
               + "[voltage-source v]\nwave = step\namplitude = 2 V\nat = 0.3 ms\n[transconductance amp]\n"
               "transconductance = 100 S\nlimit = 10 mA\nbetween = gnd, out\ninput = v, out\n[junction out]\n[resistor ro]\n"
               "resistance = 1 kohm\nbetween = out, gnd\n", folder, [1.99998], 1e-5)
    closed = 12 / 60.1 * (1 - math.exp(-601 * 0.02))
    for kind, (_, _, drop) in DIODES.items():
        current = closed
        for _ in range(2000):
            middle = current - 0.5e-6 * (60 * current + drop(current)) / 0.1
            current -= 1e-6 * (60 * middle + drop(max(middle, 0))) / 0.1
            current = max(current, 0)
        expect_row(f"relay coil, {kind}", head.format("10 us", "22 ms", "coil.current")
                   + "[voltage-source v]\nvoltage = 12 V\n[switch s]\nstate = closed\ntoggle = 20 ms\nresistance = 0.1 ohm\n"
                   "between = v, a\n[junction a]\n[inductor coil]\ninductance = 100 mH\nbetween = a, b\n[junction b]\n"
                   "[resistor r]\nresistance = 60 ohm\nbetween = b, gnd\n" + diode(kind, "d", "gnd", "a"),
                   folder, [current], 1e-5)
    row, why = run(HEAD.format(scheme="esdirk4", step="1 us", duration="25 us", record="cp.voltage, m2.voltage")
                   + "[voltage-source u]\namplitude = 2 V\nfrequency = 10 kHz\nbetween = m2, cp\n[junction m2]\n[capacitor cp]\n"
                   "capacitance = 10 nF\n[inertia mr]\ninertia = 1e-9 kg m2\n[ratio tm]\nratio = 1\nbetween = m2, mr\n", folder)
    # capacitances of 10 nF and 1 nF in series share 2 V
    fine = row is not None and abs(abs(row[1] - row[0]) - 2) < 1e-6 and abs(10 * row[0] + row[1]) < 1e-6
    check(fine, "source between a capacitor and an inertia behind a ratio", why or row)


def check_monitor_at_start(folder):
    """The voltage that a monitor reads at the start is a balance; the elements that it switches follow."""
    text = ("[voltage-source v]\nvoltage = 3 V\n[junction a]\n[junction b]\n[resistor r1]\nresistance = 1 ohm\nbetween = v, a\n"
            "[resistor leak]\nresistance = 1e9 ohm\nbetween = a, gnd\n[monitor high]\nsignal = a.voltage\nlevel = 1 V\n"
            "[switch s]\nresistance = 1 ohm\nwhen = high\nbetween = v, b\n[resistor r2]\nresistance = 1 ohm\nbetween = b, gnd\n")
    for duration in ("1 us", "5 us"):
        head = HEAD.format(scheme="esdirk4", step="1 us", duration=duration, record="high.mode, s.mode, b.voltage")
        expect_row(f"monitor of a balance at the start, {duration}", head + text, folder, [1, 1, 1.5], 1e-9)


def check_current_far_below(folder):
    """A diode opens at a millionth of its former current; states that the start leaves at once (1e9 V) are no scale for rounding."""
    text = ("[junction a]\n[current-source s0]\non = a\nvalue = 1000 A\n[current-source s1]\non = a\namplitude = -1000.001 A\n"
            "wave = step\nat = 4.5 ms\n[diode d]\nresistance = 1 ohm\nbetween = a, gnd\n"
            "[resistor r]\nresistance = 1 Mohm\nbetween = a, gnd\n")
    expect_row("diode's current falls to a millionth, reversed",
               HEAD.format(scheme="tr-bdf2", step="1 ms", duration="10 ms", record="a.voltage, d.mode") + text, folder, [-1000, 0], 1e-6)


def check_commutation_within_nanoseconds(folder):
    """The time constant of 1 ns is far below the sampling interval, to which a balance must not be relative."""
    text = ("[voltage-source s]\nvoltage = 5.84631 V\n[junction n1]\n[junction n2]\n[junction v]\n"
            "[resistor e5]\nresistance = 62.8007 ohm\nbetween = s, v\n[capacitor e6]\ncapacitance = 361.021 pF\nbetween = n1, v\n"
            "[diode e7]\nresistance = 0.5098 ohm\nbetween = n2, n1\n[resistor e8]\nresistance = 938.829 ohm\nbetween = n1, v\n"
            "[resistor e9]\nresistance = 83.3504 ohm\nbetween = n2, v\n[resistor e10]\nresistance = 4.51641 ohm\n"
            "between = n1, gnd\n[resistor e11]\nresistance = 6.28153 ohm\nbetween = n2, gnd\n")
    for tolerance in ("1e-5", "1e-7"):
        head = HEAD.format(scheme="tr-bdf2", step=f"1 ms\ntolerance = {tolerance}\nsample = 1 s", duration="1 s",
                           record="n1.voltage, n2.voltage")
        expect_row(f"diode that conducts within nanoseconds, tolerance {tolerance}", head + text, folder,
                   [0.10390407075834, 0.11391724409063], 1e-9)


def check_stiff_samples(folder):
    """A voltage follows a ramp within 1 ns. Samples lie within steps that begin at the ramp's corners."""
    text = ("[voltage-source d]\nwave = ramp\nat = 1 ms\nover = 0.5 ms\namplitude = 1 V\n[capacitor e]\ncapacitance = 1 uF\n"
            "[transconductance g]\ntransconductance = 1000 S\nbetween = gnd, e\ninput = d, gnd\n"
            "[resistor re]\nresistance = 1 mohm\nbetween = e, gnd\n")
    for scheme in ("esdirk4", "tr-bdf2"):
        head = HEAD.format(scheme=scheme, step="1 us\ntolerance = 1e-6\nsample = 0.25 ms", duration="1.75 ms", record="e.voltage")
        expect_row(f"sample of a stiff node, {scheme}", head + text, folder, [1], 3e-6)


def check_transformer(folder):
    """A transformer of 10 : 1; its second winding charges a capacitor, or feeds a resistor and floats."""
    load, capacitance, source = 5 + 10 / 100, 100e-6, 32.5
    phasor = source / (1 + 2j * math.pi * 50 * load * capacitance)
    charge = phasor.imag * (1 - math.exp(-0.04 / load / capacitance))
    supply = ("[voltage-source v]\namplitude = 325 V\nfrequency = 50 Hz\n[junction p]\n[resistor r1]\nresistance = 10 ohm\n"
              "between = v, p\n[junction a]\n[transformer t]\nratio = 10\nbetween = p, gnd, a, {}\n[resistor rl]\n"
              "resistance = 5 ohm\nbetween = a, {}\n")
    for scheme in ("tr-bdf2", "esdirk4"):
        head = HEAD.format(scheme=scheme, step="5 us", duration="{}", record="{}")
        expect_row(f"transformer, {scheme}", head.format("40 ms", "out.voltage") + supply.format("gnd", "out")
                   + "[capacitor out]\ncapacitance = 100 uF\n", folder, [charge], 1e-5)
        expect_row(f"floating winding, {scheme}", head.format("45 ms", "rl.current, r1.current") + supply.format("b", "b")
                   + "[junction b]\n", folder, [source / load, source / load / 10], 1e-9)


def bisect(function, low, high):
    """Where a function that falls is 0."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return low


def check_balance(folder):
    """Balances that Newton's method missed, each by the fault that it is a test of."""
    def left(u):
        out = u - 0.1 * (10 - u)
        return (u - out) / 100 + (10 - out) / 500 - 0.1 * math.tanh(5 * u) - out / 6600

    u = bisect(left, -20, 20)
    current = bisect(lambda i: 3 - 10 * i - 1.07 * THERMAL_VOLTAGE * math.log(1 + i / 1.8e-7), 0, 1)
    head = HEAD.format(scheme="tr-bdf2", step="{}", duration="{}", record="{}")
    supply = "[voltage-source v]\nvoltage = {} V\n[junction n1]\n[junction n2]\n[resistor r1]\nresistance = {} ohm\nbetween = v, n1\n"
    expect_row("saturating amplifier after a switch: derivatives in a short stage",
               head.format("10 us", "3 ms", "n1.voltage, n2.voltage") + supply.format(10, 1000)
               + "[resistor r3]\nresistance = 100 ohm\nbetween = n1, n2\n[transconductance a]\ntransconductance = 0.5 S\n"
               "limit = 100 mA\nbetween = n2, gnd\ninput = n1, gnd\n[resistor r8]\nresistance = 6.6 kohm\nbetween = n2, gnd\n"
               "[switch s]\ntoggle = 2 ms\nresistance = 500 ohm\nbetween = v, n2\n", folder, [u, u - 0.1 * (10 - u)], 1e-9)
    expect_row("empty capacitor behind a diode: reactions of wild iterates are no scale",
               head.format("0.01 us", "0.01 us", "r2.current") + supply.format(3, 1) + "[junction n3]\n[shockley-diode d]\n"
               "saturation-current = 1.8e-7 A\nemission = 1.07\nbetween = v, n2\n[capacitor c]\ncapacitance = 1 mF\n"
               "between = n2, n3\n[resistor r2]\nresistance = 10 ohm\nbetween = n3, gnd\n", folder, [current], 1e-6)
    expect_row("parallel capacitors between junctions",
               head.format("1 us", "2 ms", "r2.current") + supply.format(5, 10)
               + "[capacitor c1]\ncapacitance = 100 uF\nbetween = n1, n2\n[capacitor c2]\ncapacitance = 1 nF\nbetween = n1, n2\n"
               "[resistor r2]\nresistance = 5 ohm\nbetween = n2, gnd\n", folder,
               [5 / 15 * math.exp(-2e-3 / 15 / 100.001e-6)], 1e-6)
    expect_row("node between diodes that block: the law changes that a balance needs",
               head.format("10 us", "12 ms", "n2.voltage") + supply.replace("voltage = {} V", "amplitude = {} V\nfrequency = 50 Hz").format(10, 10)
               + "[diode d1]\nresistance = 0.1 ohm\nbetween = n1, n2\n[diode d2]\nresistance = 0.1 ohm\nbetween = n2, n1\n"
               "[transconductance a]\ntransconductance = 1 mS\nbetween = n2, gnd\ninput = v, gnd\n", folder,
               [10 * math.sin(2 * math.pi * 0.6) * (1 - 10.1e-3)], 1e-6)


def check_mutual(folder):
    """Coupled coils between a source and a floating load: the two currents' own equations, by the classical Runge-Kutta method."""
    first, second, mutual, resistance = 10e-3, 2e-3, 0.9 * math.sqrt(10e-3 * 2e-3), (3, 5)
    determinant = first * second - mutual * mutual

    def rates(time, i):
        u = 10 * math.sin(2 * math.pi * 400 * time) - resistance[0] * i[0], -resistance[1] * i[1]
        return (second * u[0] - mutual * u[1]) / determinant, (first * u[1] - mutual * u[0]) / determinant

    i, step = (0.0, 0.0), 1e-6
    for k in range(5000):
        a = rates(k * step, i)
        b = rates((k + 0.5) * step, [i[e] + step / 2 * a[e] for e in (0, 1)])
        c = rates((k + 0.5) * step, [i[e] + step / 2 * b[e] for e in (0, 1)])
        d = rates((k + 1) * step, [i[e] + step * c[e] for e in (0, 1)])
        i = [i[e] + step / 6 * (a[e] + 2 * b[e] + 2 * c[e] + d[e]) for e in (0, 1)]
    for scheme in ("tr-bdf2", "esdirk4", "implicit-euler"):
        head = HEAD.format(scheme=scheme, step="0.2 us", duration="5 ms", record="t.current, rl.current")
        expect_row(f"coupled coils, {scheme}", head + "[voltage-source v]\namplitude = 10 V\nfrequency = 400 Hz\n"
                   "[junction p]\n[junction a]\n[junction b]\n[resistor r1]\nresistance = 3 ohm\nbetween = v, p\n"
                   "[mutual t]\nfirst = 10 mH\nsecond = 2 mH\ncoupling = 0.9\nbetween = p, gnd, a, b\n"
                   "[resistor rl]\nresistance = 5 ohm\nbetween = a, b\n", folder, [i[0], -i[1]],
                   1e-3 if scheme == "implicit-euler" else 1e-6)


def check_relation(folder):
    """A differential, a tee of pipes and a lever with three points, by closed forms under all kinds of schemes."""
    tee = "".join(f"[pipe p{k}]\ninertance = {k} kg/m4\n" for k in (1, 2, 3)) + (
        "[pressure-source s]\nvalue = 11 Pa\non = p1\n[relation tee]\nterms = p1, -p2, -1 * p3\n")
    lever = "".join(f"[mass m{k}]\nmass = {k} kg\nposition = {k - 1} mm\n" for k in (1, 2, 3)) + (
        "[spring k]\nstiffness = 100 N/m\nbetween = m1, gnd\n[relation lever]\nterms = 1 * m1, -2 * m2, 1 * m3\n"
        "[force f]\nvalue = 1 N\non = m3\n")
    # lever: coordinates m1, m3, m2 = (m1 + m3)/2: ((1.5, 0.5), (0.5, 3.5)) a = (-100 x, 1), with x = 0 at first
    for scheme in ("rk4", "implicit", "tr-bdf2", "verlet", "averaged"):
        head = HEAD.format(scheme=scheme, step="0.1 ms", duration="{}", record="{}")
        expect_row(f"tee of pipes, {scheme}", head.format("1 s", "p1.flow, p2.flow, p3.flow") + tee, folder,
                   [5, 3, 2], 1e-9)
        rate = math.sqrt(100 / (1.5 - 0.5 * 0.5 / 3.5))
        angle = rate * 0.1
        force = -0.5 / 3.5 / rate ** 2 / (1.5 - 0.5 * 0.5 / 3.5)
        expect_row(f"lever of three points, {scheme}", head.format("0.1 s", "m1.position") + lever, folder,
                   [force * (1 - math.cos(angle))], 1e-5)


with tempfile.TemporaryDirectory() as temporary:
    check_balance(temporary)
    check_mutual(temporary)
    check_relation(temporary)
    check_converters(temporary)
    check_inverters(temporary)
    check_three_phases(temporary)
    check_rectifiers(temporary)
    check_jumps(temporary)
    check_monitor_at_start(temporary)
    check_current_far_below(temporary)
    check_commutation_within_nanoseconds(temporary)
    check_stiff_samples(temporary)
    check_transformer(temporary)
finish()
