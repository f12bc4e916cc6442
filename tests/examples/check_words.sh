#!/bin/sh
# check_words.sh PROGRAM [disabled] - tests that the example `words` counts a small text correctly,
# and that its table has a row for each region with as many calls as the text has lines and words.
# With EPROF_DISABLE it counts the same, and has no table.
set -eu
program=$1 build=${2-enabled}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >commonest <<'TEXT'
       4 fish
       1 blue
       1 one
       1 red
       1 two
TEXT

check_table() {
    # Three lines and the end of the file; eight words and the ends of three lines.
    grep -qE '^0: read {8} {6}4 ' "$1"
    grep -qE '^1: tokenise {4} {5}11 ' "$1"
    grep -qE '^2: count {7} {6}8 ' "$1"
    grep -qE '^3: sort {8} {6}1 ' "$1"
}

check_output() {
    cat "$1"
    if [ "$build" = disabled ]; then
        diff commonest "$1"
    else
        head -n 5 "$1" | diff commonest -
        check_table "$1"
    fi
}

printf 'One fish, two fish,\nred fish: blue fish!\n\n' >README.md
"$program" >named_by_default
check_output named_by_default
"$program" README.md >named
check_output named

if "$program" no_such_file 2>error; then
    echo "a file that is not there is no error"
    exit 1
fi
grep -q '^no_such_file: ' error
