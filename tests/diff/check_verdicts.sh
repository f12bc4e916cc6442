#!/bin/bash
# check_verdicts.sh PROGRAM BY SAME CHANGED RUNS RISK EPROF COMMAND - tests the guarantees of `eprof
# diff`
#
# It makes SAME comparisons of a program with itself, and CHANGED comparisons with one region 10 %
# slower, with RUNS runs on each side, judged by the figure BY. PROGRAM is noisy, busy, or
# busy_by_cpu_time (which does not count the time of other programs); COMMAND is its file. RISK is
# the probability that the test fails although a guarantee is just met.
set -u
# A save waits for the disk, and the test makes thousands of saves.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command/expect.sh"
program=$1 by=$2 same=$3 changed=$4 runs=$5 risk=$6 eprof=$7 command=$8
seed=${EPROF_TEST_SEED-$SRANDOM}
leaves=(token check compare escape flush)

# runs_of NUMBER REGION PERCENT: writes before-1, before-2 ... after-1, after-2 ...
runs_of_noisy() {
    EPROF_TEST_SEED=$((seed + $1)) "$command" "$runs" "$2" "$3"
}

# The sides take turns, and every other time the second one is first, so that a disturbance of the
# machine affects both sides equally. Their command lines have the same length, since the length
# changes the addresses of the data.
runs_of_busy() {
    for ((run = 1; run <= runs; run++)); do
        sides=("before 00" "after $3")
        for side in $((run % 2)) $((1 - run % 2)); do
            read -r name percent <<<"${sides[side]}"
            "$eprof" run --quiet -o "$name-$run" -- "$command" "$2" "$percent" || return
        done
    done
}

runs_of_busy_by_cpu_time() {
    EPROF=source=thread_cputime runs_of_busy "$@"
}

# compare NUMBER REGION PERCENT: appends a line for judge.awk.
compare() {
    try "runs_of_$program" "$@"
    status_is 0
    try "$eprof" diff --by "$by" --fail-above 0 --format csv --before before-* --after after-*
    [ "$status" = 0 ] || [ "$status" = 3 ] || fail "no comparison"
    printf '%s\t1.%s\t%s' "$2" "$3" "$status" >>comparisons
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        {
            printf "\t%s,%s,%s,%s", $place["path"], $place["verdict"], $place["ratio_low"],
                $place["ratio_high"]
        }
        END { print "" }' out >>comparisons
    rm before-* after-*
}

[ "$program" != noisy ] || echo "EPROF_TEST_SEED=$seed"
for ((number = 0; number < same + changed; number++)); do
    compare $number "${leaves[number % ${#leaves[@]}]}" "$((number < same ? 0 : 1))0"
done
awk -v risk="$risk" -f "$here/judge.awk" comparisons
