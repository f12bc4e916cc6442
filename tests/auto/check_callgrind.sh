#!/bin/bash
# check_callgrind.sh PROGRAM COMPILER LEVEL FUNCTIONS CALLS PAIRS - builds an example (sphereflake,
# flake, words) with entries, with that compiler (gcc, clang) and at that level of optimisation, and
# runs the same file under valgrind's callgrind and with libeprof-auto, with three budgets. Each
# function must have as many calls in both; so must each pair of a caller and a function, except
# where callgrind knows another caller (real/callgrind.awk). At least so many functions, calls and
# pairs must be compared.
# It takes from the environment CFLAGS, INCLUDE, AUTO (the library to load) and COMMAND (the program
# eprof).
set -euo pipefail
program=$1 compiler=$2 level=$3 functions=$4 calls=$5 pairs=$6
here=$(dirname "$0")
real=$here/../real examples=$here/../../examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
unset EPROF
if ! command -v valgrind >/dev/null; then
    echo "valgrind is missing" >&2
    exit 77
fi

case $program in
sphereflake) source=sphereflake.cpp arguments=(-s 80 -d 3) ;;
flake) source=flake.c arguments=(-c -s 48 -d 3) ;;
words) source=words.c arguments=("$examples/sphereflake.cpp") ;;
esac
if [[ $source == *.cpp ]]; then
    compiler=$(sed 's/gcc/g++/; s/clang/clang++/' <<<"$compiler")
fi
# A sibling call has the caller of the function that it ends.
flags=(-O"$level" -g -fpatchable-function-entry=5 -fno-optimize-sibling-calls)
# callgrind counts a jump into a part that was moved away as a call
[[ $compiler != g* ]] || flags+=(-fno-reorder-blocks-and-partition)
# shellcheck disable=SC2086 # flags are words
"$compiler" $CFLAGS "${flags[@]}" -D_GNU_SOURCE -DEPROF_DISABLE -I "$INCLUDE" "$examples/$source" \
    -lm -lpthread -o "$work/program"

# run COMMAND...: the program with the command in front of it. Times in its output are left out.
run() {
    "$@" "$work/program" "${arguments[@]}" | sed '/^[a-z_]*_ns /d'
}
# by_callgrind VARIABLE..., by_eprof VARIABLE...: lists, with these variables of awk.
by_callgrind() {
    awk -f "$real/callgrind.awk" -v object="$work/program" "$@" "$work/callgrind.out" |
        c++filt --no-verbose
}
by_eprof() {
    awk -f "$real/csv_split.awk" -f "$real/csv.awk" "$@" "$work/profile"
}

# valgrind 3.19 complains about clang's debug information, which this test does not use
run valgrind --quiet --tool=callgrind --demangle=no --callgrind-out-file="$work/callgrind.out" \
    >"$work/expected_output" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
by_callgrind >"$work/callgrind.list"
by_callgrind -v callers=1 | sort >"$work/callgrind.pairs"
for budget in off 1/2 1/4096; do
    run env EPROF="budget=$budget,symbolizer=$COMMAND,csv=$work/profile" LD_PRELOAD="$AUTO" \
        >"$work/output"
    diff -u "$work/expected_output" "$work/output"
    by_eprof >"$work/eprof.list"
    awk -f "$real/calls.awk" -v program="$program, budget=$budget" -v least_calls="$calls" \
        -v least_functions="$functions" "$work/callgrind.list" "$work/eprof.list"
    # of the functions that callgrind lists
    by_eprof -v callers=1 |
        awk -F '\t' 'FNR == NR { is_listed[$3] = 1; next } $3 in is_listed' \
            "$work/callgrind.pairs" - | sort >"$work/eprof.pairs"
    diff -u "$work/callgrind.pairs" "$work/eprof.pairs"
done
compared=$(wc -l <"$work/callgrind.pairs")
echo "$program: $compared pairs of caller and function"
[ "$compared" -ge "$pairs" ]
