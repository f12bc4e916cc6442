#!/bin/sh
# check_output.sh PROGRAM DOCUMENT exactly|but_for_times - tests that PROGRAM prints the first text
# block of DOCUMENT. With but_for_times, it ignores times and shares, the clock and the line about
# it, and the widths and the order that depend on these.
set -eu
program=$1 document=$2 how=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mask() {
    case $how in
    exactly) cat ;;
    but_for_times) sed -E '/^source /d
        s/[0-9.]+ (ns|us|ms|s)( |,|$)/TIME\2/g
        s/, source [a-z_]+$/, source CLOCK/
        s/ [0-9.]+ %/ SHARE/g
        s/[├└│─]+//g
        s/ +/ /g
        s/^ //' | sort ;;
    esac
}

awk '/^```text$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$document" |
    mask >"$work/said"
[ -s "$work/said" ]
LC_ALL=C.UTF-8 "$program" 2>&1 | tee "$work/printed"
mask <"$work/printed" | diff "$work/said" -
