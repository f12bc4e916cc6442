#!/bin/bash
# check_advice.sh entries|hooks - records a program of C++ whose profiling costs more than a tenth of
# its time, runs it again with the text that the head of the report offers, and tests that the
# functions named there are not recorded, and that other functions are. Only with hooks is the
# compiler's list offered; with that list, none of its functions is recorded either.
# It takes from the environment AUTO, EPROF (the libraries) and COMMAND (the program eprof).
set -euo pipefail
kind=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
libraries=("-Wl,--no-as-needed" "$AUTO" "$EPROF" "-Wl,-rpath,$(dirname "$AUTO"):$(dirname "$EPROF")")
unset EPROF
flags=-fpatchable-function-entry=5
[ "$kind" = entries ] || flags=-finstrument-functions

build() { # PROGRAM FLAG...
    g++ -std=c++11 -O0 -g "${@:2}" "$here/advice.cpp" "${libraries[@]}" -o "$work/$1"
}
fail() {
    echo "$*"
    cat "$work/report"
    exit 1
}
run() { # PROGRAM ITEMS
    EPROF="symbolizer=$COMMAND$2" "$work/$1" >"$work/out" 2>"$work/report"
}
build program "$flags"
run program ,budget=off
pattern=$(sed -nE "s/^  EPROF='(.*)'$/\1/p" "$work/report")
[ -n "$pattern" ] || fail "no pattern is offered"
case $pattern in
*"Table<*>::operator??"*) ;;
*) fail "the pattern does not name Table<...>::operator[]" ;;
esac
grep -q '^or, if they have hooks' "$work/report" && has_list=yes || has_list=no
[ "$kind/$has_list" = entries/no ] || [ "$kind/$has_list" = hooks/yes ] ||
    fail "for $kind the compiler's list is offered: $has_list"
list=$(sed -nE "s/^  '(-finstrument.*)'$/\1/p" "$work/report")

# is_without PROGRAM ITEMS: what cost most is not recorded, main is.
is_without() {
    run "$1" "$2,csv"
    grep -qE '^function,(main|main\(\)),' "$work/report" || fail "main is not recorded"
    ! grep -qE 'operator\[\]\(unsigned|find\(|less\(' "$work/report" || fail "$2 has no effect"
}
is_without program ",$pattern"
[ "$kind" = entries ] && exit 0
build without "$flags" "$list"
is_without without ""
