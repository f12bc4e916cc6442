#!/bin/bash
# check_gate.sh CASE EPROF SUBJECT [HOOKED] - tests the documented behaviour of examples/gate.sh,
# with a program whose clock is moved by hand: gate_subject.c. HOOKED is a program that has hooks
# but is not linked with libeprof.
set -u
gate=$(cd "$(dirname "$0")/../../examples" && pwd)/gate.sh
. "$(dirname "$0")/../command/expect.sh"
subject=$recorder
PATH=$(dirname "$eprof"):$PATH

case $case in
lets_a_program_pass_that_is_the_same)
    try "$gate" -n 8 -p 0 "$subject 0" "$subject 0"
    status_is 0
    says out 'steady .* no evidence$'
    says out 'changed .* no evidence$'
    ;;
finds_a_region_that_is_slower)
    try "$gate" -n 8 "$subject 0" "$subject 20"
    status_is 3
    says out 'changed .* slower$'
    says out 'steady .* no evidence$'
    says err '^eprof: changed: slower, \+'
    try "$gate" -n 8 "$subject 20" "$subject 0"
    status_is 0
    says out 'changed .* faster$'
    ;;
lets_pass_what_is_slower_by_less)
    try "$gate" -n 8 -p 25 "$subject 0" "$subject 20"
    status_is 0
    says out 'changed .* slower$'
    try "$gate" -n 8 -p 12.5 "$subject 0" "$subject 20"
    status_is 3
    ;;
says_how_many_runs_are_needed)
    try "$gate" -n 3 "$subject 0" "$subject 20"
    status_is 2
    says err '^gate.sh: 3 runs of each side are too few; 5 are needed'
    [ "$(wc -l <turns)" = 2 ] || fail "it goes on although they are too few: $(wc -l <turns) runs"
    try "$gate" -n 5 "$subject 0" "$subject 20"
    status_is 3
    ;;
runs_twenty_of_each_side)
    try "$gate" "$subject 0" "$subject 20"
    status_is 3
    says err '^gate.sh: 20 runs of each side$'
    [ "$(wc -l <turns)" = 42 ] || fail "$(wc -l <turns) runs, not 42"
    ;;
takes_turns)
    try "$gate" -n 5 "$subject 0" "$subject 20"
    turns=$(tr '\n' ' ' <turns)
    [ "$turns" = "0 20 0 20 20 0 0 20 20 0 0 20 " ] || fail "the turns are $turns"
    ;;
leaves_profiles_and_a_page)
    touch kept
    mkdir '50%p here'
    touch '50%p here/before.99.eprof' '50%p here/kept'
    try "$gate" -n 5 -o '50%p here' "echo of before; $subject 0" "$subject 20"
    status_is 3
    [ "$(cd '50%p here' && echo *)" = "$(echo {after,before}.{1..5}.eprof kept log report.html)" ] ||
        fail "there is $(cd '50%p here' && echo *)"
    calls_are '50%p here/after.3.eprof' scope steady 1
    grep -q '^of before$' '50%p here/log' || fail "the log is $(cat '50%p here/log')"
    grep -q '</html>' '50%p here/report.html' || fail "the page does not end"
    ;;
adds_up_the_processes_of_a_run)
    try "$gate" -n 5 "$subject 0; $subject 0" "$subject 20; $subject 20"
    status_is 3
    calls_are gate/before.1.eprof scope steady 2
    calls_are gate/after.5.eprof scope changed 2
    ;;
passes_options_on)
    try "$gate" -n 5 "$subject 0" "$subject 20" -- --filter 'stead*'
    status_is 0
    says_not out changed
    try "$gate" -n 4 "$subject 0" "$subject 20" -- --filter changed # enough for one region
    status_is 3
    rm turns
    try "$gate" "$subject 0" "$subject 20" -- --no-such-option
    status_is 2
    [ "$(wc -l <turns)" = 2 ] || fail "it goes on with an option that there is none of"
    try "$gate" "$subject 0" "$subject 20" -- --filter nothing
    status_is 1
    says err '^eprof: nothing: '
    ;;
records_a_program_with_hooks)
    try "$gate" -a -n 5 -p 1000000 "$4" "$4" # on the real clock, with a high limit
    status_is 0
    try "$eprof" report --format=csv gate/before.5.eprof
    says out '^function,'
    ;;
fails_with_a_program_that_fails)
    try "$gate" -n 5 "$subject 0" 'echo why; exit 3'
    status_is 1
    says err '^why$'
    says err '^gate.sh: echo why; exit 3: run 0 of after ended with status 3; .* in gate/log$'
    try "$gate" -n 5 "[ ! -e gate/after.2.eprof ] && $subject 0" "$subject 0"
    status_is 1
    says err 'run 2 of before ended with status 1'
    try "$gate" -n 5 "$subject 0" "$subject 0; kill -9 \$\$"
    status_is 1
    says err 'run 0 of after ended with status 137'
    ;;
fails_with_a_program_that_records_nothing)
    try "$gate" -n 5 "$subject 0" true
    status_is 1
    says err '^gate.sh: true: it recorded nothing'
    ;;
knows_its_options)
    for line in '' 'true' '-x true true' '-n many true true' '-n 08 true true' '-n 99999999999999999999 true true' '-p low true true' '-p -5 true true' \
        '-n' 'true true true' 'true true --filter x'; do
        # shellcheck disable=SC2086 # words
        try "$gate" $line
        status_is 2
        is_empty out
        says err '^usage: gate.sh '
        is_not_there gate
    done
    ;;
ends_what_it_has_started)
    for signal in TERM INT; do
        rm -f ready
        # with the default action of SIGINT, as in a terminal: a shell starts background processes
        # with SIGINT ignored
        env --default-signal=INT "$gate" "sleep 50 & echo \$! >pid; $subject 0; touch ready; wait; true" true >out 2>err &
        gate_pid=$!
        until [ -e ready ]; do sleep 0.05; done
        kill -$signal $gate_pid
        wait $gate_pid
        status=$?
        status_is $((128 + $(kill -l $signal)))
        for ((turn = 0; turn < 100; turn++)); do # it exists until init has waited for it
            kill -0 "$(cat pid)" 2>/dev/null || break
            sleep 0.05
        done
        [ $turn -lt 100 ] || fail "its program goes on"
        [ -z "$(ls gate/part.* 2>/dev/null)" ] || fail "it left $(ls gate)"
    done
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
