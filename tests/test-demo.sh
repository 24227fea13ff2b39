#!/bin/bash
# test-demo.sh: the demo repeats the paper's table, eigenfrequencies and figures, and says if it can't
# SPDX-License-Identifier: GPL-3.0-or-later

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

check () {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/# /' "$work/said"
    status=1
  fi
}

check 'the demo runs' eval '"$BUILD/paper" "$work/new/pictures" >"$work/table" || { cat "$work/table"; false; }'

# Rows "step paper here difference", then "[system] mode paper spectrum exact".
check 'the table: six rows, within half a step' awk '
  /^Eigenfrequencies/ { exit }
  NF == 4 && $1 + 0 > 0 { rows++; d = ($3 - $2) / $1; bad += d * d > 0.25; print }
  END { exit !(rows == 6 && !bad) }
' "$work/table"
check 'the eigenfrequencies: five rows, within 0.05 Hz' awk '
  /^Eigenfrequencies/ { here = 1 }
  /^Figures/ { exit }
  here && NF >= 4 && $NF + 0 > 0 { rows++; d = $(NF - 1) - $NF; bad += d * d > 0.0025; print }
  END { exit !(rows == 5 && !bad) }
' "$work/table"

for figure in 6 7 8 9 11; do
  check "figure $figure as PNG" \
    cmp -n 4 "$work/new/pictures/figure-$figure.png" <(printf '\211PNG')
  check "figure $figure as SVG" grep -q '</svg>' "$work/new/pictures/figure-$figure.svg"
done

mkdir "$work/networks"
for network in one-dof two-dof three-dof; do
  sed 's/stiffness = 40 kN/stiffness = 41 kN/' networks/$network.ini >"$work/networks/$network.ini"
done
check 'another stiffness is not the paper'"'"'s' \
  eval '! "$BUILD/paper" "$work/other" "$work/networks" && grep -q "is not the paper" "$work/said"'
check 'no networks: a message and exit status 1' \
  eval '"$BUILD/paper" "$work/none" "$work/nowhere"; [ $? -eq 1 ]'
check 'standard output closed: exit status 1, and pictures are whole' \
  eval '! "$BUILD/paper" "$work/closed" >&- && cmp "$work/new/pictures/figure-11.svg" "$work/closed/figure-11.svg"'
check 'make demo ends with the table and the place of the pictures' \
  eval 'env -u MAKEFLAGS -u MAKELEVEL make -n BUILD="$work/bare" demo >"$work/made" && tail -n 2 "$work/made" | head -n 1 | grep -q "^cat .*/demo/result.txt" && tail -n 1 "$work/made" | grep -q "the pictures are .*/demo/figure-"'
check 'its pictures wait for no page, and no object of FMUs' \
  eval 'make -n BUILD="$work/bare" "$work/bare/paper" >"$work/made" && grep -q "paper\.o" "$work/made" && ! grep -E "wasm|fmu\.so" "$work/made"'
exit $status
