#!/bin/bash
# test-teaching.sh: the commands of networks/teaching/README.md run, and print what stands below them
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A block `sh` is run, and if a block `text` comes next, it must be the block's output. Each picture that
# a block names must be one.

cd "$(dirname "$0")/.." || exit 1
IFBAM=$(realpath "${IFBAM:-build/ifbam}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

mkdir "$work/build" "$work/blocks"
ln -s "$IFBAM" "$work/build/ifbam"
ln -s "$PWD/networks" "$work/networks"
awk -v folder="$work/blocks" '
  /^```/ && inside { inside = 0; close (file); next }
  /^```/ { inside = 1; file = sprintf ("%s/%02d.%s", folder, ++n, substr ($0, 4)); printf "" >file; next }
  inside { print >file }
' networks/teaching/README.md
cd "$work" || exit 1

report() { # 0 for well, what was tested, a file that shows what went wrong
  if [ "$1" -eq 0 ]; then
    echo "ok - $2"
  else
    echo "not ok - $2"
    head -n 20 "$3" | sed 's/^/# /'
    status=1
  fi
}

# alike EXPECTED SAID: the same, but for the last digit of a number: libraries of linear algebra round in their own ways
alike() {
  awk '
    function unit(text, n) { n = index (text, "."); return n ? 10 ^ (n - length (text)) : 1 }
    function same(a, b) { return a == b || (a ~ /^-?[0-9]+\.[0-9]+$/ && b ~ /^-?[0-9]+\.[0-9]+$/ && length (a) == length (b) \
                                            && (a - b) ^ 2 < (1.01 * unit(a)) ^ 2) }
    NR == FNR { line[FNR] = $0; n = FNR; next }
    { fine = FNR <= n && split (line[FNR], expected) == NF
      for (i = 1; fine && i <= NF; i++) fine = same(expected[i], $i)
      if (!fine) { print "< " line[FNR]; print "> " $0; bad = 1 } }
    END { exit bad || FNR != n }
  ' "$1" "$2"
}

grep -nE '(^|[;&] *)cd |\.\./' blocks/*.sh >said
[ $? -eq 1 ]
report $? 'all commands run from the root' said

for block in blocks/*.sh; do
  number=$(basename "$block" .sh)
  title="block $number: $(grep -m1 . "$block")"
  bash -e "$block" >said 2>&1
  code=$?
  next=$(printf 'blocks/%02d.text' $((10#$number + 1)))
  if [ $code -ne 0 ]; then
    report 1 "$title" said
    continue
  fi
  alike "$next" said >difference
  report $? "$title" difference
  for picture in $(grep -o '[0-9]-[a-z-]*\.png' "$block"); do
    head -c 4 "build/teaching/$picture" 2>/dev/null | grep -q PNG && [ "$(wc -c <"build/teaching/$picture")" -gt 5000 ]
    report $? "$picture is a picture" said
  done
done
exit $status
