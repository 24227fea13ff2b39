#!/usr/bin/env python3
"""test-run-measures.py: measures of a run, a part of the time, and of events, against its samples and event list
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
STOP = '''[network]
step = 5 ms
duration = 6 s
sample = 50 ms
scheme = rk4
record = m1.position, m1.velocity
[ground wall]
[mass m1]
mass = 1 kg
position = 30 mm
[spring k1]
stiffness = 40 N/m
between = wall, m1
[impact stop]
gap = 20 mm
restitution = 0.6
between = wall, m1
'''
with open('stop.ini', 'w') as file:
    file.write(STOP)


def check(name, fine, detail=''):
    global status
    print(('ok - ' if fine else 'not ok - ') + name)
    if not fine:
        print('# ' + str(detail).replace('\n', '\n# '))
        status = 1


def ifbam(*words):
    return subprocess.run([IFBAM, *words], capture_output=True, text=True, timeout=100)


def table(*words):
    """Returns the measures of a run by their names."""
    got = ifbam('run', 'stop.ini', *words)
    return {line.split()[0]: float(line.split()[1].replace('-', 'nan') if line.split()[1] == '-' else line.split()[1])
            for line in got.stdout.splitlines()} if got.returncode == 0 else got.stderr


ifbam('run', 'stop.ini', '-o', 'rows.csv', '--events', 'events.csv')
with open('rows.csv') as file:
    rows = [[float(x) for x in line.split(',')] for line in file.read().splitlines()[1:]]
with open('events.csv') as file:
    events = [line.split(',') for line in file.read().splitlines()[1:]]
events = [(float(e[0]), e[1], e[2], float(e[3]), float(e[4])) for e in events]
check('the run has events', len(events) >= 4, events)

WORDS = ['max', 'min', 'magnitude', 'peak-to-peak', 'peak-time', 'rms', 'final']
for window in ((0, 6), (1, 2.5), (2.5, 6), (0.3, 0.9)):
    x = [(t, r) for t, r, _ in rows if window[0] - 1e-9 <= t <= window[1] + 1e-9]
    largest = max(x, key=lambda row: abs(row[1]))
    e = [event for event in events if window[0] <= event[0] <= window[1]]
    expected = {'max': max(r for _, r in x), 'min': min(r for _, r in x), 'magnitude': abs(largest[1]),
                'peak-to-peak': max(r for _, r in x) - min(r for _, r in x), 'peak-time': largest[0],
                'rms': math.sqrt(sum(r * r for _, r in x) / len(x)), 'final': x[-1][1]}
    expected = {f'{word}:m1.position': value for word, value in expected.items()}
    expected['events:stop'] = len(e)
    expected['events:stop:impact'] = sum(event[2] == 'impact' for event in e)
    expected['impulse:stop'] = sum(event[3] for event in e)
    expected['speed-before:stop'] = max((abs(event[4]) for event in e), default=math.nan)
    expected['time-between:stop'] = (e[-1][0] - e[0][0]) / (len(e) - 1) if len(e) > 1 else math.nan
    options = [] if window == (0, 6) else ['--from', f'{window[0]}s', '--to', f'{window[1]}s']
    got = table('--measure', ','.join(expected), *options)
    check(f'measures of {window[0]} s to {window[1]} s', not isinstance(got, str) and got.keys() == expected.keys()
          and all(math.isclose(got[k], v, rel_tol=1e-7, abs_tol=1e-15) or (math.isnan(got[k]) and math.isnan(v))
                  for k, v in expected.items()), f'{got}\n{expected}')

# The same table by a sweep over one value, with all bits, also in lanes (without the stop).
text = ifbam('sweep', 'stop.ini', '--vary', 'm1.mass=1', '--measure', 'rms:m1.position,impulse:stop', '--from', '1s')
once = ifbam('run', 'stop.ini', '--measure', 'rms:m1.position,impulse:stop', '--from', '1s', '-o', 'once.csv')
with open('once.csv') as file:
    once = file.read().splitlines()
check('a sweep of one variant has the same measures', text.stdout.splitlines()[1].split(',')[1:] == once[1].split(','),
      text.stdout + '\n'.join(once))
with open('free.ini', 'w') as file:
    file.write(STOP.split('[impact')[0])
lanes = ifbam('sweep', 'free.ini', '--vary', 'm1.mass=1:4:16', '--measure', 'max:m1.position,rms:m1.velocity,peak-time:m1.velocity',
              '--from', '1.3s', '--to', '4.1s').stdout.splitlines()
alone = []
for line in lanes[1:]:
    ifbam('run', 'free.ini', '--set', f'm1.mass={line.split(",")[0]}', '--measure',
          'max:m1.position,rms:m1.velocity,peak-time:m1.velocity', '--from', '1.3s', '--to', '4.1s', '-o', 'one.csv')
    with open('one.csv') as file:
        alone.append(file.read().splitlines()[1] == line.split(',', 1)[1])
check('variants in lanes have the measures of single runs', len(alone) == 16 and all(alone), lanes)

# One meaning of --from and --to: a spectrum of the part equals that of a file that has only these rows.
with open('part.csv', 'w') as file:
    file.write('time,m1.position\n' + ''.join(f'{t!r},{x!r}\n' for t, x, _ in rows if 1 - 1e-9 <= t <= 4 + 1e-9))
with open('all.csv', 'w') as file:
    file.write('time,m1.position\n' + ''.join(f'{t!r},{x!r}\n' for t, x, _ in rows))
one = ifbam('spectrum', 'all.csv', '--from', '1s', '--to', '4s').stdout
check('a spectrum of a part of the time', one == ifbam('spectrum', 'part.csv').stdout and 'frequency' in one, one)
check('a spectrum of a part of a run',
      one == ifbam('spectrum', 'stop.ini', '--record', 'm1.position', '--from', '1s', '--to', '4s').stdout or
      'corrected' in ifbam('spectrum', 'stop.ini', '--from', '1s', '--to', '4s').stdout)
for kind in ('course', 'spectrum'):
    ifbam('plot', kind, 'all.csv', '--from', '1s', '--to', '4s', '-o', 'a.svg')
    ifbam('plot', kind, 'part.csv', '-o', 'b.svg')
    with open('a.svg') as a, open('b.svg') as b:
        check(f'plot {kind} of a part of the time', a.read().replace('all.csv', 'part.csv') == b.read())

# Values of [network] follow a varied parameter: three periods of 100 steps each.
with open('follow.ini', 'w') as file:
    file.write('''[network]
step = 0.01 / $f
duration = 3 / $f
record = m.position
scheme = rk4
[parameters]
f = 2 Hz
[ground g]
[mass m]
mass = 1 kg
position = 1 m
[spring k]
stiffness = (2 * pi * $f)^2 * 1 kg
between = g, m
''')
got = ifbam('sweep', 'follow.ini', '--vary', 'f=1Hz,2Hz,5Hz', '--measure', 'final:m.position,peak-time:m.velocity')
lines = [line.split(',') for line in got.stdout.splitlines()[1:]]
single = [ifbam('run', 'follow.ini', '--set', f'f={f}Hz').stdout.splitlines()[-1].split(',') for f in (1, 2, 5)]
check('step and duration follow a varied parameter',
      len(lines) == 3 and all(line[1] == one[1] and abs(float(one[0]) - 3 / float(line[0])) < 1e-12
                              for line, one in zip(lines, single)), got.stdout + got.stderr)


def refuses(name, words, *options):
    got = ifbam('run', 'stop.ini', *options)
    check(f'refused: {name}', got.returncode != 0 and words in got.stderr and not got.stdout, got.stderr)


refuses('an element that is not there', 'no element "stopp"', '--measure', 'events:stopp')
refuses('a measure that is not there', 'did you mean "events"', '--measure', 'event:stop')
refuses('an end before the start', 'is not after --from', '--measure', 'max:m1.position', '--from', '2s', '--to', '1s')
refuses('a part without rows', 'no row lies', '--measure', 'max:m1.position', '--from', '7s')
refuses('a part of the time without measures', 'are for --measure', '--from', '1s')
refuses('events beside measures', '--measure prints a table', '--measure', 'max:m1.position', '--events', 'e.csv')
refuses('a time in metres', '--from 1m', '--measure', 'max:m1.position', '--from', '1m')
raise SystemExit(status)
