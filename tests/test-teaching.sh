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
  /^```/ { inside = 1; file = sprintf ("%s/%03d.%s", folder, ++n, substr ($0, 4)); printf "" >file; next }
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

grep -nE '(^|[;&] *)cd |\.\./' blocks/*.sh >said
[ $? -eq 1 ]
report $? 'all commands run from the root' said

for block in blocks/*.sh; do
  number=$(basename "$block" .sh)
  title="block $number: $(grep -m1 . "$block")"
  bash -e "$block" >said 2>&1
  code=$?
  next=$(printf 'blocks/%03d.text' $((10#$number + 1)))
  if [ $code -ne 0 ]; then
    report 1 "$title" said
    continue
  fi
  diff "$next" said >difference
  report $? "$title" difference
  for picture in $(grep -o '[0-9]-[a-z-]*\.png' "$block"); do
    head -c 4 "build/teaching/$picture" 2>/dev/null | grep -q PNG && [ "$(wc -c <"build/teaching/$picture")" -gt 5000 ]
    report $? "$picture is a picture" said
  done
done
exit $status
