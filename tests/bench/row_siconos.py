#!/usr/bin/python3
"""row_siconos.py COUNT EVERY GAP RESTITUTION STEP STEPS: a row of masses by Siconos' time-stepping

Prints the seconds of the stepping loop alone, then the positions at its end, each on a line.
SPDX-License-Identifier: GPL-3.0-or-later
"""
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

count, every, steps = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[6])
gap, restitution, step = (float(word) for word in sys.argv[3:6])

model = sk.NonSmoothDynamicalSystem(0, (steps + 1) * step)
masses = [
    sk.LagrangianLinearTIDS([0.0], [0.0 if i % every else -1.0], [[1.0]]) for i in range(1, count + 1)
]
for mass in masses:
    model.insertDynamicalSystem(mass)
law = sk.NewtonImpactNSL(restitution)
for i in range(count + 1):
    if i == 0:
        relation, ends = sk.LagrangianLinearTIR([[1.0]], [gap]), masses[:1]
    elif i == count:
        relation, ends = sk.LagrangianLinearTIR([[-1.0]], [gap]), masses[-1:]
    else:
        relation, ends = sk.LagrangianLinearTIR([[-1.0, 1.0]], [gap]), masses[i - 1 : i + 1]
    model.link(sk.Interaction(law, relation), *ends)
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
for mass in masses:
    print("%.17g" % mass.q()[0], file=results)
