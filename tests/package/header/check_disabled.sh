#!/bin/sh
# check_disabled.sh COMPILER LANGUAGE STANDARD FLAGS - tests that a program built with EPROF_DISABLE
# refers to no symbol of the library and evaluates no argument.
set -eu
compiler=$1 language=$2 standard=$3 flags=$4
here=$(dirname "$0")
command -v "$compiler" >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for level in -O0 -O2; do
    # shellcheck disable=SC2086 # flags are words
    "$compiler" -x "$language" -std="$standard" $flags -I "$here/../../../include" \
        -DEPROF_DISABLE $level -c -o "$work/every_call.o" "$here/every_call.c"
    if nm -u "$work/every_call.o" | grep -E 'eprof|defined_nowhere'; then
        echo "$compiler $level: the symbols above are still needed"
        exit 1
    fi
    # shellcheck disable=SC2086
    "$compiler" $flags -o "$work/every_call" "$work/every_call.o"
    "$work/every_call"
done
