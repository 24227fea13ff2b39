#!/usr/bin/env python3
"""test-courses.py: interpolation, shift and values outside of measured courses, in all engines and sweeps
SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import os
import subprocess
import tempfile

IFBAM = os.path.abspath(os.environ.get('IFBAM', 'build/ifbam'))
status = 0
work = tempfile.TemporaryDirectory()
os.chdir(work.name)

# A table of corners pushes 2 kg behind 4 N s/m; straight lines between the points.
CORNERS = [(0, 0), (1, 0), (2, 10), (3, 10), (4, 0), (5, 0)]
CART = '''[network]
step = 1 ms
duration = 5 s
sample = 0.1 s
scheme = rk4
record = cart.velocity, cart.position
[ground rail]
[mass cart]
mass = 2 kg
[damper d]
damping = 4 N s/m
between = rail, cart
[force p]
on = cart
course = profile.csv:push
'''


def check(name, fine, detail=''):
    global status
    print(('ok - ' if fine else 'not ok - ') + name)
    if not fine:
        print('# ' + str(detail).replace('\n', '\n# '))
        status = 1


def ifbam(*words):
    return subprocess.run([IFBAM, *words], capture_output=True, text=True, timeout=100)


def rows(*words):
    got = ifbam('run', 'net.ini', '-o', '-', *words)
    if got.returncode != 0:
        return got.stderr
    return {float(line.split(',')[0]): [float(x) for x in line.split(',')[1:]] for line in got.stdout.splitlines()[1:]}


def write(name, text):
    with open(name, 'w') as file:
        file.write(text)


def lag(corners, end, held=False):
    """Returns the velocity behind the lag v' = -2 v + F / 2, exact on each piece."""
    v = 0.0
    for (t0, f0), (t1, f1) in zip(corners, corners[1:]):
        if t0 >= end:
            break
        if t1 == t0:
            continue
        slope = 0 if held else (f1 - f0) / (t1 - t0)
        # Particular solution of a ramp: v = a + b s, b = slope / 4, a = (f0 / 2 - b) / 2.
        b = slope / 4
        a = (f0 / 2 - b) / 2
        span = min(end, t1) - t0
        v = a + b * span + (v - a) * math.exp(-2 * span)
    return v


def near(got, corners, tolerance, held=False, times=(1, 2, 3, 4, 5)):
    if isinstance(got, str):
        return False
    return all(abs(got[t][0] - lag(corners, t, held)) <= tolerance for t in times)


write('profile.csv', 'time [s],push [N]\n' + ''.join(f'{t},{f}\n' for t, f in CORNERS))
write('net.ini', CART)
linear = rows()
check('straight lines by default', near(linear, CORNERS, 1e-9), linear)
check('the velocities of a table of corners',
      [f'{linear[t][0]:.5f}' for t in (1, 2, 3, 4, 5)] == ['0.00000', '1.41917', '2.35373', '1.06103', '0.14360'], linear)
check('held values, with a jump within a step', near(rows('--set', 'p.interpolation=held'), CORNERS, 3e-3, True))
cubic = rows('--set', 'p.interpolation=cubic')
check('cubics overshoot before the first corner', cubic[1][0] < -0.1, cubic)
write('net.ini', CART.replace('[network]', '[network]\nformat = 1'))
check('format 1 has cubics', rows() == cubic)
check('format 1 with straight lines', rows('--set', 'p.interpolation=linear') == linear)
check('format 1 holds the ends', not isinstance(rows('--duration', '6s'), str))
write('net.ini', CART)

got = rows('--duration', '6s')
check('a run beyond the course is refused, with both intervals',
      isinstance(got, str) and 'net.ini:15' in got and 'from 0 s to 5 s' in got and 'from 0 s to 6 s' in got
      and 'outside = hold' in got, got)
got = rows('--set', 'p.shift=0.5s')
check('a run that begins before the course is refused', isinstance(got, str) and '0.5 s to 5.5 s' in got, got)
late = [(t + 0.5, f) for t, f in CORNERS]
got = rows('--set', 'p.shift=500ms', '--set', 'p.outside=hold')
check('a shift by half a second', near(got, [(0, 0)] + late, 1e-9), got)
cut = [(0, 0), (1, 0), (2, 10), (2.5, 10)]
write('profile.csv', 'time [s],push [N]\n' + ''.join(f'{t},{f}\n' for t, f in cut))
got = rows('--set', 'p.outside=hold')
check('the last value held', near(got, cut + [(9, 10)], 1e-9), got)
got = rows('--set', 'p.outside=zero')
check('zero outside', near(got, cut + [(2.5, 0), (9, 0)], 3e-3), got)
again = [(t + 2.5 * k, f) for k in range(3) for t, f in cut]
got = rows('--set', 'p.outside=repeat')
check('a periodic course', near(got, again, 3e-3), got)
got = rows('--set', 'p.outside=repeat', '--set', 'p.shift=-50s')
check('a periodic course, shifted by whole periods', near(got, again, 3e-3), got)

for form in ('interpolation=linear', 'interpolation=cubic', 'interpolation=held'):
    words = ['--set', f'p.{form}', '--set', 'p.outside=repeat', '--set', 'p.shift=-0.3s', '--duration', '3s']
    texts = [ifbam('run', 'net.ini', '-o', '-', *words, '--engine', engine).stdout
             for engine in ('plan', 'objects', 'compiled')]
    check(f'equal bits in all engines: {form}', len(texts[0]) > 100 and texts[0] == texts[1] == texts[2])
got = ifbam('sweep', 'net.ini', '--set', 'p.outside=repeat', '--vary', 'p.shift=0s,-0.3s,-0.7s', '--vary',
            'p.scale=1,2', '--measure', 'final:cart.velocity')
alone = []
for line in got.stdout.splitlines()[1:]:
    shift, scale, final = line.split(',')[:3]
    one = rows('--set', 'p.outside=repeat', '--set', f'p.shift={shift}', '--set', f'p.scale={scale}')
    alone.append(one[5][0] == float(final))
check('a sweep over the shift equals single runs', len(alone) == 6 and all(alone), got.stdout + got.stderr)

# A drive by accelerations that repeat: x = double integral, with rows of 0.25 s of a saw tooth of 1 s.
write('saw.csv', 'time,acceleration\n0,-1\n0.25,1\n0.5,3\n1,-1\n')
write('net.ini', '''[network]
step = 1 ms
duration = 3 s
sample = 0.5 s
scheme = rk4
record = base.position, base.velocity
[drive base]
course = saw.csv:acceleration
course-of = acceleration
outside = repeat
[mass m]
mass = 1 kg
[spring k]
stiffness = 100 N/m
between = base, m
''')
corners = [(0, -1), (0.25, 1), (0.5, 3), (1, -1)]
x = v = 0.0
expected = {0.0: (0.0, 0.0)}
for k in range(3):
    for (t0, a0), (t1, a1) in zip(corners, corners[1:]):
        s = t1 - t0
        x += v * s + a0 * s * s / 2 + (a1 - a0) * s * s / 6
        v += s * (a0 + a1) / 2
        expected[k + t1] = (x, v)
got = rows()
check('integrals of a periodic acceleration',
      not isinstance(got, str) and all(abs(got[t][i] - expected[t][i]) < 1e-12 for t in (0.5, 1, 1.5, 2, 3) for i in (0, 1)),
      f'{got}\n{expected}')
for words, fault in ((['p.interpolation=steps'], 'linear, cubic or held'), (['p.outside=wrap'], 'refuse, hold, zero or repeat')):
    write('net.ini', CART)
    got = rows('--set', words[0])
    check(f'refused: {words[0]}', isinstance(got, str) and fault in got, got)
write('net.ini', CART.replace('course = profile.csv:push', 'value = 1 N\nshift = 1 s'))
got = rows()
check('a shift without a course is refused', isinstance(got, str) and 'applies to a course only' in got, got)
raise SystemExit(status)
