#!/bin/bash
# test-symbols.sh: every symbol that the libraries export begins with ifbam_
# SPDX-License-Identifier: GPL-3.0-or-later

status=0
for library in "$BUILD/libifbam.a" "$BUILD/libifbam.so"; do
  dynamic=
  [[ $library == *.so ]] && dynamic=-D
  # names that begin with two underscores belong to the compiler (and its sanitizers)
  symbols=$(nm $dynamic -g --defined-only -P "$library" | awk 'NF > 2 && $1 !~ /^__/ { print $1 }')
  foreign=$(grep -v '^ifbam_' <<<"$symbols")
  if [ -n "$symbols" ] && [ -z "$foreign" ]; then
    echo "ok - $(basename "$library") exports only ifbam_ symbols"
  else
    echo "not ok - $(basename "$library") exports only ifbam_ symbols"
    echo "# others: $foreign"
    status=1
  fi
done
exit $status
