#!/bin/bash
# test-stability.sh: what ifbam stability prints, what run warns of, and step = auto, on the command line
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=${IFBAM:-build/ifbam}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# check NAME COMMAND...: one test; what it says is shown where it fails
check () {
  local name=$1
  shift
  if "$@" >"$work/why" 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/# /' "$work/why"
    status=1
  fi
}

# run CODE ARGUMENT...: the program, which must end with this code; its words are in out and err
run () {
  local wanted=$1 code
  shift
  timeout 60 "$IFBAM" "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ $code -eq "$wanted" ] || { echo "ifbam $*: exit $code, not $wanted"; cat "$work/err"; return 1; }
}

says () { # PATTERN in err
  grep -q -e "$1" "$work/err" || { echo "does not say: $1"; cat "$work/err"; return 1; }
}

json_has_the_fields () {
  run 0 stability networks/three-dof.ini --step 1ms --json || return 1
  /usr/bin/python3 - "$work/out" <<'PY'
import json, math, sys
table = json.load(open(sys.argv[1]))
schemes = {row["scheme"]: row for row in table["schemes"]}
assert list(schemes) == ["original", "averaged", "euler", "symplectic-euler", "verlet", "rk4",
                         "dopri5", "implicit", "implicit-euler", "tr-bdf2", "esdirk4"], schemes
for row in schemes.values():
    assert row["step"] == 1e-3 and isinstance(row["growth_rate"], float), row
assert abs(schemes["averaged"]["growth_rate"] - 1.2174762) < 1e-6
assert schemes["averaged"]["critical_step"] == 0
assert schemes["rk4"]["growth_rate"] < 0
omega = 2 * math.pi * table["fastest_frequency"]
assert abs(schemes["verlet"]["critical_step"] * omega / 2 - 1) < 1e-6
assert table["method"] == "polynomial" and table["frequency_of_interest"] == table["fastest_frequency"]
PY
}
check 'JSON: scheme, step, growth_rate, critical_step' json_has_the_fields

interest () {
  run 0 stability networks/three-dof.ini --step 1ms --up-to 30Hz && grep -q '24.3254 Hz' "$work/out" \
    && run 0 stability networks/three-dof.ini --up-to 1Hz && grep -q 'No mode swings at 1 Hz' "$work/out"
}
check 'the mode of interest' interest

bodies () {
  run 0 stability networks/torsion.ini && grep -q '1 body that only dampers hold' "$work/out" \
    && run 0 stability networks/duffing.ini && grep -q '1 link is nonlinear' "$work/out"
}
check 'what does not count, and where it holds, is said' bodies

nothing_swings () {
  printf '[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 1 kg\n' >"$work/free.ini"
  run 0 stability "$work/free.ini" && grep -q 'nothing swings' "$work/out" \
    && run 0 stability "$work/free.ini" --json && grep -q '"growth_rate" : null' "$work/out"
}
check 'a network in which nothing swings' nothing_swings

wrong_words () {
  run 2 stability && run 2 stability networks/one-dof.ini more && run 2 stability --no-such networks/one-dof.ini \
    && run 2 stability networks/one-dof.ini --up-to 30m && says 'up-to' \
    && run 2 stability networks/one-dof.ini --up-to 30rad && run 2 stability networks/one-dof.ini --up-to -3Hz \
    && run 2 run networks/one-dof.ini --step automatic && says 'step' \
    && run 2 plot stability networks/one-dof.ini networks/two-dof.ini \
    && run 1 stability "$work/none.ini" && [ ! -s "$work/out" ]
}
check 'wrong words' wrong_words

no_inertia () {
  printf '[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n[ground h]\n[spring k]\nstiffness = 1\nbetween = g, h\n' \
    >"$work/grounds.ini"
  run 1 stability "$work/grounds.ini" && says 'nothing with inertia' && [ ! -s "$work/out" ]
}
check 'nothing with inertia' no_inertia

no_step_is_short_enough () {
  run 2 run networks/one-dof.ini --step auto --duration 1e300 && says 'no step is short enough' \
    && run 2 check networks/two-dof.ini --step auto --scheme euler --set k1.stiffness=1e100 \
    && says 'no step is short enough'
}
check 'no step is short enough' no_step_is_short_enough

full_disk () {
  "$IFBAM" stability networks/one-dof.ini >/dev/full 2>"$work/err"
  [ $? -eq 1 ] && says 'No space'
}
check 'a full disk' full_disk

warnings () {
  run 1 run networks/three-dof.ini --scheme verlet --step 10ms -o "$work/course.csv" \
    && says 'too long for verlet, which is stable up to 0.00656 s' && says 'A step of 0.0065 s would do' \
    && run 0 run networks/three-dof.ini --step 1ms -o "$work/course.csv" \
    && says 'grows at 1.22 per second' && says 'the scheme verlet does not grow' \
    && run 0 run networks/damped.ini --step 16ms --sample 32ms -o "$work/course.csv" \
    && says 'too long for averaged, which is stable up to 0.015 s'
}
check 'run warns of a step that is too long, and of growth that shows' warnings

no_false_alarm () {
  local network
  for network in networks/*.ini; do
    run 0 run "$network" -o "$work/course.csv" || return 1
    ! grep -q 'grow' "$work/err" || { echo "$network"; cat "$work/err"; return 1; }
  done
  # without its dampers this would grow by half a percent in each step
  run 0 run networks/damped.ini --scheme original --step 8ms --sample 16ms -o "$work/course.csv" \
    && ! grep -q 'grow' "$work/err"
}
check 'run does not warn where dampers outweigh the growth' no_false_alarm

dampers_alone () {
  printf '[network]\nstep = 1 ms\nduration = 1 s\n[ground w]\n[mass m]\nmass = 1 kg\nvelocity = 1 m/s
[damper d]\ndamping = 5 kN s/m\nbetween = w, m\n' >"$work/damper.ini"
  run 0 check "$work/damper.ini" && grep -q 'too long a step: the scheme is stable up to 7.32e-05 s' "$work/out" \
    && run 1 run "$work/damper.ini" -o "$work/course.csv" && says 'stable up to 7.32e-05 s' \
    && says 'diverged.*A step of 7.3e-05 s would do' \
    && run 0 stability "$work/damper.ini" && grep -q 'averaged .* 7.32051e-05 .*; 7.3e-05 s would do' "$work/out"
}
check 'dampers alone count: check, run, its divergence and stability say the same' dampers_alone

# Forty masses and as many more springs and dampers than it takes: a step between what bounds and modes allow.
one_answer () {
  local i code step
  {
    printf '[network]\nscheme = verlet\nduration = 2 s\nsample = 0.1 s\nrecord = m7.position\n[ground g]\n'
    for i in $(seq 0 39); do printf '[mass m%d]\nmass = %d.5\n' "$i" $((1 + i * 7 % 3)); done
    for i in $(seq 0 39); do
      printf '[spring k%d]\nstiffness = %d\nbetween = m%d, m%d\n' "$i" $((3000 + i * 911 % 5000)) "$i" $(((i * 13 + 5) % 40))
      printf '[damper d%d]\ndamping = %d\nbetween = m%d, m%d\n' "$i" $((10 + i * 17 % 40)) "$i" $(((i * 13 + 5) % 40))
      printf '[spring w%d]\nstiffness = 4000\nbetween = m%d, g\n' "$i" "$i"
    done
  } >"$work/forty.ini"
  run 0 stability "$work/forty.ini" --step 1ms --json || return 1
  step=$(/usr/bin/python3 - "$work/out" <<'PY'
import json, sys
print([row["critical_step"] for row in json.load(open(sys.argv[1]))["schemes"] if row["scheme"] == "verlet"][0])
PY
) || return 1
  for part in 0.98 1.02; do
    step_now=$(/usr/bin/python3 -c "print($step * $part)")
    run 0 check "$work/forty.ini" --step "$step_now" --sample "$step_now" || return 1
    grep -q 'too long a step' "$work/out"
    code=$?
    [ $code -eq $([ $part = 1.02 ] && echo 0 || echo 1) ] || { echo "$part of $step"; cat "$work/out"; return 1; }
    timeout 60 "$IFBAM" run "$work/forty.ini" --step "$step_now" --sample "$step_now" -o "$work/course.csv" 2>"$work/err"
    grep -q "stable up to $(printf %.3g "$step") s" "$work/err"
    [ $? -eq $code ] || { echo "$part of $step"; cat "$work/err"; return 1; }
  done
}
check 'the step that a scheme bears: one answer of stability, check and run' one_answer

# A stop so stiff that a step is longer than its mass swings in it.
a_stiff_contact () {
  cat >"$work/stop.ini" <<'END'
[network]
scheme = verlet
step = 1 ms
duration = 1 s
record = m.position
[ground w]
[mass m]
mass = 1 kg
position = -0.1 m
velocity = 1 m/s
[spring k]
stiffness = 100
between = w, m
[contact stop]
stiffness = 100 MN/m
between = m, w
END
  run 0 check "$work/stop.ini" \
    && grep -q 'too long a step while "stop" is closed (1592 Hz): the scheme is stable up to 0.000141 s' "$work/out" \
    && run 0 stability "$work/stop.ini" && grep -q 'verlet .* 0.000141.*; 0.00014 s would do' "$work/out" \
    && run 1 run "$work/stop.ini" -o "$work/course.csv" && says 'while "stop" is closed (1592 Hz), amplitudes grow' \
    && says 'diverged.*A step of 0.00014 s would do' \
    && run 0 run "$work/stop.ini" --step 0.125ms -o "$work/course.csv" && ! grep -q grow "$work/err"
}
check 'a contact counts while it is closed: check, stability, run, its divergence say the same' a_stiff_contact

# A ball at rest in a hollow swings in it; its step is looked for by runs, and is that which is told.
a_hollow () {
  local scheme part told far
  cat >"$work/hollow.ini" <<'END'
[network]
scheme = verlet
step = 50 ms
duration = 60 s
record = b.x
[surface g]
amplitude = 0.1 m
wavelength = 1 m
[ball b]
mass = 1 kg
x = 0.751 m
y = -0.099998 m
[bounce k]
restitution = 0
between = b, g
[gravity w]
on = b
END
  for scheme in verlet symplectic-euler rk4 averaged original; do
    run 0 stability "$work/hollow.ini" --scheme $scheme --json || return 1
    told=$(/usr/bin/python3 - "$work/out" $scheme <<'PY'
import json, sys
print([row["critical_step"] for row in json.load(open(sys.argv[1]))["schemes"] if row["scheme"] == sys.argv[2]][0])
PY
) || return 1
    for part in 0.97 1.03; do
      timeout 60 "$IFBAM" run "$work/hollow.ini" --scheme $scheme --step "$(/usr/bin/python3 -c "print($told * $part)")" \
        >"$work/out" 2>"$work/err"
      far=$(/usr/bin/python3 - "$work/out" <<'PY'
import csv, sys
print(int(max(abs(float(row[1]) - 0.75) for row in list(csv.reader(open(sys.argv[1])))[1:]) > 0.02))
PY
) || return 1
      [ "$far" -eq $([ $part = 1.03 ] && echo 1 || echo 0) ] || { echo "$scheme, $part of $told"; return 1; }
      grep -q 'while "k" rests in a hollow (0.9905 Hz), amplitudes grow' "$work/err"
      [ $? -eq $([ $part = 1.03 ] && echo 0 || echo 1) ] || { cat "$work/err"; return 1; }
    done
  done
  # Reactions do not come late where forces do.
  run 0 run "$work/hollow.ini" --scheme averaged --step 40ms -o "$work/course.csv" && ! says grow
}
check 'a ball that rests in a hollow is a mode: the step that it bears is told before the run' a_hollow

# What the account of work can't explain: a ball that meets a stiff wall, from rest and at full speed.
open_rest () {
  cat >"$work/wall.ini" <<'END'
[network]
scheme = verlet
step = 1 ms
duration = 5 s
record = m.position
[ground w]
[mass m]
mass = 1 kg
position = -0.1 m
[spring k]
stiffness = 100
between = w, m
[hertz wall]
modulus = 115 GPa
radius = 10 mm
between = m, w
END
  run 1 run "$work/wall.ini" -o "$work/course.csv" && says 'J appeared, more than the initial and supplied energy' \
    && run 0 run "$work/wall.ini" --allow-divergence --duration 0.2s -o "$work/course.csv" && says 'J appeared' \
    && run 1 run "$work/wall.ini" --set m.velocity=1 -o "$work/course.csv" \
    && says 'while "wall" is closed (1.3.*e+04 Hz), amplitudes grow' && says 'A step of 1.6e-05 s would do' \
    && run 0 run "$work/wall.ini" --step 10us -o "$work/course.csv" && [ ! -s "$work/err" ] \
    && run 0 run networks/ball-sine-big.ini --step 100ms --sample 100ms -o "$work/course.csv" \
    && says '0.741 J disappeared, 2.25 % of'
}
check 'the open rest of the account is told at the end, and ends the run where it is all that there is' open_rest

# A full bridge whose sides have small capacitors: fast only while no diode conducts, which none of them stays.
a_bridge () {
  cat >"$work/bridge.ini" <<'END'
[network]
scheme = rk4
step = 1 us
duration = 0.5 ms
record = c.voltage
[ground g]
[capacitor c]
capacitance = 1 uF
voltage = 10
[inductor l]
inductance = 10 mH
between = c, g
[capacitor p]
capacitance = 1e-12
voltage = 10
[capacitor n]
capacitance = 1e-12
[diode d1]
between = c, p
resistance = 0
[diode d2]
between = g, p
resistance = 0
[diode d3]
between = n, c
resistance = 0
[diode d4]
between = n, g
resistance = 0
[resistor r]
resistance = 1000
between = p, n
END
  run 0 run "$work/bridge.ini" -o "$work/course.csv" && ! grep -q 'warning' "$work/err" \
    && grep -q 'while diodes and the like are open, a mode would grow at 2.72e+07 per second' "$work/err" \
    && run 0 check "$work/bridge.ini" \
    && grep -q 'no mode grow, but while diodes and the like are open: at 2.72e+07 per second' "$work/out"
}
check 'run and check say the same of what diodes hold, and do not warn' a_bridge

# The notes say what the verdicts hold for: the pose, what is left out, what drifts.
notes () { # NETWORK PATTERN... in what is printed
  local network=networks/$1.ini pattern
  shift
  run 0 stability "$network" || return 1
  for pattern in "$@"; do
    grep -q -e "$pattern" "$work/out" || { echo "does not say: $pattern"; cat "$work/out"; return 1; }
  done
}
left_out='whatever else has events are left out: it holds between these'
nothing_left_out () { # what has no events but pins that stand: nothing is said
  notes "$@" && ! grep -q -e "$left_out" "$work/out"
}
check 'where a pendulum rests' nothing_left_out pendulum '2 links are nonlinear: all this holds near where the network is at rest' '^by the eigenvalues'
check 'a half-car: it drifts' nothing_left_out half-car '1 body that nothing holds: a drift does not count as growth'
check 'an engine: contacts and a body in oil' notes engine "$left_out" '1 body that only dampers hold: where it comes to rest does not count'
check 'a hammer in the middle of its fall is held there' notes charpy "5 links are nonlinear: all this holds near the network's start, as if it were held there" "$left_out"
check 'one link is nonlinear: a leash' notes leash '1 link is nonlinear: all this holds near where the network is at rest' "$left_out"
check 'a ball with spin: two coordinates drift' notes free-kick '2 bodies that nothing holds: a drift does not count' 'The steps hold while "air" is in mode 0'
check 'an oscillator leaves its start' notes colpitts 'The network itself moves away from its start, at 3835 per second' 'decays, where the network itself grows' 'as the network itself does$'
check 'bodies that only dampers hold' notes starter '4 bodies that only dampers hold: where they come to rest does not count'
check 'schemes that take no junctions' notes teaching/maxwell 'takes no junctions$'
check 'a marble: nothing swings' notes marble 'nothing swings' "$left_out"

# Stiff where it is going, soft where it starts: the start does not say why.
no_longer_step () {
  local scheme step
  printf '[network]\nstep = 0.1 s\nduration = 10 s\n[ground g]\n[mass m]\nmass = 1 kg\nvelocity = 10 m/s
[spring k]\nstiffness = 1 N/m\ncubic = 1000 N/m3\nbetween = g, m\n' >"$work/cubic.ini"
  for scheme in rk4 original averaged euler verlet; do
    timeout 60 "$IFBAM" run "$work/cubic.ini" --scheme $scheme -o "$work/course.csv" 2>"$work/err"
    for step in $(grep diverged "$work/err" | grep -o 'step of [0-9.e-]* s would do' | cut -d' ' -f3); do
      /usr/bin/python3 -c "import sys; sys.exit(not $step < 0.1)" || { cat "$work/err"; return 1; }
    done
  done
  grep -q diverged "$work/err" || { cat "$work/err"; return 1; }
}
check 'what diverged is not told to take a longer step' no_longer_step

auto () {
  run 0 run networks/three-dof.ini --step auto -o "$work/course.csv" --manifest "$work/manifest.json" \
    && says 'step = auto chose 0.000128 s' && grep -q '"step" : 0.00012' "$work/manifest.json" \
    && run 0 check networks/three-dof.ini --step auto && grep -q '(auto: ' "$work/out" \
    && run 0 run networks/three-dof.ini --step auto --engine objects -o "$work/objects.csv" \
    && cmp "$work/course.csv" "$work/objects.csv" \
    && sed 's/^step .*/step = auto/' networks/two-dof.ini >"$work/auto.ini" && run 0 check "$work/auto.ini" \
    && run 0 dialogue "$work/auto.ini" -n 1
}
check 'step = auto: said, in the manifest, the same for both engines' auto

chart () {
  run 0 plot stability networks/three-dof.ini --step 1ms -o "$work/chart.svg" && grep -q '48.52' "$work/chart.svg" \
    && grep -q 'averaged (the network' "$work/chart.svg" && grep -q 'their growth with averaged' "$work/chart.svg" \
    && grep -q '1e-06' "$work/chart.svg" \
    && [ "$(sed -n 's/.*points="\([^"]*\)".*/\1/p; s/.*d=.M\([^Z"]*\).*/\1/p' "$work/chart.svg" | grep -o '[0-9.]\+,' | tr -d , | sort -n | tail -n 1 | cut -d. -f1)" -gt 800 ] \
    && run 0 plot stability networks/three-dof.ini --log -o "$work/chart.png" && [ -s "$work/chart.png" ] \
    && run 0 plot stability networks/chain-1000.ini -o "$work/chart.pdf" && [ -s "$work/chart.pdf" ] \
    && run 0 plot stability networks/torsion.ini && grep -q 'growth per step' "$work/out"
}

# What schemes do needs no network; one marks its modes.
of_schemes () {
  for kind in regions roots elongation; do
    run 0 plot $kind -o "$work/$kind.svg" && grep -q 'symplectic-euler' "$work/$kind.svg" \
      && run 0 plot $kind networks/three-dof.ini --step 5ms -o "$work/$kind.svg" \
      && grep -q "averaged (the network" "$work/$kind.svg" || return 1
  done
  grep -q 'unit circle' "$work/roots.svg" && grep -q "the network's modes" "$work/roots.svg" \
    && run 0 plot elongation --x 0:0.1 && grep -q 'numerical damping ratio' "$work/out" \
    && run 2 plot regions networks/one-dof.ini networks/two-dof.ini && run 2 plot roots --step 1ms \
    && says 'does not apply to schemes alone' && run 2 plot stability && run 2 plot poles && says 'roots' \
    && run 2 plot regions --x 7:9 --y 7:9 && run 1 plot regions "$work/none.ini"
}
if command -v gnuplot >/dev/null; then
  check 'the chart' chart
  check 'regions, roots and elongated periods' of_schemes
else
  echo 'ok - the chart # skip without gnuplot'
  echo 'ok - regions, roots and elongated periods # skip without gnuplot'
fi

exit $status
