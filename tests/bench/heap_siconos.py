#!/usr/bin/python3
"""heap_siconos.py ROWS RADIUS RESTITUTION STEP STEPS: a heap of touching balls by Siconos' time-stepping

Balls of 1 kg on level ground, in rows of so many, each in the hollows of the row below; normals stay as they are at
the start. Prints the seconds of the stepping loop alone, then x and y of all at its end, each on a line.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import os
import sys
import time

# What Siconos says of itself is no result.
results = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

try:
    import siconos.kernel as sk
except ImportError:
    sys.exit(3)

rows, steps = int(sys.argv[1]), int(sys.argv[5])
radius, restitution, step = (float(word) for word in sys.argv[2:5])

model = sk.NonSmoothDynamicalSystem(0, (steps + 1) * step)
places = [
    (2 * radius * (i % rows) + radius * (i // rows % 2), radius + i // rows * math.sqrt(3) * radius)
    for i in range(rows * rows)
]
balls = []
for x, y in places:
    ball = sk.LagrangianLinearTIDS([x, y], [0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])
    ball.setFExtPtr([0.0, -9.80665])
    model.insertDynamicalSystem(ball)
    balls.append(ball)
law = sk.NewtonImpactNSL(restitution)
for i, (x, y) in enumerate(places):
    if i < rows:
        model.link(sk.Interaction(law, sk.LagrangianLinearTIR([[0.0, 1.0]], [-radius])), balls[i])
    for j in range(i):
        dx, dy = x - places[j][0], y - places[j][1]
        distance = math.hypot(dx, dy)
        if distance < 2.1 * radius:
            nx, ny = dx / distance, dy / distance
            relation = sk.LagrangianLinearTIR([[-nx, -ny, nx, ny]], [-2 * radius])
            model.link(sk.Interaction(law, relation), balls[j], balls[i])
simulation = sk.TimeStepping(
    model, sk.TimeDiscretisation(0, step), sk.MoreauJeanOSI(0.5), sk.LCP()
)
# The first step prepares; it is not timed.
simulation.computeOneStep()
simulation.nextStep()
before = time.monotonic()
for _ in range(steps - 1):
    simulation.computeOneStep()
    simulation.nextStep()
print("%.17g" % ((time.monotonic() - before) * steps / (steps - 1)), file=results)
for ball in balls:
    print("%.17g\n%.17g" % (ball.q()[0], ball.q()[1]), file=results)
