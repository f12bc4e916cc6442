#!/bin/bash
# check_command.sh CASE EPROF RECORDER NOISY_PROGRAM - tests the behaviour of `eprof diff`.
# check_verdicts.sh tests whether its verdicts are true.
set -u
. "$(dirname "$0")/../command/expect.sh"
noisy=$4

# runs COUNT PERCENT: makes that number of runs for each side; on the side after, `token` is slower
# by PERCENT.
runs() {
    EPROF_TEST_SEED=1 "$noisy" "$1" token "$2" >/dev/null || fail "no runs"
}

# cell COLUMN PATH: prints a field of the csv in out.
cell() {
    awk -F, -v column="$1" -v path="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
        $place["path"] == path { print $place[column] }' out
}

verdict_is() {
    [ "$(cell verdict "$1")" = "$2" ] || fail "the verdict on $1 is '$(cell verdict "$1")', not $2"
}

case $case in
compares_two_files)
    runs 1 50
    try "$eprof" diff before-1 after-1
    status_is 0
    is_empty err
    says out '^eProf Diff: .* 1 file before, 1 after'
    says out 'token'
    try "$eprof" diff -f csv before-1 after-1
    [ "$(wc -l <out)" = 12 ] || fail "not eleven regions"
    verdict_is main ''
    for side in before after; do
        total=$(figure $side-1 total_ns scope 'main;read;parse;token')
        [ "$(cell total_${side}_ns 'main;read;parse;token')" = "$total" ] || fail "$side: not $total"
    done
    ;;
finds_no_difference_of_a_file_to_itself)
    runs 1 0
    try "$eprof" diff -f csv before-1 before-1
    status_is 0
    [ "$(awk -F, 'NR > 1 { print $16, $17 }' out | sort -u)" = '0 1.000000' ] ||
        fail "there is a change"
    ;;
gives_verdicts)
    runs 12 30
    try "$eprof" diff -f csv --before before-* --after after-*
    status_is 0
    is_empty err
    verdict_is 'main;read;parse;token' slower
    verdict_is 'main;sort;compare' 'no evidence'
    try "$eprof" diff -f csv --before after-* --after before-*
    status_is 0
    verdict_is 'main;read;parse;token' faster
    ;;
fails_above_a_percentage)
    runs 12 30
    try "$eprof" diff --fail-above 10 --before before-* --after after-*
    status_is 3
    complains 'main;read;parse;token: slower, \+[0-9.]+ % \(\+[0-9.]+ to \+[0-9.]+ %\); no more than \+10 % was allowed$'
    says out '^eProf Diff'
    try "$eprof" diff --fail-above 50 --before before-* --after after-*
    status_is 0
    is_empty err
    try "$eprof" diff --fail-above 0 --before after-* --after before-*
    status_is 0
    ;;
says_how_many_files_are_needed)
    runs 4 30
    try "$eprof" diff --before before-* --after after-*
    status_is 2
    complains 'diff: too few files for a verdict on 11 regions: 4 before, 4 after; 6 of each side'
    says out '^eProf Diff'
    try "$eprof" diff --fail-above 5 before-1 after-1
    status_is 2
    complains 'diff: too few files'
    try "$eprof" diff -f csv --filter token --before before-* --after after-*
    status_is 0
    verdict_is 'main;read;parse;token' slower
    ;;
judges_what_is_asked_for)
    runs 12 30
    try "$eprof" diff --by self -f csv --before before-* --after after-*
    status_is 0
    verdict_is 'main;read;parse;token' slower
    verdict_is 'main;read;parse' 'no evidence'
    [ "$(cell judged main)" = self_ns ] || fail "it judged $(cell judged main)"
    ;;
tells_what_a_gate_does_not_judge)
    for run in 1 2 3 4 5 6; do
        "$eprof" run -q -o before-$run -- "$recorder" exit
        "$eprof" run -q -o after-$run -- "$recorder" late
    done
    try "$eprof" diff --fail-above 1000000 --before before-* --after after-*
    status_is 0
    complains 'diff: not judged: 1 new regions, 0 gone, 0 in too few files'
    ;;
is_no_open_gate_where_nothing_can_be_judged)
    "$eprof" run -q -o before -- "$recorder" exit
    "$eprof" run -q -o after -- "$recorder" late
    try "$eprof" diff --fail-above 5 --filter late before after
    status_is 2
    complains 'diff: no region is in enough files of both sides'
    try "$eprof" diff --fail-above 5 --filter nonsense before after
    status_is 1
    is_empty out
    complains 'nonsense: no region of either side has such a name'
    ;;
knows_the_side_of_each_file)
    runs 3 0
    try "$eprof" diff --before before-1 before-2 -f json --after after-1 before-3 after-2
    says out '^"before":\{"files":2,'
    says out '^"after":\{"files":3,'
    ;;
compares_what_one_clock_has_measured)
    runs 6 30
    for run in 1 2 3 4 5 6; do
        EPROF=source=clock_gettime "$eprof" run -q -o clock-$run -- "$recorder" exit
        EPROF=source=thread_cputime "$eprof" run -q -o cpu-$run -- "$recorder" exit
    done
    try "$eprof" diff --before clock-* --after cpu-*
    status_is 2
    complains 'diff: measured by clock_gettime before and by thread_cputime after'
    try "$eprof" diff --before clock-[1-3] cpu-[1-3] --after clock-[4-6] cpu-[4-6]
    status_is 2
    complains 'diff: measured by several before and by several after'
    try "$eprof" diff --before clock-[1-3] --after clock-[4-6]
    says_not err 'measured by'
    ;;
shows_what_is_asked_for)
    runs 1 0
    try "$eprof" diff -f csv --top 2 before-1 after-1
    [ "$(wc -l <out)" = 3 ] || fail "not two rows"
    try "$eprof" diff -f json --raw before-1 after-1
    says out '^"before":.*"raw":true'
    try "$eprof" diff -f json before-1 after-1
    says out '^"before":.*"raw":false'
    ;;
takes_a_file_for_one_run)
    runs 6 30
    ln before-1 linked
    try "$eprof" diff --fail-above 5 --before before-[1-6] linked --after after-*
    status_is 2
    is_empty out
    complains '(linked|before-1): named twice on one side'
    try "$eprof" diff --before before-[1-6] --after after-[1-5] ./after-2
    status_is 2
    try "$eprof" diff -f csv --before before-[1-6] --after after-[1-5] before-6
    status_is 0
    ;;
needs_every_file)
    runs 1 0
    try "$eprof" diff before-1 missing
    status_is 1
    is_empty out
    complains 'missing: '
    ;;
writes_each_format_to_a_file)
    runs 6 30
    for format in table csv json html; do
        try "$eprof" diff -f $format -o out.$format --before before-* --after after-*
        status_is 0
        is_empty out
        [ -s out.$format ] || fail "$format: nothing was written"
    done
    says out.csv '^kind,name,path,verdict,'
    says out.json '^\{"format":1,'
    says out.html '^<!DOCTYPE html>'
    ;;
leaves_a_profile_alone)
    runs 1 0
    try "$eprof" diff -o before-1 before-1 after-1
    status_is 2
    complains 'before-1: a profile'
    ;;
says_that_the_disk_is_full)
    runs 1 0
    try "$eprof" diff -o /dev/full before-1 after-1
    status_is 1
    complains '/dev/full: '
    status=0
    "$eprof" diff before-1 after-1 >/dev/full 2>err || status=$?
    : >out
    status_is 1
    complains 'stdout: '
    ;;
*)
    echo "no such case: $case"
    exit 1
    ;;
esac
