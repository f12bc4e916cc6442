#!/bin/bash
# check_report.sh CASE EPROF RECORDER - tests the documented behaviour of `eprof report`.
set -u
. "$(dirname "$0")/expect.sh"

"$eprof" run -q -o one -- "$recorder" exit
"$eprof" run -q -o other -- "$recorder" exit

# stick FILE: starts a program that records into FILE and waits in open scopes; its process id is
# $stuck_pid.
stick() {
    EPROF=image=$1 "$recorder" open >words &
    stuck_pid=$!
    trap 'kill -KILL "$stuck_pid" 2>/dev/null; rm -rf "$work"' EXIT
    until [ -s words ]; do
        kill -0 "$stuck_pid" || fail "it does not wait"
        sleep 0.01
    done
}

unstick() {
    kill -"$1" "$stuck_pid"
    wait "$stuck_pid" 2>/dev/null || :
}

# Compares the names of the rows of a kind in the csv in out, in their order.
names_are() {
    names=$(awk -F, -v kind="$1" '$1 == kind { print $2 }' out | tr '\n' ' ')
    [ "$names" = "$2 " ] || fail "the rows of kind $1 are $names, not $2"
}

case $case in
shows_a_tree_where_there_are_scopes)
    try "$eprof" report one
    status_is 0
    is_empty err
    says out '^eProf Tree: 2 scopes'
    ;;
shows_a_table_where_there_are_none)
    "$eprof" run -q -o instances -- "$recorder" instances
    try "$eprof" report instances
    status_is 0
    says out '^eProf Result:'
    says out '^0: parse +10 '
    ;;
writes_each_format)
    for format in table:eProf.Result tree:eProf.Tree csv:kind,name json:.\"format\"; do
        try "$eprof" report --format="${format%:*}" one
        status_is 0
        says out "^${format#*:}"
    done
    try "$eprof" report -f csv:threads:raw one
    says out '^scope,work,work,worker,'
    try "$eprof" report -f csv:ticks one
    says out ',total_ticks,'
    ;;
adds_files_up)
    try "$eprof" report --format=csv one other one
    status_is 0
    cp out sum
    for row in instance:parse:30 instance:store:15 scope:work:15 'scope:work;step:36'; do
        calls=$(awk -F, -v kind="${row%%:*}" -v row="$row" \
            '$1 == kind && $1 ":" $3 ":" $7 == row' sum | wc -l)
        [ "$calls" = 1 ] || fail "there is no $row"
    done
    try "$eprof" report -f csv:threads one other
    [ "$(grep -c '^scope,work,work,worker,.*,4,4,' out)" = 1 ] ||
        fail "the threads of one name are no row"
    ;;
adds_files_up_without_their_probes)
    # in ticks and by threads no figure is rounded: the sum of a file with itself has twice each
    # time
    for options in threads:ticks threads:ticks:raw; do
        "$eprof" report -f csv:$options one | awk -F, 'NR > 1 { $11 *= 2; print $2, $4, $11 }' |
            sort >twice
        try "$eprof" report -f csv:$options one one
        status_is 0
        awk -F, 'NR > 1 { print $2, $4, $11 }' out | sort >sum
        try diff twice sum
        status_is 0
    done
    ;;
adds_files_up_in_any_order)
    "$eprof" report -f json one other | sed 's/"pair_ns":[^,]*,//' >there
    "$eprof" report -f json other one | sed 's/"pair_ns":[^,]*,//' >back
    try cmp there back
    status_is 0
    ;;
writes_to_a_file)
    echo old >report
    try "$eprof" report -f csv -o report one
    status_is 0
    is_empty out
    "$eprof" report -f csv one | cmp - report || fail "the file is another"
    try "$eprof" report -f csv -o - one
    cmp out report || fail "stdout is another"
    [ "$(ls)" = "$(printf 'err\none\nother\nout\nreport')" ] || fail "there are $(ls)"
    ;;
leaves_a_profile_alone)
    cp one copy
    for out in one copy; do
        try "$eprof" report -f csv -o "$out" one
        status_is 2
        complains "$out: a profile, and is left alone; name another file with -o"
    done
    cmp one copy
    ;;
keeps_the_old_file_when_the_disk_is_full)
    echo old >report
    # for a writer, a limit on the size of files is the same as a full disk
    (trap '' XFSZ && ulimit -f 0 && exec "$eprof" report -f csv -o report one 2>&1) | cat >err
    status=${PIPESTATUS[0]}
    : >out
    status_is 1
    complains 'report: File too large'
    is_not_there eprof-*.tmp
    [ "$(cat report)" = old ] || fail "the old file is gone"
    ;;
says_that_the_disk_is_full)
    for way in '' '-o -' '-o /dev/full'; do
        status=0
        # shellcheck disable=SC2086 # two words
        "$eprof" report -f csv $way one >/dev/full 2>err || status=$?
        : >out
        status_is 1
        complains '(stdout|/dev/full): No space left on device'
    done
    ;;
sorts)
    try "$eprof" report -f csv --sort calls one
    names_are instance 'parse store'
    try "$eprof" report -f csv --sort name one
    names_are instance 'parse store'
    names_are scope 'work step'
    "$eprof" run -q -o sorted -- "$recorder" late
    try "$eprof" report -f csv --sort=name sorted
    names_are instance 'late parse store'
    try "$eprof" report -f csv --sort=calls sorted
    names_are instance 'late parse store'
    try "$eprof" report --sort=nonsense one
    status_is 2
    complains '.*nonsense.*calls'
    ;;
sorts_by_every_column)
    # Columns of csv are sorted by their content; columns of table and tree are chosen by their
    # titles.
    for column in $("$eprof" report -f csv one | head -1 | tr , ' '); do
        try "$eprof" report -f csv --sort="$column" one
        status_is 0
        order=-rn
        case $column in
        kind | name | path | thread | file) order= ;;
        line) order=-n ;;
        esac
        awk -F, -v column="$column" '
            NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
            $1 == "instance" { print $place[column] }' out >values
        # shellcheck disable=SC2086 # it may be no word
        [ "$(wc -l <values)" = 2 ] && LC_ALL=C sort -c $order values ||
            fail "$column: they are in no order"
    done
    for title in ID scope calls usec/call self total min p50 p90 p99 p99.9 max stddev timed \
        errors open %total self% mean ticks/call; do
        for format in table tree csv; do
            try "$eprof" report -f $format --sort="$title" one
            status_is 0
        done
    done
    ;;
says_how_long_the_program_ran)
    try "$eprof" report one
    says out '^wall time [0-9.]+ [mu]?s \([0-9.]+ % in scopes\), processor time [0-9.]+ [mu]?s, 2 threads$'
    says out '^overhead of profiling [0-9.]+ [num]?s, .* the processor time$'
    try "$eprof" report -f table one
    says out '^wall time .*, processor time .*, 2 threads$'
    try "$eprof" report -f html one
    says out '<dt>wall time</dt><dd>[0-9.]+ [mu]?s</dd>'
    stick killed
    unstick KILL
    try "$eprof" report killed
    says out '^these times are as of the last update of the profile$'
    try "$eprof" report -f html killed
    says out '<dt>wall time</dt><dd>[0-9.]+ [num]?s <small>as of the last update of the profile</small></dd>'
    try "$eprof" report -f json killed
    says out ',"as_of_last_update":true,"command"'
    try "$eprof" diff one killed
    says out '^times of the run after are as of the last update of the profile$'
    "$eprof" merge -o sum one killed
    "$eprof" merge -o sum_of_sums sum one
    for sum in sum sum_of_sums "one killed"; do
        # shellcheck disable=SC2086 # two words
        try "$eprof" report $sum
        says out '^these times are partly as of the last update of a profile$'
    done
    "$eprof" merge -o sum killed killed
    try "$eprof" report sum
    says out '^these times are as of the last update of the profile$'
    try "$eprof" report one one
    says_not out 'last update'
    ;;
shows_ticks)
    for format in 'tree --unit=ticks' tree:ticks 'tree:raw --unit=ticks'; do
        # shellcheck disable=SC2086 # two words
        try "$eprof" report -f $format one
        status_is 0
        says out '^eProf Tree: .* [0-9]+ ticks, source [a-z_]+, [0-9]+\.[0-9] ticks/us$'
    done
    try "$eprof" report --unit ticks -f table one
    says out '^eProf Result: [0-9]+\.[0-9] ticks/us$'
    says out '^ID name +calls +ticks/call '
    try "$eprof" report --unit=ticks -f csv one
    says out ',total_ticks,'
    try "$eprof" report -f json --unit=ticks one
    says out '"unit":"ticks".*"ticks_per_us":[0-9]'
    ;;
shows_nanoseconds)
    try "$eprof" report --unit=ns -f csv:ticks one
    says out ',total_ns,'
    try "$eprof" report --unit=ns -f table one
    says out '^eProf Result:$'
    ;;
takes_the_first)
    try "$eprof" report -f csv --sort=calls --top=1 one
    status_is 0
    names_are instance parse
    names_are scope step
    try "$eprof" report --sort=calls --top=1 one # a report for people also shows the rows around it
    says out '^work +5 '
    says out 'step +12 '
    ;;
takes_one_thread)
    try "$eprof" report -f csv --thread=worker one
    status_is 0
    says out '^scope,work,work,worker,.*,2,2,'
    says_not out '^(instance|scope,step)'
    try "$eprof" report --thread=nobody one
    status_is 1
    complains '.*nobody.*main.*worker'
    ;;
filters)
    try "$eprof" report -f csv --filter='st*' one
    status_is 0
    names_are instance store
    names_are scope step
    try "$eprof" report -f tree --filter='st*' one
    says out '^work +5 '
    says out 'step +12 '
    ;;
focuses)
    try "$eprof" report -f csv --focus='work;step' one
    status_is 0
    names_are scope step
    says_not out '^instance'
    try "$eprof" report --focus=nowhere one
    status_is 1
    complains '.*nowhere'
    ;;
shows_some_levels)
    try "$eprof" report -f csv --depth=1 one
    status_is 0
    names_are instance 'parse store'
    names_are scope work
    try "$eprof" report -f csv --depth=1 '--filter=ste*' one
    status_is 1
    complains 'no scope with a name like "ste\*" within 1 level'
    ;;
recommends_its_options_once)
    try "$eprof" report one
    [ "$(tail -1 out)" = 'more: eprof report --callers NAME, --histogram NAME, --columns LIST, --depth N, --thread NAME, --where, --format html' ] ||
        fail "the last line is another"
    [ "$(grep -c '^more: ' out)" = 1 ] || fail "it says so more than once"
    for options in --sort=self -ftree -ftable --raw; do
        try "$eprof" report $options one
        says_not out '^more: '
    done
    "$eprof" run -q -o instances -- "$recorder" instances
    try "$eprof" report instances
    says_not out '^more: '
    try "$eprof" run -o run -- "$recorder" exit
    says err '^more: eprof report --callers NAME'
    [ "$(grep -c '^more: ' err)" = 1 ] || fail "it says so more than once"
    ;;
shows_callers)
    try "$eprof" report --callers=step one
    status_is 0
    is_empty err
    says out '^eProf Callers: step, 1 call path, '
    says out '^step +12 .* 100 % '
    says out '^└─work +12 .* 100 % '
    try "$eprof" report --callers=step --thread=worker one
    says_not out '^eProf Callers'
    complains 'no scope, function or value "step"'
    try "$eprof" report --callers=ste one
    status_is 1
    complains 'no scope, function or value "ste"; there are "step"$'
    for option in --format=csv --sort=self --top=3 '--filter=*' --depth=1 --columns=calls; do
        try "$eprof" report --callers=step "$option" one
        status_is 2
        complains '--callers: takes no --format, --sort, --top, --filter, --depth or --columns$'
    done
    ;;
shows_the_times_of_calls)
    EPROF=budget=off "$eprof" run -q -o each -- "$recorder" exit
    for name in parse step; do
        try "$eprof" report --histogram=$name --unit=ticks each
        status_is 0
        is_empty err
        says out "^eProf Histogram: $name, "
        [ "$(awk '$2 == "-" { calls += $4 } END { print calls }' out)" = \
            "$(sed -nE '2s/.* ([0-9]+) calls.*/\1/p' out)" ] || fail "$name: the calls do not add up"
        cp out histogram
        try "$eprof" report -f csv:ticks each
        for mark in min:15 p50:16 max:20; do
            value=$(awk -F, -v name=$name -v at=${mark#*:} '$2 == name { print $at }' out)
            [ "$value" != 0 ] || value='<1 probe'
            grep -qE "(  |, )${mark%:*} $value(,|$)" histogram ||
                { cp histogram out; fail "$name: ${mark%:*} is not $value"; }
        done
    done
    try "$eprof" report --histogram=step --thread=worker each
    complains 'no scope, function or value "step"'
    for option in -fcsv --sort=self --top=1 '--filter=*' --depth=1 --columns=calls; do
        try "$eprof" report --histogram=step "$option" each
        status_is 2
        complains '--histogram: takes no --format, --sort, --top, --filter, --depth or --columns$'
    done
    try "$eprof" report --histogram=step --callers=step each
    status_is 2
    complains '--callers and --histogram are two reports$'
    ;;
shows_the_chosen_columns)
    for options in '--columns=total,%total,calls' '-f tree:columns=total+%total+calls' \
        '--columns=total+%total+calls --format=tree'; do
        # shellcheck disable=SC2086 # two words
        try "$eprof" report $options one
        status_is 0
        says out '^scope +total +%total +calls$'
        # shellcheck disable=SC2086 # two words
        try "$eprof" report $options --where one
        says out '^work \(recorder.c:[0-9]+\) '
    done
    try "$eprof" report --columns=calls,foo one
    status_is 2
    complains '--columns: no column "foo"; known are calls, timed, .*, imbalance$'
    try "$eprof" report --format=tree:columns=foo one
    status_is 2
    complains '--format: no column "foo"; known are calls, '
    for option in --columns=calls --where; do
        try "$eprof" report --format=json $option one
        status_is 2
        complains 'json: --columns, --by-process and --where are for tree and table$'
    done
    ;;
shows_raw_figures)
    try "$eprof" report -f json --raw one
    says out '"raw":true'
    try "$eprof" report --raw -f json one
    says out '"raw":true'
    try "$eprof" report -f json one
    says out '"raw":false'
    ;;
colours)
    escape=$(printf '\033')
    try "$eprof" report --color=always one
    says out "$escape"
    NO_COLOR=1 try "$eprof" report --color=always one
    says out "$escape"
    CLICOLOR_FORCE=1 try "$eprof" report --color=never one
    says_not out "$escape"
    try "$eprof" report --color=auto one
    says_not out "$escape"
    CLICOLOR_FORCE=1 try "$eprof" report --color=auto one
    says out "$escape"
    ;;
shows_a_program_that_runs)
    mkfifo words
    "$eprof" run -q -o running -- "$recorder" wait >words 2>/dev/null &
    exec 3<words
    read -r word <&3
    [ "$word" = waits ] || fail "it does not wait"
    try "$eprof" report -f csv running
    kill -TERM $!
    wait $!
    status_is 0
    complains 'running: its program still runs: the figures are those of now'
    says out '^scope,step,work;step,.*,12,12,'
    is_of_recorder running
    ;;
gives_open_scopes_of_a_program_that_runs_their_time_so_far)
    stick running
    for path in stuck idle; do
        for sight in first second; do
            declare $sight="$(figure running total_ns scope $path 2>err)"
            [ "$(cat err)" = 'eprof: running: its program still runs: the figures are those of now' ] ||
                fail "not that alone is said"
        done
        # shellcheck disable=SC2154 # declared by name
        [ "$first" -gt 0 ] && [ "$second" -gt "$first" ] ||
            fail "$path, which is open, has taken $first ns, and $second ns later"
        [ "$(figure running open scope $path 2>err)" = 1 ] || fail "$path is not open"
    done
    "$eprof" merge -o sum running running 2>err
    sum=$(figure sum total_ns scope stuck)
    [ "$sum" -gt "$second" ] || fail "in a sum of both it has taken $sum ns"
    unstick TERM
    ;;
says_where_open_scopes_have_no_time_so_far)
    stick running,source=thread_cputime
    try "$eprof" report -f csv running
    status_is 0
    complains 'running: its program still runs: the figures are those of now, but open scopes have only the time of what ended in them'
    unstick TERM
    ;;
gives_open_scopes_of_a_killed_program_the_time_of_what_ended_in_them)
    stick killed
    unstick KILL
    try "$eprof" report -f csv:raw killed
    status_is 0
    for path in stuck idle; do
        [ "$(figure killed open scope $path)" = 1 ] || fail "$path is not open"
    done
    step=$(figure killed total_ns scope 'stuck;step')
    [ "$(figure killed total_ns scope stuck)" = "$step" ] || fail "stuck has not the $step ns of step"
    [ "$(figure killed total_ns scope idle)" = 0 ] || fail "nothing ended in idle"
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
