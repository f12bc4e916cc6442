#!/bin/sh
# check_output.sh PROGRAM DOCUMENT exactly|but_for_times - tests that PROGRAM prints the first text
# block of DOCUMENT, but for how long it ran. With but_for_times, it ignores what mask_times.sed masks, the line about the
# clock, and the order of the lines.
set -eu
program=$1 document=$2 how=$3
masks=$(dirname "$0")/mask_times.sed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mask() {
    case $how in
    exactly) sed -Ef "$(dirname "$0")/mask_run.sed" ;;
    but_for_times) sed -E -f "$masks" -e '/^source /d' | sort ;;
    esac
}

awk '/^```text$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$document" |
    mask >"$work/said"
[ -s "$work/said" ]
LC_ALL=C.UTF-8 "$program" 2>&1 | tee "$work/printed"
mask <"$work/printed" | diff "$work/said" -
