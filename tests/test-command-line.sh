#!/bin/bash
# test-command-line.sh: the program as a user meets it: commands, exit codes, files, interruption
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
python=/usr/bin/python3
one=networks/one-dof.ini two=networks/two-dof.ini three=networks/three-dof.ini
chain=networks/chain.ini parameters=networks/parameters.ini
status=0
. tests/expect.sh

run() { # the program; its exit code is in $code, what it says in out and err
  timeout 60 "$IFBAM" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

holds() { # a condition, as arguments of test, and what it means
  local what=${*: -1}
  test "${@:1:$#-1}"
  report $? "$what"
}

json() { # a Python condition on the object d in out
  "$python" -c 'import json, sys
d = json.load(open(sys.argv[1]), parse_constant=lambda c: 1 / 0)
sys.exit(not (isinstance(d, dict) and ('"$1"')))' "$work/out" 2>>"$work/err"
  report $? "$2"
}

# whole FILE: as many fields in each row as in the first, and a line end after the last
whole() {
  awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR < 2 }' "$1" \
    && [ -z "$(tail -c 1 "$1")" ]
}

# A library that starts threads may not keep the program when they find no memory.
for memory in 100000 150000 250000; do
  (ulimit -v $memory && timeout 60 "$IFBAM" check networks/one-dof.ini >"$work/out" 2>"$work/err")
  holds $? -ne 124 "little memory ($memory kB): the program ends"
done

# ---- commands and their words

run && expect 2 'Usage:' 'without a command: the overview, exit 2'
for word in --help -h help; do
  run $word && expect 0 '' "ifbam $word"
done
for word in '' plot; do
  run $word --help
  [ "$(awk '{ print length }' "$work/out" | sort -n | tail -n 1)" -le 128 ]
  report $? "ifbam $word --help: no line is far too long"
done
run modes --help
holds "$(grep -c -e --record -e --duration -e --engine "$work/out")" -eq 0 'ifbam modes --help: what says nothing to it is not listed'
holds "$(grep -n -e '^Options:' -e '^Options for the network:' -e '^Examples:' "$work/out" | cut -d: -f2 | tr '\n' ' ')" = \
  'Options Options for the network Examples ' 'its own options first, then those of the network, then examples'
run modes $two --record m1.position && expect 0 '' 'but taken, so that one set of options fits all commands'
run --version && expect 0 '' 'ifbam --version'
run fft x.ini && expect 2 'no command "fft" (did you mean "spectrum"?)' 'a command by another name'
run course x.ini && expect 2 'no command "course" (did you mean "plot course"?)' 'a kind of plot as a command'
run plot corse $two && expect 2 'no kind "corse" (did you mean "course"?)' 'a kind of plot with a slip'
run plot fft $two && expect 2 'no kind "fft" (did you mean "spectrum"?)' 'a kind of plot by another name'
run plot $two && expect 2 'no KIND before' 'no kind of plot'
run frobnicate && expect 2 'there is no command "frobnicate"' 'an unknown command'
run chek && expect 2 'did you mean "check"?' 'a misspelt command'

mkdir "$work/examples"
ln -s "$PWD/networks" "$work/examples/networks"
for command in run check elements schemes dialogue spectrum modes response equilibrium plot stability sweep export; do
  run $command --help
  cp "$work/out" "$work/help"
  expect 0 '' "$command --help"
  grep -q '^Examples:' "$work/help"
  report $? "$command --help shows an example"
  while read -r program arguments; do
    if [[ $arguments == plot* || $arguments == 'spectrum course.csv'* ]]; then
      continue # plots have tests of their own
    fi
    (cd "$work/examples" && eval "timeout 60 '$IFBAM' $arguments") >"$work/out" 2>"$work/err" </dev/null
    code=$?
    report $code "the example \"$program $arguments\" works"
  done < <(sed -n '/^Examples:/,$ s/^  ifbam /ifbam /p' "$work/help")
  run $command --frobnicate && expect 2 "ifbam $command: " "$command with an unknown option"
done
for command in run check dialogue spectrum modes equilibrium; do
  run $command && expect 2 'want NETWORK' "$command without a network"
  run $command $one $two && expect 2 'one word too many' "$command with a word too many"
  run $command nowhere.ini && expect 1 'nowhere.ini' "$command of a missing file"
  run $command networks && expect 1 'networks: is a folder' "$command of a folder"
  run $command /dev/zero && expect 1 'is not text' "$command of an endless device"
  run $command networks/invalid/several.ini
  expect 1 'several.ini:16: [mass m1] mass: must be above 0' "$command of an invalid network"
  : >"$work/printed"
  same "$work/out" "$work/printed" "$command of an invalid network prints nothing"
done
run schemes extra && expect 2 'one word too many' 'schemes with a word too many'
run elements sprng && expect 2 'did you mean "spring"?' 'elements of a misspelt class'
run dialogue $one -n 0 && expect 2 '-n' 'dialogue of no step'
run dialogue $one -n many && expect 2 '-n' 'dialogue of many steps'
run dialogue $one -n 2
grep -q 'Step 1' "$work/out" && ! grep -q 'Step 2' "$work/out"
report $? 'dialogue tells as many steps as are asked for'
for word in nan -1 2 -0.5 inf; do
  run spectrum $one --threshold $word && expect 2 "--threshold $word: want 0 to 1" "a threshold of $word"
done
for word in nan -0.1 0.96 half 0.5x; do
  run spectrum $one --welch --overlap $word && expect 2 "--overlap $word: want 0 to 0.95" "an overlap of $word"
done
for word in 0 -1 1025 many 1.5; do
  run run $one --threads $word && expect 2 "--threads $word: want 1 to 1024" "$word threads"
done
run response $three --input force@m1 --output '' && expect 2 '--output: the word after it is empty' 'an empty output'
run response $three --input= && expect 2 '--input=: there is nothing after it' 'an empty input'
run sweep $two --vary k1.stiffness=1,2 --measure '' && expect 2 '--measure: the word after it is empty' 'an empty measure'
for command in run check spectrum modes; do
  run $command '' && expect 2 'a word is empty (want NETWORK' "$command of an empty file name"
done
"$python" -c 'print("time,a")
for i in range(400): print("%g,%g" % (i / 100, 1e308 if i % 20 < 10 else -1e308))' >"$work/huge.csv"
run spectrum "$work/huge.csv" && expect 1 'values of up to 1e+308 are too large' 'a spectrum of huge values'
run run $two --duration 0.5s --record m1.position -o "$work/rows.csv"
for option in --sample=1ms --set=k1.stiffness=1 --duration=1s --start=cold --record=m1.position --engine=objects \
  --threads=1 --allow-divergence; do
  run spectrum "$work/rows.csv" $option
  expect 2 "${option%%=*} does not apply to $work/rows.csv" "spectrum of a CSV file with ${option%%=*}"
  run plot course "$work/rows.csv" $option -o "$work/none.svg"
  expect 2 "${option%%=*} does not apply to" "plot course of a CSV file with ${option%%=*}"
done
run spectrum "$work/rows.csv" --network $two --set k1.stiffness=20kN/m && expect 0 '' '--set goes with --network'
run spectrum "$work/rows.csv" --resample --sample 2ms && report $code '--sample goes with --resample'
run plot course "$work/rows.csv" $two --duration 0.1s -o "$work/both.svg"
report $code 'an option for the network beside a CSV file'
run spectrum $one --segment 1e-9 && expect 1 '--segment 1e-9: 0 rows are too few' 'a segment of no row'
run spectrum $one --window square && expect 2 'no window "square"' 'an unknown window'
run spectrum $two $three --signal m1.position --window hann
expect 2 'one word too many' 'spectrum with options and a word too many'
run plot figure $two --title T --signal m1.position --x 0:1 --y 0:1 -o "$work/picture.svg"
expect 2 'neither course, spectrum, spectrogram, orders, phase, path, movie, modes, response, stability, regions, roots, elongation nor sweep' 'plot of an unknown kind'
run spectrum $two --signal 'm?.position' --json
json '[s["signal"] for s in d["signals"]] == ["m1.position", "m2.position"]' 'spectrum of signals by a wildcard'
run run $two --record '*' -o "$work/every.csv" && expect 0 '' '--record "*" records all'
holds "$(head -n 1 "$work/every.csv" | tr , '\n' | grep -c -x -e 'm[12].velocity' -e 'k[12].force' -e 'wall.position' \
  -e network.energy -e network.momentum)" -eq 7 'all of nodes, links and the network'
run run networks/ball-drag.ini --record '*' -o "$work/none.csv" && expect 0 '' 'but no momentum of what has a direction'
run run $two --record 'm1.*,network.k*' --duration 1ms
holds "$(head -n 1 "$work/out")" = 'time,m1.position,m1.velocity,m1.acceleration,network.kinetic' 'quantities by a pattern'
run run $two --record 'm1.x*' && expect 2 '"m1.x*" matches nothing' 'a pattern of quantities that fits nothing'
run spectrum "$work/every.csv" --signal 'm*.position' --signal 'm[1:2].velocity' --count 1 --json && expect 0 '' 'signals of a CSV by pattern'
json '[(s["signal"], len(s["peaks"])) for s in d["signals"]] == [(m, 1) for m in ("m1.position", "m2.position", "m1.velocity", "m2.velocity")]' \
  'a pattern, a range, and one line of each'
json 'all(40 < s["peaks"][0]["frequency"] < 50 for s in d["signals"])' 'which is the strongest'
run spectrum "$work/every.csv" --signal 'x*' && expect 1 '"x*" fits no signal' 'a pattern that fits no column'
run spectrum $two --signal m1.pos && expect 2 '--signal m1.pos' 'a wrong signal is told by the option that named it'
run spectrum $two --count none && expect 2 '--count none' 'a count that is none'
run plot phase "$work/every.csv" --signal 'm*.position' --signal 'm*.velocity' -o "$work/phases.svg" && expect 0 '' 'phases by two patterns'
run plot phase "$work/every.csv" --signal 'm*.position' --signal m1.velocity -o "$work/none.svg"
expect 2 'fits 2 of the signals' 'patterns that make no pairs'
run plot modes networks/chain.ini --count 6 -o "$work/six.svg" && expect 0 '' 'plot modes --count'
run plot modes networks/chain.ini -o "$work/four.svg"
holds "$(grep -c ' Hz' "$work/six.svg")" -gt "$(grep -c ' Hz' "$work/four.svg")" 'six modes are more than four'
# plot KIND --help: the options of this kind, and no other.
run plot modes --help
expect 0 '' 'plot modes --help'
holds "$(grep -cE -- '--(count|start)=' "$work/out")" -eq 2 'help of modes has --count and --start'
holds "$(grep -cE -- '--(window|input|speed|record)' "$work/out")" -eq 0 'and no options of other kinds'
cp "$work/out" "$work/modes.help"
run help plot modes && cmp -s "$work/out" "$work/modes.help"
report $? 'help plot KIND is plot KIND --help'
for kind in course spectrum spectrogram phase path movie modes response stability regions roots elongation sweep; do
  run plot $kind --help
  holds "$(grep -c "^  ifbam plot $kind" "$work/out")" -ge 1 "help of $kind has its examples"
done
run plot course $two --count 3 -o "$work/none.svg" && expect 2 '--count is for modes and spectrum' 'a count of courses'
run plot course $two --signal m1.position --also k1.stiffness=20kN/m --also m1.mass=3kg -o "$work/also.svg"
expect 0 '' 'plot --also'
holds "$(grep -c -e 'two-dof: m1.position' -e 'k1.stiffness=20kN/m: m1.position' -e 'm1.mass=3kg: m1.position' \
  "$work/also.svg")" -eq 3 'a network and two variants of it'
run plot course $two $three --signal m1.position --set k1.stiffness=1N/m -o "$work/set.svg"
run plot course $two $three --signal m1.position -o "$work/unset.svg"
! cmp -s "$work/set.svg" "$work/unset.svg"
report $? '--set is for all networks'
run plot course $two $one --set k2.stiffness=1N/m -o "$work/none.svg" && expect 2 'no element "k2"' 'even where one lacks it'
run plot course $two --also k1.stiffnes=20kN/m -o "$work/none.svg"
expect 2 '--also k1.stiffnes=20kN/m:' 'a misspelt --also is told by its own name'
run plot modes $two --also m1.mass=3kg -o "$work/none.svg" && expect 2 '--also is for networks' '--also of modes'
run plot course "$work/every.csv" --also m1.mass=3kg -o "$work/none.svg" && expect 2 '--also is for networks' '--also of a CSV'
run check networks/driven.ini --list inputs
holds "$(tr '\n' ' ' <"$work/out")" = 'force@machine position@floor velocity@floor acceleration@floor ' 'check --list inputs'
run check networks/driven.ini --list inputs --json
json 'd == {"inputs": ["force@machine", "position@floor", "velocity@floor", "acceleration@floor"]}' 'check --list inputs --json'
run check networks/parameters.ini --list numbers
holds "$(grep -c -x -e k -e k1.stiffness "$work/out")" -eq 2 'check --list numbers: parameters, too'
run check $two --list words && expect 2 '--list words' '--list of something else'
run spectrum nowhere.csv && expect 1 'nowhere.csv' 'spectrum of a missing course'

run elements nobodyatall && expect 2 'there is no class "nobodyatall"' 'a class that none is like'
run elements sprong && expect 2 'did you mean "spring"' 'a class that one is like'
run elements network && expect 0 '' 'the keys of [network]'
grep -q '^network: how the network is run$' "$work/out" && grep -q duration "$work/out"
report $? 'stand where those of a class do'

# ---- modes

cat >"$work/no-inertia.ini" <<EOF
[network]
step = 1 ms
duration = 1 s
[ground g]
[drive d]
amplitude = 1 mm
[spring k]
stiffness = 1 N/m
between = g, d
EOF
run modes "$work/no-inertia.ini"
expect 1 'no-inertia.ini: the network has nothing with inertia' 'modes of a network without inertia'
for count in 0 -1 many 1.5 ''; do
  run modes $two --count "$count" && expect 2 '--count' "modes: a count of \"$count\""
done
for near in 0 -3Hz 5kg fast; do
  run modes $two --near $near && expect 2 '--near' "modes near $near"
done
run modes $two --json
json 'len(d["modes"]) == 2 and set(d["modes"][0]["shape"]) == {"m1", "m2"}
  and abs(d["modes"][0]["frequency"] / 10.898001816 - 1) < 1e-9 and d["modes"][1]["damping_ratio"] == 0
  and d["nonlinear"] == []' 'modes --json'
run modes $three --json --count 1 --near 24Hz --no-shapes
json '[round(m["frequency"], 3) for m in d["modes"]] == [24.325] and "shape" not in d["modes"][0]' \
  'modes --count --near --no-shapes'
run modes networks/torsion.ini --json
json '[m["kind"] for m in d["modes"]] == ["free", "overdamped", "oscillating"]
  and "shape_imaginary" in d["modes"][2]' 'modes that are free and overdamped are named'
run modes networks/duffing.ini && expect 0 'k1' 'modes name the links that are not linear'
run modes networks/chain-1000.ini --count 3
grep -q '0.04995' "$work/out" && [ "$(wc -l <"$work/out")" = 5 ]
report $? 'modes of a long chain come without their shapes'
run modes $two -o "$work/shapes.svg" && grep -q '<svg' "$work/shapes.svg"
report $? 'modes -o draws the shapes'
run modes $two -o "$work/shapes.txt" && expect 2 'want .svg, .png or .pdf' 'modes into no picture'
run plot modes $two $three && expect 2 'one network too many' 'plot modes of two networks'
run plot modes "$work/no-inertia.ini" && expect 1 'nothing with inertia' 'plot modes of no inertia'
"$IFBAM" modes networks/chain-1000.ini --json >/dev/full 2>"$work/err"
code=$?
expect 1 'No space left' 'modes --json onto a full device'

# ---- equilibrium

run equilibrium networks/bungee.ini --json
json 'abs(d["nodes"]["jumper"]["position"] + 26.13125) < 1e-12
  and abs(d["links"]["cord"]["force"] - 735.75) < 1e-9' 'equilibrium --json'
run equilibrium networks/rc.ini
grep -qE '^  node +voltage$' "$work/out" && grep -qE '^  link +voltage +current$' "$work/out"
report $? 'equilibrium of a circuit: voltages and currents'
run equilibrium networks/driven.ini
expect 1 'the velocity of floor is 0.1306 m/s at time 0' 'equilibrium of a moving floor'
run equilibrium networks/torsion.ini --json
json 'abs(d["nodes"]["wheel"]["speed"] - 100) < 1e-9 and abs(d["links"]["bearing"]["rate"] - 100) < 1e-9' \
  'equilibrium --json of a shaft that turns steadily'
loose=(networks/torsion.ini --set bearing.damping=0)
run equilibrium "${loose[@]}"
expect 1 'nothing holds rotor and the nodes joined to it against a torque of 5 N m' \
  'equilibrium of what nothing holds'
run equilibrium "$work/no-inertia.ini" && expect 1 'nothing with inertia' 'equilibrium of no inertia'
for command in run check stability modes; do
  run $command "${loose[@]}" --start equilibrium
  expect 1 'torsion.ini: there is no state of rest' "$command from an equilibrium that is not there"
done
run equilibrium "${loose[@]}"
mv "$work/err" "$work/equilibrium.err"
run run "${loose[@]}" --start equilibrium
cmp "$work/err" "$work/equilibrium.err"
report $? 'what is at rest nowhere: the same words, whoever asks'
run run networks/bungee.ini --start equilibrium --record jumper.position,jumper.velocity \
  --duration 1s --sample 1s
awk -F, 'END { exit !($1 == 1 && $2 > -26.1312500001 && $2 < -26.1312499999 && $3 * $3 < 1e-20) }' "$work/out"
report $? 'a run from the equilibrium stays there'
run check networks/bungee.ini --start equilibrium && grep -q 'equilibrium start' "$work/out"
report $? 'check tells of the start from the equilibrium'

# What hangs tells how: numbers under the table of links.
run equilibrium networks/rope.ini && expect 0 '' 'how a rope hangs'
holds "$(grep -c '^  link  *it has$' "$work/out")" -eq 1 'what a link has stands under a title of its own'

# ---- a step that a tolerance chooses

run check $two --scheme dopri5 --tolerance 1e-6 && expect 0 '' 'check with a tolerance'
grep -q '^step  *chosen for a tolerance of 1e-06, at first 5e-05 s; rows every 5e-05 s by dense output, until 4 s$' "$work/out" \
  && ! grep -q -e '^stability' -e 'angular frequency times step' "$work/out"
report $? 'what chooses the step is said, and nothing of a step that is not taken'
run check $two --scheme dopri5 --tolerance 1e-6 --json
json 'd["tolerance"] == 1e-6 and d["step"] == 5e-5 and d["growth_rate"] is None and d["rows"] == 80001' 'check --json with a tolerance'
run spectrum $two --scheme dopri5 --tolerance 1e-6 --duration 1s --compare
expect 0 'steps for a tolerance of 1e-06' 'spectrum --compare with a tolerance'
cat >"$work/hard.ini" <<'END'
[network]
scheme = dopri5
step = 1 ms
tolerance = 1e-6
duration = 0.5 s
[ground wall]
[mass m]
mass = 1
velocity = 1
[contact k]
stiffness = 1e26
gap = 0.25
between = m, wall
END
run run "$work/hard.ini"
expect 0 'of these steps rounding is worse than the tolerance: by up to 0.0' \
  'a place of too few digits for its contact is told'
run run "$work/hard.ini" --set k.stiffness=1e10
holds "$(grep -c 'rounding is worse' "$work/err")" -eq 0 'and of a softer one nothing'

# ---- JSON

run check networks/stick-slip.ini && expect 0 '' 'check of friction'
holds $(grep -c '^links     2, 1 of them with modes$' "$work/out") -eq 1 'it counts links with modes, too'
run check $two --json && json 'd["free_nodes"] == 2 and d["links"] == 2 and d["step"] == 5e-5' 'check --json'
run elements --json && json 'any("spring" in c.values() for l in d.values() for c in l)' 'elements --json'
run elements chain --json && json 'd' 'elements CLASS --json'
run check $two --json
grep -qE '"free_nodes" : 2,' "$work/out" && grep -qE '"rows" : [0-9]+,' "$work/out"
report $? 'check --json prints counts as whole numbers'
run elements chain
awk '/^  key/ { place = index($0, "range") }
     place && /^  (count|stiffness|damping|mass) / && substr($0, place - 1) !~ /^ (above|0 or|1 to)/ { bad = 1 }
     /^Example/ { exit }
     END { exit bad || !place }' "$work/out"
report $? 'the columns of elements CLASS stand below their names'
run elements --man
! LC_ALL=C grep -q '[^ -~]' "$work/out" && grep -q '\[u2026\]' "$work/out"
report $? "the man page's list of classes is plain ASCII"
run spectrum networks/torsion.ini --duration 0.2s --signal shaft.compression --json
json '[s["unit"] for s in d["signals"]] == ["rad"]' 'spectrum knows the units of a network'
run schemes --json && json '[s["scheme"] for s in d["schemes"]][:2] == ["original", "averaged"]' 'schemes --json'
run spectrum $two --signal m1.position --json
json '[s["signal"] for s in d["signals"]] == ["m1.position"]' 'spectrum --json'

peaks() { # network, exact frequencies
  run spectrum "$1" --json
  json "all(len(s['peaks']) == len([$2]) and s['resolution'] > 0 and
            all(abs(p['frequency'] - f) < 0.05 for p, f in zip(s['peaks'], [$2]))
            for s in d['signals'])" "$1: its peaks are the eigenfrequencies, and no others"
}
peaks $two '10.89800182, 46.48612899'
peaks $three '9.66022983, 24.32541915, 48.52411207'
run run $two -o "$work/two.csv"
cp "$work/two.csv" "$work/course.csv"
run spectrum "$work/course.csv" --scheme averaged --step 50us --json
cp "$work/out" "$work/printed"
run spectrum $two --json
same "$work/out" "$work/printed" 'the spectrum of a CSV file is that of the network'


# ---- refined and corrected peaks

exact='9.66022983, 24.32541915, 48.52411207' # three-dof [Hz]
near() { # within so much of the number, in Python
  echo "abs($1 - $2) <= $3 * abs($2)"
}
run run $three --step 1ms --sample 2ms -o "$work/course.csv"
run spectrum $three --step 1ms --signal m3.position --json
json "d['scheme'] == 'averaged' and d['step'] == 1e-3
  and all($(near 'p["corrected_frequency"]' f 2e-6) and abs(p['corrected_decay_rate']) < 1e-6
      for p, f in zip(d['signals'][0]['peaks'], [$exact]))
  and d['signals'][0]['peaks'][2]['frequency'] > 1.02 * 48.52411207
  and abs(d['signals'][0]['peaks'][2]['decay_rate'] + 1.217476) < 1e-6" \
  'three-dof at 1 ms: corrected frequencies are exact, raw ones percent off'
run spectrum $three --step 1ms --signal m3.position --compare --json
json "[p['mode'] for p in d['signals'][0]['peaks']] == [1, 2, 3] and d['signals'][0]['unseen_modes'] == []
  and all(abs(p['frequency_difference']) < 2e-6 * p['mode_frequency'] and p['mode_decay_rate'] == 0
          and abs(p['decay_rate_difference']) < 1e-6 for p in d['signals'][0]['peaks'])" \
  'three-dof at 1 ms, --compare: corrected frequencies are those of the modes'
cp "$work/out" "$work/printed"
run run $three --step 1ms -o "$work/whole.csv"
run spectrum "$work/whole.csv" --network $three --step 1ms --signal m3.position --compare --json
same "$work/out" "$work/printed" '--compare of a CSV file with its --network'
for scheme in verlet rk4 symplectic-euler; do
  run spectrum $three --step 1ms --scheme $scheme --compare --json
  json "all(abs(p['frequency_difference']) < 2e-6 * p['mode_frequency']
            for s in d['signals'] for p in s['peaks'])" "--compare with $scheme"
done
sed 's/^record .*/record = m?.position/' $three >"$work/damped.ini"
printf '[damper d%d]\ndamping = %s N s/m\nbetween = %s\n' 1 2 wall,m1 2 5 m1,m2 3 1 m1,m3 >>"$work/damped.ini"
run spectrum "$work/damped.ini" --compare --json
json "all(abs(p['decay_rate_difference']) < 1e-3 * p['mode_decay_rate'] and
          abs(p['frequency_difference']) < 2e-6 * p['mode_frequency']
          for s in d['signals'] for p in s['peaks'])
  and sum(len(s['peaks']) + len(s['unseen_modes']) for s in d['signals']) == 9" \
  'damped by three dampers: decay rates are those of the modes'
run spectrum $three --step 1ms --compare
grep -qE '^ +49.894853 +48.524112 +48.524112 +< 1e-09' "$work/out"
report $? '--compare in text: side by side'
run spectrum networks/chain-1000.ini --compare --json
json "all(p['mode_frequency'] and abs(p['frequency'] - p['mode_frequency']) < 1e-3 * p['mode_frequency']
          and p['mode'] is None for p in d['signals'][0]['peaks'])" '--compare of a large network'
run spectrum networks/duffing.ini && expect 0 'not all laws are linear' 'overtones are not to be corrected: said'
run spectrum networks/duffing.ini --compare
expect 0 '(k1) is not linear: the modes are those of small motions about the start' '--compare of a nonlinear network: said'
run spectrum "$work/course.csv" --compare && expect 2 'want --network' '--compare of a CSV file alone'
run spectrum $three --network $two && expect 2 'is a network itself' '--network of a network'
run spectrum "$work/course.csv" --network nowhere.ini && expect 1 'nowhere.ini' '--network is missing'
run spectrum "$work/course.csv" --network networks/invalid/several.ini && expect 1 'several.ini:16' '--network is invalid'
run spectrum "$work/course.csv" --network $three --step 3ms && expect 2 'no multiple' '--network with another step'
for option in --unrefined --welch --segment=1s --overlap=0.2 --spectrogram; do
  run spectrum $three --compare $option && expect 2 'needs refined lines' "--compare $option"
done
run spectrum networks/damped.ini --signal m1.position --json
json "$(near 'd["signals"][0]["peaks"][0]["corrected_decay_rate"]' 7.5 1e-6)" \
  'the decay rate of a damped network is that of its law'
run spectrum "$work/course.csv" --signal m3.position --json
json "d['scheme'] is None and d['step'] is None
  and all(p['corrected_frequency'] is None and p['decay_rate'] for p in d['signals'][0]['peaks'])" \
  'of a CSV file nothing is corrected unasked'
run spectrum "$work/course.csv" --signal m3.position --scheme averaged --step 1ms --json
json "all($(near 'p["corrected_frequency"]' f 2e-6)
      for p, f in zip(d['signals'][0]['peaks'], [$exact]))" \
  'of a CSV file with --scheme and --step, though only each second step has a row'
run spectrum "$work/course.csv" --scheme averaged
expect 0 "taken to be the rows' interval, 0.002 s" 'a scheme alone: the step is the interval, which is said'
run spectrum "$work/course.csv" --step 1ms && expect 2 'nothing without --scheme' 'a step alone'
run spectrum "$work/course.csv" --scheme steam && expect 2 '--scheme steam: there is no such' 'no such scheme'
run spectrum "$work/course.csv" --scheme averaged --step 3ms && expect 2 'no multiple' 'a step that does not fit'
run spectrum "$work/course.csv" --scheme averaged --step 0 && expect 2 'above 0' 'a step of 0'
run spectrum "$work/course.csv" --scheme averaged --step 1kg && expect 2 '"1kg" is no step' 'a step in kg'
run spectrum networks/driven.ini && expect 0 'at the frequencies in the course' 'a driven line is not to be corrected: said'
# ---- segments, and rows that are not evenly spaced

awk 'BEGIN {
  srand(3)
  print "time,x"
  for (i = 0; i < 4000; i++) { # 20 Hz in noise as strong
    printf "%.17g,%.17g\n", i * 1e-3, cos(2 * 3.14159265358979 * 20 * i * 1e-3) + 3.46 * (rand() - 0.5)
  }
}' >"$work/noisy.csv"
awk -F, 'NR == 1 || NR % 7 != 3' "$work/noisy.csv" >"$work/uneven.csv"
run spectrum "$work/noisy.csv" --welch --json
json "len(d['signals'][0]['peaks']) == 1 and d['signals'][0]['segments'] == 15
  and abs(d['signals'][0]['peaks'][0]['frequency'] - 20) < 0.2
  and abs(d['signals'][0]['peaks'][0]['amplitude'] - 1) < 0.15
  and d['signals'][0]['peaks'][0]['density'] > 0 and abs(d['signals'][0]['resolution'] - 2) < 1e-6" \
  'a line in noise, by averaged segments: it alone'
run spectrum "$work/noisy.csv" --segment 1s --overlap 0
grep -q '^x (resolution 1 Hz, 4 segments)$' "$work/out" || grep -q '^x (resolution 1 Hz, 3 segments)$' "$work/out"
report $? '--segment and --overlap'
run spectrum "$work/noisy.csv" --spectrogram --segment 500ms --json
json "len(d['signals'][0]['instants']) == 29
  and all(abs(i['frequency'] - 20) < 1 for i in d['signals'][0]['instants'])" '--spectrogram'
run spectrum "$work/noisy.csv" --segment 1h && expect 2 'the course is shorter' 'a segment longer than the course'
run spectrum "$work/noisy.csv" --segment 2ms && expect 1 'too few' 'a segment of two rows'
run spectrum "$work/noisy.csv" --segment 0s && expect 2 'above 0' 'a segment of nothing'
run spectrum "$work/noisy.csv" --segment 1kg && expect 2 '"1kg" is no length' 'a segment in kg'
run spectrum "$work/noisy.csv" --overlap 1 && expect 2 'want 0 to 0.95' 'segments that do not move on'
run plot spectrum "$work/noisy.csv" --welch -o "$work/welch.svg" && expect 0 '' 'plot spectrum --welch'
run plot spectrogram "$work/noisy.csv" -o "$work/map.svg" && expect 0 '' 'plot spectrogram'
grep -q 'data:image/png;base64' "$work/map.svg"
report $? 'a map lies in the picture itself'
env COLUMNS=60 LINES=24 "$IFBAM" plot spectrogram "$work/noisy.csv" --y 0:40 --linear >"$work/out" 2>"$work/err"
code=$?
awk '/\|/ { lines++; sub(/^[^|]*\|/, ""); if (gsub(/[%@#*]/, "") > 20) strong[lines] = 1 }
     END { exit !(lines == 20 && (strong[10] || strong[11]) && !strong[3] && !strong[18]) }' "$work/out"
report $? 'plot spectrogram as text: its line in the middle'
run plot spectrogram $chain --record '*.position' -o "$work/none.svg"
holds $code -eq 2 -a ! -e "$work/none.svg" 'too many spectrograms: refused, nothing written'
run plot spectrogram "$work/noisy.csv" --y 1e6:2e6 -o "$work/none.svg"
holds $code -eq 2 -a ! -e "$work/none.svg" 'a range without frequencies: refused'
run plot spectrogram "$work/noisy.csv" -o "$work/none.gif" && expect 2 'suffix' 'a spectrogram of an unknown format'
run plot spectrogram "$work/noisy.csv" --segment 1h -o "$work/none.svg"
holds $code -eq 2 -a ! -e "$work/none.svg" 'a spectrogram of too long segments: refused'
run spectrum "$work/uneven.csv" && expect 1 '--resample makes one' 'rows that are not evenly spaced: what to do'
run spectrum "$work/uneven.csv" --resample --welch --json
expect 0 'are interpolated to' 'rows that are resampled: said'
json "abs(d['signals'][0]['peaks'][0]['frequency'] - 20) < 0.2" 'and their line is found'
run spectrum "$work/uneven.csv" --resample --sample 5ms
grep -q 'interpolated to 0.005 s' "$work/err"
report $? '--resample to the interval of --sample'
run plot spectrum "$work/uneven.csv" -o "$work/none.svg"
holds $code -eq 1 -a ! -e "$work/none.svg" 'plot of uneven rows: refused, nothing written'
printf 'time,x\n0,1\n' >"$work/one.csv"
: >"$work/empty.csv"
for option in '' --resample --welch --spectrogram; do
  run spectrum "$work/one.csv" $option && expect 1 'too few' "a course of one row $option"
  run spectrum "$work/empty.csv" $option && expect 1 'is empty' "an empty file $option"
  run spectrum "$work/noisy.csv" --signal y $option && expect 2 'no signal "y"' "an unknown signal $option"
done
run spectrum "$work/one.csv" --spectrogram
holds ! -s "$work/out" 'nothing is printed of what is refused'
run spectrum $three --unrefined --json
json "all(p['decay_rate'] is None for p in d['signals'][0]['peaks'])" '--unrefined'

# ---- output

run run $one --duration 20ms
expect 0 '' 'run says nothing where there is nothing to be said'
cp "$work/out" "$work/straight"
run run $one --duration 20ms -o "$work/course.csv"
same "$work/course.csv" "$work/straight" '-o writes what standard output gets'
"$IFBAM" run - --duration 20ms <$one >"$work/out" 2>"$work/err"
code=$?
same "$work/out" "$work/straight" 'the network comes from standard input'
"$IFBAM" check - <networks/invalid/no-number.ini >"$work/out" 2>"$work/err"
code=$?
expect 1 'standard input:10: [spring k1]' 'faults on standard input'
run run $one --duration 20ms --engine objects
same "$work/out" "$work/straight" 'both engines write the same'
run run -o "$work/course.csv" --duration=20ms -- $one
same "$work/course.csv" "$work/straight" 'options may come first, and end with --'
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/printed" &
run run $one --duration 20ms -o "$work/pipe"
wait
same "$work/printed" "$work/straight" 'a pipe as output is written to'
holds -p "$work/pipe" 'and stays a pipe'
timeout -s INT 1 "$IFBAM" check "$work/pipe" >"$work/out" 2>"$work/err"
grep -q "note: $work/pipe is a pipe" "$work/err" && grep -q '^ifbam: interrupted' "$work/err"
report $? 'it is said that a pipe is waited for, and Ctrl-C ends that'
mkdir "$work/file" "$work/fifo" && cp $one "$work/file/one.ini" && mkfifo "$work/fifo/one.ini"
run lab "$work/file/one.ini" --duration 20ms -o "$work/file/lab.html"
cat $one >"$work/fifo/one.ini" &
run lab "$work/fifo/one.ini" --duration 20ms -o "$work/fifo/lab.html"
wait
grep -q 'Grabysz (1994)' "$work/fifo/lab.html"
report $? 'a page from a pipe has the text of the network'
same "$work/fifo/lab.html" "$work/file/lab.html" 'and is that of its file'
ln -s course.csv "$work/link.csv"
run run $one --duration 20ms -o "$work/link.csv"
holds -L "$work/link.csv" 'a symbolic link as output stays one'

for command in "run $one" "check $one" "check $one --json" elements 'elements spring --json' schemes \
  "dialogue $one" "spectrum $one" "spectrum $one --json" --help --version 'run --help' \
  "plot course $one" "plot spectrogram $one"; do
  timeout 60 "$IFBAM" $command >/dev/full 2>"$work/err"
  code=$?
  expect 1 'No space left on device' "$command onto a full disk"
done
run run $one -o /dev/full && expect 1 '/dev/full: No space left' 'run -o onto a full disk'
run run $one --duration 1ms -o "$work/kept.csv" --manifest /dev/full
expect 1 '/dev/full: No space left' 'a manifest onto a full disk'
run run $one -o "$work/nowhere/course.csv" && expect 1 'nowhere/course.csv' 'a missing folder'
run run $one -o "$work" && expect 1 "$work" 'a folder as output'
run run $one -o '' && expect 2 '-o: the word after it is empty' 'no name as output'
mkdir "$work/locked"
chmod 555 "$work/locked"
if [ -w "$work/locked" ]; then
  echo "ok - a read-only folder # skip: this user may write everywhere"
else
  run run $one -o "$work/locked/course.csv" && expect 1 'Permission denied' 'a read-only folder'
fi

mkdir "$work/folder"
echo old >"$work/folder/course.csv"
run run networks/invalid/no-number.ini -o "$work/folder/course.csv"
grep -qx old "$work/folder/course.csv"
report $? 'a run that never began leaves the old file'
timeout 60 "$IFBAM" run $two --duration 20s -o "$work/folder/both.csv" &
timeout 60 "$IFBAM" run $two --duration 10s -o "$work/folder/both.csv"
wait
whole "$work/folder/both.csv" && case $(tail -n 1 "$work/folder/both.csv") in 20,* | 10,*) ;; *) false ;; esac
report $? 'two runs at once to one file: one of the two, whole'
holds "$(ls -A "$work/folder")" = $'both.csv\ncourse.csv' 'nothing is left beside the files'

mkdir "$work/kept"
echo old >"$work/kept/private.csv"
chmod 600 "$work/kept/private.csv"
run run $one -o "$work/kept/private.csv"
holds "$(stat -c %a "$work/kept/private.csv")" = 600 'a file that is written anew keeps its mode'
whole "$work/kept/private.csv"
report $? 'and has all rows'
echo old >"$work/kept/course.csv"
ln "$work/kept/course.csv" "$work/kept/name.csv"
run run $one -o "$work/kept/course.csv"
cmp -s "$work/kept/course.csv" "$work/kept/name.csv" && whole "$work/kept/name.csv"
report $? 'a file that is written anew keeps its other names'
holds "$(ls -A "$work/kept")" = $'course.csv\nname.csv\nprivate.csv' 'and nothing is left beside them'
"$IFBAM" run $two --duration 1e6s --sample 100s -o "$work/kept/long.csv" &
pid=$!
grows $pid "$work/kept/long.csv.part"
[ -s "$work/kept/long.csv.part" ] && [ ! -e "$work/kept/long.csv" ]
report $? 'what is not finished can be seen: FILE.part'
holds "$(stat -c %s "$work/kept/long.csv.part")" -lt 100000 'at once, not after many rows'
kill -INT $pid
wait $pid
(trap '' HUP && exec "$IFBAM" run $two --duration 1e6s --sample 1s -o "$work/kept/nohup.csv") &
pid=$!
grows $pid "$work/kept/nohup.csv.part"
kill -HUP $pid
sleep 0.2
kill -0 $pid 2>/dev/null
report $? 'SIGHUP that is ignored (nohup) stays ignored'
kill -TERM $pid
wait $pid

# Links to a place, from one to the next, in whole paths; and in a circle.
mkdir "$work/links" && ln -s "$work/links/there.csv" "$work/links/whole.csv" && ln -s whole.csv "$work/links/first.csv"
ln -s b.csv "$work/links/a.csv" && ln -s a.csv "$work/links/b.csv"
run run $two --duration 1ms -o "$work/links/first.csv" && expect 0 '' '-o: a link to a link with a whole path'
[ -L "$work/links/first.csv" ] && [ -L "$work/links/whole.csv" ] && [ ! -L "$work/links/there.csv" ] && whole "$work/links/there.csv"
report $? 'and the file is where the last one leads'
run run $two --duration 1ms -o "$work/links/a.csv" && expect 1 'a.csv: Too many levels of symbolic links' '-o: links in a circle'
run run $two --duration 1ms -o "$work/links/r.h5" && ln "$work/links/r.h5" "$work/links/other.h5"
run run $two --duration 2ms -o "$work/links/r.h5" && expect 0 '' '-o: an HDF5 file with another name'
holds "$work/links/r.h5" -ef "$work/links/other.h5" 'keeps it'

# ---- events

collision=networks/collision.ini cradle=networks/cradle.ini slip=networks/stick-slip.ini
mkdir "$work/events"
run run $collision -o "$work/events/course.csv" --events "$work/events/events.csv"
expect 0 '' '--events beside -o'
holds "$(head -n 1 "$work/events/events.csv")" = \
  time,element,event,impulse,rate_before,rate_after,energy_change 'the columns of the events'
awk -F, 'function near(a, b) { return a - b < 1e-12 && b - a < 1e-12 }
  NR == 2 && $2 == "bump" && $3 == "impact" && near($1, 0.6) && near($5, 2.5) && near($6, -1.75) &&
  near($4, 1.3 * 0.7 / 2 * 1.7 * 2.5) && near($7, -0.5 * 1.3 * 0.7 / 2 * (1 - 0.49) * 6.25) { fine = 1 }
  END { exit !fine || NR != 2 }' "$work/events/events.csv"
report $? 'one impact: its instant, impulse, rates and loss are those of the closed form'
run run $collision
same "$work/out" "$work/events/course.csv" '--events leaves the courses as they are'
for engine in compiled objects plan; do # plan: its older name
  run run $cradle --engine $engine -o "$work/events/course.csv" --events "$work/events/$engine.csv"
done
whole "$work/events/plan.csv"
report $? 'the events of a cradle are whole rows'
same "$work/events/plan.csv" "$work/events/objects.csv" 'both engines tell the same events'
rm "$work/events/"*
run run $two --duration 10ms -o "$work/events/course.csv" --events "$work/events/events.csv"
holds $code -eq 0 -a "$(wc -l <"$work/events/events.csv")" -eq 1 'a network without events has none to tell'
rm "$work/events/"*
run run $collision -o "$work/events/course.csv" --events - 
holds $code -eq 0 -a "$(wc -l <"$work/out")" -eq 2 -a "$(wc -l <"$work/events/course.csv")" -eq 202 \
  '--events to standard output, the courses to a file'

rm "$work/events/"*
run run $cradle -o "$work/events/course.csv" --events /dev/full
expect 1 '/dev/full: No space left' 'events onto a full disk'
holds -z "$(ls -A "$work/events")" 'events onto a full disk: no courses either'
run run $cradle -o /dev/full --events "$work/events/events.csv"
expect 1 '/dev/full: No space left' 'courses onto a full disk'
holds -z "$(ls -A "$work/events")" 'courses onto a full disk: no events either'
run run $cradle -o "$work/events/course.csv" --events "$work/events/events.csv" --manifest /dev/full
holds $code -eq 1 -a -z "$(ls -A "$work/events")" 'a manifest onto a full disk: no courses, no events'
run run $cradle -o "$work/events/course.csv" --events "$work/nowhere/events.csv"
expect 1 'nowhere/events.csv' 'events into a missing folder'
holds -z "$(ls -A "$work/events")" 'events into a missing folder: no courses either'
run run $cradle -o "$work/nowhere/course.csv" --events "$work/events/events.csv"
holds $code -eq 1 -a -z "$(ls -A "$work/events")" 'courses into a missing folder: no events either'
run run $cradle --events "$work/nowhere/events.csv"
holds $code -eq 1 -a ! -s "$work/out" 'events into a missing folder: said before anything is printed'
run run $cradle -o "$work/events/course.csv" --events "$work" && expect 1 "$work" 'a folder for events'
run run $cradle -o "$work/events/course.csv" --events '' && expect 2 '--events: the word after it is empty' 'no name for events'
if [ -w "$work/locked" ]; then
  echo "ok - events into a read-only folder # skip: this user may write everywhere"
else
  run run $cradle -o "$work/events/course.csv" --events "$work/locked/events.csv"
  holds $code -eq 1 -a -z "$(ls -A "$work/events")" 'events into a read-only folder: no courses either'
fi
run run $cradle --events && expect 2 '--events' '--events without a name'
run run $cradle --events - && expect 2 'want -o FILE' 'rows and events both to standard output'
run run $cradle -o "$work/both.csv" --events "$work/both.csv"
holds $code -eq 2 -a ! -e "$work/both.csv" 'rows and events to one file: refused'
run run $cradle -o "$work/course.csv" --events "$work/both.csv" --manifest "$work/both.csv"
expect 2 'another result goes there' 'events and manifest to one file'
ln -sf both.csv "$work/link.csv"
for other in "$work/./both.csv" "$work/../$(basename "$work")/both.csv" "$work/link.csv"; do
  run run $cradle -o "$work/both.csv" --events "$other"
  holds $code -eq 2 -a ! -e "$work/both.csv" 'rows and events to one file by two names: refused'
done
for command in 'run' 'sweep --vary k1.stiffness=1,2' 'report' 'response --input force@m1'; do
  cp "$two" "$work/own.ini"
  run $command "$work/own.ini" -o "$work/./own.ini"
  holds $code -eq 2 -a "$(cmp "$two" "$work/own.ini")" = '' "${command%% *} onto the network itself: refused"
done
run run "$work/own.ini" -o /dev/null --manifest "$work/own.ini" && expect 2 'this file is read' 'the manifest, too'
run run $cradle -o /dev/null --events /dev/null && expect 0 '' 'nothing is kept: fine'

cat >"$work/jam.ini" <<'END'
[network]
step     = 1 ms
duration = 1 s
record   = x.position

[drive a]
velocity = 1 m/s

[drive b]
position = 0.4 m
velocity = -1 m/s

[mass x]
mass     = 1 kg
position = 0.1 m

[impact i]
between = a, x

[impact j]
between = x, b
END
for sample in 1ms 10ms 0.1s; do
  run run "$work/jam.ini" --sample $sample && expect 1 't = 0.2 s: "j" is jammed' "a jam, rows $sample apart"
done

# What is lost in hits at the start is lost before the first row.
{
  printf '[network]\nscheme = rk4\nstep = 0.1\nduration = 1\n[mass b0]\nmass = 1\nvelocity = 1\n'
  for i in $(seq 39); do
    printf '[mass b%d]\nmass = 1\n[impact i%d]\nrestitution = 0\nbetween = b%d, b%d\n' $i $i $((i - 1)) $i
  done
} >"$work/plastic.ini"
run run "$work/plastic.ini" --sample 1 && expect 0 '' 'a hit at the start takes energy, and no run ends by that'

run run $collision --event-rows -o "$work/rows.csv"
awk -F, 'NR > 1 && $1 > 0.5999 && $1 < 0.6001 { n++; if ($4 > 2) before = n; else after = n; t[n] = $1 }
  END { exit !(before && after && before < after && t[before] == t[after]) }' "$work/rows.csv"
report $? '--event-rows: just before and just after an event, at the same time'
awk -F, 'NR > 2 && $1 < last { bad = 1 } { last = $1 } END { exit bad }' "$work/rows.csv"
report $? '--event-rows: time never runs backward'
run run $collision
grep -v -x -F -f "$work/rows.csv" "$work/out" >"$work/printed"
holds ! -s "$work/printed" -a "$(wc -l <"$work/rows.csv")" -eq $(($(wc -l <"$work/out") + 2)) \
  '--event-rows: two more rows, the others stay'
run run $slip -o "$work/course.csv" --events "$work/events.csv"
run run $slip --no-events -o "$work/coarse.csv" --events "$work/coarse-events.csv"
grep -q ',slip,' "$work/events.csv" && grep -q ',stick,' "$work/events.csv"
report $? 'a mass on a belt: stick and slip are told'
awk -F, 'NR > 1 { n = $1 / 0.01; if (n - int (n + 0.5) > 1e-9 || int (n + 0.5) - n > 1e-9) bad = 1 }
  END { exit bad || NR < 2 }' "$work/coarse-events.csv"
report $? '--no-events: events stand at the ends of steps'
! cmp -s "$work/course.csv" "$work/coarse.csv"
report $? '--no-events: and that costs'
run run $two --duration 10ms --no-events --event-rows
cp "$work/out" "$work/printed"
run run $two --duration 10ms
same "$work/out" "$work/printed" 'a network without events does not mind either option'
cat >"$work/endless.ini" <<EOF
[network]
step     = 1 ms
duration = 1 s
scheme   = rk4
[mass m]
mass     = 1 kg
position = -0.5 m
velocity = 1 m/s
[monitor up]
signal    = m.velocity
level     = 0 m/s
direction = rising
[monitor down]
signal    = m.velocity
direction = falling
[impulse back]
on      = m
when    = down
impulse = 1 N s
[impulse forth]
on      = m
when    = up
impulse = -1 N s
[impulse first]
on      = m
at      = 0.5005 s
impulse = -1.5 N s
EOF
run run "$work/endless.ini" -o "$work/course.csv" --events "$work/events.csv"
expect 1 'trigger each other without end; the rows before are kept' 'monitors and impulses without end'
whole "$work/course.csv" && [ "$(wc -l <"$work/course.csv")" -eq 502 ]
report $? 'and the rows before are kept'
run check $slip --no-events && expect 2 '--no-events' '--no-events is of run'
run dialogue networks/two-capacitors.ini -n 52
grep -A 3 '^ events' "$work/out" \
  | grep -q '^  s1 at t = 0.005 s: "I close, and give the charge q = 0.0005 C; 0.025 J are lost\."$' \
  && grep -q '^  c1: "I came with v = 100 V, get -0.0005 C, and leave with v = 50 V\."$' "$work/out"
report $? 'dialogue tells an event, with its impulse and its loss'
grep -q '^  s1 to c1 and c2: "My mode is open; I do not act\."$' "$work/out" \
  && grep -q '^  s1 to c1 and c2: "My mode is closed; ' "$work/out"
report $? 'and modes'
holds "$(grep -c '^Step ' "$work/out")" -eq 52 -a "$(grep -c '^ events' "$work/out")" -eq 1 \
  'as many steps as are asked for, the event once'
silent=
for network in networks/*.ini; do
  case $network in */chain-1000.ini) continue ;; esac
  run dialogue "$network" -n 2
  [ "$(grep -c '^Step ' "$work/out")" -eq 2 ] && ! grep -q 'nan\|-0 ' "$work/out" || silent="$silent $network"
done
holds -z "$silent" "every shipped network talks, each number a number:$silent"
run dialogue networks/two-dof.ini -n 1 --scheme averaged
grep -q '"I start at the position x = 0\.001 m, with the velocity v = 0 m/s\. My velocity half a step ago' "$work/out"
report $? 'the first words are the start, whatever the scheme makes of it'
run dialogue networks/two-dof.ini -n 1 --scheme verlet
grep -q '"I start at the position x = 0\.001 m, with the velocity v = 0 m/s\. Answer to where the step' "$work/out"
report $? 'and why it leans forward'
run dialogue networks/pendulum.ini -n 1
grep -q '^  bar.y to pin and pin.y: "I start at the position y = 0 m, with the velocity vy = 0 m/s\."$' "$work/out" \
  && grep -q '^  pin.y to bar: "I keep my ends together along y, with what it takes\."$' "$work/out" \
  && grep -q '^  pin.y to bar: "It takes the force F = 2.65135135 N: I push top up\."$' "$work/out"
report $? 'a hinge says what it keeps, and which way that pushes'
run dialogue networks/slider-crank.ini -n 1
grep -q '^  conrod to crank and piston: "I keep my ends at my length, with what it takes\."$' "$work/out" \
  && grep -q '^  conrod to crank and piston: "It takes the force F = 38.4 N: I push my ends apart\."$' "$work/out" \
  && grep -q '^  bore to piston: "I keep piston on the axis of centre, with what it takes\."$' "$work/out" \
  && grep -q '^  load to crank.angle and floor: ' "$work/out"
report $? 'a rod says whether it pushes or pulls, a slider on whose axis'
run dialogue networks/friction-stop.ini -n 521
tail -n 6 "$work/out" | grep -q '^  f1 to wall and m1: "It takes the force F = 1.99999[0-9]* N: -1.99'
report $? 'a friction that sticks tells its reaction'
for scheme in averaged rk4 verlet; do
  run run $slip --scheme $scheme --duration 6s --sample 10ms --record m1.position
  awk -F, 'NR > 1 { printf "%.6g\n", $2 }' "$work/out" >"$work/printed"
  run dialogue $slip --scheme $scheme -n 601
  sed -n 's/^  m1 to .*I \(start at\|have shifted myself to\) the position x = \([^ ]*\) m.*$/\2/p' "$work/out" \
    | awk '{ printf "%.6g\n", $1 }' >"$work/said"
  same "$work/said" "$work/printed" "dialogue and run say the same where events are: $scheme"
done
run run $collision --no-events --event-rows -o "$work/course.csv" --manifest "$work/manifest.json"
cp "$work/manifest.json" "$work/out"
json "d['options']['no-events'] is True and d['options']['event-rows'] is True" 'the manifest says so'
"$IFBAM" run $cradle --duration 1e6s --sample 1s -o "$work/events/long.csv" --events "$work/events/events.csv" \
  2>"$work/err" &
pid=$!
grows $pid "$work/events/events.csv.part" 100 # a row below the header
kill -INT $pid
wait $pid
code=$?
expect 130 'interrupted at t = ' 'Ctrl-C ends a long run with events'
whole "$work/events/long.csv" && whole "$work/events/events.csv"
report $? 'Ctrl-C: the courses and the events so far, whole'
holds "$(ls -A "$work/events")" = $'events.csv\nlong.csv' 'Ctrl-C: no unfinished file stays'

# ---- large networks

chains() { # how many, masses of each, more lines
  printf '[network]\nstep = 1 ms\nduration = 2 ms\nrecord = c1.m1.position\n'
  for i in $(seq "$1"); do
    printf '[chain c%d]\ncount = %s\nmass = 1 kg, 2 kg\nstiffness = 10 N/m\n%s\n' "$i" "$2" "$3"
  done
}
chains 1 3e6 >"$work/large.ini"
run check "$work/large.ini"
grep -q '^fastest   at most 1.00658 Hz' "$work/out"
report $? 'of a large network the fastest frequency is bounded'
run check "$work/large.ini" --json && json 'd["fastest_is_at_most"] is True' 'JSON says so'
chains 6 1e8 'damping = 1 N s/m' >"$work/large.ini"
run check "$work/large.ini"
expect 1 'large.ini:31: [chain c6] count: the network has 600000000 nodes and 1199999988 links' 'too many links'
physical=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE)))
if [ $physical -gt 100000000000 ]; then
  echo 'ok - too little memory # skip: there is enough'
else
  chains 10 1e8 >"$work/large.ini"
  run run "$work/large.ini" -o "$work/large.csv"
  expect 1 'need 110 GB of memory, and ' 'too little memory: said before any is taken'
fi
{
  printf '[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n'
  for i in $(seq 4500); do
    printf '[mass m%d]\nmass = 1\n[spring k%d]\nstiffness = 1\nbetween = mm%d, n%d\n' $i $i $i $i
  done
} >"$work/missing.ini"
run check "$work/missing.ini"
holds $code -eq 1 -a "$(grep -c 'no node' "$work/err")" -ge 1000 -a "$(grep -c 'did you mean' "$work/err")" -le 100 \
  'thousands of missing nodes are told, and names are searched for the first ones only'

# ---- options and settings

last() { tail -n 1 "$work/out"; }
run run $parameters --set k=4kN/m && same "$work/out" networks/parameters.csv '--set of a parameter to what it is'
run run $parameters --set k=5kN/m
! cmp -s "$work/out" networks/parameters.csv
report $? '--set of a parameter to something else'
run run $two --duration 20ms --set k2.stiffness=0
case $(last) in 0.02*,0) ;; *) false ;; esac
report $? '--set of a spring: none, and m2 rests'
run run $chain --set c.m3.mass=0.5kg --set c.m3.mass=1kg --set c.stiffness='10 kN/m, 10 kN/m, 20 kN/m'
same "$work/out" networks/chain.csv '--set of a member of a chain, of a list; the last one counts'
run run $chain --set c.m3.mass=2kg
! cmp -s "$work/out" networks/chain.csv
report $? '--set of a member of a chain to something else'
wrong() { # the same word stands in the message
  run run "$1" --set "$2" && expect 2 "--set $2: $3" "--set $2 is refused"
}
wrong $two k9.stiffness=1 'there is no element "k9"'
wrong $two k1.stifness=1 'a spring has no key "stifness" (did you mean "stiffness"?)'
wrong $two k1.stiffness=1kg '"1kg" is no stiffness'
wrong $two k1.stiffness= 'no value is given'
wrong $two k1.between=wall,m9 'no node "m9"'
wrong $two k=1 'there is no parameter "k"'
wrong $two stiffness=1 'there is no parameter "stiffness" in [parameters] (want ELEMENT.KEY, such as "k1.stiffness")'
wrong $two step=1 'there is no parameter "step" in [parameters] (did you mean "network.step"?)'
wrong $two k11.stiffness=1 'there is no element "k11" (did you mean "k1"?)'
wrong $two network.colour=1 'a network has no key "colour"'
wrong $two word 'want ELEMENT.KEY=VALUE'
wrong $two =1 'want ELEMENT.KEY=VALUE'
wrong $parameters k= 'no value is given'
wrong $chain c.m13.mass=1kg '"c" has no element "m13"'
wrong $chain c.k14.stiffness=1 '"c" has no element "k14"'
wrong $chain c.m1.mas=1 'a mass has no number "mas" (did you mean "mass"?)'
wrong $chain c.m1.colour=1 'a mass has no number "colour"'
wrong $chain c.m1.mass=-1 'must be above 0'
wrong $chain c.count=1e12 'the network has 1000000000002 nodes and 2000000000003 links; at most 1073741824 of each are possible in one process'
wrong $chain c.m1.mass=1e-310 '1e-310 is too small to be divided by'
wrong $two m1.m2.mass=1 'there is no element "m1.m2"'
run run $two --set "k1.$(printf '\033[31m')=1"
grep -qF 'k1.?[31m=1: ' "$work/err" && ! grep -q "$(printf '\033')" "$work/err"
report $? 'control codes of an option do not reach the terminal'
for option in '--scheme verlt' '--step 0' '--step 1m' '--duration -1s' '--start hot' '--record m9.position' \
  '--record m[1:3].position' '--sample 30us' '--duration 1e300s' '--step 1e400' '--scheme rk4 --start cold'; do
  run run $two $option && expect 2 "ifbam: --" "$option is refused"
done
run run $two --engine steam && expect 2 '--engine steam' '--engine steam is refused'
run run $two --set m1.mass=1e308 --set m2.mass=1e-300 --set k1.stiffness=1e308 --duration 1ms
holds $code -eq 1 'huge and tiny values: an end, and a message'
run run $two --set m1.position=1e308 --duration 1ms && holds -s "$work/err" 'a huge position: a message'

columns() { head -n 1 "$work/out"; }
run run $three --duration 1ms --record '*.position'
holds "$(columns)" = time,m1.position,m2.position,m3.position,wall.position '--record with a wildcard'
run run $three --duration 1ms --record 'm?.velocity, k*.force,m1.velocity'
holds "$(columns)" = time,m1.velocity,m2.velocity,m3.velocity,k1.force,k2.force,k3.force \
  '--record with several wildcards: each signal once'
run run $chain --duration 1ms --record 'c.m[1:12:4].position'
holds "$(columns)" = time,c.m1.position,c.m5.position,c.m9.position '--record with a range'
run run $chain --duration 1ms --record 'c.k*.force,network.energy'
holds "$(columns | tr , '\n' | wc -l)" -eq 15 '--record with a wildcard over a chain'
run run $two --duration 1ms --sample 0.5ms
holds "$(cut -d, -f1 "$work/out" | tr '\n' ' ')" = 'time 0 0.0005 0.001 ' '--sample'
run run $two --duration 1.2ms --sample 0.5ms && expect 0 'the last row is at 0.001 s' 'a duration that is no multiple'

# ---- manifest

run run $two --duration 10ms --set k1.stiffness=12kN/m -o "$work/course.csv" --manifest "$work/manifest.json"
cp "$work/manifest.json" "$work/out"
sum=$(sha256sum $two | cut -d' ' -f1)
json "'$sum' in d.values() and d['scheme'] == 'averaged' and d['step'] == 5e-5 and d['ended'] == 'done'
      and d['options']['set'] == ['k1.stiffness=12kN/m'] and d['version'] and d['time'] == 0.01
      and 0.005 < d['ledger']['energy'] < 0.03" 'the manifest says what made the course'

# ---- divergence

run run $two --step 2ms -o "$work/course.csv" --manifest "$work/manifest.json"
expect 1 'diverged at t = ' 'a run that diverges'
said=$(cat "$work/err")
grep -q '"m[12]".*grow by [0-9.e+]* per second.*A step of [0-9.e-]* s would do' "$work/err"
report $? 'divergence: which element, what growth, which step'
whole "$work/course.csv" && [ "$(wc -l <"$work/course.csv")" -gt 20 ] && ! grep -q -i -E 'nan|inf' "$work/course.csv"
report $? 'divergence: the rows before are kept, and finite'
cat >"$work/fast.ini" <<EOF
[network]
step = 1 ms
duration = 10 ms
[mass m1]
mass = 1 kg
velocity = 1e200 m/s
EOF
run run "$work/fast.ini"
expect 1 'the energy is not finite any more' 'a run of nothing but a mass diverges'
! grep -q 'would do' "$work/err"
report $? 'where no step is too long: no advice'
run report $two --step 1e300 -o "$work/report.html" && grep -q 'diverged' "$work/err" && ! grep -q -E 'step of (0|inf|nan) s' "$work/err"
report $? 'no advice to take a step of 0 s'
run spectrum $two --step 2ms
! grep -q kept "$work/err"
report $? 'a spectrum of what diverges keeps no rows and says nothing of them'
"$python" -c 'import json, sys; sys.exit(json.load(open(sys.argv[1]))["ended"] != "diverged")' "$work/manifest.json"
report $? 'divergence: the manifest says so'
step=$(sed -n 's/.*A step of \([0-9.e-]*\) s would do.*/\1/p' <<<"$said")
run run $two --step "$step" -o /dev/null
holds $code -eq 0 "divergence: the step that is said to do does ($step s)"
step=$(sed -n 's/.*or the scheme verlet with a step of \([0-9.e-]*\) s.*/\1/p' <<<"$said")
run run $two --scheme verlet --step "$step" -o /dev/null
holds $code -eq 0 "divergence: verlet with the step that is said to do does ($step s)"
run run $two --step 2ms -o "$work/longer.csv" --allow-divergence
whole "$work/longer.csv" && [ "$(wc -l <"$work/longer.csv")" -gt "$(wc -l <"$work/course.csv")" ]
report $? '--allow-divergence runs on'
run run $two --scheme euler --step 20ms --duration 100s -o "$work/longer.csv" --allow-divergence
expect 1 'diverged at t = ' '--allow-divergence ends where numbers do'
whole "$work/longer.csv" && ! grep -q -i -E 'nan|inf' "$work/longer.csv"
report $? 'and keeps only numbers'
run run $two --step 1ms -o /dev/null
grep -q 'averaged.*A step of' "$work/err"
report $? 'a step that lets modes grow: said before'

# ---- figures

run run $slip -o "$work/slip.csv"
if command -v gnuplot >/dev/null; then
  for pairs in "$work/slip.csv" $slip; do
    run plot phase "$pairs" -o "$work/phase.svg"
    grep -q 'm1.velocity over m1.position' "$work/phase.svg" && ! grep -q 'f1.mode over' "$work/phase.svg"
    report $? "a phase portrait of $(basename "$pairs"): a coordinate and its own rate, nothing else"
  done
  run plot modes networks/chain.ini -o "$work/modes.svg"
  grep -q 'displacement (real part)' "$work/modes.svg"
  report $? 'plot modes of a damped network says that it shows real parts'
  run plot modes $two -o "$work/modes.svg"
  grep -q 'displacement, the largest' "$work/modes.svg"
  report $? 'of an undamped one there is nothing else to show'
  title=$(sed -n 's/^title *= *//p' $two)
  for kind in course modes; do
    run plot $kind $two -o "$work/titled.svg"
    grep -qF -- "$title" "$work/titled.svg"
    report $? "plot $kind of one network has its title"
  done
  run plot course $two --title 'Other words' -o "$work/titled.svg"
  grep -q 'Other words' "$work/titled.svg" && ! grep -qF -- "$title" "$work/titled.svg"
  report $? '--title wins'
  run plot course $two $one --signal m1.position -o "$work/titled.svg"
  ! grep -qF -- "$title" "$work/titled.svg"
  report $? 'of two networks there is no title'
  run plot path networks/ball-sine-small.ini -o "$work/way.svg"
  expect 0 '' 'the way of a ball'
  grep -q '>hills<' "$work/way.svg" && grep -q '>y \[m\]<' "$work/way.svg"
  report $? 'plot path draws the ground, too'
  run run networks/balls.ini --duration 0.1s --record 'b1.x,b1.y,b2.x,b2.y' -o "$work/balls.csv"
  run plot path "$work/balls.csv" --signal b2 -o "$work/way.svg"
  grep -q '>b2<' "$work/way.svg" && ! grep -q '>b1<' "$work/way.svg"
  report $? 'plot path of a CSV file, of one ball'
  run plot path $two -o "$work/none.svg"
  expect 1 'no element has coordinates in the plane' 'the way of a mass on a line'
  run plot course $two --x 0.1s:200ms --y -1mm:1mm -o "$work/zoomed.svg"
  expect 0 '' 'ranges with units'
  grep -q '>0.12<' "$work/zoomed.svg" && grep -q '>-0.5<' "$work/zoomed.svg" && ! grep -q '>1.5<' "$work/zoomed.svg"
  report $? 'ranges with units are what is shown'
  run plot course $two --x 0:1kg -o "$work/none.svg" && expect 2 'kg does not convert to s' 'a range in a wrong unit'
  run plot course $two --y 0:1kg -o "$work/none.svg" && expect 2 'kg does not convert to m' 'and of y'
  run plot course $two --x 12 -o "$work/none.svg" && expect 2 'want FROM:TO, such as 0.1s:200ms' 'half a range'
  run plot course $one --step 20ms -o "$work/grown.svg"
  expect 1 'the run diverged' 'a course that diverges' && grep -q '</svg>' "$work/grown.svg"
  report $? 'a course that diverges is drawn as far as it came'
  points() { grep -o 'L[0-9]' "$1" | wc -l; }
  run plot phase networks/duffing.ini --duration 1s -o "$work/fine.svg"
  run plot phase networks/duffing.ini --duration 1s --sample 10ms -o "$work/coarse.svg"
  holds $(($(points "$work/fine.svg") > 2 * $(points "$work/coarse.svg"))) -eq 1 'phase portraits take every step'
  run plot phase networks/ball-listing.ini -o "$work/phase.svg"
  grep -q 'b.vx over b.x' "$work/phase.svg" && grep -q 'b.vy over b.y' "$work/phase.svg"
  report $? 'of a ball: x and y, each with its rate'
  run plot phase "$work/slip.csv" --signal m1.position --signal m1.velocity --signal f1.force \
    --signal f1.mode -o "$work/phase.svg"
  grep -q 'position \[m\]' "$work/phase.svg" && grep -q 'force \[N\]' "$work/phase.svg"
  report $? 'panels of a phase portrait have their own words below'
else
  echo 'ok - figures # skip without gnuplot'
fi
printf '[network]\nstep = 1 ms\nduration = 10 ms\n[ground g]\n' >"$work/ground.ini"
for kind in course spectrogram; do
  run plot $kind "$work/ground.ini" -o "$work/none.svg"
  expect 1 'nothing to draw: there is no signal' "plot $kind of a network that records nothing: its own fault"
done
run plot course $two --x 100:200 -o "$work/none.svg"
expect 2 'no point lies in the picture' 'a plot of a range without points: the fault of the words'
for kind in course spectrum; do
  run plot $kind "$work/huge.csv" -o "$work/none.svg"
  holds $code -eq 1 -a ! -e "$work/none.svg" "plot $kind of huge values: the fault of the data"
done
for command in 'modes' 'response --input force@g' 'equilibrium'; do
  run $command "$work/ground.ini" && expect 1 'want a mass, an inertia or a capacitor' "${command%% *} of a ground alone"
done
run plot phase networks/rlc.ini -o "$work/none.svg"
expect 1 'no coordinate is recorded with its rate' 'a phase portrait of what has no coordinate'
run plot phase $one $two -o "$work/rates.svg"
expect 0 '' 'a phase portrait of networks that record no rates' && grep -q 'two-dof: m2.velocity over m2.position' "$work/rates.svg"
report $? 'their rates are recorded for it'
run plot phase "$work/slip.csv" --signal m1.position --signal m1.velocity --signal f1.force
expect 2 '"f1.force" is left over' 'a phase portrait of an odd number of signals'

run run $one -o "$work/picture.PNG"
expect 2 'ifbam plot course' 'rows are no picture' && [ ! -e "$work/picture.PNG" ]
run sweep $one --vary k1.stiffness=1,2 -o "$work/picture.svg"
expect 2 'ifbam plot sweep' 'a sweep is no picture'

# on_terminal WORD...: what ifbam says to somebody who sits there, both streams in out
on_terminal() {
  COLUMNS=80 script -qec "'$IFBAM' $*" /dev/null </dev/null >"$work/out" 2>&1
}
if command -v script >/dev/null; then
  on_terminal run $two
  holds "$(wc -l <"$work/out")" -lt 26 'at a terminal run shows some rows'
  grep -q 'of 80001 rows' "$work/out" && grep -q 'FILE.csv writes all' "$work/out" && grep -q 'ifbam plot course' "$work/out"
  report $? 'and says how to get and see all'
  grep -qE '^ +2( |$)' "$work/out" && grep -q '\[m\]' "$work/out" && tail -n 2 "$work/out" | head -n 1 | grep -qE '^ +4 '
  report $? 'they stand at round times, with units, the last one, too'
  on_terminal run networks/shearer-drive.ini
  holds "$(awk '/rad/ { print length }' "$work/out" | tr -d '\r')" -le 81 'no more signals than the terminal is wide'
  on_terminal run $two --duration 1ms -o -
  grep -q '^time,m1.position' "$work/out" && report $? 'with -o - a terminal gets CSV, too'
else
  echo 'ok - a terminal # skip without script'
fi
run run $two && [ "$(wc -l <"$work/out")" -eq 80002 ]
report $? 'a pipe gets all rows'

# The largest peak is that of 46.5 Hz, the other one is at 10.9 Hz.
run plot spectrum $two --signal m1.position -o "$work/all.svg"
grep -q '>46.49<' "$work/all.svg" && grep -q '>10.90<' "$work/all.svg"
report $? 'plot spectrum marks all peaks'
run plot spectrum $two --signal m1.position --count 1 -o "$work/one.svg" && expect 0 '' 'plot spectrum --count 1'
grep -q '>46.49<' "$work/one.svg" && ! grep -q '>10.90<' "$work/one.svg"
report $? 'marks the largest one'

# ---- interruption

for signal in INT TERM HUP; do
  mkdir "$work/$signal"
  "$IFBAM" run $two --duration 1e6s --sample 1s -o "$work/$signal/long.csv" 2>"$work/err" &
  pid=$!
  grows $pid "$work/$signal/long.csv.part"
  kill -$signal $pid
  wait $pid
  code=$?
  expect $((128 + $(kill -l $signal))) 'interrupted at t = ' "SIG$signal ends a long run"
  whole "$work/$signal/long.csv"
  report $? "SIG$signal: whole rows, so far"
  holds "$(ls -A "$work/$signal")" = long.csv "SIG$signal: no unfinished file stays"
done
mkdir "$work/early"
while read -r what arguments; do
  eval "exec '$IFBAM' $arguments" >"$work/out" 2>"$work/err" &
  pid=$!
  hears $pid INT
  sleep 0.2
  kill -INT $pid
  wait $pid
  code=$?
  expect 130 'nothing is written' "Ctrl-C during $what: it says that nothing is written"
  ! grep -q 'kept' "$work/err" && [ -z "$(ls -A "$work/early")" ] && [ ! -s "$work/out" ]
  report $? "and says nothing of rows, for there are none ($what)"
done <<END
spectrum spectrum $two --duration 1e6s --sample 1s
plot plot course $two --duration 1e6s --sample 1s -o "$work/early/course.svg"
report report $two --duration 1e5s --sample 1s -o "$work/early/report.html"
END
"$IFBAM" run $two --duration 1e6s --sample 10ms 2>"$work/err" | head -n 1000 >"$work/out"
code=${PIPESTATUS[0]}
expect 1 'Broken pipe' 'a reader that goes away ends a run'

# ---- locale

german() { # the program where decimals follow a comma
  env LOCPATH="$work" LC_ALL=de_DE.UTF-8 "$IFBAM" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

run run $two --duration 10ms
cp "$work/out" "$work/straight"
cp "$work/err" "$work/said"
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>/dev/null || [ -d "$work/de_DE.UTF-8" ]; then
  german run $two --duration 10ms
  same "$work/out" "$work/straight" 'numbers have a point in a locale of commas'
  german check networks/invalid/decimal-comma.ini
  same "$work/err" networks/invalid/decimal-comma.expected 'so have messages'
  german spectrum $two --json
  json 'd["signals"]' 'so has JSON'
else
  echo 'ok - a locale of commas # skip: there is none here, and none can be made'
fi

# ---- standard descriptors closed at the start, as cron and daemons may do

# written FILE COMMAND...: the same bytes with descriptors 0 to 2 closed
written() {
  local file=$1
  shift
  rm -f "$work/$file"
  run "$@" "$work/$file"
  mv "$work/$file" "$work/wanted"
  timeout 60 "$IFBAM" "$@" "$work/$file" <&- >&- 2>&-
  code=$?
  holds $code -eq 0 "descriptors 0 to 2 closed: $1 writes $file"
  same "$work/$file" "$work/wanted" "descriptors 0 to 2 closed: $1 writes $file as a whole"
}

written closed.csv run $two --step 0.3ms -o
written closed.h5 run networks/bungee.ini -o
written events.csv run networks/bungee.ini -o "$work/bungee.csv" --events
written final.h5 run $two --duration 0.1s -o "$work/closed.csv" --final
written sweep.csv sweep $two --vary k1.stiffness=1kN/m,2kN/m --measure max:m2.position -o
written modes.svg modes $three -o
written response.csv response $three --input force@m1 --file
written course.svg plot course $two -o
written report.html report $two -o
written lab.html lab $two -o
written net.fmu export $two --fmu --file
written net.c export $two --c --file
written net.h5 export networks/chain-1000.ini --columns --file
for command in "run $one" "check $one" "modes $one" elements schemes "stability $one" "spectrum $one"; do
  timeout 60 "$IFBAM" $command >&- 2>"$work/err"
  code=$?
  expect 1 'standard output: Bad file descriptor' "standard output closed: ${command%% *} fails"
done
timeout 60 "$IFBAM" check - <&- >"$work/out" 2>"$work/err"
code=$?
expect 1 'standard input: ' 'standard input closed: a network from it is an error'
exit $status
