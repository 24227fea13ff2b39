#!/bin/bash
# test-symbols.sh: the library exports what its headers declare, and nothing else; the core imports libc and libm only
# SPDX-License-Identifier: GPL-3.0-or-later

status=0
tell () { # WHAT FAULTS
  if [ -z "$2" ]; then
    echo "ok - $1"
  else
    echo "not ok - $1"
    sed 's/^/# /' <<<"$2"
    status=1
  fi
}

# names that begin with two underscores belong to the compiler (and its sanitizers)
names=$(nm -g --defined-only -P "$BUILD/libifbam.a" | awk 'NF > 2 && $1 !~ /^__/ { print $1 }')
tell "libifbam.a has only names that begin with ifbam_" \
  "$([ -n "$names" ] || echo none; grep -v '^ifbam_' <<<"$names")"

exported=$(nm -D --defined-only -P "$BUILD/libifbam.so" \
  | awk '$2 != "A" && $1 !~ /^__/ { sub (/@.*/, "", $1); print $1 }' | sort -u)
declared=$(for header in src/*/ifbam-*.h analysis/*/ifbam-*.h; do
  grep -ohE '\bifbam_[a-z0-9_]+ \(' "$header" | tr -d ' ('
  sed -n -E 's/.*G_DECLARE_[A-Z_]*TYPE \([A-Za-z]*, (ifbam_[a-z_]*),.*/\1_get_type/p' "$header"
done | sort -u)
tell 'libifbam.so exports what the installed headers declare' "$(comm -13 <(echo "$exported") <(echo "$declared"))"
tell 'libifbam.so exports nothing else' "$(comm -23 <(echo "$exported") <(echo "$declared"))"

# Versions are the C library's; what has none is weak. A sanitizer's library stands in for half of the C library.
if readelf -dW "$BUILD/core.so" 2>/dev/null | grep -q 'NEEDED.*san\.so'; then
  echo "ok - core.so imports the C library and its mathematics only # SKIP under a sanitizer"
elif [ -e "$BUILD/core.so" ]; then
  asked=$(readelf -dW "$BUILD/core.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' \
    | grep -v -E '^(libc\.so\.6|libm\.so\.6|ld-linux-.*)$')
  asked+=$(nm -D --undefined-only "$BUILD/core.so" | awk '$1 == "U" { print $2 }' \
    | grep -v '@GLIBC')
  tell 'core.so imports the C library and its mathematics only' "$asked"
else
  echo "ok - core.so imports the C library and its mathematics only # SKIP it is not built"
fi
exit $status
