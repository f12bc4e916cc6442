#!/bin/bash
# check_merge_random.sh SETS EPROF RANDOM_PROFILES - tests that `eprof merge` gives the same result
# in any order and grouping, and loses nothing. It does so SETS times, with profile files of random
# figures.
set -u
# A save waits for the disk, and the test makes thousands of saves.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/expect.sh"
sets=$1 make_profiles=$3 most_files=5
seed=${EPROF_TEST_SEED-$((SRANDOM))}
RANDOM=$seed
echo "EPROF_TEST_SEED=$seed"

# Sets $shuffled to the words in random order (Fisher and Yates).
shuffle() {
    shuffled=("$@")
    for ((last = $# - 1; last > 0; last--)); do
        other=$((RANDOM % (last + 1)))
        word=${shuffled[last]}
        shuffled[last]=${shuffled[other]}
        shuffled[other]=$word
    done
}

# merge OUT FILE...: messages about functions of missing programs are ignored.
merge() {
    out=$1
    shift
    try "$eprof" merge -o "$out" "$@"
    status_is 0
}

# Merges a few files at a time, and uses their sums like other files; sometimes it merges one file
# alone.
merge_in_groups() {
    sum=$1 number=0
    shift
    while [ $# -gt 1 ]; do
        shuffle "$@"
        count=$((1 + RANDOM % $#))
        merge "group-$((++number))" "${shuffled[@]:0:count}"
        set -- "group-$number" "${shuffled[@]:count}"
    done
    mv "$1" "$sum"
}

# report FORMAT FILE...: prints the report; messages go to err.
report() {
    format=$1
    shift
    "$eprof" report -f "$format" "$@" 2>err || fail "no report of $*"
}

# For each kind, name and level, the sum of the counts of all such rows. These must be equal for a
# sum and its parts. Functions are used without their names, since one file may provide names for
# another.
counts() {
    for file; do
        report csv "$file"
    done | awk -F, '
        $1 == "kind" { for (i = 1; i <= NF; i++) place[$i] = i; next }
        {
            name = $1 == "function" ? "" : $place["name"]
            row = $1 FS name FS split($place["path"], names, ";")
            calls[row] += $place["calls"]
            timed[row] += $place["timed"]
            errors[row] += $place["errors"]
            open[row] += $place["open"]
        }
        END { for (row in calls) print row, calls[row], timed[row], errors[row], open[row] }' | sort
}

check_set() {
    merge at-once "$@"
    shuffle "$@"
    merge in-order "${shuffled[@]}"
    cmp at-once in-order || fail "the order makes a difference: ${shuffled[*]}"
    merge_in_groups in-groups "$@"
    cmp at-once in-groups || fail "it makes a difference which of $* are added first"
    report csv:threads "$@" >several
    report csv:threads at-once >merged
    cmp several merged || fail "a report of $* is not one of their sum"
    counts "$@" >parts
    counts at-once >whole
    cmp parts whole || fail "the calls of $* are not those of their sum: $(diff parts whole)"
}

for ((set = 0; set < sets; set++)); do
    EPROF_TEST_SEED=$((seed + set)) "$make_profiles" $most_files >/dev/null || exit
    # shellcheck disable=SC2046 # numbers
    check_set $(seq $((2 + RANDOM % (most_files - 1))))
done
