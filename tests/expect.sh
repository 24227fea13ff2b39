# expect.sh: what tests of the program say, to be read in by their scripts
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The script has run the program: $code is its exit code, $work/err what it said on standard error; status is 1
# where something was not well.

report() { # 0 for well, what was tested
  if [ "$1" -eq 0 ]; then
    echo "ok - $2"
  else
    echo "not ok - $2"
    printf '# exit %s\n' "$code"
    head -c 600 "$work/err" | sed 's/^/# /'
    echo
    status=1
  fi
}

# expect CODE TEXT WHAT: the exit code, and a text on standard error ("": nothing to be said)
expect() {
  local fine=1
  if [ $code -eq "$1" ]; then
    if [ -z "$2" ]; then
      [ -s "$work/err" ] || fine=0
    else
      grep -qF -- "$2" "$work/err" && fine=0
    fi
  fi
  report $fine "$3"
}

# hears PID SIGNAL: once $IFBAM, which has been started, has a word for a signal, or has ended
hears() {
  local caught number
  number=$(kill -l "$2")
  while kill -0 "$1" 2>/dev/null; do
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    [ "$(readlink "/proc/$1/exe")" = "$IFBAM" ] && ((0x${caught:-0} >> (number - 1) & 1)) && return
    sleep 0.02
  done
}

# grows PID FILE [BYTES]: once there is something in a file that a program writes, or more than so much, or it has ended
grows() {
  while [ "$(stat -c %s "$2" 2>/dev/null || echo 0)" -le "${3:-0}" ] && kill -0 "$1" 2>/dev/null; do
    sleep 0.02
  done
}

same() {
  cmp -s "$1" "$2"
  report $? "$3"
}
