#!/bin/sh
# check_hooked.sh PROGRAM shared|static FUNCTIONS entries|hooks - tests that PROGRAM is linked with
# libeprof-auto in that way, was built with the flags of entries or of hooks, runs, and has this
# number of profiled functions.
set -eu
program=$1 kind=$2 functions=$3 way=$4

found=entries
! objdump -d --disassemble=main "$program" | grep -q cyg_profile || found=hooks
[ "$found" = "$way" ] || { echo "$program has $found, not $way"; exit 1; }

needs=$(readelf -d "$program" | grep 'NEEDED.*libeprof-auto' || true)
case $kind in
shared) [ -n "$needs" ] || { echo "$program does not need libeprof-auto.so"; exit 1; } ;;
static) [ -z "$needs" ] || { echo "$program: $needs"; exit 1; } ;;
esac

output=$(EPROF=csv=- "$program")
echo "$output"
[ "$(echo "$output" | grep -c '^function,')" = "$functions" ]
