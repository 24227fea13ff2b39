#!/bin/bash
# test-networks.sh: every example gives its reference, a laboratory and a movie, every invalid file exactly its message
# SPDX-License-Identifier: GPL-3.0-or-later
#
# networks/NAME.csv is what `ifbam run networks/NAME.ini` prints, with the options that
# networks/NAME.options may hold, and likewise in networks/teaching; networks/invalid/NAME.expected is what `ifbam check` says of
# networks/invalid/NAME.ini. Where a change of these is meant:
#
#   UPDATE=1 tests/test-networks.sh      writes them anew; look at the differences before you trust them

cd "$(dirname "$0")/.." || exit 1
IFBAM=${IFBAM:-build/ifbam}
work=$(mktemp -d) || exit 1
each=1 turn=0 # under sanitizers only each fourth runs, has a movie, and is run where it is refused
[ "${TEST_EFFORT:-}" != brief ] || each=4
trap 'rm -rf "$work"' EXIT
status=0

result() { # what happened ("" is well), what it is about
  if [ -z "$1" ]; then
    echo "ok - $2"
  else
    echo "not ok - $2: $1"
    status=1
  fi
}

for network in networks/*.ini networks/teaching/*.ini; do
  name=${network%.ini}
  ((turn++ % each == 0)) || continue
  options=()
  [ -f "$name.options" ] && read -r -a options <"$name.options"
  [ -z "${UPDATE:-}" ] || "$IFBAM" run "$network" "${options[@]}" -o "$name.csv" 2>/dev/null
  for engine in compiled objects; do
    why=
    if ! "$IFBAM" run "$network" "${options[@]}" --engine $engine -o "$work/course" 2>"$work/said"; then
      why=$(head -c 300 "$work/said")
    elif ! cmp -s "$work/course" "$name.csv"; then
      why="differs from $name.csv at line $(cmp "$work/course" "$name.csv" 2>&1 | sed 's/.*line //')"
    fi
    result "$why" "$network under $engine equals its reference"
  done
  if grep -q '^\[\(ball\|body\) ' "$network"; then
    why=
    "$IFBAM" plot movie "$network" "${options[@]}" -o "$work/movie.svg" 2>"$work/said" || why=$(head -c 300 "$work/said")
    result "$why" "$network has a movie"
  fi
  why=
  "$IFBAM" lab "$network" -o "$work/lab.html" 2>"$work/said" || why="exit $?: $(head -c 300 "$work/said")"
  result "$why" "$network has a laboratory"
done

for network in networks/invalid/*.ini; do
  expected=${network%.ini}.expected
  timeout 60 "$IFBAM" check "$network" >"$work/printed" 2>"$work/said"
  code=$?
  [ -z "${UPDATE:-}" ] || cp "$work/said" "$expected"
  why=
  if [ $code -ne 1 ]; then
    why="exit $code"
  elif [ -s "$work/printed" ]; then
    why="something on standard output"
  elif ! [ -s "$expected" ]; then
    why="no $expected"
  elif ! cmp -s "$work/said" "$expected"; then
    why="says other than expected:"$'\n'$(diff "$expected" "$work/said" | head -n 10 | sed 's/^/# /')
  fi
  result "$why" "$network is refused as expected"
  ((turn++ % each == 0)) || continue
  # What is refused by one command is refused by all.
  timeout 60 "$IFBAM" run "$network" >"$work/printed" 2>"$work/said"
  code=$?
  why=
  if [ $code -ne 1 ] || [ -s "$work/printed" ] || ! cmp -s "$work/said" "$expected"; then
    why="exit $code, or another message than check's"
  fi
  result "$why" "$network does not run either"
done
# Each class stands in a shipped network, where people look how it is used.
classes=$("$IFBAM" elements | sed -n 's/^\([a-z-]*\)  *\(given node\|free node\|link\|source\|composite\|impulse\) .*/\1/p')
result "$([[ $classes == *spring* ]] || echo "their list is not understood")" "classes are listed"
for class in $classes; do
  [ "$class" != columns ] || continue # a file that nobody reads as text: test-columns.py
  why=
  grep -qh "^\[$class " networks/*.ini networks/teaching/*.ini || why="none has one"
  result "$why" "a $class stands in a shipped network"
done
exit $status
