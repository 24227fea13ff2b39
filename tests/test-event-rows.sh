#!/bin/bash
# test-event-rows.sh: files with two rows at one time, and with rounded times, are read by all that reads courses
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
hits=networks/impact-oscillator.ini
status=0
. tests/expect.sh

run () { # ARGUMENTS...
  timeout 120 "$IFBAM" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

run run $hits --record m1.position,m1.velocity -o "$work/plain.csv"
run run $hits --record m1.position,m1.velocity --event-rows -o "$work/rows.csv"
run run $hits --record m1.position,m1.velocity --event-rows -o "$work/rows.h5"
run spectrum "$work/plain.csv"
cp "$work/out" "$work/plain.txt"
for file in rows.csv rows.h5; do
  run spectrum "$work/$file"
  [ $file = rows.h5 ] && sed -E 's/ (m|m\/s|J)$//' "$work/out" >"$work/bare"
  [ $file = rows.csv ] && cp "$work/out" "$work/bare"
  [ $code -eq 0 ] && [ "$(grep -c . "$work/bare")" -eq "$(grep -c . "$work/plain.txt")" ]
  report $? "spectrum of $file: as many lines as without event rows"
done
run spectrum "$work/rows.csv"
same "$work/out" "$work/plain.txt" 'the spectrum of rows.csv is that of the rows between events'
run spectrum "$work/rows.csv" --resample
same "$work/out" "$work/plain.txt" '... with --resample, too'
run spectrum "$work/plain.csv" --scheme averaged --step 1ms
cp "$work/out" "$work/corrected.txt"
run spectrum "$work/rows.csv" --scheme averaged --step 1ms
same "$work/out" "$work/corrected.txt" '... corrected by the scheme at a step that the rows between events fit'
for kind in course phase spectrum spectrogram; do
  for file in rows.csv rows.h5; do
    run plot $kind "$work/$file" --signal m1.position $([ $kind = phase ] && echo --signal m1.velocity) -o "$work/x.svg"
    report $code "plot $kind $file"
  done
done
run rerun "$work/rows.h5"
expect 0 '' 'rerun makes event rows again' || true
grep -q 'the same to the last bit' "$work/out"
report $? '... to the last bit'

# A run from a state has no rows of the start that it skips.
printf '[network]\nstep = 1 ms\nduration = 20 ms\n[mass m]\nmass = 1 kg\n[impulse blow]\non = m\nat = 0\nimpulse = 1\n' \
  >"$work/blow.ini"
run run "$work/blow.ini" --event-rows --duration 10ms --final "$work/blow.h5" -o "$work/before.csv"
run run "$work/blow.ini" --event-rows --initial "$work/blow.h5" -o "$work/after.csv"
[ "$(sed -n 2p "$work/after.csv" | cut -d, -f1)" = 0.01 ]
report $? 'a run from a state begins with the row of its own time'

# As the input of a network: the value after the event counts.
printf 'time,f [N]\n0,0\n0.5,0\n0.5,2\n1,2\n1,2\n1,2\n' >"$work/two.csv"
printf 'time,f [N]\n0,0\n0.5,2\n1,2\n' >"$work/one.csv"
for file in two one; do
  printf '[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 1\n[force f]\non = m\ncourse = %s.csv:f\n' $file >"$work/$file.ini"
  run run "$work/$file.ini" -o "$work/$file-out.csv"
done
same "$work/two-out.csv" "$work/one-out.csv" 'of two rows at one time the later one drives a network'
printf 'time,f [N]\n0,0\n0,1\n' >"$work/two.csv"
run run "$work/two.ini"
expect 1 'two.csv has fewer than two times' '... and one time is too few'

# ---- times that are rounded

awk 'BEGIN { print "time,x"; for (i = 0; i < 3000; i++) printf "%.3f,%.8g\n", i / 60, sin (2 * 3.14159265358979 * 2.5 * i / 60) }' \
  >"$work/rounded.csv"
for option in --json --resample; do
  run spectrum "$work/rounded.csv" --json $option
  holds="$(python3 -c 'import json, sys
lines = json.load(sys.stdin)["signals"][0]["peaks"]
print(len(lines) == 1 and abs(lines[0]["frequency"] - 2.5) < 1e-5 and abs(lines[0]["amplitude"] - 1) < 5e-4)' <"$work/out")"
  [ "$holds" = True ]
  report $? "60 Hz in whole milliseconds, $option: one line at 2.5 Hz with an amplitude of 1"
done
grep -qF 'times that are rounded to 0.001 s are taken as evenly spaced, 0.0166666667 s apart' "$work/err"
report $? '... and it is said'

# ---- pictures of networks with impacts

run plot course $hits --signal m1.position -o "$work/hits.svg"
run plot course "$work/rows.csv" --signal m1.position --title 'Impact oscillator' -o "$work/rows.svg"
same "$work/hits.svg" "$work/rows.svg" 'a picture of a network with impacts has the rows before and after them'
run plot course "$work/plain.csv" --signal m1.position --title 'Impact oscillator' -o "$work/plain.svg"
! cmp -s "$work/plain.svg" "$work/hits.svg"
report $? '... which the rows alone do not have'

exit $status
