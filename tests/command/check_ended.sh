#!/bin/bash
# check_ended.sh CASE EPROF RECORDER SIGNALLED - tests the files that a command leaves if a signal
# ends it while it writes. signalled.c sends the signal.
set -u
. "$(dirname "$0")/expect.sh"
signalled=$4

"$eprof" run -q -o one -- "$recorder" exit
"$eprof" run -q -o other -- "$recorder" exit
touch out err

# Each command that writes a file under a temporary name first; the last word is the file.
commands() {
    cat <<'END'
report -f csv -o new one
report -f csv -o old one
diff -f csv -o new one other
diff -f csv -o old one other
merge one other -o new
merge one other -o sum
END
}

# The status must be that of the signal, and the folder must be unchanged.
end_each_by() {
    number=$(kill -l "$1")
    cp one sum
    echo old >old
    : >before
    printf '%s\n' * >before
    while read -r -a words; do
        (
            ulimit -c 0
            exec env --default-signal="$1" EPROF_TEST_SIGNAL="$number" LD_PRELOAD="$signalled" \
                "$eprof" "${words[@]}" >out 2>err
        )
        status=$?
        echo "${words[*]} by $1: status $status, there are" *
        status_is $((128 + number))
        printf '%s\n' * | diff before - || fail "${words[*]}: $1 leaves another folder"
        [ "$(cat old)" = old ] || fail "the old file is another"
        cmp -s one sum || fail "the old profile is another"
    done < <(commands)
}

case $case in
leaves_no_file_behind)
    for signal in HUP INT QUIT PIPE TERM ALRM USR1; do
        end_each_by $signal
    done
    ;;
goes_on_where_the_signal_is_ignored)
    for signal in HUP TERM; do
        (
            trap '' $signal
            EPROF_TEST_SIGNAL=$(kill -l $signal) LD_PRELOAD=$signalled \
                exec "$eprof" report -f csv -o report one
        )
        status=$?
        status_is 0
        "$eprof" report -f csv one | cmp - report || fail "the report is another"
    done
    ;;
says_that_the_file_is_too_large)
    for words in 'report -f html -o new one' 'diff -f html -o new one other' \
        'merge -o new one other'; do
        # the limit does not apply to err, since cat writes it
        # shellcheck disable=SC2086 # words
        (ulimit -f 0 && exec env --default-signal=XFSZ "$eprof" $words 2>&1) | cat >err
        status=${PIPESTATUS[0]}
        status_is 1
        complains 'new: File too large'
        is_not_there new
        is_not_there eprof-*.tmp
    done
    for words in 'report -f csv one' 'diff -f csv one other' 'top --count=1 one'; do
        # shellcheck disable=SC2086,SC2069 # words; stderr goes where stdout went
        (ulimit -f 0 && exec env --default-signal=XFSZ "$eprof" $words 2>&1 >out) | cat >err
        status=${PIPESTATUS[0]}
        status_is 1
        complains 'stdout: File too large'
    done
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
