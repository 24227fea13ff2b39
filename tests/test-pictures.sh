#!/bin/bash
# test-pictures.sh: what pictures of the program say: their labels and legends, and what they leave out
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
two=networks/two-dof.ini
status=0
. tests/expect.sh

# network NAME GROUPS: a file there
network() {
  printf '[network]\nstep = 1 ms\nduration = 0.1 s\n%s\n' "$2" | sed 's/; */\n/g' >"$work/$1.ini"
  eval "$1=$work/$1.ini"
}

# shows LABELS... -- ARGUMENTS...: a picture with these labels; what is said stays in $work/err
shows() {
  local labels=()
  while [ "$1" != -- ]; do
    labels+=("$1")
    shift
  done
  shift
  rm -f "$work/x.svg"
  timeout 120 "$IFBAM" plot "$@" -o "$work/x.svg" >"$work/out" 2>"$work/err" </dev/null
  code=$?
  for label in "${labels[@]}"; do
    [ $code -eq 0 ] && grep -qF "<text>$label</text>" "$work/x.svg"
    report $? "plot $(echo "$*" | sed "s,$work/,,g"): $label"
  done
}

hides() { # LABEL: not in the last picture
  ! grep -qF "$1" "$work/x.svg"
  report $? "... without $1"
}

says() { # TEXT
  grep -qF -- "$1" "$work/err"
  report $? "... and says: $1"
}

sweep() { # FILE NETWORK ARGUMENTS...
  local file=$1
  shift
  timeout 120 "$IFBAM" sweep "$@" -o "$work/$file" 2>"$work/err" </dev/null
  code=$?
  report $code "sweep $*"
}

# ---- texts

# gnuplot reads no letter of a text as its own word: quotes at the beginning and the end, commands, formats.
network quoted "title = 'Quarter \`date\` of \"a car\" %d\\n'; [ground w]; [mass m]; mass = 1; position = 1 mm; [spring s]
between = w, m; stiffness = 100"
for kind in course spectrum spectrogram phase modes stability regions roots elongation; do
  shows "'Quarter \`date\` of \"a car\" %d\\n'" -- $kind "$quoted" --duration 1s
done
shows "'Quarter \`date\` of \"a car\" %d\\n'" -- response "$quoted" --input force@m --output m.position
printf '%s\n' "time,\"'a'\",b\`date\`,\"c\\n\"\"d\"\"\"" 0,1,2,3 1,2,3,1 2,0,0,1 >"$work/quoted.csv"
shows "'a'" 'b`date`' 'c\n"d"' -- course "$work/quoted.csv"

# ---- courses

# A level course at the end of a range that is given on one side only has no height to be divided.
network level '[mass a]; mass = 1; position = 1; [mass b]; mass = 1; velocity = 1'
shows 'position [m]' 'velocity [m/s]' 1 a.position b.velocity -- course "$level" --record a.position,b.velocity --y :1

shows 'three-dof, k1.stiffness=20kN/m: m1.position' 'two-dof: m1.position' -- \
  course $two networks/three-dof.ini --signal m1.position --also k1.stiffness=20kN/m --duration 0.1s

# Each curve shows on a logarithmic axis, not the highest six decades alone.
printf 'time,a.energy,b.energy\n0,1,0.01\n1,1e9,0.02\n' >"$work/decades.csv"
shows 0.01 1e+06 -- course "$work/decades.csv" --log

# ---- modes

network drifts '[mass a]; mass = 1; velocity = 1; [mass b]; mass = 2; [spring k]; stiffness = 900; between = a, b'
network creeps '[ground g]; [mass a]; mass = 1; [spring k]; stiffness = 1; between = a, g; [damper d]; damping = 100; between = a, g'
network falls '[ground g]; [mass m]; mass = 1; [characteristic c]; between = m, g; compression = -10, 0, 10; force = 10, 0, -10'
network turns '[ground g]; [mass a]; mass = 1; [mass b]; mass = 2; [spring k]; stiffness = 900; between = a, g
[spring l]; stiffness = 900; between = a, b; [damper d]; damping = 5; between = b, g'
shows '1: free' '2: 5.8477 Hz' 'displacement, the largest being 1' -- modes "$drifts" # sqrt (900 / (2/3)) / 2 pi
shows '1: overdamped, 0.01 /s' '2: overdamped, 99.99 /s' -- modes "$creeps"
shows '1: unstable, 1 /s' '2: overdamped, 1 /s' -- modes "$falls"
shows 'displacement (real part), the largest being 1' -- modes "$turns"

# ---- responses

shows 'response to force@a' 'amplitude [m/N]' 'phase [deg]' 'a.position' 'b.position' '2.229 Hz' '7.209 Hz' -- \
  response "$turns" --input force@a --log
shows 'amplitude [dB re 1 m/N]' -- response "$turns" --input force@a --db
shows '5.848 Hz' -- response "$drifts" --input force@a --output a.position

# Within an octave there may be no tic of 1, 2, 5, 10, ...: there the axis has numbers as a linear one.
shows 1.01 1.02 1.03 1.04 'frequency [Hz]' -- response $two --input force@m1 --from 1.01 --to 1.04
shows 1.9 1.95 2 2.05 2.1 -- response $two --input force@m1 --from 1.9 --to 2.1
printf 'frequency,a.position.amplitude,a.position.phase,b.velocity.amplitude,b.velocity.phase\n1,2,,,\n2,3,,,\n3,4,,,\n' >"$work/none.csv"
shows 'amplitude [m per input]' 'amplitude [m/s per input]' -180 0 180 -- response "$work/none.csv"
printf 'frequency,a.amplitude,a.phase\n1,2,3\n2,3,3\n3,,\n4,4,5\n5,5,5\n' >"$work/gap.csv"
shows 1 2 3 4 5 -- response "$work/gap.csv"
[ "$(grep -c "M[^M]*L[^M]*M[^M]*L" "$work/x.svg")" -gt 0 ]
report $? 'where a table has no amplitude the curve has a gap'
shows 46.49\ Hz 20 30 40 50 -- response $two --input force@m1 --from 5 --to 60 --x 20:50
hides '10.9 Hz' # a mode outside the picture

# ---- spectrograms

shows m1.position 1e-05 'frequency [Hz]' -- spectrogram $two --signal m1.position
# No shade is below a hundred-thousandth of the darkest; in text a tenth of it is three of ten shades lighter.
COLUMNS=60 LINES=12 "$IFBAM" plot spectrogram $two --signal m1.position >"$work/out" 2>"$work/err"
code=$?
grep -q '@@@@@@@@@@' "$work/out" && grep -q '==========' "$work/out"
report $? 'in text a logarithmic scale has a shade for what is far below'
shows m1.position 'frequency [Hz]' -- spectrogram $two --signal m1.position --linear
hides '<text>1e-05</text>'

# ---- sweeps

measures=(--measure peak-time:m1.position --measure settling:m1.position --measure spectrum:m1.position --measure frequencies
  --measure damping --measure max:m1.position)
sweep few.csv $two --vary k1.stiffness=5:15:3 --vary m1.mass=1:3:3 "${measures[@]}" --best min:max:m1.position
says 'the least max:m1.position = 0.001 is that with k1.stiffness = '
shows 'time [s]' 'frequency [Hz]' 'damping ratio' 'position [mm]' 'k1.stiffness [N/m]' 'max:m1.position, m1.mass = 2 kg' -- sweep "$work/few.csv"
says 'settling:m1.position has no value, and is left out'
shows 'damping:2, m1.mass = 3 kg' -- sweep "$work/few.csv" --signal damping
hides max:m1.position
shows 'spectrum:m1.position:frequency1, m1.mass = 1 kg' -- sweep "$work/few.csv" --signal 'spectrum*'
shows -- sweep "$work/few.csv" --signal settling:m1.position
expect 1 'there is nothing to draw: no point lies in the picture' 'a measure without a value'
[ ! -e "$work/x.svg" ]
report $? 'no picture is there'
sweep map.csv $two --vary k1.stiffness=5:15:8 --vary m1.mass=1:3:8 --measure max:m1.position --best min:max:m1.position
shows 'k1.stiffness [N/m]' 'm1.mass [kg]' -- sweep "$work/map.csv"
[ "$(grep -c "#gpPt5'.*rgb(255, 255, 255)" "$work/x.svg")" -eq 1 ]
report $? 'the best variant has a ring'
sweep one.csv $two --vary k1.stiffness=5:15:3 --measure settling:m1.position --measure max:m1.position
shows 'position [mm]' 'max:m1.position' -- sweep "$work/one.csv"
says 'settling:m1.position has no value, and is left out'
hides settling
sweep many.csv $two --vary k1.stiffness=5:15:9 --vary m1.mass=1:2:9 --duration '0.1 s' "${measures[@]}"
shows 'k1.stiffness [N/m]' 'm1.mass [kg]' -- sweep "$work/many.csv" --signal settling:m1.position --signal max:m1.position
says 'settling:m1.position has no value, and is left out'
shows 'frequencies:2 [Hz]' -- sweep "$work/many.csv" --log
says 'measures are drawn (choose with --signal)'
# A stiffness of torsion has its own unit, and each axis one unit; a free mode has no map.
network shaft '[inertia a]; inertia = 1 kg m2; [inertia b]; inertia = 2 kg m2; [torsion-spring s]; stiffness = 100; between = a, b'
sweep shaft.csv "$shaft" --vary s.stiffness=50:150:8 --vary b.inertia=1:3:8
shows 's.stiffness [N m/rad]' 'b.inertia [kg m2]' 'frequencies:2 [Hz]' -- sweep "$work/shaft.csv"
hides frequencies:1
says 'frequencies:1 is 0 everywhere, and is left out'
sed '1s/s.stiffness/"s.stiffness [N m]"/' "$work/shaft.csv" >"$work/units.csv"
shows 's.stiffness [N m]' -- sweep "$work/units.csv"
hides '[N m] ['
sweep step.csv $two --vary network.step=1e-4,2e-4 --measure max:m1.position
shows 'network.step [ms]' -- sweep "$work/step.csv"
# The axis with more values lies along; a class that is not here has no unit, but a column may say its own.
printf 'foo.bar,"q.mass [kg]",max:m1.position\n1,1,2\n2,1,3\n1,2,4\n2,2,4\n1,3,5\n2,3,5\n' >"$work/foreign.csv"
shows 'q.mass [kg]' 'max:m1.position, foo.bar = 1' 'max:m1.position, foo.bar = 2' -- sweep "$work/foreign.csv"
printf 'foo.bar,spectrum:m1.position:amplitude1\n1,1\n2,3\n' >"$work/foreign.csv"
shows foo.bar 'amplitude [m]' -- sweep "$work/foreign.csv" --signal spectrum:m1.position:amplitude1

# ---- stability

# Of many modes only some have marks; the fastest one its frequency: 1/pi sqrt (k/m).
network row '[chain c]; count = 40; mass = 1; stiffness = 986.96044010893586'
shows 'modes [Hz]' 9.992 -- stability "$row"

# ---- measured columns under other names, in the unit of the signal

printf 'time,pos [mm]\n0,0\n0.1,4000\n' >"$work/measured.csv"
shows 'two-dof: m1.position' 'measured: m1.position' 4 -- course networks/two-dof.ini "$work/measured.csv" \
  --signal 'measured.csv:pos=m1.position'
for wrong in 'pos=k1.force|mm does not convert to N' 'torque=m1.position|no signal "torque"' 'pos|want FILE:COLUMN=SIGNAL'; do
  shows -- course networks/two-dof.ini "$work/measured.csv" --signal "measured.csv:${wrong%|*}"
  [ $code -ne 0 ]
  report $? "an overlay ${wrong%|*} is refused"
  says "${wrong#*|}"
done

# ---- ways in the plane

shows crank-pin coupler tracer coupler-right -- path networks/four-bar.ini
hides coupler-left # it goes with crank-pin
hides crank-foot   # it stands still
# What is not recorded is left out: points of the car that turn with it, wheels and walls beside it.
shows car -- path networks/half-car.ini --record car.x,car.y
hides front
# A rope hangs as low as it does, 3.7 m below its lower end: H cosh.
shows -2.5 0 1 -- path networks/rope.ini
shows impact b hills -- path networks/ball-sine-small.ini
shows impulse front -- path networks/half-car.ini
shows rocker-top -- path networks/four-bar.ini --signal rocker-top
hides crank-pin
timeout 120 "$IFBAM" run networks/four-bar.ini --duration 0.1s --record 'tracer.x, tracer.y' -o "$work/way.csv"
shows tracer -- path "$work/way.csv"

exit $status
