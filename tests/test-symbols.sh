#!/bin/bash
# test-symbols.sh: every symbol that the libraries export begins with ifbam_; the core imports libc and libm only
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

# Versions are the C library's; what has none is weak, or a sanitizer's.
if [ -e "$BUILD/core.so" ]; then
  asked=$(readelf -dW "$BUILD/core.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' \
    | grep -v -E '^(libc\.so\.6|libm\.so\.6|ld-linux-.*|lib[atu]*san\.so.*)$')
  asked+=$(nm -D --undefined-only "$BUILD/core.so" | awk '$1 == "U" { print $2 }' \
    | grep -v -E '@GLIBC|^__(a|l|t|ub)san_')
  if [ -z "$asked" ]; then
    echo "ok - core.so imports the C library and its mathematics only"
  else
    echo "not ok - core.so imports the C library and its mathematics only"
    echo "# others: $asked"
    status=1
  fi
else
  echo "ok - core.so imports the C library and its mathematics only # SKIP it is not built"
fi
exit $status
