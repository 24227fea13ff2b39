#!/bin/bash
# test-cautions.sh: which runs end as diverged, and warnings of courses, rows and instants that do not fit the steps
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=${IFBAM:-build/ifbam}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0
inputs=tests/cautions

# check NAME COMMAND...: one test; its words are shown where it fails
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

# warns TEXT, prints TEXT: a regular expression on standard error, on standard output
warns () {
  grep -q -- "$1" "$work/err" || { echo "standard error lacks: $1"; cat "$work/err"; return 1; }
}

prints () {
  grep -q -- "$1" "$work/out" || { echo "standard output lacks: $1"; cat "$work/out"; return 1; }
}

quiet () {
  [ ! -s "$work/err" ] || { echo 'not quiet:'; cat "$work/err"; return 1; }
}

# Amplitudes of work that cancel explode with an unstable scheme, and explain nothing.
explodes_beside_active_links () {
  run 1 run $inputs/whirl.ini -o "$work/course.csv" && warns 'the run diverged at t = .* s (step [0-9]*)' \
    && ! warns 'does not damp' >/dev/null || return 1
  for scheme in original averaged verlet symplectic-euler rk4 euler; do
    run 1 run $inputs/whirl.ini --scheme $scheme --set 'gx.damping=200' --set 'gy.damping=-200' -o "$work/course.csv" \
      && warns diverged || return 1
  done
  run 0 sweep $inputs/whirl.ini --vary gx.damping=60,0.01 --vary gy.damping=-60,-0.01 --measure max:ty.position \
    && prints '^60,-60,,0\.' && prints '^0\.01,-0\.01,[0-9.e-]*,$'
}
check 'a scheme that explodes beside active links ends the run, and has the instant in a sweep' explodes_beside_active_links

# A source supplies as much as the voltage grows, the energy grows as its square: 45 J beside 12 mJ.
explodes_beside_a_source () {
  cat >"$work/switch.ini" <<END
[network]
step = 1 us
duration = 100 us
scheme = averaged
[ground gnd]
[voltage-source v]
voltage = 5 V
[switch s]
resistance = 1 kohm
state = open
toggle = 10 us, 20 us, 30 us, 40 us
between = v, c
[capacitor c]
capacitance = 1 nF
END
  run 1 run "$work/switch.ini" -o "$work/course.csv" && warns 'A step of 3.6e-07 s would do' \
    && warns 'diverged at .* J appeared, more than the initial and supplied energy, most of it at "c"' \
    && run 0 run "$work/switch.ini" --step 0.1us -o "$work/course.csv" && quiet \
    && awk -F, 'END { exit !($2 > 4.999 && $2 < 5.001) }' "$work/course.csv"
}
check 'a scheme that explodes while a switch is closed ends the run, too' explodes_beside_a_source

# Growth by links that bring energy is the network's own.
grows_by_active_links () {
  run 0 run $inputs/chua.ini -o "$work/course.csv" && quiet || return 1
  run 0 run $inputs/mathieu.ini -o "$work/course.csv" && quiet || return 1
  awk -F, 'END { exit !($2 > 1e6 || $2 < -1e6) }' "$work/course.csv" || { echo 'it does not grow'; return 1; }
  for scheme in averaged verlet esdirk4 implicit; do
    run 0 run $inputs/mathieu.ini --scheme $scheme -o "$work/course.csv" || return 1
    ! grep -q 'nothing' "$work/err" || { cat "$work/err"; return 1; }
  done
  run 0 sweep $inputs/mathieu.ini --vary k.stiffness=1,1.05 --measure max:m.position && prints '^1,[0-9.e+]*,$' \
    && prints '^1.05,[0-9.e+]*,$'
}
check 'what active links bring counts as supplied: in the end test, in the note, and in a sweep' grows_by_active_links

# Under averaged the same network grows by the scheme's own error, which ends the run.
limit_cycle () {
  cat >"$work/cycle.ini" <<END
[network]
step = 10 ms
duration = 400 s
sample = 1 s
scheme = rk4
record = m.position
[ground w]
[mass m]
mass = 1 kg
position = 1 nm
[spring k]
stiffness = 1 N/m
between = w, m
[van-der-pol d]
damping = 1 N s/m
amplitude = 1 m
between = w, m
END
  run 0 run "$work/cycle.ini" -o "$work/course.csv" && quiet \
    && run 0 run "$work/cycle.ini" --scheme verlet -o "$work/course.csv" \
    && run 1 run "$work/cycle.ini" --scheme averaged -o "$work/course.csv" && warns 'the energy is over 10^6 times' \
    && run 0 sweep "$work/cycle.ini" --vary d.damping=0.5,1 --measure max:m.position && prints '^1,2\.0[0-9]*,$'
}
check 'a limit cycle far above the energy of its start goes on' limit_cycle

course_within_a_step () {
  local warning='the step of .* s is too long for the course of "f" between its ends. A step of .* s would do'
  run 0 run $inputs/blow.ini -o "$work/course.csv" && warns "$warning" \
    && run 0 check $inputs/blow.ini && prints "^warning   $warning" \
    && run 0 run $inputs/blow.ini --step 0.5ms -o "$work/course.csv" && warns "$warning" \
    && run 0 sweep $inputs/blow.ini --set network.step=0.5ms --vary m.mass=1,2 --measure final:m.velocity \
    && prints '^1,[0-9.e-]*,$' || return 1
  step=$(sed -n 's/.*A step of \(.*\) s would do/\1/p' "$work/out" "$work/err" | head -1)
  step=$("$IFBAM" check $inputs/blow.ini | sed -n 's/.*A step of \(.*\) s would do/\1/p')
  run 0 run $inputs/blow.ini --step "$step s" -o "$work/course.csv" && quiet \
    && awk -F, 'END { exit !($2 > 0.63 && $2 < 0.643) }' "$work/course.csv"
}
check 'a step that passes over a blow is warned of, with a step that has it, and is no divergence' course_within_a_step

course_elsewhere () {
  local warning='the course of "base" is from 1717200000 s to 17172000[0-9.]* s, and the run from 0 s to 1 s: the course is'
  run 1 run $inputs/elsewhere.ini && warns 'elsewhere.ini:8: .* is from 1717200000 s to .* and the run from 0 s to 1 s (want outside = hold' \
    && run 0 run $inputs/elsewhere.ini --set base.outside=hold -o "$work/course.csv" && warns "warning: $warning at its first" \
    && run 0 check $inputs/elsewhere.ini --set base.outside=zero && prints "^warning   $warning 0 all" \
    && run 0 run $inputs/elsewhere.ini --set base.shift=-1717200000s -o "$work/course.csv"
}
check 'a course outside the run is refused or warned of' course_elsewhere

rows_too_far_apart () {
  local warning='a mode of 16.69 Hz lies above half of 20 rows a second'
  run 0 spectrum $inputs/rows.ini && warns "warning: $warning: the spectrum shows this mode at a lower frequency" \
    && run 0 run $inputs/rows.ini -o "$work/course.csv" && quiet \
    && run 0 check $inputs/rows.ini && prints "^warning   $warning.*(want sample = 0.0299 s or less)" \
    && run 0 spectrum $inputs/rows.ini --sample 20ms && quiet && prints '16\.69'
}
check 'rows too far apart for a mode are warned of, with the interval that shows it' rows_too_far_apart

# 2 10^9 corners in a step: memory is bounded, the first interrupt ends the run.
many_corners () {
  local memory
  run 0 check $inputs/pulses.ini && prints '^warning   a step has 2e+09 instants' || return 1
  "$IFBAM" run $inputs/pulses.ini -o "$work/course.csv" 2>"$work/err" &
  sleep 1
  memory=$(awk '/VmRSS/ { print $2 }' /proc/$!/status)
  [ "${memory:-0}" -gt 0 ] && [ "$memory" -lt 200000 ] || { echo "$memory kB"; cat "$work/err"; kill -9 $!; return 1; }
  kill -INT $!
  for _ in {1..200}; do kill -0 $! 2>/dev/null && sleep 0.1; done
  ! kill -9 $! 2>/dev/null || { echo 'not interrupted'; return 1; }
  wait $!
  warns 'interrupted'
}
check 'a step with any number of corners takes no memory, and can be interrupted' many_corners

# (1 - r / 2) / (1 + r / 2) of a decay by r within a step is nearly -1.
rings () {
  local warning='"implicit" does not damp a decay that is faster than the step'
  run 0 check $inputs/rings.ini && prints "^warning   $warning.*tr-bdf2, esdirk4 and implicit-euler" \
    && run 0 run $inputs/rings.ini -o "$work/course.csv" && warns "warning: $warning" || return 1
  for scheme in tr-bdf2 esdirk4 implicit-euler; do
    run 0 run $inputs/rings.ini --scheme $scheme -o "$work/course.csv" && quiet \
      && awk -F, 'END { exit !($2 > 4.999 && $2 < 5.001) }' "$work/course.csv" || return 1
  done
  run 0 check $inputs/rings.ini --step 0.1ns && ! prints "$warning" >/dev/null
}
check 'a decay within a step under the scheme that does not damp it is warned of' rings

no_step () {
  run 2 run $inputs/rows.ini --step 30s --sample 30s -o "$work/course.csv" && warns 'duration: shorter than a step, 30 s' \
    && run 2 run $inputs/rows.ini --duration 1e-300s --sample 0.1ms -o "$work/course.csv" \
    && warns 'duration: shorter than a step, 0.0001 s' || return 1
  # 1333332 steps of 3 us
  run 0 run $inputs/rows.ini --step 3us --sample 3.999996s --duration 4s -o "$work/course.csv" && warns 'the last row is at 3.999996 s'
}
check 'a run without a step is refused, and the last row is told with enough digits' no_step

exit $status
