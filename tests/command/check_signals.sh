#!/bin/bash
# check_signals.sh CASE EPROF RECORDER - tests which signals `eprof run` leaves to the program.
set -u
. "$(dirname "$0")/expect.sh"

# Starts a program that waits for a signal, and returns as soon as it waits. A shell would start it
# with SIGINT and SIGQUIT ignored.
start() {
    mkfifo words
    env --default-signal=INT,QUIT "$eprof" run -q -- "$recorder" wait >words 2>err &
    id=$!
    exec 3<words
    read -r word <&3
    [ "$word" = waits ] || fail "it does not wait"
}

start_five_that_obey() {
    mkfifo words
    env --default-signal=INT,QUIT "$eprof" run -q --repeat 5 -o %n.eprof -- "$recorder" obey >words 2>err &
    id=$!
    exec 3<words
    read -r word <&3
}

# ended STATUS
ended() {
    status=0
    wait $id || status=$?
    : >out
    status_is "$1"
}

case $case in
passes_term_on)
    start
    kill -TERM $id
    ended $((100 + 15))
    is_of_recorder recorder.eprof
    ;;
passes_hup_on)
    start
    kill -HUP $id
    ended $((100 + 1))
    ;;
ends_the_repetition_when_it_is_told_to_end)
    for signal in TERM HUP; do
        start_five_that_obey
        kill -$signal $id
        ended 0
        [ "$(echo ?.eprof)" = 1.eprof ] || fail "$signal: there are $(echo ?.eprof)"
        rm words 1.eprof
    done
    ;;
leaves_the_keys_of_the_terminal_to_the_program)
    start
    kill -INT $id
    kill -QUIT $id
    kill -TERM $id
    ended $((100 + 15))
    ;;
learns_of_the_end_where_ends_are_ignored)
    trap '' CHLD
    try "$eprof" run -q -- "$recorder" status
    status_is 3
    ;;
gives_signals_to_the_program_as_they_were)
    trap '' USR1 CHLD QUIT
    try "$eprof" run -q -o new -- grep -E '^Sig(Ign|Blk|Cgt)' /proc/self/status
    grep -E '^Sig(Ign|Blk|Cgt)' /proc/self/status | diff - out || fail "signals differ"
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
