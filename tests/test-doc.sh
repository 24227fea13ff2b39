#!/bin/bash
# test-doc.sh: the reference of the library is made without a warning, and says something of everything
# SPDX-License-Identifier: GPL-3.0-or-later

gir=$BUILD/Ifbam-1.0.gir
if ! command -v gi-docgen >/dev/null || [ ! -e "$gir" ]; then
  echo 'ok - the reference # skip without gi-docgen or introspection data'
  exit 0
fi
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check NAME COMMAND...: it succeeds and is silent
check () {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1 && [ ! -s "$work/said" ]; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/# /' "$work/said"
    status=1
  fi
}

sed 's|@API@|1.0|' src/embed/doc.toml.in >"$work/doc.toml"
check 'everything in public is documented' \
  gi-docgen check --quiet --fatal-warnings --config="$work/doc.toml" "$gir"
check 'the reference is made' gi-docgen generate --quiet --fatal-warnings --no-namespace-dir \
  --config="$work/doc.toml" --content-dir=src/embed --output-dir="$work/doc" "$gir"
check 'the front page says where to begin' eval 'grep -q "<a href=\"begin.html\"[^>]*>Where to begin" "$work/doc/index.html"'

# The first programs on that page: as they stand there, against this build.
sed -n '/^```c$/,/^```$/{//!p}' src/embed/begin.md >"$work/first.c"
sed -n '/^```python$/,/^```$/{//!p}' src/embed/begin.md >"$work/first.py"
first_program_runs () {
  PKG_CONFIG_PATH=$BUILD cc -std=gnu17 "$work/first.c" $(PKG_CONFIG_PATH=$BUILD pkg-config --cflags --libs ifbam-1) -o "$work/first" \
    && [ "$("$work/first")" = "$1" ]
}
case ${CFLAGS:-} in
  *-fsanitize*) ;;
  *) check 'the first program in C runs' first_program_runs '8001 rows' ;;
esac
check 'the first program in Python runs' eval '[ "$(/usr/bin/python3 "$work/first.py")" = "8001 rows" ]'
for page in index begin class.Run method.Run.run_async signal.Run.event property.Network.scheme struct.Event error.Error; do
  check "a page: $page" test -s "$work/doc/$page.html"
done
exit $status
