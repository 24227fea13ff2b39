#!/bin/bash
# test-sizes.sh: what a few bytes ask for is judged against the memory that there is, before it is made
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

network () { # COUNT: of masses in a chain
  printf '[network]\nstep = 1 ms\nduration = 2000 s\n[ground g]\n'
  printf '[chain c]\ncount = %s\nmass = 1 kg\nstiffness = 100 N/m\nfrom = g\nposition = 1 m\n' "$1"
}

# little WHAT ASKS... : with 500 MB of address space, it is refused at once, and says how much there is
little () {
  local what=$1 asks=$2
  shift 2
  (ulimit -v 500000 && timeout 60 "$IFBAM" "$@") >"$work/out" 2>"$work/err"
  code=$?
  [ $code -eq 2 ] && code=1 # of an option or of a file: it is refused
  expect 1 "$asks" "$what: it says what it would take"
  grep -qE '[0-9.]+ GB of memory, and 0\.[0-9]+ GB are free \(ulimit -v\)' "$work/err"
  report $? "$what: it says what there is"
}

if ! (ulimit -v 500000 && "$IFBAM" --version) >"$work/out" 2>&1; then
  echo 'ok - sizes # SKIP a sanitizer takes more memory than the limit'
  exit 0
fi
network 2 >"$work/small.ini"
network 1e7 >"$work/masses.ini"
{
  network 1e6
  for i in $(seq 20); do printf '[gravity g%d]\non = c\n' "$i"; done
} >"$work/forces.ini"
little masses 'count: the network'\''s 10000001 nodes and 10000000 links and the names' check "$work/masses.ini"
little 'masses, few of them recorded' '10000000 links need' check "$work/masses.ini" --record c.m1.position
little 'forces on masses' '20000020 forces on nodes' check "$work/forces.ini"
little signals '000000 signals need' check "$work/masses.ini" --set c.count=1e6 \
  --record 'c.m[1:1000000].position,c.m[1:1000000].velocity,c.k[1:1000000].force'
little rows 'rows of 1 signals need' spectrum "$work/small.ini" --duration 1e6s --record c.m1.position
little variants 'the values of 90000000 variants need' sweep "$work/small.ini" --vary c.stiffness=1:2:30000 \
  --vary c.mass=1:2:3000 --measure max:c.m1.position
little 'points of a grid' '1000000000 points need' sweep "$work/small.ini" --vary c.stiffness=1:2:1000000000
little 'a spectrogram' 'frequencies needs' plot spectrogram "$work/small.ini" --segment 0.1s --overlap 0.95 \
  --record c.m1.position -o "$work/spectrogram.svg"
little objects 'a run of' run "$work/masses.ini" --set c.count=2e5 --engine objects --record c.m1.position --duration 2ms
network 1e6 >"$work/million.ini"
timeout 60 "$IFBAM" dialogue "$work/million.ini" >"$work/out" 2>"$work/err"
code=$?
expect 2 'a dialogue of 1000001 nodes is too long' 'a dialogue of a million masses is refused'
timeout 60 "$IFBAM" export "$work/million.ini" --fmu -o "$work/million.fmu" >"$work/out" 2>"$work/err"
code=$?
expect 2 'lists each number of 2000001 nodes and links' 'an FMU of a million masses is refused'
[ ! -e "$work/spectrogram.svg" ] && [ ! -e "$work/million.fmu" ]
report $? 'nothing is half-written'

# The same within a pipe that does not end: no size is known before.
yes '[mass m]' | little 'an endless network' 'needs' check -
{ echo time,a; seq 0 100000000 | sed 's/$/,1/'; } 2>/dev/null | little 'an endless course' 'needs' spectrum -
mkfifo "$work/rows.csv"
{ echo time,a; seq 0 100000000 | sed 's/$/,1/'; } 2>/dev/null >"$work/rows.csv" &
little 'endless rows' 'to read on takes' spectrum "$work/rows.csv"

# OpenBLAS waits for ever for a buffer that it can't have.
while read -r name arguments; do
  for limit in 150000 250000 400000; do
    (ulimit -v $limit && timeout 60 "$IFBAM" $arguments) >"$work/out" 2>"$work/err"
    code=$?
    [ $code -eq 0 ] || { [ $code -eq 1 ] && grep -q 'memory is too short' "$work/err"; }
    report $? "$name within $limit kB of address space: it is done, or says that memory is too short"
  done
done <<END
check check networks/half-car.ini
modes modes networks/half-car.ini
run run networks/half-car.ini
spectrum spectrum networks/two-dof.ini
stability stability networks/two-dof.ini
END
exit $status
