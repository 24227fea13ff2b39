#!/usr/bin/env python3
"""test-ring-down.py: decay rates and damping ratios of measured ring-downs, with noise and pauses
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import os
import random
import subprocess
import tempfile

IFBAM = os.path.abspath(os.environ.get('IFBAM', 'build/ifbam'))
status = 0
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def check(name, fine, detail=''):
    global status
    print(('ok - ' if fine else 'not ok - ') + name)
    if not fine:
        print('# ' + str(detail).replace('\n', '\n# '))
        status = 1


def write(modes, duration, noise, seed, pause=0.0, rate=200):
    """Writes impulse responses of modes (undamped frequency, damping ratio, amplitude) after a pause."""
    draw = random.Random(seed)
    with open('x.csv', 'w') as file:
        file.write('time,x\n')
        for k in range(int(duration * rate)):
            t = k / rate
            x = 0.0
            for f, ratio, amplitude in modes if t >= pause else ():
                omega = 2 * math.pi * f
                x += (amplitude * math.exp(-ratio * omega * (t - pause))
                      * math.sin(omega * math.sqrt(1 - ratio ** 2) * (t - pause)))
            file.write(f'{t!r},{x + draw.gauss(0, noise)!r}\n')


def lines(*options):
    got = subprocess.run([IFBAM, 'spectrum', 'x.csv', '--json', *options], capture_output=True, text=True, timeout=100)
    return json.loads(got.stdout)['signals'][0]['peaks'] if got.returncode == 0 else got.stderr


def nearest(peaks, f):
    return min((p for p in peaks if p['decay_rate'] is not None), key=lambda p: abs(p['frequency'] - f), default=None)


def fits(peak, f, ratio, tolerance):
    """Undamped frequency, decay rate and damping ratio."""
    return (peak is not None and abs(math.hypot(peak['frequency'], peak['decay_rate'] / (2 * math.pi)) / f - 1) < 0.002
            and abs(peak['decay_rate'] / (2 * math.pi * f * ratio) - 1) < tolerance
            and abs(peak['damping_ratio'] / ratio - 1) < tolerance)


for ratio in (0.01, 0.03):
    for noise in (0, 0.001, 0.01, 0.03):
        worst = []
        for seed in range(2):
            write([(10, ratio, 1)], 10, noise, seed)
            peak = nearest(lines(), 10)
            worst.append(fits(peak, 10, ratio, 1e-6 if noise == 0 else 0.05))
        check(f'10 Hz, ratio {ratio}, noise {noise}: decay rate within 5 %', all(worst), f'{peak}')
write([(10, 0.03, 1)], 10, 0.01, 1)
peaks = [p for p in lines() if abs(p['frequency'] - 10) < 1]
check('noise does not tear a wide peak into several lines', len(peaks) == 1, peaks)
for noise in (0, 0.01):
    write([(12.3, 0.03, 1)], 3, noise, 5, pause=0.5, rate=500)
    check(f'a pause before the blow, noise {noise}', fits(nearest(lines(), 12.3), 12.3, 0.03, 0.05), lines())
write([(12.3, 0.03, 1)], 3, 0, 5, pause=0.5, rate=500)
check('from the blow on, to many digits', fits(nearest(lines('--from', '0.5s'), 12.3), 12.3, 0.03, 1e-6), lines())
write([(10, 0.02, 1), (31, 0.015, 0.5)], 8, 0.01, 3)
peaks = lines()
check('two modes in noise', fits(nearest(peaks, 10), 10, 0.02, 0.05) and fits(nearest(peaks, 31), 31, 0.015, 0.1), peaks)

# No decay is invented where there is none: noise alone, and a steady line in noise.
found = 0
for seed in range(6):
    write([], 10, 1, seed)
    found += sum(p['decay_rate'] is not None for p in lines())
check('noise alone has no decay rates', found == 0, found)
with open('x.csv', 'w') as file:
    draw = random.Random(7)
    file.write('time,x\n')
    for k in range(2000):
        file.write(f'{k / 200!r},{math.sin(20 * math.pi * k / 200) + draw.gauss(0, 0.3)!r}\n')
peak = max(lines(), key=lambda p: p['amplitude'])
check('a steady line in noise does not decay', peak['decay_rate'] is None or abs(peak['decay_rate']) < 0.05, peak)
raise SystemExit(status)
