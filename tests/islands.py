# islands.py: random networks of several islands in which something happens, each by itself or all in one file
# SPDX-License-Identifier: GPL-3.0-or-later
import random

HEAD = "[network]\nstep = %s\nduration = %s\nscheme = %s\nrecord = %s\n\n[ground wall]\n\n"


def impact_oscillator(draw, name):
    """Hits a stop, driven; sometimes two that hit each other."""
    two = draw.random() < 0.5
    text = "[mass {0}a]\nmass = %.3f kg\nposition = %.3f mm\n[spring {0}k]\nbetween = wall, {0}a\nstiffness = %.2f N/m\n" % (
        draw.uniform(0.5, 2), draw.uniform(-5, 0), draw.uniform(200, 2000))
    text += "[force {0}f]\non = {0}a\namplitude = %.2f N\nfrequency = %.2f Hz\n" % (draw.uniform(2, 8), draw.uniform(1, 5))
    text += "[impact {0}i]\nbetween = {0}a, %s\nrestitution = %.2f\ngap = %.3f mm\n" % (
        "{0}b" if two else "wall", draw.choice((0, 0.3, 0.5, 0.9)), draw.uniform(0, 2))
    if two:
        text += "[mass {0}b]\nmass = %.3f kg\n[spring {0}l]\nbetween = {0}b, wall\nstiffness = %.2f N/m\n" % (draw.uniform(0.5, 2), draw.uniform(200, 2000))
    return text.format(name), [name + "a.position", name + "a.velocity", name + "i.force"]


def bouncing_ball(draw, name):
    """All but one are let go from one height, so that they hit the floor at one instant."""
    height = 1 if draw.random() < 0.7 else draw.uniform(0.5, 3)
    text = "[mass {0}]\nmass = %.3f kg\nposition = %.4f cm\n[gravity {0}g]\non = {0}\n[impact {0}i]\nbetween = wall, {0}\nrestitution = %.2f\n" % (
        draw.uniform(0.1, 3), height, draw.choice((0.2, 0.5, 0.8)))
    return text.format(name), [name + ".position", name + ".velocity", name + "i.force"]


def stick_slip(draw, name):
    """A row on a belt."""
    n = draw.randint(1, 3)
    text = "[drive {0}belt]\nvelocity = %.3f m/s\n" % draw.uniform(0.05, 0.3)
    for i in range(n):
        text += "[mass {0}m%d]\nmass = %.2f kg\nvelocity = 50 mm/s\n[spring {0}k%d]\nbetween = %s, {0}m%d\nstiffness = %.1f N/m\n" % (
            i, draw.uniform(0.5, 2), i, "wall" if i == 0 else "{0}m%d" % (i - 1), i, draw.uniform(50, 300))
        text += "[friction {0}f%d]\nbetween = {0}belt, {0}m%d\nbreakaway = %.2f N\ncoulomb = %.2f N\n" % (i, i, draw.uniform(1, 3), draw.uniform(0.3, 0.9))
    return text.format(name), [name + "m0.position", name + "m%d.velocity" % (n - 1), name + "f0.force", name + "f0.mode"]


def switched(draw, name):
    """A force that begins within a step, a blow, a backlash."""
    text = "[mass {0}a]\nmass = 1 kg\n[mass {0}b]\nmass = %.2f kg\n[spring {0}k]\nbetween = wall, {0}a\nstiffness = 300 N/m\n" % draw.uniform(0.5, 2)
    text += "[backlash {0}p]\nbetween = {0}a, {0}b\nstiffness = %.1f N/m\nplay = %.2f mm\n" % (draw.uniform(100, 900), draw.uniform(0, 3))
    text += "[force {0}f]\non = {0}b\nvalue = %.2f N\nstart = %.3f ms\nend = %.3f ms\n" % (draw.uniform(0.5, 2), draw.uniform(0, 100), draw.uniform(120, 180))
    text += "[impulse {0}j]\non = {0}a\nimpulse = %.3f N s\nat = 50 ms, %.3f ms\n" % (draw.uniform(-0.1, 0.1), draw.uniform(60, 90))
    text += "[monitor {0}w]\nsignal = {0}a.position\nlevel = 0.5 mm\n"
    return text.format(name), [name + "a.position", name + "b.velocity", name + "p.force"]


def hopping_balls(draw, name):
    """In the plane: a ball that hops along, with friction, and one that hangs on a rod."""
    text = "[surface {0}s]\n[ball {0}b]\nmass = %.2f kg\nradius = 10 cm\ny = %.3f m\nvx = 1 m/s\n" % (draw.uniform(0.5, 3), draw.uniform(0.11, 0.2))
    text += "[bounce {0}h]\nbetween = {0}b, {0}s\nrestitution = %.2f\nfriction = 0.2\n[gravity {0}g]\non = {0}b, {0}p\n" % draw.uniform(0.3, 0.8)
    text += "[point {0}o]\n[ball {0}p]\nmass = 1 kg\nx = %.3f m\ny = -0.8 m\n[rod {0}r]\nbetween = {0}o, {0}p\n" % draw.uniform(0.2, 0.6)
    return text.format(name), [name + "b.x", name + "b.y", name + "p.x", name + "r.force"]


KINDS = (impact_oscillator, bouncing_ball, stick_slip, switched, hopping_balls)


def far(draw, name):
    """An island without events, far away and fast: its magnitudes do not affect the others."""
    text = "[mass {0}]\nmass = 1 kg\nposition = %.1f km\nvelocity = 3 km/s\n[spring {0}k]\nbetween = wall, {0}\nstiffness = 100 N/m\n" % draw.uniform(1, 90)
    return text.format(name), [name + ".position"]


def make(seed, n=None):
    """Texts of islands and their recorded signals: [(text, signals)]."""
    draw = random.Random(seed)
    islands = [draw.choice(KINDS)(draw, "i%d" % k) for k in range(n or draw.randint(2, 6))]
    return islands + [far(draw, "far")]


def write(path, islands, scheme, step="1 ms", duration="400 ms", more="", record=()):
    with open(path, "w") as file:
        file.write(HEAD % (step, duration, scheme, ",".join([s for _, signals in islands for s in signals] + list(record)))
                   + "".join(text for text, _ in islands) + more)
    return path
