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

sed 's|@API@|1.0|' src/library/doc.toml.in >"$work/doc.toml"
check 'everything in public is documented' \
  gi-docgen check --quiet --fatal-warnings --config="$work/doc.toml" "$gir"
check 'the reference is made' gi-docgen generate --quiet --fatal-warnings --no-namespace-dir \
  --config="$work/doc.toml" --output-dir="$work/doc" "$gir"
for page in index class.Run method.Run.run_async signal.Run.event property.Network.scheme struct.Event error.Error; do
  check "a page: $page" test -s "$work/doc/$page.html"
done
exit $status
