#!/bin/sh
# check_preloaded.sh PREFIX - tests that the program eprof of the package in PREFIX can profile a
# program that was compiled with the flag but is not linked with libeprof.
set -eu
prefix=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2086 # flags are words
$CC $CFLAGS -finstrument-functions "$here/outside/hooked.c" -o "$work/hooked"
"$prefix/bin/eprof" run --auto -q -o "$work/profile" -- "$work/hooked"
output=$("$prefix/bin/eprof" report --format=csv "$work/profile")
echo "$output"
[ "$(echo "$output" | grep -c '^function,')" = 2 ]
