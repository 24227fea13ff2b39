#!/usr/bin/env python3
"""test-csv-dialects.py: one course in many dialects of CSV is read with equal bits; ambiguous files are refused
SPDX-License-Identifier: GPL-3.0-or-later
"""
import itertools
import os
import subprocess
import tempfile

IFBAM = os.path.abspath(os.environ.get('IFBAM', 'build/ifbam'))
TIMES = [0.005 * k for k in range(24)]
ROWS = [(f'{t:.3f}', f'{(t * 37.5) ** 2 - 3 * t:.7f}', f'{1 / (1 + t):.9e}') for t in TIMES]
NETWORK = '''[network]
format = 2
step = 2.5 ms
duration = 0.115 s
scheme = rk4
record = m.position, d.position
[mass m]
mass = 1 kg
[force f]
on = m
course = data.csv:{force}
[drive d]
course = data.csv:{place}
'''
status = 0


def check(name, fine, detail=''):
    global status
    print(('ok - ' if fine else 'not ok - ') + name)
    if not fine:
        print('# ' + detail.replace('\n', '\n# '))
        status = 1


def course(separator=',', decimal='.', names=('time [s]', 'F [N]', 'x [m]'), units=None, preamble=(), end='\n',
           mark='', trailing=False, quoted=False, pad='', rows=ROWS):
    """Returns the text of a dialect."""
    between = pad + separator + pad
    tail = separator if trailing else ''
    quote = '"{}"'.format if quoted else str
    lines = list(preamble)
    if names:
        lines.append(between.join(quote(n) for n in names) + tail)
    if units:
        lines.append(between.join(units) + tail)
    lines += [between.join(quote(field.replace('.', decimal)) for field in row) + tail for row in rows]
    return (mark + end.join(lines) + end).encode()


def run(text, force='F', place='x', *options):
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/data.csv', 'wb') as file:
            file.write(text)
        with open(f'{folder}/net.ini', 'w') as file:
            file.write(NETWORK.format(force=force, place=place))
        return subprocess.run([IFBAM, 'run', 'net.ini', '-o', '-', *options], cwd=folder, capture_output=True, timeout=60)


plain = run(course())
check('the plain dialect is read without a note', plain.returncode == 0 and not plain.stderr, plain.stderr.decode())
check('a course of 47 rows', plain.stdout.count(b'\n') == 48)

SCOPE = ['Model,DS1054Z', 'Sample interval,0.005', '', 'Channels,2,of 4']
LOGGER = ['Messung 12', 'Datum: 03.02.2026 12:15', 'Geraet;XY 12;', '']
dialects = {}
for separator, decimal in itertools.product([',', ';', '\t', '|', ' '], ['.', ',']):
    if separator == decimal:
        continue
    base = dict(separator=separator, decimal=decimal)
    label = {'\t': 'tab', ' ': 'space'}.get(separator, separator) + ' decimal ' + decimal
    dialects[label] = base
    dialects[label + ', CRLF and byte order mark'] = dict(base, end='\r\n', mark='\ufeff')
    dialects[label + ', preamble'] = dict(base, preamble=LOGGER)
    dialects[label + ', row of units'] = dict(base, names=('time', 'F', 'x'), units=('s', 'N', 'm'))
    dialects[label + ', units in parentheses'] = dict(base, names=('Time (s)', 'F (N)', 'x (m)'))
dialects['oscilloscope'] = dict(preamble=SCOPE, names=('x-axis', 'F', 'x'), units=('second', '[N]', '(m)'))
dialects['trailing separators'] = dict(separator=';', decimal=',', trailing=True)
dialects['quoted'] = dict(separator=';', decimal=',', quoted=True)
dialects['quoted with commas'] = dict(quoted=True)
dialects['padded'] = dict(separator=';', pad='  ')
dialects['wide blanks'] = dict(separator='    ')
dialects['Zeit'] = dict(separator=';', decimal=',', names=('Zeit [s]', 'F', 'x'))
dialects['t without a blank'] = dict(names=('t[s]', 'F[N]', 'x[m]'))
dialects['NumPy'] = dict(separator=' ', names=('# time', 'F', 'x'))
dialects['line end missing'] = dict(separator='\t', preamble=['# logged by hand'], end='\n')
for name, form in dialects.items():
    got = run(course(**form))
    check(f'dialect: {name}', got.returncode == 0 and got.stdout == plain.stdout, got.stderr.decode()[:500])
check('at least 40 dialects', len(dialects) >= 40)

got = run(course(separator=';', decimal=',', preamble=LOGGER, names=('t', 'F', 'x'), units=('s', 'N', 'm')))
check('the dialect is reported', b'separator ;, decimal comma, names in line 5, units in line 6' in got.stderr,
      got.stderr.decode())
got = run(course(), '2', '3')
check('columns by number', got.stdout == plain.stdout, got.stderr.decode())
got = run(course(names=None), '2', '3', '--csv', 'header=no')
check('no line of names', got.stdout == plain.stdout, got.stderr.decode())
turned = [(f, t, x) for t, f, x in ROWS]
got = run(course(names=('F [N]', 'sensor [s]', 'x [m]'), rows=turned), 'F', 'x', '--csv', 'time=sensor')
check('times in another column', got.stdout == plain.stdout, got.stderr.decode())
thousandths = [(str(k * 5), f, x) for k, (t, f, x) in enumerate(ROWS)]
got = run(course(names=('Zeit (ms)', 'F', 'x'), rows=thousandths))
check('times in milliseconds', got.stdout == plain.stdout, got.stderr.decode())
got = run(course(separator=';', decimal=','), 'F', 'x', '--csv', 'separator=; decimal=,')
check('a given dialect', got.stdout == plain.stdout, got.stderr.decode())

THOUSANDS = [(f'{k}', f'{k + 1},250', f'{k + 2},500') for k in range(24)]


def refuses(name, text, words, *options):
    got = run(text, 'F', 'x', *options)
    check(f'refused: {name}', got.returncode != 0 and words in got.stderr.decode() and not got.stdout,
          f'exit {got.returncode}: {got.stderr.decode()}')


refuses('commas of thousands or decimals', course(separator=';', rows=THOUSANDS), '--csv decimal=,')
refuses('no line of names', course(names=None), '--csv header=no')
refuses('first column of another name', course(names=('u', 'F', 'x')), '--csv time=COLUMN')
refuses('another separator than the option', course(separator=';'), 'no line of names', '--csv', 'separator=|')
refuses('an option of another name', course(), 'want KEY=VALUE', '--csv', 'colour=red')
refuses('equal separator and decimal mark', course(), 'are the same', '--csv', 'separator=, decimal=,')
refuses('no such column of times', course(), '--csv time=zeit', '--csv', 'time=zeit')
refuses('decimal commas in a file of points', course(separator=';', decimal='.') + b'0,2;1;2\n', '--csv decimal=,')

# A half sine of 10 g for 11 ms on a mount of 20 kN/m and 14.1 N s/m, m = 1 kg: solved in double precision by
# variation of constants, 85.387 m/s2 at most.
with tempfile.TemporaryDirectory() as folder:
    import math
    with open(f'{folder}/shock.csv', 'w') as file:
        file.write('time [s],acceleration [g]\n')
        for k in range(112):
            file.write(f'{k / 10000:.4f},{max(0, 10 * math.sin(math.pi * k / 110)):.8g}\n')
    for unit, factor in (('g', 1), ('g0', 1), ('mg', 1000)):
        with open(f'{folder}/{unit}.csv', 'w') as out, open(f'{folder}/shock.csv') as file:
            next(file)
            out.write(f'time [s],acceleration [{unit}]\n')
            for line in file:
                t, a = line.split(',')
                out.write(f'{t},{float(a) * factor!r}\n')
        with open(f'{folder}/shock.ini', 'w') as file:
            file.write(f'''[network]
scheme = rk4
step = 0.05 ms
duration = 0.2 s
record = box.acceleration
[drive base]
course = {unit}.csv:acceleration
course-of = acceleration
outside = zero
[mass box]
mass = 1 kg
[spring k]
stiffness = 20 kN/m
between = base, box
[damper d]
damping = 14.1 N s/m
between = base, box
''')
        got = subprocess.run([IFBAM, 'run', f'{folder}/shock.ini', '-o', '-'], capture_output=True, text=True, timeout=60)
        largest = max(abs(float(line.split(',')[1])) for line in got.stdout.splitlines()[1:]) if got.stdout else 0
        check(f'acceleration in {unit}', abs(largest - 85.387) < 5e-3, f'{largest} {got.stderr}')
raise SystemExit(status)
