#!/bin/bash
# test-messages.sh: what is said to whoever asks for what can't be: a reason, and what would be right
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
two=networks/two-dof.ini large=networks/chain-1000.ini ball=networks/ball.ini
status=0 old_path=$PATH
. tests/expect.sh

# says CODE MESSAGE ARGUMENT...
says() {
  local wanted=$1 message=$2
  shift 2
  timeout 60 "$IFBAM" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
  expect "$wanted" "$message" "$(echo "$*" | sed "s,$work/,,g"): $message"
}

# network NAME GROUPS: a file there
network() {
  printf '[network]\nstep = 1 ms\nduration = 0.1 s\n%s\n' "$2" | sed 's/; */\n/g' >"$work/$1.ini"
  eval "$1=$work/$1.ini"
}

network wall '[ground g]'
network free '[mass m]; mass = 1; [force f]; on = m; value = 1; [mass lone]; mass = 2'
network driven '[drive d]; amplitude = 1 mm; frequency = 3; [mass m]; mass = 1; [spring k]; stiffness = 100; between = m, d'
network stuck '[ground g]; [drive d]; amplitude = 1 mm; frequency = 3; [mass m]; mass = 1
[friction f]; breakaway = 5 N; coulomb = 4 N; between = m, g; [spring k]; stiffness = 100; between = m, d
[mass n]; mass = 2; [spring l]; stiffness = 300; between = n, m'
network held '[ground g]; [mass m]; mass = 1; [friction f]; breakaway = 5 N; coulomb = 4 N; between = m, g'

# ---- files

long=$(printf '%03000d' 0)
network wordy "[ground g]; stiffness$long = 1"
says 1 'stiffness000' check "$wordy"
[ "$(wc -c <"$work/err")" -lt 2200 ] && grep -q '0\.\.\.$' "$work/err"
report $? 'a message about three thousand letters has two thousand of them'
says 1 "two-dof.ini/part: can't be read: Not a directory" check "$two/part"

# ---- what there is not in a network

says 1 'nothing with inertia that could grow' stability "$wall"
says 1 'nothing with inertia that could swing' modes "$wall"
says 1 'nothing with inertia that could come to rest' equilibrium "$wall"
says 1 'there is no state of rest: nothing holds m against a force of 1 N' equilibrium "$free"
says 1 'the velocity of d is 0.01885 m/s at time 0 (hold it, or let it start where it turns' equilibrium "$driven"
says 0 'dry friction is left out: it could hold the network in other places' equilibrium "$held"
says 0 'the modes are those of small motions about the start' modes "$held"
grep -q 'no motion is possible: all inertias are fixed at the start' "$work/out"
report $? 'a network that is held has no modes'
network meshing '[inertia a]; inertia = 1; [inertia b]; inertia = 1; [gear mesh]; ratio = -1; stiffness = 100; play = 1 deg; between = a, b
[torsion-spring k]; stiffness = 1; between = a, w; [ground w]'
says 0 'mesh (free: --set mesh.play=0deg closes it)' modes "$meshing"
network stiff '[ground g]; [mass m]; mass = 1; position = 1e10; [spring k]; stiffness = 1; cubic = 1e300; between = m, g'
for question in modes 'response --input force@m --from 1 --to 2'; do
  says 1 'k: its law has no finite slope at this state' $question "$stiff"
done
says 1 '"k": its law has no finite slope at the start' stability "$stiff"
says 1 'diverged at t = 0 s (step 0): "m" is not finite any more' run "$stiff"
network endless '[ground g]; [mass m]; mass = 1; position = 1; [hertz h]; modulus = 1e300; radius = 1e300; between = m, g'
says 1 'h: its law has no finite slope at this state' modes "$endless"
says 1 '"h": its law has no finite slope at the start' stability "$endless"
for unknown in "$stiff" "$endless"; do
  "$IFBAM" check "$unknown" 2>&1 | grep -q '^stability not known: a law has no finite slope at the start'
  report $? "check calls nothing steady whose slope is not finite: $(basename "$unknown")"
done
says 1 'diverged at t = 0 s (step 0): "m" is not finite any more' run "$endless"
network crossed '[ground g]; [mass m]; mass = 1; [mass n]; mass = 1; [cross-spring c]; stiffness = 1; between = m, g; input = n, g
[mass o]; mass = 1; velocity = 1; [mass p]; mass = 1; position = 1e-3; [spring s]; stiffness = 1e4; between = p, g
[pressed-friction f]; friction = 0.4; normal-of = s; between = o, g'
says 1 'crossed.ini: c: the effect of steps on forces by other positions is not known here' stability "$crossed"
network fast '[ground g]; [mass m]; mass = 1; velocity = 1e200; [spring k]; stiffness = 1; between = m, g'
says 1 'the energy is not finite any more, most of it at "m"' run "$fast"

says 0 '' equilibrium networks/rope.ini --json
awk '/"horizontal-force"/ { h = $3 } /"tension-left"/ { l = $3 } /"tension-right"/ { r = $3 } /"slope-left"/ { a = $3 } /"slope-right"/ { b = $3 }
  function off (x, y) { return x < y * (1 - 1e-12) || x > y * (1 + 1e-12) }
  END { exit off(l + 0, h * sqrt (1 + a * a)) || off(r + 0, h * sqrt (1 + b * b)) }' "$work/out"
report $? 'what a rope pulls with stands beside its link: tension = H sqrt (1 + slope^2)'
says 0 '' equilibrium networks/rope-swing.ini --json
# 11 kg hang on the pole (8 m of 0.5 kg/m, 5 kg on it, a hook of 2 kg), 2 kg at the lower end.
sed -n '/^    "r" : {/,/^    }/p' "$work/out" | awk '/"tension-left"/ { l = $3 } /"tension-right"/ { r = $3 }
  function off (x, y) { return x < y * (1 - 1e-9) || x > y * (1 + 1e-9) }
  END { exit off(l + 0, 11 * 9.81) || off(r + 0, 2 * 9.81) }'
report $? '... and after the links of what consists of such'
says 0 '"pin" turns by 1.5 rad in a step, beyond the limit of 1 rad for its reaction (use a step of 0.002 s)' \
  run networks/pendulum.ini --set bar.speed=300 --duration 10ms -o "$work/turns.csv"
"$IFBAM" check networks/pendulum.ini --set bar.speed=300 2>&1 | grep -q '^turning   "pin" turns by 1.5 rad in a step'
report $? 'check says it, too'
says 0 '9694 steps for a tolerance of 1e-06, 0 more tried and rejected, equations factored ' run $two --scheme esdirk4 --tolerance 1e-6 --record m1.position -o "$work/steps.csv"
"$IFBAM" stability $two --step 1e300 >"$work/out" 2>"$work/err"
grep -q '^\* averaged .* grows beyond all numbers' "$work/out"
report $? 'a step so long that nothing has a number is judged'

# A truss of three bays has as many rods as it needs: all twelve are in the state of stress that one more would bring.
bays='[point p0]; [point q0]; y = 1'
for i in 1 2 3; do
  bays+="; [ball p$i]; mass = 1; x = $i; [ball q$i]; mass = 1; x = $i; y = 1"
  bays+="; [rod a$i]; between = p$((i - 1)), p$i; [rod b$i]; between = q$((i - 1)), q$i"
  bays+="; [rod c$i]; between = p$i, q$i; [rod d$i]; between = p$((i - 1)), q$i"
done
network truss "$bays; [rod extra]; between = q0, p3"
"$IFBAM" check "$truss" >"$work/out" 2>"$work/err"
code=$?
grep -qx 'redundant "extra" follows from "a1", "b1", "c1", "d1", "a2" and 7 more' "$work/out"
report $? 'what follows from many names some of them'

# Two springs in a row are one of 75 N/m: 2 pi f = sqrt (75 / (2/3)); of the damper there is (2 pi f c / k)^2 = 1e-7 left.
network loose '[mass a]; mass = 1; [mass b]; mass = 2; [junction j]; [spring k]; stiffness = 100; between = a, j
[spring l]; stiffness = 300; between = j, b; [damper d]; damping = 0.01; between = j, b'
says 0 '' modes "$loose" --scheme esdirk4
awk '$1 == 1 && $6 == "free" { free = 1 } $1 == 3 { f = sqrt (112.5) / 2 / atan2 (0, -1) } $1 == 3 && $2 > f * (1 - 1e-6) && $2 < f * (1 + 1e-6) { swings = 1 }
  END { exit !(free && swings) }' "$work/out"
report $? 'two masses with a junction between them move together, and against each other'
network undamped '[mass a]; mass = 1; [mass b]; mass = 2; [junction j]; [spring k]; stiffness = 100; between = a, j
[spring l]; stiffness = 300; between = j, b'
says 0 '' modes "$undamped" --scheme esdirk4
awk '$1 == 1 && $2 == 0 && $6 == "free" { free = 1 } $1 == 2 { f = sqrt (112.5) / 2 / atan2 (0, -1) } $1 == 2 && $2 > f * (1 - 1e-8) && $2 < f * (1 + 1e-8) { swings = 1 }
  END { exit !(free && swings) }' "$work/out"
report $? 'what moves together with a junction is free without a damper, too'

# Of a pendulum with masses beside it that nothing damps, "original" lets the masses grow at every step, and so does "averaged".
network hanging '[point p]; [ball b]; mass = 2; x = 0.6; y = -0.8; [rod r]; between = p, b; [gravity g]; on = b
[ground w]; [mass m]; mass = 1; [spring k]; stiffness = 50; between = m, w; [spring c]; stiffness = 10; between = m, b.x
[mass n]; mass = 3; [spring l]; stiffness = 70; between = n, w; [cross-damper h]; damping = 0.1; between = n, w; input = m'
says 0 '' stability "$hanging" --scheme verlet
awk '($1 == "original" || $1 == "averaged" || $1 == "euler") && $3 == "0" { n++ } $2 == "verlet" && $4 > 0.1 { n++ } END { exit !(n == 4) }' "$work/out"
report $? 'what grows at every step has no critical one, however slowly it grows'

# x'' - 0.2 x' + 100 x = 0 grows by exp (0.1 t) by itself.
network by_itself '[mass m]; mass = 1; position = 1 mm; [ground g]; [spring k]; stiffness = 100; between = m, g
[damper d]; damping = 0.1; between = m, g; [cross-damper a]; damping = -0.3; between = m, g; input = m'
says 0 '' stability "$by_itself" --scheme verlet --duration 5s
grep -q 'The network itself moves away from its start, at 0.1 per second' "$work/out" &&
  grep -q '^\* verlet .*, as the network itself does$' "$work/out" && grep -q '^  euler .*, faster than the network itself; 4e-05 s would do$' "$work/out" &&
  grep -q '^  averaged .*, faster than the network itself$' "$work/out" &&
  grep -q '^  implicit-euler .*, slower than the network itself$' "$work/out"
report $? 'growth that is the own of a network is not laid to a step'
says 0 '' stability "$by_itself" --scheme verlet --duration 5ms
[ "$(grep -c ', as the network itself does$' "$work/out")" -eq 11 ]
report $? 'nor what nobody sees until the end'

# A row of 14 masses that starts in the shape of its first mode shows that one: of thirteen others eight are named.
shape=$(awk 'BEGIN { pi = atan2 (0, -1); for (i = 1; i <= 14; i++) printf "%s%.17g", (i > 1 ? ", " : ""), 1e-3 * sin (pi * i / 15) }')
network one_shape "[ground g]; [ground h]; [chain c]; count = 14; mass = 1; stiffness = 10 kN/m; from = g; to = h; position = $shape"
"$IFBAM" spectrum "$one_shape" --duration 4s --scheme verlet --record c.m1.position --compare >"$work/out" 2>"$work/err"
code=$?
grep -q '^  no line for the modes at 6\.6[0-9]* Hz, [^a]* and 5 more$' "$work/out"
report $? 'modes that a course does not show are named, up to eight'

# ---- responses

says 2 '"c" is a chain: name one of its nodes' response networks/chain.ini --input force@c --from 1 --to 3
says 2 'want the outputs of such a large network' response $large --input force@c.m1 --from 1 --to 3
says 2 '"foo" is no input (want QUANTITY@NODE' response $two --input foo --from 1 --to 3
says 2 'no element "nobody" in this network' response $two --input force@nobody --from 1 --to 3
says 2 '"network" is no node' response $two --input force@network --from 1 --to 3
says 2 '"r.r3" is no node' response networks/rope-swing.ini --input force@r.r3 --output hook.x --from 1 --to 3
says 2 '"k1" is a spring, not a node' response $two --input force@k1 --from 1 --to 3
says 2 'it can'\''t be given a velocity (want force@m1)' response $two --input velocity@m1 --from 1 --to 3
says 2 'does nothing to it (want position@d)' response "$driven" --input force@d --from 1 --to 3
says 2 'input: "foo" is no input' response $two --input foo --output network.energy --from 1 --to 3
says 2 'output: network.energy has no linear response' response $two --input foo --output network.energy --from 1 --to 3
says 2 '; network.energy has no linear response' response $two --input force@m1 --output network.kinetic,network.energy --from 1 --to 3
says 2 'its square times the inertia is beyond all numbers' response $two --input force@m1 --from 1 --to 1e200
says 2 'force@m1 and force@m2 are two' response $two --input force@m1 --input force@m2
says 2 'is missing (want an oscillating force or motion, such as --input force@m1)' response $two
says 2 'want 1 to 1000000' response $two --input force@m1 --points 0
# Formats that are not written are refused before the run; no file is there.
for suffix in xlsx XLS ods mat npz; do
  says 2 "x.$suffix: run does not write this format (want FILE.csv, or FILE.h5 for HDF5" run $two -o "$work/x.$suffix"
  says 2 "x.$suffix: sweep does not write this format (want FILE.csv, or FILE.h5" sweep $two --vary m1.mass=1,2 -o "$work/x.$suffix"
  says 2 "x.$suffix: response does not write this format (want FILE.csv)" response $two --input force@m1 -o "$work/x.$suffix"
done
says 2 'nothing swings by itself: want --from and --to' response "$free" --input force@m
says 1 'the node is held still at the start: a force does nothing to it' response "$stuck" --input force@m --from 1 --to 3
says 2 'f.force: the force is a reaction, which follows from no law' response "$stuck" --input force@n --output f.force --from 1 --to 3
says 0 'the response is that of small motions' response "$stuck" --input force@n --output m.position,n.position --from 1 --to 3 --points 2 --linear
[ "$(sed -n 2p "$work/out" | cut -d, -f2)" = 0 ] && awk -F, 'NR == 2 { pi = atan2 (0, -1); x = 1 / (300 - 2 * (2 * pi) ^ 2)
  exit !($4 > x * (1 - 1e-12) && $4 < x * (1 + 1e-12)) }' "$work/out"
report $? 'beside what is held others swing as if it were a wall'
network pair '[drive d]; amplitude = 1 mm; frequency = 3; phase = 90 deg; [force onto]; on = d; value = 3
[mass m]; mass = 1; [mass n]; mass = 2; [friction f]; breakaway = 5 N; coulomb = 4 N; between = m, n
[spring inner]; stiffness = 77; between = m, n; [spring k]; stiffness = 900; between = m, d'
says 0 'f (stuck)' response "$pair" --input position@d --output n.position --from 1 --to 2 --points 2
awk -F, 'NR == 2 { pi = atan2 (0, -1); x = 900 / (900 - 3 * (2 * pi) ^ 2)
  exit !($2 > x * (1 - 1e-12) && $2 < x * (1 + 1e-12)) }' "$work/out"
report $? 'what sticks together swings as one, whatever joins it inside and whatever pushes its drive'
for name in m0 m99 q1; do
  says 2 "chain \"c\" has no element \"$name\"" response networks/chain.ini --input "force@c.$name" --from 1 --to 3
done

# ---- classes that refuse what they could not be

# refused NAME MESSAGE GROUPS: that is what is said of such a network
refused() {
  network "$1" "$3"
  says 1 "$2" check "$work/$1.ini"
}

swings='[ground g]; [mass m]; mass = 1; [spring k]; stiffness = 100; between = m, g'
refused ratios '[damping d] ratio: 3 of them (want one, or one for each frequency)' "$swings; [damping d]; ratio = 0.1, 0.2, 0.3; frequencies = 1, 2"
refused frequencies '[damping d] frequencies: 3 of them (want two)' "$swings; [damping d]; ratio = 0.1; frequencies = 1, 2, 3"
refused backwards '[damping d] frequencies: 1 Hz is not above 2 Hz' "$swings; [damping d]; ratio = 0.1; frequencies = 2, 1"
refused one '[damping d] frequencies: is missing (want two, at which the ratio holds)' "$swings; [damping d]; ratio = 0.1"
refused other '[damping d] ratio: is missing (want the ratio at the frequencies)' "$swings; [damping d]; frequencies = 1, 2"
refused alpha '[damping d] alpha: can'"'"'t be combined with "ratio"' "$swings; [damping d]; ratio = 0.1; frequencies = 1, 2; alpha = 1"
refused beta '[damping d] beta: can'"'"'t be combined with "ratio"' "$swings; [damping d]; ratio = 0.1; frequencies = 1, 2; beta = 1"
# alpha = 2 w1 w2 (z1 w2 - z2 w1) / (w2^2 - w1^2) with w = 2 pi, 4 pi: 8 pi (2 z1 - z2) / 3; beta = (2 z2 - z1) / (3 pi)
refused steep '[damping d] ratio: Rayleigh damping can'"'"'t have these ratios: alpha would be -5.86430' "$swings; [damping d]; ratio = 0.1, 0.9; frequencies = 1, 2"
refused fall '[damping d] ratio: Rayleigh damping can'"'"'t have these ratios: beta would be -0.0742723' "$swings; [damping d]; ratio = 0.9, 0.1; frequencies = 1, 2"
shafts='[inertia a]; inertia = 1; [inertia b]; inertia = 1; [inertia c]; inertia = 1'
refused teeth '[planetary p] ratio: is 0: the ring would have no effect (want a ratio of teeth)' "$shafts; [planetary p]; ratio = 0; between = a, b, c"
refused carrier '[planetary p] ratio: is -1: the carrier would have no effect' "$shafts; [planetary p]; ratio = -1; between = a, b, c"
refused lever '[ratio r] ratio: is 0: the right one would have no effect (want a ratio of motions)' "$shafts; [ratio r]; ratio = 0; between = a, b"
turns='[chain c]; count = 3; inertia = 1; stiffness = 1 N m/rad'
for key in position velocity; do
  refused goes "[chain c] $key: a chain that turns has angle and speed" "$turns; $key = 1"
done
for key in angle speed; do
  refused turns "[chain c] $key: a chain of masses has position and velocity" "[chain c]; count = 3; mass = 1; stiffness = 1 N/m; $key = 1"
done
refused mixed '[chain c] stiffness: a chain with inertia has a stiffness in N m/rad, a damping in N m s/rad' '[chain c]; count = 3; inertia = 1; stiffness = 1 N/m'

# ---- pictures and tables

says 2 'phase needs pairs: "m1.position,m1.velocity" fits 2 of the signals, "m2.position" 1' \
  plot phase $two --signal m1.position,m1.velocity --signal m2.position -o "$work/x.svg"
says 1 'no element has coordinates in the plane' plot path $two -o "$work/x.svg"
says 2 'the suffix says the format of a picture (want .svg, .png or .pdf)' plot course $two -o "$work/x.tiff"
says 2 'no two points lie in the picture' plot response $two --input force@m1 --x 1:1.0001 -o "$work/x.svg"
says 2 'the course is shorter, 4 s' plot spectrogram $two --segment 100 -o "$work/x.svg"
says 2 'there is no window "foo" (want hann, hamming, blackman or none)' spectrum $two --window foo
printf 'a,b\n1,2\n' >"$work/table.csv"
says 1 'this is no table of a sweep (want columns as `ifbam sweep` writes them' plot sweep "$work/table.csv" -o "$work/x.svg"
printf 'k1.stiffness,max:m1.position\n1,2\nx,3\n' >"$work/table.csv"
says 1 'table.csv:3: k1.stiffness: "x" is not a number (want one such as -1.5e-3)' plot sweep "$work/table.csv" -o "$work/x.svg"
printf 'time [s],m.x [m]\n0,1\n0.1,2\n0.2,1\n' >"$work/course.csv"
says 1 'no coordinate is recorded with its rate: name the signals to draw' plot phase "$work/course.csv" -o "$work/x.svg"
says 1 'no element has coordinates in the plane (want NAME.x and NAME.y' plot path "$work/course.csv" -o "$work/x.svg"
says 2 'is no table of a frequency response (want the columns frequency, SIGNAL.amplitude, SIGNAL.phase' plot response "$work/course.csv" -o "$work/x.svg"
says 1 '3 rows are too few for a spectrum' plot spectrogram "$work/course.csv" -o "$work/x.svg"
: >"$work/empty.csv"
for kind in sweep response; do
  says 1 'empty.csv: is empty (want a line with the names of the columns)' plot $kind "$work/empty.csv" -o "$work/x.svg"
done
printf 'time [s],m.x [m]\n0,1\n\0,1\n' >"$work/zero.csv"
says 1 'zero.csv:3: a zero byte: this is not text (want a CSV file)' plot course "$work/zero.csv" -o "$work/x.svg"
printf '\xff\xfe' >"$work/bytes.txt"
says 1 'it is not UTF-8 text (--text; iconv makes it one)' report $two --text "$work/bytes.txt" -o "$work/x.html"
says 2 '3 is above --to 1 (want the lower one first)' response $two --input force@m1 --from 3 --to 1
says 2 '--from: 0 is not above 0' response $two --input force@m1 --from 0 --to 1
says 2 '--near: 0 is not above 0' modes $two --near 0
says 2 'title of [network] can'\''t be varied (step, duration and sample can)' sweep $two --vary network.title=a,b
for part in 1:4 5/4 0/4; do
  says 2 "--part $part: want I/N, part I of N, such as 1/4 (the first of four)" sweep $two --part $part --vary m1.mass=1,2
done
says 2 '--scheme foo: there is no such scheme (see `ifbam schemes`)' spectrum "$work/course.csv" --scheme foo
says 2 '--step 0.03: the rows are 0.1 s apart, which is no multiple of the step' spectrum "$work/course.csv" --scheme averaged --step 0.03
# Options of other kinds of pictures would go unheard.
"$IFBAM" response $two --input force@m1 --points 5 -o "$work/response.csv" 2>/dev/null
for option in '--input force@m1' '--from 1' '--to 3' '--points 7'; do
  set -- $option
  for drawn in "course $two" "phase $two" "modes $two" "stability $two" "response $work/response.csv"; do
    case "$1 $drawn" in
      --[ft]*\ course*|--[ft]*\ phase*) ;; # times there
      --[ft]*\ [ms]*) says 2 "$1 is for responses, courses and spectra" plot $drawn $option -o "$work/x.svg" ;;
      *) says 2 "$1 is for the response of a network" plot $drawn $option -o "$work/x.svg" ;;
    esac
  done
done
for option in '--window hann' --welch '--segment 1' '--overlap 0.5' --resample; do
  set -- $option
  for drawn in "course $two" "modes $two" "response $two --input force@m1"; do
    says 2 "$1 is for spectrum and spectrogram" plot $drawn $option -o "$work/x.svg"
  done
done
for option in '--linear is for responses and spectrograms' '--db is for a response'; do
  says 2 "$option" plot course $two "${option%% *}" -o "$work/x.svg"
  says 0 '' plot response "$work/response.csv" "${option%% *}"
done
for drawn in "modes $two" "stability $two" "roots $two" regions "response $two --input force@m1"; do
  says 2 '--signal is for courses and sweeps' plot $drawn --signal m1.position -o "$work/x.svg"
done
printf 'frequency,a.amplitude,a.phase\n1,2,3\n1,3,4\n' >"$work/table.csv"
says 2 'table.csv: the frequencies do not increase' plot response "$work/table.csv" -o "$work/x.svg"
[ -z "$(ls "$work" | grep svg)" ]
report $? 'no picture is there'
says 2 'there is no measure "largest" (want frequencies' sweep $two --vary k1.stiffness=1 --measure largest
says 2 'want response:INPUT:SIGNAL, such as response:force@m1:m2.position' sweep $two --vary k1.stiffness=1 --measure response
says 2 'input: "a" is no input' sweep $two --vary k1.stiffness=1 --measure response:a:b
says 2 'want max:ELEMENT.QUANTITY, such as max:m1.position' sweep $two --vary k1.stiffness=1 --measure max
says 2 '"*.position" is 3 signals, not one' sweep $two --vary k1.stiffness=1 --measure 'response:force@m1:*.position'
many=()
for varied in k1.stiffness k2.stiffness m1.mass m2.mass; do many+=(--vary "$varied=1:2:65536"); done
says 2 "--vary: 1.84e+19 variants can't be numbered" sweep $two "${many[@]}" --measure frequencies
[ "$(wc -l <"$work/err")" -eq 1 ]
report $? '... and nothing else of them'
says 0 'there is no best variant: none has a value' sweep $two --vary k1.stiffness=5,15 --duration 0.1s --measure settling:m1.position --best min:settling:m1.position
for part in 1 2 3 4; do
  "$IFBAM" sweep $two --vary k1.stiffness=5,15 --vary m1.mass=1,2 --part $part/4 --measure frequencies --best min:frequencies:1 -o "$work/part-$part.csv" 2>"$work/err"
done
says 1 '--join: 3 of 4 variants are there: a part is missing, or not finished' sweep --join "$work"/part-[123].csv
says 2 '--join: each part has its own best variant (give --best again, for the best of all)' sweep --join "$work"/part-[1234].csv
printf 'a.b,"max:""x"", y"\n1,2\n' >"$work/quoted-1.csv"
printf '2,3\n' >"$work/quoted-2.csv"
says 0 '' sweep --join "$work"/quoted-[12].csv
printf 'a.b,"max:""x"", y"\n1,2\n2,3\n' | cmp -s - "$work/out"
report $? 'names of columns keep their quotes'
says 2 '--step does not apply to' sweep --join "$work/part-1.csv" --step 1
says 2 'FROM and TO are the same' sweep $two --vary k1.stiffness=1:1:10

# ---- what only some variants are

equal=networks/parameters.ini
says 1 'the variant with k = 12000 N/m: m1.mass: must be above 0, not -4000' sweep $equal --vary k=5kN/m,12kN/m \
  --vary 'm1.mass=(8000 kg/s^2 - $k) * 1 s^2' --measure max:m1.position
says 1 'the variant with k = 5000 N/m: m1.mass has no finite value' sweep $equal --vary k=6kN/m,5kN/m \
  --vary 'm1.mass=1e6 kg * (1 kg/s^2)^2/($k - 5000 kg/s^2)^2' --measure max:m1.position
says 2 'no parameter "9" in [parameters]' sweep $equal --vary k=4kN/m,12kN/m --vary 'm1.mass=$9 * $k' --measure frequencies
network listed '[parameters]; m = 1; [ground g]; [chain c]; count = 2; mass = $m, 2 kg; stiffness = 100; from = g'
says 2 'c.mass = $m, 2 kg: lists follow no varied parameter' sweep "$listed" --vary m=1,2 --measure frequencies
# Of what can't be judged for growth nothing is said before the run.
says 0 '' sweep $two --vary k1.stiffness=5,6 --duration 0.1s --measure max:m1.position --scheme esdirk4 --tolerance 1e-6 -o "$work/sweep.csv"
says 0 '2 of 2 variants diverged' sweep "$endless" --vary m.mass=1,2 --measure max:m.position
says 1 'the variant with m.mass = 1 kg: h: its law has no finite slope at this state' sweep "$endless" --vary m.mass=1,2 --measure frequencies
says 0 '' sweep $two --vary k1.stiffness=5,6 --step auto --measure frequencies
cut -d, -f2- "$work/out" >"$work/auto"
"$IFBAM" sweep $two --vary k1.stiffness=5,6 --measure frequencies | cut -d, -f2- | cmp -s - "$work/auto"
report $? 'frequencies want no step, so that none is chosen'

# ---- exports, lists

for kind in c fmu; do
  says 2 "needs a name (want -o two-dof.$kind)" export --$kind -
done
says 2 'needs a name (want -o two-dof.h5)' export --columns -
says 2 '--fmi 4: there is 2 or 3' export --fmu --fmi 4 "$two"
says 0 '' check networks/chain.ini --list numbers
grep -qx 'c.m3.mass' "$work/out" && ! grep -q 'c.m3.between' "$work/out"
report $? 'numbers of the members of a chain are listed'
says 0 '' check $two --list settings
grep -qx network.scheme "$work/out" && grep -qx k1.stiffness "$work/out"
report $? 'settings are those of the network, too'

# ---- runs

says 2 'Unknown option --scheme verlet' run $two '--scheme verlet'
says 2 'there is plan, compiled or objects' run $two --engine foo
says 2 '--checkpoint and --resume need -o FILE' run $two --checkpoint "$work/a.h5"
says 2 'a dialogue of 1002 nodes is too long to be read (1000 nodes at most)' dialogue $large
says 1 'is a folder, not a network file' run "$work"
says 2 '"*.foo" matches nothing in this network' run $two --record '*.foo'
says 2 '"1,000" is not a number: decimals follow a point, thousands have no mark (did you mean "1000" or "1.000"?)' run $two --step 1,000
says 2 '"1 kg 3" has a second number in its unit' run $two --set 'm1.mass=1 kg 3'
says 2 '"20 degC" is no mass: degC does not begin at zero' run $two --set 'm1.mass=20 degC'
says 2 '"q*.position" matches nothing' run $two --record 'm1.position' --record 'q*.position'
deep=$(printf '%70s' '' | tr ' ' '(')1$(printf '%70s' '' | tr ' ' ')')
says 2 'has more than 64 parentheses within each other' run $two --set "m1.mass=$deep kg"
says 2 '"1e305 Gg" is too large for a number' run $two --set 'm1.mass=1e305 Gg'

says 1 '1000000000000001 rows of 2 signals need' plot course $two --step 1e-12 --duration 1000 -o "$work/x.svg"
{ printf '\xef\xbb\xbf'; cat $two; } >"$work/marked.ini"
says 0 '' check "$work/marked.ini"
"$IFBAM" check $two >"$work/plain" && cmp -s "$work/out" "$work/plain"
report $? 'a file that begins with the mark of UTF-8 is read like any other'

# ---- reports: what takes an hour plays in 36 s; what has no second row has no movie

network far '[ball b]; mass = 1; vx = 1'
says 0 '' report "$far" --step 10s --duration 3600s -o "$work/far.html"
grep -q '"motion":{"duration":3600.0,"speed":100.0}' "$work/far.html" && grep -q '<svg class="movie"' "$work/far.html"
report $? 'a movie of an hour plays a hundred times as fast'
network off '[ball b]; mass = 1; x = 1e308; vx = 1e308'
says 0 'the run diverged at t = 0 s (step 0): "b.x" is not finite any more' report "$off" --step 1s --duration 3s -o "$work/off.html"
grep -q '"motion":{"duration":0.0,"speed":1.0}' "$work/off.html" && ! grep -q '<svg class="movie"' "$work/off.html"
report $? 'what diverges at once has a report without a movie'

# ---- what happens in a dialogue's first steps: half of the rate comes back; 4 C on 2 F make 2 V

network meet '[ground g]; [mass m]; mass = 1; position = 1 mm; velocity = -2; [impact i]; between = g, m; restitution = 0.5
[impulse hit]; on = m; at = 1.5 ms; impulse = 3 N s; [monitor w]; signal = m.position; level = 2 mm
[capacitor c]; capacitance = 2; [impulse zap]; on = c; at = 0.5 ms; impulse = 4'
says 0 '' dialogue "$meet" --scheme verlet
while read -r line; do
  grep -qxF "  $line" "$work/out"
  report $? "a dialogue tells: $line"
done <<'END'
i at t = 0.0005 s: "g and m meet: I give the impulse p = 3 N s; 1.5 J are lost."
m: "I came with v = -2 m/s, get 3 N s, and leave with v = 1 m/s."
zap at t = 0.0005 s: "I strike with the charge q = 4 C; 4 J are brought."
c: "I came with v = 0 V, get 4 C, and leave with v = 2 V."
hit at t = 0.0015 s: "I strike with the impulse p = 3 N s; 7.5 J are brought."
w at t = 0.00175 s: "What I watch rises past a level of mine."
END

# ---- parameters within each other

# deep N: a network whose stiffness is parameter aN, of N parameters below it
deep() {
  {
    printf '[parameters]\na0 = 1 N/m\n'
    for i in $(seq "$1"); do printf 'a%d = $a%d + 1 N/m\n' "$i" $((i - 1)); done
    printf '[network]\nstep = 1 ms\nduration = 1 s\n[ground w]\n[mass m]\nmass = 1 kg\n[spring s]\nbetween = w, m\nstiffness = $a%d\n' "$1"
  } >"$work/deep.ini"
}

for depth in 16 63; do
  deep $depth
  says 0 '' check "$work/deep.ini"
done
"$IFBAM" modes "$work/deep.ini" | grep -q "^ *1 *1\.2732395 "
report $? 'sixty-four parameters that add up: 64 N/m'
deep 64
says 1 'parameter "a0" is more than 64 parameters deep (64 at most)' check "$work/deep.ini"
deep 20
sed -i 's/^a0 = .*/a0 = $a20/' "$work/deep.ini"
says 1 'parameter "a20" is defined by itself' check "$work/deep.ini"

# ---- what is not installed

mkdir "$work/bin"
ln -s "$(command -v timeout)" "$work/bin"
PATH=$work/bin
timeout 60 "$IFBAM" plot course $two -o "$work/x.svg" 2>"$work/err"
code=$?
PATH=$old_path
expect 1 'gnuplot draws the figures and is not here: install gnuplot' 'pictures without gnuplot'

exit $status
