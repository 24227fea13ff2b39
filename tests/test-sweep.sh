#!/bin/bash
# test-sweep.sh: ifbam sweep as a user meets it: its words, its file, interruption and going on
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
two=networks/two-dof.ini three=networks/three-dof.ini
vary=--vary=k1.stiffness=5kN/m:20kN/m:4
measure=--measure=max:m1.position
status=0
. tests/expect.sh

sweep() {
  timeout 120 "$IFBAM" sweep "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

holds() { # a condition, as arguments of test, and what it means
  local what=${*: -1}
  test "${@:1:$#-1}"
  report $? "$what"
}

# whole FILE: as many fields in each row as in the first, and a line end after the last
whole() {
  awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR < 2 }' "$1" \
    && [ -z "$(tail -c 1 "$1")" ]
}

# ---- what comes out

sweep $three $vary $measure,final:m3.velocity --vary m2.mass=1kg,2kg --duration 0.3s -o "$work/sweep.csv"
expect 0 '' 'a sweep over two numbers'
[ ! -s "$work/out" ] && whole "$work/sweep.csv" && [ "$(wc -l <"$work/sweep.csv")" -eq 9 ] \
  && [ "$(head -n 1 "$work/sweep.csv")" = 'k1.stiffness,m2.mass,max:m1.position,final:m3.velocity,diverged' ]
report $? 'a row for each variant, with all numbers varied and measured'
fine=0
while IFS=, read -r stiffness mass most final diverged; do
  alone=$("$IFBAM" run $three --set k1.stiffness="$stiffness" --set m2.mass="$mass" --duration 0.3s \
    --record m1.position,m3.velocity | awk -F, 'NR > 1 && (NR == 2 || $2 > most) { most = $2 } END { print most "," $3 }')
  [ "$alone,$diverged" = "$most,$final," ] || fine=1
done < <(tail -n +2 "$work/sweep.csv")
report $fine 'the same digits as runs one by one'
sweep networks/damped.ini --vary d1.damping=30,100 \
  --measure magnitude:m1.position,peak-to-peak:m1.position,peak-time:m1.position,settling:m1.position
cp "$work/out" "$work/measures.csv"
fine=0
tail -n +2 "$work/measures.csv" | while IFS=, read -r damping magnitude range time settling _; do
  "$IFBAM" run networks/damped.ini --set d1.damping="$damping" --record m1.position | awk -F, -v damping="$damping" \
    -v m="$magnitude" -v r="$range" -v t="$time" -v s="$settling" 'function abs(x) { return x < 0 ? -x : x }
    NR > 1 { at[++n] = $1; x[n] = $2 + 0; if (n == 1) low = high = x[1]
      if (x[n] < low) low = x[n]; if (x[n] > high) high = x[n]; if (n == 1 || abs(x[n]) > most) { most = abs(x[n]); when = $1 } }
    END { for (i = 1; i <= n; i++) if (abs(x[i] - x[n]) > far) far = abs(x[i] - x[n])
      for (i = n; i > 0 && abs(x[i] - x[n]) <= 0.02 * far; i--);
      settled = i >= 0.9 * (n - 1) ? "" : at[i + 1]
      exit !(abs(m - most) < 1e-15 && abs(r - (high - low)) < 1e-15 && abs(t - when) < 1e-12 \
        && (settled == "" ? s == "" : abs(s - settled) < 1e-12)) }' || exit 1
done || fine=1
report $fine 'largest magnitude, peak to peak, when it peaks, when it has settled: those of the rows'
sweep $two --vary k1.stiffness=5kN/m,10kN/m,20kN/m --measure response:force@m1:m2.position --set m2.mass=1kg
expect 0 'response:force@m1:m2.position has no peak in 3 of 3 variants' 'the peak of a response that nothing damps: it is said'
holds "$(head -n 1 "$work/out")" = 'k1.stiffness,response:force@m1:m2.position:frequency,response:force@m1:m2.position:amplitude' \
  'its columns are there'
holds "$(awk -F, 'NR > 1 && $2 != ""' "$work/out" | wc -l)" -eq 0 'which is infinite without damping: empty'
sweep networks/damped.ini --vary d1.damping=30,100 --measure response:force@m1:m1.position
awk -F, 'NR > 1 { w = 2 * atan2(0, -1); m = 2; k = 5000; c = $1
  p = sqrt(k / m - c * c / (2 * m * m)) / w; h = 1 / (c * sqrt(k / m - c * c / (4 * m * m)))
  if (($2 - p) / p > 1e-7 || (p - $2) / p > 1e-7 || ($3 - h) / h > 1e-12 || (h - $3) / h > 1e-12) exit 1 }' "$work/out"
report $? 'the peak of a damped one: its frequency and height are those of the closed form'
sweep $two --vary k1.stiffness=5kN/m:20kN/m:4 --measure max:m2.position,min:m2.position --best min:max:m2.position -o "$work/best.csv"
expect 0 'the least max:m2.position' 'the best variant is told'
awk -F, 'NR == 1 { fine = $NF == "best"; next } { if (least == "" || $2 < least) { least = $2; row = NR } mark[NR] = $NF }
  END { for (r = 2; r <= NR; r++) if (mark[r] != (r == row)) exit 1; exit !fine }' "$work/best.csv"
report $? 'and its row marked, no other'
"$IFBAM" plot sweep "$work/best.csv" -o "$work/best.svg" && grep -q 'best: ' "$work/best.svg"
report $? 'and in its picture'
sweep $two --vary k1.stiffness=5kN/m:20kN/m:4 --measure max:m2.position,min:m2.position --resume "$work/best.csv" -o "$work/best.csv"
expect 0 '' 'such a table can be gone on with'
sweep $two $vary $measure --best min:max:m9.position && expect 2 'is not measured' '--best of what is not measured'
sweep $two $vary $measure --best max:m1.position && expect 2 'is not measured' '--best without its measure'
sweep networks/parameters.ini --vary k=5kN/m,10kN/m
holds "$(head -n 1 "$work/out" | cut -d, -f1)" = 'k [N/m]' 'a parameter has its unit'
# Three masses of m on springs of k: the frequency is that of k / m; "m" is a parameter here, and a metre.
first() { awk -F, -v row="$1" 'NR == row { print $2 }' "$work/out"; }
sweep networks/parameters.ini --vary 'm=$m,2*$m,4*$m' --count 1
holds "$(awk -v a="$(first 2)" -v b="$(first 4)" 'BEGIN { print (a / b > 1.999999 && a / b < 2.000001) }')" = 1 'values of a list may have the parameters of the file'
sweep networks/parameters.ini --vary 'k=$k:4*$k:2' --count 1
holds "$(awk -v a="$(first 3)" -v b="$(first 2)" 'BEGIN { print (a / b > 1.999999 && a / b < 2.000001) }')" = 1 'ends of a grid, too'
sweep networks/parameters.ini --vary k=4kN/m,8kN/m --vary 'm1.mass=(8.4 kN/m - $k) * 1 s^2 / 1000' --measure final:m1.position --duration 1ms
expect 0 '' 'a formula with units is no formula of what is called as they are'
sweep networks/parameters.ini --vary k=4kN/m,8kN/m --vary 'm1.mass=$k*1 ms^2,$m'
expect 2 'lists and grids follow no parameter that is varied, too (a formula does: ELEMENT.KEY=2*$NAME)' 'a list that would have to follow'
sweep networks/parameters.ini --vary 'm1.mass=$kk,$m'
expect 2 'no parameter "kk" in [parameters] (did you mean "$k"?)' 'a list with a parameter that is not there'
sweep $three $vary $measure,final:m3.velocity --vary m2.mass=1kg,2kg --duration 0.3s
same "$work/out" "$work/sweep.csv" 'without -o the same on standard output'
for options in '--threads 1' '--engine objects'; do
  sweep $three $vary $measure,final:m3.velocity --vary m2.mass=1kg,2kg --duration 0.3s $options
  same "$work/out" "$work/sweep.csv" "the same with $options"
done
sweep - $vary $measure --duration 0.3s
expect 1 'is empty' 'nothing on standard input'
timeout 60 "$IFBAM" sweep - $vary $measure --duration 0.3s <$three >"$work/piped" 2>"$work/err"
sweep $three $vary $measure --duration 0.3s
same "$work/out" "$work/piped" 'a network from standard input'
sweep $two --vary k1.stiffness=10kN/m,40kN/m && expect 0 '' 'without --measure'
[ "$(head -n 1 "$work/out")" = 'k1.stiffness,frequencies:1,frequencies:2' ] \
  && grep -qE '^10000,10\.898[0-9]*,46\.486[0-9]*$' "$work/out"
report $? 'the eigenfrequencies'
sweep $two --vary k1.stiffness=10kN/m,40kN/m --measure damping,final:m1.position --count 1
grep -qE '^10000,0,-?[0-9.e-]*,$' "$work/out" && [ "$(wc -l <"$work/out")" -eq 3 ]
report $? 'damping ratios beside what is measured of a run'
sweep $three --vary k1.stiffness=10kN/m --measure spectrum:m1.position --count 2 -o "$work/lines.csv"
grep -qE '^10000,9\.66[0-9]*,48\.527[0-9]*,0\.000337[0-9]*,0\.000622[0-9]*,$' "$work/lines.csv"
report $? 'two lines of three: the strongest ones, by their frequencies'
sweep networks/duffing.ini --vary m1.mass=1,2 && expect 0 'not linear' 'a nonlinear network: said so'
sweep networks/parameters.ini --vary "$(sed -n '/^\[parameters\]/,/^\[/s/^\([a-z]*\) *= .*/\1/p' networks/parameters.ini | head -n 1)=1:2:2" \
  --measure 'final:*.position'
expect 0 '' 'a parameter of the file is varied'
sweep $two --vary network.step=1ms,20ms --scheme euler --measure rms:m1.position -o "$work/steps.csv"
expect 0 '2 of 2 variants diverged' 'variants that diverge do not end a sweep'
grep -q '^0.001,,[0-9.]*$' "$work/steps.csv" && whole "$work/steps.csv"
report $? 'they are marked by their instant'
sweep $two --vary network.step=1ms,20ms --scheme verlet --measure rms:m1.position --duration 100s --allow-divergence
grep -q '^0.02,,[0-9.]*$' "$work/out" && grep -q '^0.001,[0-9.e+]*,$' "$work/out"
report $? '--allow-divergence lets them run on while numbers are finite'

# ---- figures

plot() {
  timeout 120 "$IFBAM" plot sweep "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

sweep networks/driven.ini --vary floor.frequency=5Hz:15Hz:20 --vary mount.stiffness=10kN/m:1MN/m:12:log \
  --measure max:machine.position,rms:machine.velocity -o "$work/map.csv"
for kind in svg png pdf; do
  plot "$work/map.csv" -o "$work/map.$kind" && [ -s "$work/map.$kind" ]
  report $? "a map as $kind"
done
COLUMNS=80 LINES=20 plot "$work/map.csv" --signal max:machine.position
expect 0 '7 of 12 combinations of the other numbers are drawn' 'as text: some of its rows'
grep -q 'floor.frequency \[Hz\]' "$work/out" && [ "$(grep -c 'mount.stiffness = ' "$work/out")" -eq 7 ]
report $? 'each a curve'
plot "$work/map.csv" --x 1:2 && expect 2 'there is nothing to draw' 'a range without points'
plot "$work/map.csv" --signal max:machine.velocity
expect 2 'map.csv: the table has no measure "max:machine.velocity"' 'what was not measured'
plot networks/two-dof.csv && expect 1 'two-dof.csv: this is no table of a sweep' 'a course'
plot $two && expect 1 'two-dof.ini:' 'a network'
plot nowhere.csv && expect 1 'nowhere.csv: No such file' 'a missing table'
plot "$work/map.csv" "$work/map.csv" && expect 2 'one table too many' 'two tables'

# ---- what is wrong

sweep && expect 2 'want NETWORK' 'without a network'
sweep $two $three && expect 2 'one word too many' 'a word too many'
sweep nowhere.ini $vary $measure && expect 1 'nowhere.ini' 'a missing file'
sweep networks $vary $measure && expect 1 'networks: is a folder' 'a folder'
sweep /dev/zero $vary $measure && expect 1 'is not text' 'an endless device'
sweep networks/invalid/several.ini $vary $measure
expect 1 'several.ini:16: [mass m1] mass: must be above 0' 'an invalid network'
sweep $two $measure && expect 2 '--vary: nothing is varied' 'nothing is varied'
sweep $two $vary --measure frequencies:m1.position
expect 2 'frequencies are of the network' 'frequencies of a signal'
sweep $two $vary --count 0 && expect 2 '--count 0' 'no peaks at all'
sweep $two $vary $measure --threads -1 && expect 2 '--threads -1' 'fewer threads than none'
sweep $two $vary $measure --step 5kg && expect 2 '--step 5kg' 'a step of the wrong unit'
sweep $two --vary k9.stiffness=1:2:3 --vary k1.colour=1:2:3 --vary k2.stiffness=1:2:0 --measure max:m9.position \
  -o "$work/none.csv"
expect 2 'no element "k9"' 'an unknown element'
expect 2 'a spring has no key "colour"' 'an unknown key, told at once'
expect 2 '"0" is no number of points' 'an empty grid, told at once'
expect 2 '--measure max:m9.position: no element "m9"' 'an unknown signal, told at once'
[ ! -e "$work/none.csv" ] && [ -z "$(ls -A "$work" | grep -F none)" ]
report $? 'and nothing is written'
sweep $two $vary $measure -o "$work/nowhere/sweep.csv" --duration 1e9s
expect 1 'nowhere/sweep.csv' 'a missing folder, told before the work'
sweep $two $vary $measure -o "$work" && expect 1 "$work" 'a folder as output'
sweep $two $vary $measure -o /dev/full && expect 1 'No space left on device' 'a full disk'
timeout 60 "$IFBAM" sweep $two $vary $measure >/dev/full 2>"$work/err"
code=$?
expect 1 'No space left on device' 'standard output onto a full disk'
"$IFBAM" sweep $two --vary k1.stiffness=1:2:20000 $measure --duration 1ms 2>"$work/err" | head -n 1 >/dev/null
code=${PIPESTATUS[0]}
expect 1 'Broken pipe' 'a reader that goes away'
mkdir "$work/locked"
chmod 555 "$work/locked"
if [ -w "$work/locked" ]; then
  echo "ok - a read-only folder # skip: this user may write everywhere"
else
  sweep $two $vary $measure -o "$work/locked/sweep.csv" --duration 1e9s
  expect 1 'Permission denied' 'a read-only folder, told before the work'
fi

# ---- interruption, and going on

many=--vary=k1.stiffness=5kN/m:20kN/m:300
measure=--measure=final:m1.position
sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s -o "$work/straight.csv"
expect 0 '' 'a longer sweep'
for signal in INT TERM; do
  file=$work/$signal.csv
  "$IFBAM" sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s --threads 1 -o "$file" 2>"$work/err" &
  pid=$!
  hears $pid $signal
  sleep 0.2
  kill -$signal $pid
  wait $pid
  code=$?
  # A machine may be too fast or too slow for this: then there is nothing to be seen here.
  if [ $code -eq 0 ] || [ ! -e "$file" ]; then
    echo "ok - SIG$signal in the middle of a sweep # skip: it was all or nothing by then"
    continue
  fi
  expect $((128 + $(kill -l $signal))) 'of 6000 variants' "SIG$signal ends a sweep"
  expect $((128 + $(kill -l $signal))) "--resume $file continues" 'and it is said how to go on'
  whole "$file" && [ "$(wc -l <"$file")" -lt 6001 ]
  report $? "SIG$signal: whole rows, so far"
  sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s -o "$file" --resume "$file"
  expect 0 '' "SIG$signal: --resume goes on"
  same "$file" "$work/straight.csv" 'and ends as if nothing had happened'
done
[ -z "$(ls -A "$work" | grep '^\.')" ]
report $? 'no unfinished file stays'

head -n 3000 "$work/straight.csv" >"$work/half.csv"
cp "$work/half.csv" "$work/kept.csv"
sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s -o "$work/half.csv" --resume "$work/half.csv"
expect 0 '' '--resume with half of the rows'
same "$work/half.csv" "$work/straight.csv" 'gives all of them'
sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s -o "$work/half.csv" --resume "$work/half.csv"
expect 0 '' '--resume with nothing left to do'
cp "$work/kept.csv" "$work/half.csv"
sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s -o "$work/half.csv" --resume "$work/half.csv" --set k2.stiffness=41kN/m
expect 1 'half.csv is of another sweep: with k1.stiffness = 5' '--resume sees another network'
sweep $three $vary $measure --duration 1s -o "$work/half.csv" --resume "$work/half.csv"
expect 1 'half.csv is of another sweep' '--resume sees another grid'
sweep $three $many --vary m2.mass=1:2:20 --measure max:m1.position --duration 1s -o "$work/half.csv" --resume "$work/half.csv"
expect 1 'which is not measured' '--resume sees another measure'
same "$work/half.csv" "$work/kept.csv" 'and leaves the file as it is'
sweep $three $vary $measure --duration 1s -o "$work/new.csv" --resume "$work/new.csv"
expect 0 'there is no' '--resume without a file begins'
whole "$work/new.csv"
report $? 'and writes it'
# A table that was cut, or is of somewhere else: what is wrong with it is said, and it stays.
again() { # TABLE: what goes on from it
  sweep $two --vary m1.mass=1kg,2kg --vary k1.stiffness=5kN/m,6kN/m --measure max:m2.position --duration 20ms --resume "$1" "${@:2}"
}
again "$work/none.csv" -o "$work/four.csv" && expect 0 'there is no' 'a table of four'
cut -d, -f1 "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'its column 2 is "", not "k1.stiffness"' '--resume: a varied column is missing'
cut -d, -f2 "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'its column 1 is "k1.stiffness", not "m1.mass"' '--resume: columns in another order'
cut -d, -f1-3 "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'it has no column "diverged"' '--resume: no word of what diverged'
cut -d, -f1,2,4 "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'it has no column "max:m2.position"' '--resume: no column of a measure'
sed '2s/$/0.01/' "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'with m1.mass = 1 kg, k1.stiffness = 5000 N/m this one does not diverge' '--resume: what diverged there does not here'
sed '2s/^1,/3,/' "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'm1.mass = 3 is not varied' '--resume: a variant that is none'
again "$work/four.csv" --part=1/2 && expect 1 'a variant of it is of another part' '--resume: a row of another part'
sed '1s/$/,better/; 2,$s/$/,1/' "$work/four.csv" >"$work/odd.csv"
again "$work/odd.csv" && expect 1 'it has a column "better", which is not measured' '--resume: a column too many'
blown() { # what diverges in one of two variants
  sweep $two --vary network.step=1ms,0.5s --scheme rk4 --measure max:m2.position --duration 100s --resume "$1" "${@:2}"
}
blown "$work/none.csv" -o "$work/blown.csv" && expect 0 'diverged' 'a table with a variant that diverged'
blown "$work/blown.csv" && cmp -s "$work/out" "$work/blown.csv"
report $? '--resume: it diverges again, at the same instant'
sed '$s/,[^,]*$/,7/' "$work/blown.csv" >"$work/odd.csv"
blown "$work/odd.csv" && expect 1 'this one diverges, at another instant at least' '--resume: it diverges elsewhen'
sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s --resume "$work/straight.csv"
same "$work/out" "$work/straight.csv" '--resume without -o, of a table that is whole'

# ---- in HDF5

grid() { # the same sweep with more words
  sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s "$@"
}
for signal in INT TERM KILL; do
  rm -f "$work"/c.h5* "$work"/cut.*
  { timeout -s $signal 0.3 "$IFBAM" sweep $three $many --vary m2.mass=1:2:20 $measure --duration 1s --threads 1 \
    -o "$work/cut.csv" --checkpoint "$work/c.h5,200"; } 2>"$work/err"
  note=; [ -e "$work/c.h5" ] || note='there is no' # of a slow machine
  grid -o "$work/cut.csv" --resume "$work/c.h5"
  expect 0 "$note" "SIG$signal: a sweep goes on from its checkpoint, if there is one yet"
  same "$work/cut.csv" "$work/straight.csv" 'and ends as if nothing had happened'
  grid -o "$work/cut.h5" --resume "$work/c.h5"
  expect 0 '' 'or as HDF5'
done
grid -o "$work/straight.h5"
if command -v h5diff >/dev/null; then
  h5diff "$work/cut.h5" "$work/straight.h5"
  report $? 'of which h5diff says that it is the same'
fi
plot "$work/straight.h5" -o "$work/one.svg" && plot "$work/straight.csv" -o "$work/other.svg"
same "$work/one.svg" "$work/other.svg" 'plot sweep takes it as it takes CSV'
cp "$work/c.h5" "$work/kept.h5"
grid -o "$work/cut.csv" --resume "$work/c.h5" --set k2.stiffness=41kN/m
expect 2 'c.h5: was made with other options: "--duration' 'a checkpoint of another network: refused'
sweep $three $vary $measure --duration 1s -o "$work/cut.csv" --resume "$work/c.h5"
expect 2 'was made with other options' 'of another grid: refused'
sed 's/^title/# title/' $three >"$work/three-dof.ini"
sweep "$work/three-dof.ini" $many --vary m2.mass=1:2:20 $measure --duration 1s -o "$work/cut.csv" --resume "$work/c.h5"
expect 2 "is of another network: the file's text has changed" 'of another text: refused'
sweep $three $many --checkpoint "$work/c.csv" && expect 2 'want FILE.h5' '--checkpoint of no HDF5'
sweep $three $many --checkpoint "$work/c.h5,soon" && expect 2 'soon' '--checkpoint at no interval'
sweep $three $many --checkpoint "$work/c.h5" -o "$work/c.h5"
expect 2 "is the checkpoint's file, too" '--checkpoint into the output'
sweep networks/parameters.ini --vary k=1kN/m,2kN/m -o "$work/k.h5" && expect 0 '' 'a parameter of a file'
sed 's/^k /mode /; s/[$]k/$mode/' networks/parameters.ini >"$work/mode.ini"
sweep "$work/mode.ini" --vary mode=1kN/m,2kN/m -o "$work/mode.h5"
expect 2 '"mode" can'"'"'t be the name of an array' 'a parameter that is called as an axis'
same "$work/c.h5" "$work/kept.h5" 'the checkpoint stays as it is'
printf '\252' | dd of="$work/c.h5" bs=1 seek=3000 conv=notrunc 2>/dev/null
grid -o "$work/cut.csv" --resume "$work/c.h5" && expect 0 'is damaged: its checksum is another one; the sweep continues from' \
  'a damaged checkpoint gives way to the one before'
same "$work/cut.csv" "$work/straight.csv" 'and the table is the same'
head -c 3000 "$work/straight.h5" >"$work/half.h5"
plot "$work/half.h5" && expect 1 'half.h5' 'half a file'
timeout 60 "$IFBAM" run $two -o "$work/run.h5" && plot "$work/run.h5"
expect 1 'has no sweep' 'the result of a run'

# ---- what is no table

cp $three "$work/three-dof.ini"
sweep $three $vary $measure --resume "$work/three-dof.ini" -o "$work/three-dof.ini"
expect 1 'three-dof.ini:' '--resume of no table'
same $three "$work/three-dof.ini" 'which stays as it is'

# ---- in parts

wide="--vary k1.stiffness=1N/m:1MN/m:13:log --vary m2.mass=1kg:5kg:7"
for question in '--measure frequencies,damping' '--measure max:m1.position,spectrum:m2.position --duration 1s --best max:max:m1.position' \
  '--measure frequencies --by-rank'; do
  sweep $two $wide $question -o "$work/whole.csv"
  parts=()
  for i in 1 2 3 4; do
    sweep $two $wide $question "--part=$i/4" -o "$work/part$i.csv"
    parts+=("$work/part$i.csv")
  done
  best=${question#*--best }
  [ "$best" = "$question" ] && best= || best="--best $best"
  sweep --join "${parts[@]}" $best -o "$work/joined.csv"
  expect 0 '' "--join of four parts: $question"
  same "$work/joined.csv" "$work/whole.csv" 'and they are the whole'
done
cat "${parts[@]}" >"$work/cat.csv"
whole "$work/cat.csv" && [ "$(wc -l <"$work/cat.csv")" -eq 92 ]
report $? 'cat makes one table of them, too'
sweep $two $wide --measure max:m1.position --duration 0.1s -o "$work/whole.csv"
for i in 1 2 3; do sweep $two $wide --measure max:m1.position --duration 0.1s "--part=$i/3" -o "$work/part$i.csv"; done
cat "$work"/part[123].csv >"$work/cat.csv"
same "$work/cat.csv" "$work/whole.csv" 'where no column is empty cat gives the whole'
head -n 20 "$work/part2.csv" >"$work/half.csv"
sweep $two $wide --measure max:m1.position --duration 0.1s --part=2/3 --resume "$work/half.csv" -o "$work/half.csv"
same "$work/half.csv" "$work/part2.csv" 'a part goes on where it was'
sweep --join "$work"/part1.csv "$work"/part3.csv && expect 1 'a part is missing' 'a part is missing'
sweep --join "$work"/part1.csv "$work"/part3.csv "$work"/part2.csv && expect 1 'another order' 'parts in another order'
sweep --join "$work"/part[12].csv "$work"/part2.csv "$work"/part3.csv && expect 1 'is given twice' 'a part twice'
sweep --join "$work"/part2.csv && expect 1 'header' 'no header'
sweep --join "$work"/part[123].csv --best max:m1 && expect 2 'want min:COLUMN' '--best of another column'
sweep --join "$work"/part[123].csv $wide && expect 2 'needs the parts' '--join with --vary'
for part in 0/4 5/4 1 a/b 1/0 -1/2; do
  sweep $two $wide "--part=$part"
  expect 2 'want I/N' "--part $part"
done
sweep $two $vary --part=3/5 && expect 2 'there are 4 variants only' 'more parts than variants'
sweep $two $wide --part=1/2 -o "$work/p.h5" && expect 2 'a part is CSV' 'no part in HDF5'
if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q GNU; then
  (cd "$work" && parallel --will-cite -j 2 "$IFBAM" sweep "$OLDPWD/$two" $wide --measure max:m1.position --duration 0.1s --part={}/3 -o by{}.csv ::: 1 2 3 \
    && "$IFBAM" sweep --join by1.csv by2.csv by3.csv -o by.csv) >"$work/out" 2>&1
  same "$work/by.csv" "$work/whole.csv" 'GNU parallel: the same'
else
  echo 'ok - GNU parallel # skip it is not there'
fi
exit $status
