#!/bin/bash
# test-unsolved.sh: networks in which a step has no solution: each command ends with an answer or a message, and never with a signal
# SPDX-License-Identifier: GPL-3.0-or-later

cd "$(dirname "$0")/.." || exit 1
IFBAM=${IFBAM:-build/ifbam}
out=$(mktemp -d) || exit 1
failed=0
trap 'rm -rf "$out"' EXIT

answers () # FILE SCHEME COMMAND...: exit status 0, 1 or 2; with another one than 0 a message
{
  file=$1 scheme=$2; shift 2
  "$IFBAM" "$@" "tests/unsolved/$file.ini" --scheme "$scheme" --duration 1ms >"$out/stdout" 2>"$out/stderr"
  status=$?
  if [ $status -gt 2 ] || { [ $status -gt 0 ] && ! grep -q '^ifbam: ' "$out/stderr"; }; then
    failed=1
    echo "not ok $* of $file under $scheme: exit status $status"
  else
    echo "ok $* of $file under $scheme"
  fi
}

for file in source-on-a-diode charged-capacitor-on-a-diode bridge-of-exponential-diodes; do
  for scheme in implicit implicit-euler tr-bdf2; do
    answers $file $scheme check
    answers $file $scheme run -o "$out/a.csv"
    answers $file $scheme run --tolerance 1e-3 -o "$out/a.csv"
    answers $file $scheme spectrum
    answers $file $scheme plot course -o "$out/a.svg"
    answers $file $scheme sweep --vary network.step=1us,2us --measure max:network.energy
    answers $file $scheme report -o "$out/a.html"
  done
done

for file in source-on-a-diode charged-capacitor-on-a-diode; do
  if "$IFBAM" stability "tests/unsolved/$file.ini" | grep -q '^. implicit .* not known: a step near the start has no solution$'; then
    echo "ok stability of $file names the scheme whose step has no solution"
  else
    failed=1
    echo "not ok stability of $file names the scheme whose step has no solution"
  fi
done
exit $failed
