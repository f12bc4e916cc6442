#!/bin/bash
# check_merge.sh CASE EPROF RECORDER - tests the documented behaviour of `eprof merge`.
set -u
. "$(dirname "$0")/expect.sh"

for file in one two three; do
    "$eprof" run -q -o $file -- "$recorder" exit
done

case $case in
adds_files_up)
    try "$eprof" merge -o sum one two three
    status_is 0
    is_empty out
    is_empty err
    is_of_recorder sum 3
    ;;
gives_what_report_adds_up)
    "$eprof" merge -o sum one two three
    for format in csv csv:threads json table openmetrics; do
        "$eprof" report -f $format one two three >several
        "$eprof" report -f $format sum >merged
        cmp several merged || fail "$format of the sum is another"
    done
    ;;
shows_how_times_are_spread_over_processes)
    "$eprof" merge -o some one two
    "$eprof" merge -o sum some three
    "$eprof" report -f json sum >sum.json
    for file in one two three; do
        "$eprof" report -f json $file >$file.json
    done
    jq -e '.processes == 3' sum.json >out || fail "not three processes"
    # the figures of the sum from those of the files; times are rounded in another unit
    jq -se '.[0].rows as $sum | .[1:] as $files | [$sum[] | select(.kind == "scope")] | length > 0 and
        all(.path as $path | [$files[] | {id: .process_id} + (.rows[] | select(.path == $path))] as $each |
            ([$each[].total_ns] | add / length | floor) as $mean |
            ($each | max_by(.total_ns)) as $most |
            .processes == ($each | length) and (.process_max_ns - $most.total_ns | fabs) <= 1 and
            (.process_min_ns - ($each | map(.total_ns) | min) | fabs) <= 1 and
            .process_slowest == $most.id and (.process_mean_ns - $mean | fabs) <= 1 and
            (.imbalance - ($most.total_ns / $mean - 1) | fabs) < 0.01)' sum.json one.json two.json three.json \
        >out || { jq -c '.rows[] | select(.kind == "scope")' ./*.json >out; fail "the balance is another"; }
    jq -e '[.rows[] | select(.kind == "instance").processes] | all(. == null)' sum.json >out ||
        fail "instances have a balance"
    jq -e 'has("processes") or any(.rows[]; .processes) | not' one.json >out || fail "one process has one"
    try "$eprof" report --by-process sum
    status_is 0
    says out 'processes +process_min +process_mean +process_max +process_stddev +imbalance +process_slowest$'
    try "$eprof" report --by-process one
    status_is 0
    complains '--by-process: this is the profile of one process'
    try "$eprof" report --by-process --columns=calls sum
    status_is 2
    complains '--by-process chooses columns, and so does --columns$'
    ;;
adds_up_how_long_the_programs_ran)
    "$eprof" merge -o some one two
    "$eprof" merge -o sum some three
    for name in wall_ns cpu_ns overhead_ns; do
        sum=0
        for file in one two three; do
            "$eprof" report -f json $file >out
            sum=$((sum + $(sed -n "s/.*\"$name\":\([0-9]*\),.*/\1/p" out)))
        done
        try "$eprof" report -f json sum
        says out "\"$name\":$sum,"
    done
    ;;
gives_the_same_in_any_order)
    "$eprof" merge -o first one two three
    "$eprof" merge -o second three one two
    cmp first second || fail "the order makes a difference"
    "$eprof" merge -o some one two
    "$eprof" merge -o third some three
    "$eprof" merge -o others two three
    "$eprof" merge -o fourth one others
    cmp third fourth || fail "it makes a difference which are added first"
    "$eprof" report -f csv first >at-once
    "$eprof" report -f csv third >in-turn
    cmp at-once in-turn || fail "sums of sums are others"
    ;;
of_one_file_is_that_file)
    try "$eprof" merge -o sum one
    status_is 0
    "$eprof" report -f csv one >before
    "$eprof" report -f csv sum >after
    cmp before after || fail "it has other figures"
    ;;
may_replace_one_of_its_files)
    try "$eprof" merge -o one one two
    status_is 0
    is_of_recorder one 2
    ;;
leaves_other_files_alone)
    echo precious >text
    try "$eprof" merge -o text one two
    status_is 1
    complains 'text: '
    [ "$(cat text)" = precious ] || fail "it was written over"
    ;;
needs_every_file)
    try "$eprof" merge -o sum one missing two gone
    status_is 1
    says err '^eprof: missing: '
    says err '^eprof: gone: '
    [ ! -e sum ] || fail "there is a sum without them"
    ;;
needs_files_and_a_name)
    try "$eprof" merge one two
    status_is 2
    complains 'merge: -o OUT is missing'
    try "$eprof" merge -o sum
    status_is 2
    complains 'merge: no FILE'
    ;;
writes_to_stdout)
    "$eprof" merge -o sum one two
    try "$eprof" merge -o - one two
    status_is 0
    is_empty err
    cmp sum out || fail "stdout is another"
    "$eprof" merge -o - one two | cat >piped
    cmp sum piped || fail "the pipe is another"
    is_not_there -
    script -qec "'$eprof' merge -o - one two" /dev/null >terminal </dev/null
    status=$?
    tr -d '\r' <terminal | sed 's/.*\x1b\[K//' >err
    : >out
    status_is 2
    complains '-: a profile, and stdout is a terminal; name a file with -o$'
    is_not_there -
    ;;
says_that_the_disk_is_full)
    status=0
    "$eprof" merge -o - one two >/dev/full 2>err || status=$?
    : >out
    status_is 1
    complains 'stdout: No space left on device'
    try "$eprof" merge -o /dev/full one two
    status_is 1
    complains '/dev/full: '
    ;;
shows_how_far_it_is_on_a_terminal)
    script -qec "'$eprof' merge -o sum one two three" /dev/null >terminal </dev/null
    status=$?
    status_is 0
    tr '\r' '\n' <terminal >out
    says out 'reading \[#+\.+\] 3 of 6'
    says out 'reading \[#+\] 6 of 6'
    [ "$(tail -c 4 terminal)" = "$(printf '\r\033[K')" ] || fail "the line stays"
    ;;
*)
    echo "no such case: $case"
    exit 1
    ;;
esac
