#!/bin/bash
# check_values.sh CASE EPROF RECORDER - tests what the command does with values and frames.
set -u
. "$(dirname "$0")/expect.sh"

"$eprof" run -q -o one -- "$recorder" values
"$eprof" run -q -o other -- "$recorder" values

# value_is FILE PATH LINE COLUMN FIGURE: of the row of this line of the program, or of any.
value_is() {
    seen=$("$eprof" report --format=csv "$1" | awk -F, -v column="$3" -v path="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
        $1 == "value" && $place["path"] == path { sum += $place[column] } END { print sum }')
    [ "$seen" = "$4" ] || fail "$1: $2 has the $3 $seen, not $4"
}

case $case in
are_in_table_and_tree)
    for format in table tree; do
        try "$eprof" report --format="$format" one
        status_is 0
        is_empty err
        says out '^value +calls +total +mean +min +p50 +p99 +max +rate$'
        says out '^level +1 +7 +7 +7 +- +- +7 +-$'
        says out '^serve > length +4 +-2 +-0.50 +-2 +-1 +- +1 +-$'
        says out '^serve > input +4 +2.00 kB +500 B +500 B +500 B +- +500 B +[0-9.]+ [kMGT]?B/s$'
        says out '^frame > over 0.000 ms +2 +.* [num]s '
        says out '^(├─)?frame .* [0-9.]+( [kMG])?/s$'
    done
    ;;
are_in_csv_and_json)
    try "$eprof" report --format=csv one
    says out '^value,length,serve;length,\*,.*recorder.c,[0-9]+,4,4,0,0,-2,,0,1,-2,-1,1,1,1,1,4,0,0,0,,,1,,,,,,,$'
    says out '^value,input,serve;input,.*,bytes,[0-9]+,,,,,,$'
    says out '^value,level,level,.*,1,1,0,0,7,,7,0,7,7,7,7,7,7,1,0,0,0,,,1,,,,,,,$'
    says out '^scope,serve,.*,ns,,,,,,,$'
    says out '^scope,frame,.*,ns,[0-9]+,,,,,,$'
    try "$eprof" report --format=json one
    says out '"kind":"value","name":"length","path":"serve;length",.*"calls":4,.*"total_ns":-2,"self_ns":null,"mean_ns":0,.*"min_ns":-2,.*"max_ns":1,.*"unit":"1","per_second":null,"processes":null,'
    try "$eprof" report --format=csv:threads one
    says out '^value,length,serve;length,worker,.*,1,1,0,0,5,'
    says out '^value,length,serve;length,main,.*,4,4,0,0,-2,'
    ;;
are_in_the_page)
    try "$eprof" report --format=html one
    status_is 0
    says out '<section id="values"><h2>Values</h2>'
    says out 'href="#values"'
    says out '<td>bytes</td><th scope="row"><bdi>serve;input</bdi></th><td>2.00 kB</td><td>4</td>'
    ;;
are_not_in_formats_of_times)
    for format in folded speedscope callgrind; do
        try "$eprof" report --format="$format" one
        status_is 0
        says out serve
        says_not out 'length|input|level|over 0'
    done
    ;;
are_in_openmetrics)
    try "$eprof" report --format=openmetrics one
    says out '^eprof_value_calls_total\{name="length",path="serve;length",unit="1"\} 5$'
    says out '^eprof_value_bytes_total\{name="input",path="serve;input",unit="bytes"\} 2000$'
    says out '^eprof_value\{name="level",path="level",unit="1",figure="max"\} 7$'
    says out '^eprof_value\{name="over 0.000 ms",.*unit="seconds",figure="mean"\} 0.0000'
    # both lines of length have the same labels: their number is known, other figures are not
    says_not out '^eprof_value\{name="length"'
    try "$eprof" report --format=openmetrics:threads one
    says out '^eprof_value\{name="length",path="serve;length",thread="main",unit="1",figure="min"\} -2$'
    ;;
are_added_up)
    "$eprof" merge -o sum one other one || fail "no sum"
    "$eprof" merge -o again other one one || fail "no sum in another order"
    cmp -s sum again || fail "the order matters"
    value_is sum 'serve;length' calls 15
    value_is sum 'serve;length' total_ns 9
    value_is sum 'serve;input' total_ns 6000
    value_is sum 'frame;over 0.000 ms' calls 6
    value_is sum level min_ns 7
    "$eprof" merge -o twice sum sum || fail "no sum of sums"
    value_is twice 'serve;length' total_ns 18
    frames=$(figure twice calls scope frame)
    [ "$frames" = 36 ] || fail "36 frames became $frames"
    ;;
of_different_budgets_are_one_row_in_a_sum)
    "$eprof" run -q -o third -- "$recorder" values end 7 1
    value_is third 'frame;over 0.000 ms' calls 2
    "$eprof" merge -o sum one third other || fail "no sum"
    "$eprof" merge -o again third other one || fail "no sum in another order"
    cmp -s sum again || fail "the order matters"
    value_is sum 'frame;over budget' calls 6
    value_is sum 'frame;over 0.000 ms' calls ''
    ;;
are_compared)
    try "$eprof" diff one other
    status_is 0
    says out '^value +before +after +before'
    says out '^run +wall time +in scopes +processor time +threads +overhead +overhead%$'
    says out '^before +[0-9.]+ [mu]?s +[0-9.]+ % +[0-9.]+ [mu]?s +2 +[0-9.]+ [mun]s +[0-9.]+ %$'
    try "$eprof" diff --format=json one other
    says out '^"after":.*"wall_ns":[0-9]+,"cpu_ns":[0-9]+,"overhead_ns":[0-9]+'
    try "$eprof" diff --format=html one other
    says out '<small>1 file, wall time [0-9.]+ [mu]?s .*, overhead of profiling [0-9.]+ [mun]s'
    try "$eprof" diff one other
    says out '^serve;input +4 +4 +2.00 kB +2.00 kB +500 B +500 B +- +- +0.0 % +0.0 to 0.0 % +no evidence$'
    says out '^values: [0-9]+ without evidence'
    try "$eprof" diff --format=csv one other
    says out '^value,input,serve;input,no evidence,mean_ns,4,4,2000,2000,,,500,500,500,500,0,1.000000,1.000000,1.000000,'
    says out '^value,length,serve;length,no evidence,mean_ns,5,5,3,3,,,0,0,5,5,0,'
    try "$eprof" diff --format=html one other
    says out '<section id="values"><h2>Values '
    says out '<th scope="row"><bdi>serve;input</bdi></th><td class="change"><b>0.0 %</b><span>no evidence</span></td>'
    "$eprof" run -q -o without -- "$recorder" exit
    try "$eprof" diff without one
    says out '^serve;input +- +4 .* new$'
    try "$eprof" diff --format=json one without
    says out '"kind":"value","name":"input","path":"serve;input","verdict":"gone"'
    ;;
of_different_budgets_are_one_row_in_a_comparison)
    "$eprof" run -q -o third -- "$recorder" values end 7 1
    "$eprof" merge -o sum one third || fail "no sum"
    for files in 'one sum 0.000.ms several 2 4' 'sum one several 0.000.ms 4 2'; do
        # shellcheck disable=SC2086 # words
        set -- $files
        try "$eprof" diff "$1" "$2"
        says out "^frame;over budget \\($3 before, $4 after\\) +$5 +$6 .* other budget\$"
        [ "$(grep -c 'frame;over' out)" = 1 ] || fail "the rows are not one: $(grep 'frame;over' out)"
        says out '^values: .*, 1 with another budget'
        try "$eprof" diff --format=csv "$1" "$2"
        says out "^value,over budget,frame;over budget,,mean_ns,$5,$6,"
        try "$eprof" diff --format=json "$1" "$2"
        says out '"path":"frame;over budget","verdict":"".*"ratio":null'
        try "$eprof" diff --format=html "$1" "$2"
        says out '<bdi>frame;over budget \([a-z0-9. ]+ before, [a-z0-9. ]+ after\)</bdi></th><td class="change"><b>other budget</b>'
    done
    try "$eprof" diff --format=csv one other
    says out '^value,over 0.000 ms,frame;over 0.000 ms,'
    ;;
have_verdicts)
    for i in 1 2 3 4 5 6 7; do
        "$eprof" run -q -o "before-$i" -- "$recorder" values
        "$eprof" run -q -o "after-$i" -- "$recorder" values level 9 >/dev/null
    done
    try "$eprof" diff --before before-* --after after-*
    status_is 0
    says out '^level +1 +1 +7 +9 +7 +9 +- +- +\+28.6 % +\+28.6 to \+28.6 % +more$'
    says out '^serve;length .* no evidence$'
    says out '^values: 1 more, [0-9]+ without evidence$'
    grep -A2 '^value ' out | tail -1 | grep -q '^level ' || fail 'the value with evidence is not the first'
    try "$eprof" diff --format=csv --before after-* --after before-*
    says out '^value,level,level,less,mean_ns,1,1,9,7,,,9,7,9,7,-2,0.777778,0.777778,0.777778,'
    try "$eprof" diff --fail-above 5 --before before-* --after after-*
    status_is 0
    ;;
are_listed_by_top)
    try "$eprof" top --count=1 --sort=calls one
    status_is 0
    says out ' 5 values'
    says out '^wall time [^,]*, processor time [^,]*, 2 threads, overhead of profiling '
    says out '^serve;input .* 2.00 kB +4$'
    ;;
have_a_histogram)
    try "$eprof" report --histogram=input one
    status_is 0
    says out '^eProf Histogram: input, values, 1 call path, 4 calls$'
    says out '^500 B - 600 B +4 +100 % .*min 500 B, p50 500 B, max 500 B$'
    try "$eprof" report --histogram=length one
    says out '^eProf Histogram: length, values, 2 call paths, 5 calls$'
    says out '^ +-2 +1 +20 % .*min -2$'
    says out '^ +-1 +1 +20 %'
    says out '^ +0 +1 +20 %'
    says out '^ +1 +1 +20 %'
    says out '^ +5 +1 +20 % .*max 5$'
    try "$eprof" report --histogram='over 0.000 ms' one
    says out '^ *[0-9.]+ [num]s - +[0-9.]+ [num]s +[0-2] .*min [0-9.]+ [num]s'
    ;;
have_callers)
    try "$eprof" report --callers=input one
    status_is 0
    says out '^eProf Callers: input, values, 1 call path, 2.00 kB in all$'
    says out '^recorded in +calls +total +%value +mean +min +max$'
    says out '^input +4 +2.00 kB +100 % +500 B +500 B +500 B$'
    says out '^└─serve [^ ]* +4 +2.00 kB +100 % '
    try "$eprof" report --callers=length one
    says out '^length +5 +3 +- +0.60 +-2 +5$' # where values are negative, a part may be more than the sum
    try "$eprof" report --callers=level one
    says out '^level +1 +7 +100 % '
    try "$eprof" report --callers=none one
    status_is 1
    complains 'no scope, function or value "none"'
    ;;
stay_where_a_view_has_their_scope)
    try "$eprof" report --format=csv --focus=serve one
    says out '^value,length,'
    says_not out '^value,level|^value,over'
    try "$eprof" report --format=csv --filter='le*' one
    says out '^value,length,'
    says out '^value,level,'
    says_not out '^value,input'
    try "$eprof" report --format=csv --thread=worker one
    says out '^value,length,.*,worker,'
    says_not out '^value,(level|input)'
    ;;
survive_a_kill)
    EPROF=image=killed "$recorder" values kill >out 2>err
    value_is killed 'serve;length' total_ns 3
    value_is killed 'serve;input' calls 4
    value_is killed 'frame;over 0.000 ms' calls 2
    ;;
*)
    fail "no such case"
    ;;
esac
