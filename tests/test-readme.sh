#!/bin/bash
# test-readme.sh: the pages are true: their commands run, their programs compile, their output is what comes
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Works in a copy of the tree, installed there, so that the element classes of elements/README.md can be added. A block of a
# file is saved under the name in its first line; a block `sh` is run, and if a block `text` comes next, it must be the block's
# output. README_KEEP=DIRECTORY keeps the copy there.

unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL IFBAM GI_TYPELIB_PATH with_gir
work=${README_KEEP:-$(mktemp -d)}
[ -n "${README_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
tree=$work/tree prefix=$work/prefix
mkdir -p "$tree" "$work/blocks"
status=0

# check NAME COMMAND...: one test; what it says is shown where it fails
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

# ---- an installed copy

# What a build as users make it has compiled is not compiled again; the sanitizers', and what other flags have made, is.
for entry in *; do
  case $entry in
    build) ;;
    *) cp -a "$entry" "$tree" ;;
  esac
done
compiled_alike () {
  [ "${BUILD:-build}" = build ] && [ -e build/compile ] \
    && make -s --eval "how: ; @echo '\$(compile)'" how | cmp -s - build/compile
}
if compiled_alike; then
  mkdir "$tree/build"
  find build -mindepth 1 -maxdepth 1 ! -name '*.pc' ! -path build/tests ! -exec test -e '{}/obj' \; \
    -exec cp -a -t "$tree/build" '{}' +
else
  unset CC CFLAGS CPPFLAGS LDFLAGS LDLIBS
  export CFLAGS=-O0
fi
unset BUILD
cd "$tree" || exit 1
check 'a copy builds' make -s -j2 all build/paper
check 'it installs' make -s install PREFIX="$prefix"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib

installed_program_runs () {
  [ "$("$prefix/bin/ifbam" --version)" = "ifbam $(pkg-config --modversion ifbam-1)" ] \
    && "$prefix/bin/ifbam" run networks/one-dof.ini --duration 1ms >"$work/installed.csv" \
    && build/ifbam run networks/one-dof.ini --duration 1ms | cmp - "$work/installed.csv"
}
check 'the installed program runs' installed_program_runs

man_page_is_clean () {
  local said
  said=$(groff -ww -man -Tutf8 "$1" 2>&1 >/dev/null)
  echo "$said"
  [ -z "$said" ] && grep -q '^\.SH NAME' "$1"
}
for page in man1/ifbam.1 man5/ifbam-network.5; do
  check "$(basename $page) has no faults" man_page_is_clean "$prefix/share/man/$page"
done

# complete WORD...: what the completion offers for the last word
complete_words () {
  (
    source "$prefix/share/bash-completion/completions/ifbam"
    compopt () { :; }
    COMP_WORDS=("$prefix/bin/ifbam" "$@") COMP_CWORD=$#
    _ifbam
    printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
  )
}
completion_offers () {
  local want=$1
  shift
  local have
  have=$(complete_words "$@")
  echo "want $want, have $have"
  [ "$have" = "$want " ]
}
check 'completion: commands' completion_offers 'schemes section spectrum stability sweep' s
check 'completion: classes' completion_offers 'inductor inerter inertia' elements in
check 'completion: schemes' completion_offers 'averaged' run --scheme av
check 'completion: options that a command takes, and no other' completion_offers '--help --json --set' equilibrium --
check 'completion: options of a command that takes many' completion_offers '--event-rows --events' run --ev
check 'completion: keys of an element' \
  completion_offers 'k1.between= k1.cubic= k1.length= k1.loss= k1.quadratic= k1.stiffness=' run networks/two-dof.ini --set k1.
check 'completion: numbers that can be varied' \
  completion_offers 'k1.cubic= k1.length= k1.loss= k1.quadratic= k1.stiffness=' sweep networks/two-dof.ini --vary k1.
check 'completion: parameters' completion_offers 'pull=' run networks/parameters.ini --set pul
check 'completion: members of a chain' \
  completion_offers 'c.m12.mass= c.m12.position= c.m12.velocity=' run networks/chain.ini --set c.m12.
check 'completion: signals' \
  completion_offers 'm1.acceleration m1.position m1.velocity' run networks/two-dof.ini --record m1.
check 'completion: the second of two signals' \
  completion_offers 'm1.position,k1.force' run networks/two-dof.ini --record m1.position,k1.f
printf 'time,m1.position,m2.position\n0,1,2\n' >"$work/columns.csv"
check 'completion: columns' completion_offers 'm1.position' spectrum "$work/columns.csv" --signal m1
check 'completion: inputs' completion_offers 'force@m1' response networks/two-dof.ini --input force@m1
check 'completion: what is given is moved, what is free is pushed' \
  completion_offers 'position@floor' response networks/driven.ini --input p
check 'completion: without a network, nothing' completion_offers '' run --set k
every_offer_works () {
  local name
  for name in $(complete_words run networks/driven.ini --record ''); do
    "$prefix/bin/ifbam" check networks/driven.ini --record "$name" || return 1
  done
  for name in $(complete_words response networks/driven.ini --input ''); do
    "$prefix/bin/ifbam" response networks/driven.ini --input "$name" --points 2 || return 1
  done
}
check 'completion: what it offers for signals and inputs is taken' every_offer_works
check 'completion: networks' completion_offers 'networks/one-dof.ini' check networks/one

every_option_completes () {
  local command option
  for command in $("$prefix/bin/ifbam" --help | sed -n 's/^  ifbam \([a-z]*\) .*/\1/p' | sort -u); do
    # (An example may be of another command.)
    for option in $("$prefix/bin/ifbam" "$command" --help | grep -E '^ +-' | grep -o -- '--[a-z-]*' | sort -u); do
      complete_words "$command" "$option" | grep -q -w -e "$option" || {
        echo "$command $option"
        return 1
      }
      grep -q -e "^\.[A-Z]* .*${option//-/\\\\-}" "$prefix/share/man/man1/ifbam.1" || {
        echo "$command $option is not in the man page"
        return 1
      }
    done
  done
}
check 'completion and man page: every option of every command' every_option_completes

# ---- the blocks

# The pages in this order: the element classes come last.
pages=(README.md networks/{README,format,events,gallery,dialogue}.md analysis/{README,numerics}.md src/README.md
  src/embed/README.md tests/README.md tests/bench/README.md elements/README.md)
awk -v folder="$work/blocks" '
  /^```/ && inside { inside = 0; close (file); next }
  /^```/ { inside = 1; file = sprintf ("%s/%03d.%s", folder, ++n, substr ($0, 4)); printf "" >file; next }
  inside { print >file }
' "${pages[@]}"

save_file () {
  local name
  name=$(sed -n -E '1s|^(/\*\|#) ([A-Za-z0-9_./-]+\.[a-z]+): .*|\2|p' "$1")
  if [ -z "$name" ]; then # a line to add
    cat "$1" >>elements/elements.def
  elif [[ $name == *-law.h ]] || grep -q '"element/link-class.h"' "$1"; then
    cp "$1" "elements/$name"
  else
    cp "$1" "$name"
  fi
}

is_shipped () {
  local network
  for network in networks/*.ini; do
    cmp -s "$1" "$network" && return
  done
  false
}

# What is to be installed is not installed here, and the tests do not run themselves. Python needs introspection.
run_commands () {
  sed -E 's/^make deps/make -n deps/; s/^make$/make -s -j2/' "$1" >"$work/commands"
  [ -e build/Ifbam-1.0.typelib ] && /usr/bin/python3 -c 'import gi' 2>/dev/null \
    || sed -i '/python3/d' "$work/commands"
  bash -e "$work/commands"
}

for block in "$work"/blocks/*; do
  number=$(basename "${block%.*}")
  title=$(grep -v '^#' "$block" | grep -m1 .)
  case $block in
    *.sh)
      run_commands "$block" >"$block.said" 2>&1
      result=$?
      next=$(printf '%s/%03d.text' "$work/blocks" $((10#$number + 1)))
      said=$block.said
      if [ $result -ne 0 ]; then
        check "$title" eval "cat $said; false"
      elif [ -e "$next" ]; then
        check "$title" diff "$next" "$said"
      else
        check "$title" true
      fi ;;
    *.python)
      grep -q '^# [a-z-]*\.py: ' "$block" && save_file "$block"
      if [ ! -e "$prefix/lib/girepository-1.0/Ifbam-1.0.typelib" ] \
        || ! /usr/bin/python3 -c 'import gi' 2>/dev/null; then
        echo 'ok - Python, installed # skip without introspection'
      else
        check 'Python, installed' \
          env GI_TYPELIB_PATH="$prefix/lib/girepository-1.0" \
            PYTHONPATH="$(echo "$prefix"/lib/python3*/dist-packages)" /usr/bin/python3 "$block"
      fi ;;
    *.py) # for a library that is not installed here: whether it can be read
      check 'Python for another library' /usr/bin/python3 -c 'import ast, sys; ast.parse (open (sys.argv[1]).read ())' "$block" ;;
    *.text | *.said) ;;
    *.ini)
      if head -n 1 "$block" | grep -q '^# [A-Za-z0-9_-]*\.ini: '; then
        save_file "$block"
      else
        check "$title: a network that is shipped" is_shipped "$block"
      fi ;;
    *) save_file "$block" ;;
  esac
done

every_network_is_shown () {
  local network name
  for network in networks/*.ini; do
    name=$(basename "$network" .ini)
    grep -q "^| \`$name\` | .* | .*($name\.svg) |\$" networks/gallery.md \
      && grep -q '<svg' "networks/$name.svg" || {
      echo "$name"
      return 1
    }
  done
}
check 'every network has a line and a figure' every_network_is_shown

every_movie_is_there () {
  local movie
  for movie in $(sed -n 's/.*\[movie\](\([^)]*\)).*/\1/p' networks/gallery.md); do
    grep -q '<animateTransform' "networks/$movie" || return 1
  done
}
check 'every movie is there' every_movie_is_there

every_directory_is_named () {
  local directory
  for directory in src/*/; do
    grep -q "^| \`$(basename "$directory")\`" src/README.md || { echo "$directory"; return 1; }
  done
}
check 'src/README.md names every directory' every_directory_is_named

# Each path in the figures of the source's pages is that of a file, and what is drawn has it.
figures_name_files () {
  local figure path bad=
  for figure in src/figures/*.dot; do
    for path in $(sed 's/\\n/ /g' "$figure" | grep -oE '[a-z]+/[a-z-]+\.[ch]\b'); do
      [ -e "src/$path" ] || [ -e "analysis/$path" ] || bad="$bad $figure:$path"
      sed 's/&#45;/-/g' "${figure%.dot}.svg" | grep -q -e "$path" || bad="$bad ${figure%.dot}.svg:$path"
    done
  done
  echo "$bad"
  [ -z "$bad" ]
}
check 'figures of the source name files that exist' figures_name_files

# "name.c: what it is", in the first line
every_file_says_what_it_is () {
  local file name bad=
  for file in src/*/*.[ch] analysis/*/*.[ch] elements/*.[ch] tests/*.[ch]; do
    name=$(basename "$file")
    head -n 1 "$file" | grep -q "^/\* $name: [^ ]" || bad="$bad $file"
  done
  echo "$bad"
  [ -z "$bad" ]
}
check 'every file says in its first line what it is' every_file_says_what_it_is

# The anchors of a page: its headings in lower case, hyphens for blanks, without other characters.
anchors_of () {
  sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}
links_lead_somewhere () {
  local page link file bad=
  while read -r page; do
    for link in $(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//' | grep -v ':'); do
      file=$(dirname "$page")/${link%%#*}
      [[ $link == '#'* ]] && file=$page
      [ -e "$file" ] && { [[ $link != *'#'* || $link == *'#'*=* ]] || anchors_of "$file" | grep -qx -e "${link#*#}"; } \
        || bad="$bad $page:$link"
    done
  done < <(find . -name '*.md' ! -path './build/*')
  echo "$bad"
  [ -z "$bad" ]
}
check 'links between the pages, and to their headings, lead somewhere' links_lead_somewhere

versions_agree () {
  local version
  version=$(sed -n 's/^VERSION := //p' Makefile)
  [ "$(sed -n '1s/^ifbam (\(.*\)) .*/\1/p' debian/changelog)" = "$version" ] \
    && [ "$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)" = "$version" ]
}
check 'Makefile, debian/changelog and CHANGELOG.md have one version' versions_agree

readme_is_short () {
  wc -l <README.md
  [ "$(wc -l <README.md)" -le 200 ]
}
check 'README.md has 200 lines at most' readme_is_short

# src/embed/README.md compiles it against the build tree
installed_library_does_the_same () {
  cc -std=gnu17 paper-program.c $(pkg-config --cflags --libs ifbam-1) -o paper-program-installed \
    && LD_LIBRARY_PATH=$prefix/lib ./paper-program-installed >installed.said \
    && env -u LD_LIBRARY_PATH ./paper-program | diff - installed.said
}
check 'the program in C: with the build tree alone, and with what is installed' \
  installed_library_does_the_same

program_and_run_agree () {
  ./paper-program >program.said
  printf '%s\n' '[network]' 'step = 50 us' 'duration = 50 ms' 'scheme = averaged' '[ground wall]' '[mass m1]' \
    'mass = 1' 'position = 1 mm' '[spring k1]' 'stiffness = 10 kN/m' 'between = wall, m1' '[impact i1]' \
    'restitution = 0.8' 'between = wall, m1' >paper-program.ini
  build/ifbam run paper-program.ini -o /dev/null --events paper-program.csv \
    && grep i1 paper-program.csv | awk -F, '{ printf "%.17g\n", $4 }' | diff - program.said
}
check 'the program in C and ifbam run give the same numbers' program_and_run_agree

objects_and_plan_agree () {
  build/ifbam run coasting.ini --engine objects >objects.csv \
    && build/ifbam run coasting.ini | cmp - objects.csv
}
check 'the new class: objects and plan agree' objects_and_plan_agree
check 'the new class: x(1 s) = (m/c) ln (1 + c v t/m)' awk -F, '
  END { error = $2 - 0.5 * log (21); print error; exit !(error < 1e-5 && error > -1e-5) }
' objects.csv

# ---- classes of others: two files and a line, nothing else

cp tests/classes/*.[ch] elements
for class in tests/classes/*.c; do
  echo "IFBAM_ELEMENT_CLASS ($(basename "$class" .c))" >>elements/elements.def
done
cat >others.ini <<'END'
# A mass falls off its spring, is pulled back by the pole and touches the spring again.
[network]
step     = 1 ms
duration = 2 s
sample   = 0.1 s
scheme   = rk4
record   = m1.position, p1.mode, network.energy

[ground wall]

[mass m1]
mass     = 1 kg
velocity = -1 m/s

[prop p1]
stiffness = 100 N/m
preload   = 1 N
between   = m1, wall

[magnet n1]
strength = 0.5 N m2
core     = 0.3 m
on       = m1
END

classes_of_others_run () {
  make -s -j2 all build/tests/test-contract \
    && build/ifbam run others.ini --events others-events.csv -o others.csv \
    && cut -d, -f 2,3 others-events.csv && grep -q p1,leave others-events.csv \
    && grep -q p1,touch others-events.csv \
    && build/ifbam run others.ini --engine objects | cmp - others.csv
}
check 'classes of others: objects and plan agree, and tell events' classes_of_others_run
check 'classes of others: energy stays' awk -F, '
  NR == 2 { first = $4 }
  NR > 2 && ($4 - first) ^ 2 > 1e-18 { print $1, $4, first; bad = 1 }
  END { exit bad || NR < 10 }
' others.csv

new_classes_keep_the_contract () {
  build/tests/test-contract
}
check 'the new classes: the tests that every class must pass' new_classes_keep_the_contract

exit $status
