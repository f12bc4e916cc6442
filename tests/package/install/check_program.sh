#!/bin/sh
# check_program.sh PROGRAM shared|static - tests that PROGRAM is linked in that way, runs, and
# prints its only region.
set -eu
program=$1 kind=$2

needs=$(readelf -d "$program" | grep 'NEEDED.*libeprof' || true)
case $kind in
shared) [ -n "$needs" ] || { echo "$program does not need libeprof.so"; exit 1; } ;;
static) [ -z "$needs" ] || { echo "$program: $needs"; exit 1; } ;;
esac

output=$("$program")
echo "$output"
echo "$output" | grep -qE '^0: outside +1 +[0-9]'
