#!/bin/bash
# test-response.sh: ifbam response and plot response as a user meets them: words, files, checks, pictures
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
three=networks/three-dof.ini damped=networks/damped.ini
status=0
. tests/expect.sh

run() {
  timeout 120 "$IFBAM" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

response() {
  run response "$@"
}

# json CONDITION WHAT: in python, d being what was printed
json() {
  /usr/bin/python3 -c "
import json, math, sys
d = json.load(open(sys.argv[1]))
sys.exit(not ($1))" "$work/out" 2>>"$work/err"
  report $? "$2"
}

nothing_there() { # FILE WHAT
  [ ! -e "$1" ] && [ ! -s "$work/out" ] && [ -z "$(ls -A "$(dirname "$1")" | grep -F "$(basename "$1")")" ]
  report $? "$2"
}

# ---- what comes out

response $three --input force@m1 --output m3.position --from 1 --to 100
expect 0 '' 'a response'
[ "$(head -n 1 "$work/out")" = 'frequency,m3.position.amplitude,m3.position.phase' ] \
  && awk -F, 'NF != 3 { bad = 1 } NR > 1 && $1 <= last { bad = 1 } NR > 1 { last = $1 } END { exit bad || NR < 401 }' "$work/out" \
  && [ "$(sed -n 2p "$work/out" | cut -d, -f1)" = 1 ] && [ "$(tail -n 1 "$work/out" | cut -d, -f1)" = 100 ]
report $? 'frequencies from one end to the other, each once'
cp "$work/out" "$work/printed.csv"
response $three --input force@m1 --output m3.position --from 1Hz --to 0.1kHz -o "$work/file.csv"
cmp -s "$work/file.csv" "$work/printed.csv" && [ ! -s "$work/out" ]
report $? 'the same into a file; frequencies with units'
response $three --input force@m1 --output m3.position --output k1.force,m1.velocity --from 1 --to 100 --file - --points 10
[ "$(head -n 1 "$work/out")" = 'frequency,m3.position.amplitude,m3.position.phase,k1.force.amplitude,k1.force.phase,m1.velocity.amplitude,m1.velocity.phase' ]
report $? 'several outputs'
response $three --input force@m1 --from 100 --to 200 --points 11 --linear --json
json 'd["input"] == "force@m1" and [round(f) for f in d["frequency"]] == list(range(100, 201, 10))
  and [o["signal"] for o in d["outputs"]] == ["m1.position", "m2.position", "m3.position"]
  and all(o["unit"] == "m/N" and len(o["phase"]) == 11 for o in d["outputs"]) and d["nonlinear"] == []
  and d["eigenfrequencies"] == []' '--json, --linear, all free nodes'
response $damped --input force@m1 --output m1.position --json
json '7.8 < d["eigenfrequencies"][0] < 7.9 and abs(d["frequency"][0] - d["eigenfrequencies"][0] / 4) < 1e-9
  and abs(d["frequency"][-1] / d["frequency"][0] - 100) < 1e-6' 'the range follows the eigenfrequencies'
for points in 1 3 17; do
  response $three --input force@m1 --output m3.position --points $points
  [ $code -eq 0 ] && [ "$(wc -l <"$work/out")" -eq $((points + 1)) ]
  report $? "--points $points: so many rows"
done
response networks/chain-1000.ini --input force@c.m1 --output c.m1000.position --from 0.1 --to 1 --points 20
expect 0 '' 'a large network'
printf '[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n[chain c]\ncount = 30000\nmass = 1 g\nstiffness = 1 MN/m\ndamping = 1 N s/m\nfrom = g\n' \
  >"$work/large.ini"
response "$work/large.ini" --input force@c.m1 --output c.m30000.position --from 0.1 --to 1 --points 2
expect 0 'are not known' 'a larger one with damping'
response "$work/large.ini" --input force@c.m1 --output c.m30000.position
expect 2 'want --from and --to' 'which has no range by itself'
sed '/^damping/d' "$work/large.ini" >"$work/undamped.ini"
response "$work/undamped.ini" --input force@c.m1 --output c.m30000.position --from 0.1 --to 1 --points 2
expect 0 'are not known' 'a larger one without damping, where the range is given'
[ "$(wc -l <"$work/out")" -eq 3 ]
report $? 'has the points of its range and no other'
response "$work/undamped.ini" --input force@c.m1 --output c.m30000.position --points 20
expect 0 '' 'its lowest modes tell the range'
response networks/duffing.ini --input force@m1 --from 1 --to 10 --points 5
expect 0 'k1) is not linear' 'laws that are not linear are said'
response - --input force@m1 --from 1 --to 1 <$damped
timeout 60 "$IFBAM" response - --input force@m1 --from 2 --to 2 <$damped >"$work/out" 2>"$work/err"
code=$?
expect 0 '' 'a network from standard input, one frequency'
[ "$(wc -l <"$work/out")" = 2 ]
report $? 'one frequency is one row'
frequency=$("$IFBAM" modes $three --json --no-shapes --count 1 | grep -o '"frequency" : [0-9.]*' | cut -d' ' -f3)
response $three --input force@m1 --output m1.position --from "$frequency" --to "$frequency"
expect 0 'm1.position is infinite: an undamped mode swings at this frequency' 'at an undamped eigenfrequency'
[ "$(tail -n 1 "$work/out")" = "$(tail -n 1 "$work/out" | cut -d, -f1),," ]
report $? 'the fields are empty there'
response $three --input force@m1 --output m1.position --from "$frequency" --to "$frequency" --json
json 'd["outputs"][0]["amplitude"] == [None] and d["outputs"][0]["phase"] == [None]' 'and null in JSON'

# ---- check

response $damped --input position@wall --output m1.position --check
expect 0 '' 'driven runs agree'
[ "$(wc -l <"$work/out")" = 5 ] && ! grep -q differs "$work/out"
report $? 'three frequencies, as a table'
response $damped --input position@wall --output m1.position --check=2 --json -o "$work/check.json"
cp "$work/check.json" "$work/out"
json 'len(d["check"]) == 2 and all(c["agrees"] and c["difference"] < 1e-4 for c in d["check"])
  and d["scheme"] == "rk4" and len(d["frequency"]) > 300' '--check --json'
response $damped --input force@m1 --output m1.position --check=2 -o "$work/with.csv"
expect 0 '' '--check and a file'
[ "$(wc -l <"$work/with.csv")" -gt 300 ] && [ "$(wc -l <"$work/out")" = 4 ]
report $? 'the table is printed, the response is in the file'
response $damped --input force@m1 --output m1.position --from 20 --to 40 --check --scheme euler --step 1ms
expect 1 'the scheme at this step is not the network' 'a scheme that is far off is found out'
grep -q differs "$work/out"
report $? 'and marked in the table'
# The force on what is given, of links with more than two ends, too: as runs have it.
response networks/skyhook.ini --input force@wheel --output road.force --from 1 --to 10 --points 2 --check=1 --json
json 'all(c["agrees"] and c["difference"] < 1e-4 for c in d["check"]) and len(d["check"]) == 1' 'the force on a road below a controlled wheel'
response networks/frame.ini --input force@first --output ground.force,columns.force --from 1 --to 2 --points 3 --json
json 'all(abs(a / b - 1) < 1e-12 for a, b in zip(d["outputs"][0]["amplitude"], d["outputs"][1]["amplitude"]))' \
  'the force on the ground is that of all that stands on it'
response networks/servo.ini --input force@carriage --output flywheel.force --from 1 --to 2
expect 2 'flywheel.force: a part of it is a reaction, which follows from no law' 'a reaction has no response'
response networks/plunger-pump.ini --input pressure@delivery --output sump.force --from 1 --to 2
expect 1 'the node is held still at the start: a force does nothing to it' 'a force on what is held'
response networks/colpitts.ini --input current@base --from 1 --to 10 --points 3 --check=1
expect 1 'a driven run does not come to a steady response' '--check of an oscillator: refused'
# A check adds an element of its own, whatever names there are.
printf '[mass response-input]\nmass = 1 kg\n[mass response-input-2]\nmass = 1 kg\n' | cat $three - >"$work/taken.ini"
response "$work/taken.ini" --input force@m1 --output m1.position --from 1 --to 20 --points 3 --check=1 --json
json 'all(c["agrees"] for c in d["check"]) and len(d["check"]) == 1' '--check where its name is taken'
response networks/duffing.ini --input force@m1 --output m1.position --from 3 --to 20 --check=1
[ $code -eq 0 ]
report $? 'a nonlinear network may differ'
for number in 0 -1 many 1000; do
  response $damped --input force@m1 --check=$number
  expect 2 "--check=$number" "$number checks"
done

# ---- wrong words

response $three --input force@m1 --from 100 --to 1 -o "$work/none.csv"
expect 2 '--from: 100 is above --to 1' '--from above --to'
nothing_there "$work/none.csv" 'and nothing is written'
response $three --input force@m1 --to 1e300 && expect 2 'Hz is too high' 'a frequency whose square is no number'
response $three --input force@m1 --from 1e140 --to 1e140 --output m1.position && expect 0 '' 'one just below'
[ "$(tail -n 1 "$work/out" | cut -c 1-22)" = '1e+140,2.5330295910584' ]
report $? 'what is left there is the mass: 1 / (m omega^2)'
response $three --input force@m1 --input force@m2
expect 2 '--input: force@m1 and force@m2 are two' 'two inputs'
for word in 0 -3 5kg fast 3rad nan ''; do
  response $three --input force@m1 --from "$word" --to 100 && expect 2 '--from' "--from \"$word\""
  response $three --input force@m1 --from 1 --to "$word" && expect 2 '--to' "--to \"$word\""
done
response $three --input force@m1 --points 0 && expect 2 '--points: 0' 'no points'
response $three --input force@m1 --points 99999999 && expect 2 '--points' 'too many points'
response $three && expect 2 '--input: is missing' 'no input'
response && expect 2 'want NETWORK' 'no network'
response $three $damped --input force@m1 && expect 2 'one word too many' 'two networks'
response $three --input m1 && expect 2 'want QUANTITY@NODE' 'an input without a quantity'
response $three --input force@m9 --output m8.position -o "$work/none.csv"
expect 2 'no element "m9" in this network' 'an input of no node'
expect 2 'no element "m8"' 'and an unknown output, at once'
nothing_there "$work/none.csv" 'and nothing is written'
response $three --input force@k1 && expect 2 'is a spring, not a node' 'an input on a spring'
response $three --input position@m1 && expect 2 'want force@m1' 'a motion of a free node'
response $three --input force@wall && expect 2 'want position@wall' 'a force on the ground'
response $three --input force@m1 --output m1.colour && expect 2 'has no quantity "colour"' 'an unknown quantity'
response $three --input force@m1 --output network.energy
expect 2 'network.energy has no linear response' 'an energy'
response networks/chain-1000.ini --input force@c.m1 && expect 2 'want the outputs' 'a large network without outputs'
response networks/chain-1000.ini --input force@c --output c.m1.position
expect 2 'name one of its nodes' 'a force on a whole chain'
response nowhere.ini --input force@m1 && expect 1 'nowhere.ini' 'a missing file'
response networks/invalid/several.ini --input force@m1 && expect 1 'several.ini:16' 'an invalid network'
printf '[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n[drive d]\namplitude = 1 mm\n[spring k]\nstiffness = 1 N/m\nbetween = g, d\n' \
  >"$work/no-inertia.ini"
response "$work/no-inertia.ini" --input position@d -o "$work/none.csv"
expect 1 'no-inertia.ini: the network has nothing with inertia' 'a network without inertia'
nothing_there "$work/none.csv" 'and nothing is written'
response networks/stick-slip.ini --input force@m1 && expect 1 'held still' 'a force on what friction holds'
printf '[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 1 kg\n' >"$work/free.ini"
response "$work/free.ini" --input force@m && expect 2 'want --from and --to' 'nothing swings: no range'
response "$work/free.ini" --input force@m --from 1 --to 10 --check && expect 0 '' 'a free mass, in a range'

# ---- files

response $three --input force@m1 -o /dev/full && expect 1 'No space left on device' 'a full disk'
timeout 60 "$IFBAM" response $three --input force@m1 >/dev/full 2>"$work/err"
code=$?
expect 1 'No space left on device' 'standard output onto a full disk'
timeout 60 "$IFBAM" response $three --input force@m1 --check=1 >/dev/full 2>"$work/err"
code=$?
expect 1 'No space left on device' 'a check onto a full disk'
response $three --input force@m1 -o "$work/nowhere/x.csv" && expect 1 'nowhere/x.csv' 'a missing folder'
mkdir "$work/locked"
chmod 555 "$work/locked"
if [ -w "$work/locked" ]; then
  echo "ok - a read-only folder # skip: this user may write everywhere"
else
  response $three --input force@m1 -o "$work/locked/x.csv" && expect 1 'Permission denied' 'a read-only folder'
  nothing_there "$work/locked/x.csv" 'and nothing is written'
fi
"$IFBAM" response networks/chain-1000.ini --input force@c.m500 --output c.m1.position --from 0.05 --to 1 --points 100000 \
  -o "$work/long.csv" 2>"$work/err" &
pid=$!
hears $pid INT
sleep 0.2
kill -INT $pid
wait $pid
code=$?
if [ $code -eq 0 ]; then
  echo "ok - Ctrl-C # skip: it was done by then"
else
  expect 130 'interrupted: nothing is written' 'Ctrl-C ends it'
  [ ! -e "$work/long.csv" ]
  report $? 'and nothing is written'
fi

# ---- pictures

if ! command -v gnuplot >/dev/null; then
  echo 'ok - the Bode plot # skip without gnuplot'
  exit $status
fi
bode=(plot response $three --input force@m1 --output m3.position --output k1.force)
run "${bode[@]}" -o "$work/bode.svg"
expect 0 '' 'a Bode plot'
grep -q 'phase \[deg\]' "$work/bode.svg" && grep -q 'amplitude \[m/N\]' "$work/bode.svg" \
  && grep -q '24.33 Hz' "$work/bode.svg" && grep -q 'k1.force' "$work/bode.svg"
report $? 'with units, names and eigenfrequencies'
for suffix in png pdf; do
  run "${bode[@]}" --title T --from 1 --to 100 --linear --x 5:50 --y 1e-6:1 -o "$work/bode.$suffix"
  [ $code -eq 0 ] && [ -s "$work/bode.$suffix" ]
  report $? "as .$suffix"
done
run "${bode[@]}" --db -o "$work/decibels.svg"
expect 0 '' 'in decibels' && grep -q 'amplitude \[dB re 1 m/N\]' "$work/decibels.svg" \
  && grep -q 'amplitude \[dB\]' "$work/decibels.svg" && grep -q '>-100<' "$work/decibels.svg"
report $? 'amplitudes of 1e-5 are -100 dB'
run plot response networks/rlc.ini --input current@c1 --output c1.voltage -o "$work/kilo.svg"
grep -q 'frequency \[kHz\]' "$work/kilo.svg" && grep -q '5.017 kHz' "$work/kilo.svg" && grep -q '>100<' "$work/kilo.svg"
report $? 'frequencies in kHz where they are'
run plot modes $three --db && expect 2 'is for a response' 'of nothing else'
run "${bode[@]}"
expect 0 '' 'as text'
grep -q 'phase \[deg\]' "$work/out" && grep -q 'm3.position' "$work/out"
report $? 'with both panels'
run plot response "$work/printed.csv" -o "$work/table.svg"
expect 0 '' 'of a table'
grep -q 'm3.position' "$work/table.svg"
report $? 'with its names'
run plot response "$work/printed.csv" --output m9.position -o "$work/none.svg"
expect 2 'there is no column "m9.position.amplitude"' 'of a table without the output'
printf 'time,x\n0,1\n' >"$work/course.csv"
run plot response "$work/course.csv" && expect 2 'is no table of a frequency response' 'of a course'
run plot response nowhere.csv && expect 1 'nowhere.csv' 'of a missing table'
run "${bode[@]}" -o "$work/bode.txt" && expect 2 'want .svg, .png or .pdf' 'into no picture'
run "${bode[@]}" -o "$work/none.svg" --x 900:1000 && expect 2 'nothing to draw' 'of nothing'
run "${bode[@]}" -o "$work/none.svg" --from 9 --to 1 && expect 2 'is above --to' '--from above --to'
run plot response $three -o "$work/none.svg" && expect 2 '--input: is missing' 'without an input'
run plot response $three $damped --input force@m1 && expect 2 'one network too many' 'of two networks'
run plot response "$work/no-inertia.ini" --input position@d -o "$work/none.svg"
expect 1 'nothing with inertia' 'of a network without inertia'
nothing_there "$work/none.svg" 'none of these writes anything'
run "${bode[@]}" -o /dev/full
[ $code -ne 0 ]
report $? 'onto a full disk'
for command in 'plot modes' run sweep report lab modes check; do
  run $command $three --output "$work/modes.svg"
  expect 2 'file is -o or --file' "--output names signals, in ${command% *} too"
done
nothing_there "$work/modes.svg" 'and no file'
exit $status
