#!/bin/bash
# check_undisturbed.sh COMPILER LEVEL [FLAG...] - builds a program with functions that a patched entry
# could disturb, with that compiler (gcc, clang), at that level of optimisation and with these flags,
# with and without entries. The output must be the same, and each call path must have exactly its
# calls, under three budgets.
# It takes from the environment CFLAGS, AUTO, EPROF (the libraries) and COMMAND (the program eprof).
set -euo pipefail
compiler=$1 level=$2 rounds=3000
shift 2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
libraries=("-Wl,--no-as-needed" "$AUTO" "$EPROF" "-Wl,-rpath,$(dirname "$AUTO"):$(dirname "$EPROF")")
unset EPROF

# build PROGRAM FLAG...
build() {
    # shellcheck disable=SC2086 # flags are words
    "$compiler" -std=gnu11 -D_GNU_SOURCE $CFLAGS -O"$level" -Wall -Wextra -Werror \
        -Wno-infinite-recursion "$here"/undisturbed{,_registers}.c -o "$work/$1" "${@:2}" -lpthread
}
build plain "$@"
build program "$@" -fpatchable-function-entry=5 "${libraries[@]}"
"$work/plain" $rounds >"$work/expected_output"

# ---- which functions the program has ----

# gcc must move these parts away, or the test is useless.
symbols=$(nm "$work/program")
has_parts=0 tails='tail_from;tail_to'
[[ $symbols != *part_work.part* ]] || has_parts=1
[[ $level == 0 ]] || tails=tail_to # sibling calls
if [[ $compiler == gcc && $level == [23] && -z $CFLAGS ]] &&
    [[ $has_parts == 0 || $symbols != *cold_calls.cold* ]]; then
    echo "check_undisturbed.sh: gcc has moved no part of a function away" >&2
    exit 1
fi

# ---- the calls of each path ----

third=$(((rounds + 2) / 3)) quarter=$(((rounds + 3) / 4)) threads=$((rounds / 32))
cat >"$work/paths" <<END
main 1
main;chain_calls $rounds
main;chain_calls;chain_add $((4 * rounds))
main;vectors256_calls $rounds
main;vectors256_calls;vectors256_mix $rounds
main;vectors512_calls $rounds
main;vectors512_calls;vectors512_mix $rounds
main;float_calls $rounds
main;float_calls;float_x87 $rounds
main;float_calls;float_complex_x87 $rounds
main;float_calls;float_complex $rounds
main;float_calls;float_complex_short $rounds
main;variadic_calls $rounds
main;variadic_calls;variadic_sum $((3 * rounds))
main;pushed_calls $rounds
main;pushed_calls;pushed_first $((3 * rounds))
main;pushed_calls;pushed_ten $rounds
main;pushed_calls;pushed_big $rounds
main;alloca_calls $rounds
main;alloca_calls;alloca_use $((3 * rounds))
main;red_zone $rounds
main;cold_calls $rounds
main;cold_calls;cold_leaf $((2 * rounds + third))
main;cold_calls;cold_rare $((2 * third))
main;part_calls $rounds
main;part_calls;part_work $((has_parts ? 2 * quarter : 2 * rounds))
main;part_calls;part_work;cold_leaf $((2 * quarter))
main;part_calls;cold_leaf $rounds
main;tail_calls $rounds
main;tail_calls;tail_from $((2 * rounds))
main;tail_calls;$tails $((2 * rounds))
main;registers_check 1
main;registers_check;registers_leaf $((rounds / 2))
main;registers_check;registers_around $((rounds / 2))
main;registers_check;registers_around;registers_leaf $rounds
main;cancel_calls $threads
cancel_thread $threads
cancel_thread;cancel_deep $((4 * threads))
cancel_thread;cancel_deep;cancel_clean $((4 * threads))
main;exit_deep 4
main;exit_deep;exit_handler 1
END
# compilers and processors that lack a kind
for kind in chain vectors256 vectors512; do
    grep -q "^$kind " "$work/expected_output" || sed -i "/${kind}_/d" "$work/paths"
done
sort -o "$work/paths" "$work/paths"

for budget in off 1/2 1/4096; do
    EPROF=budget=$budget,symbolizer=$COMMAND,csv=$work/profile "$work/program" $rounds >"$work/output"
    diff -u --label plain --label "output, budget=$budget" "$work/expected_output" "$work/output"
    # calls that the end of a thread or of the program cuts short may be open; a budget counts them
    awk -F, -v budget=$budget '
        $1 == "function" { print $3, $7 + (budget == "off" ? $10 : 0) }' "$work/profile" |
        sed -E 's/\.(part\.)?[0-9]+//g; /^main;registers_check;[^r]/d' | sort >"$work/found"
    diff -u --label expected --label "found, budget=$budget" "$work/paths" "$work/found"
    # timed calls that a thread's end leaves are closed by force
    if grep '^diagnostic' "$work/profile" | grep -v '^diagnostic,forced_closes'; then exit 1; fi
done
