#!/bin/bash
# check_usage.sh CASE EPROF RECORDER - tests the messages about the command line.
set -u
. "$(dirname "$0")/expect.sh"

refuses() {
    pattern=$1
    shift
    try "$eprof" "$@"
    status_is 2
    is_empty out
    says err "$pattern"
}

case $case in
help_fits_a_screen)
    commands="run report merge diff top"
    ! "$eprof" serve --help >out 2>err || commands="$commands serve"
    for command in '' $commands; do
        # shellcheck disable=SC2086 # of no command there is no word
        try "$eprof" $command --help
        status_is 0
        is_empty err
        says out "^Usage: eprof $command"
        [ "$(wc -l <out)" -le 24 ] || fail "it has $(wc -l <out) lines"
        [ "$(wc -L <out)" -le 80 ] || fail "it has $(wc -L <out) columns"
    done
    ;;
tells_its_version)
    try "$eprof" --version
    status_is 0
    says out '^eprof [0-9]+\.[0-9]+\.[0-9]+$'
    ;;
wants_a_command)
    refuses '^eprof: no command; known are run, report, merge, diff, top, serve' # and nothing after it
    ;;
knows_its_commands)
    refuses '^eprof: nonsense: no such command; known are run, report, merge, diff, top, serve$' nonsense
    ;;
wants_a_program)
    refuses '^eprof: run: no PROGRAM' run
    refuses '^eprof: run: no PROGRAM' run -q --
    ;;
wants_a_file)
    refuses '^eprof: report: no FILE' report
    refuses '^eprof: diff: takes two FILEs' diff
    refuses '^eprof: diff: takes two FILEs' diff one
    refuses '^eprof: diff: takes two FILEs' diff one two three
    refuses '^eprof: diff: no FILE after --after' diff --before one two
    refuses '^eprof: diff: no FILE after --before' diff --after one
    refuses '^eprof: diff: no FILE after --before' diff --before --after one
    refuses '^eprof: one: of no side' diff one --before two --after three
    ;;
knows_its_options)
    refuses "unrecognized option '--nonsense'" --nonsense
    refuses "unrecognized option '--nonsense'" run --nonsense "$recorder"
    refuses "unrecognized option '--nonsense'" report --nonsense file
    refuses "unrecognized option '--nonsense'" diff --nonsense one two
    ;;
escapes_what_it_is_called_with)
    escape=$(printf '\033[31m')
    "$eprof" run -q -o one -- "$recorder" exit
    for words in "--non$escape" "-$escape" "report --non$escape one" "report -$escape one" \
        "diff --top$escape=1 a b" "run --non$escape $recorder" "top --non$escape 1" \
        "merge --output$escape" "$escape" "report $escape" "report --format=$escape one" \
        "report --sort=$escape one" "report --top=$escape one" "merge -o sum $escape" \
        "run -- $escape" "top $escape" "diff $escape $escape"; do
        # shellcheck disable=SC2086 # words
        try "$eprof" $words
        [ "$status" != 0 ] || fail "it takes $words"
        says err '\\x1b'
        [ "$(tr -d '\n[:print:]' <err | wc -c)" = 0 ] || fail "it passes control characters on"
    done
    refuses "unrecognized option '--non\\\\x1b\\[31m'" report "--non$escape" one
    try "$eprof" report "--filter=$escape" --help
    status_is 0
    is_empty err
    says out '^Usage: eprof report'
    ;;
knows_its_formats)
    refuses '^eprof: nonsense: no such format; known are table, tree, csv, json' \
        report --format=nonsense file
    refuses '^eprof: csv:nonsense: no such format; .*:threads' report --format=csv:nonsense file
    refuses '^eprof: tree: no such format; known are table, csv, json, html$' \
        diff --format=tree one two
    refuses '^eprof: calls: no such figure to be judged; known are total, self, mean, p99$' \
        diff --by=calls one two
    refuses '^eprof: pprof:nonsense: no such format; .*:threads' report --format=pprof:nonsense file
    ;;
says_that_it_was_built_without_pprof)
    refuses '^eprof: pprof:raw: this eprof was built without it; .*-DEPROF_PPROF=ON$' \
        report --format=pprof:raw file
    ;;
knows_its_colours)
    refuses '^eprof: nonsense: .*known are auto, always, never' report --color=nonsense file
    ;;
knows_its_units)
    refuses '^eprof: us: no such unit; known are ns, ticks' report --unit=us file
    ;;
reads_numbers)
    for number in 0 -1 x 1x '' 99999999999999999999; do
        refuses '^eprof: .*: no number for --repeat' run --repeat="$number" -- "$recorder" word
        refuses '^eprof: .*: no number for --top' report --top="$number" file
    done
    for number in -1 x 1x '' 1.2.3 1000001; do
        refuses '^eprof: .*: no number for --fail-above; it takes 0 to 1e\+06' \
            diff --fail-above="$number" one two
        refuses '^eprof: .*: no number for --confidence; it takes 50 to 99.9999' \
            diff --confidence="$number" one two
    done
    ;;
wants_arguments_that_are_something)
    refuses '^eprof: --output: its argument is empty' run -o '' -- "$recorder" word
    refuses '^eprof: --source: its argument is empty' run --source= -- "$recorder" word
    refuses '^eprof: --output: its argument is empty' report -o '' file
    ;;
help_on_a_full_disk_fails)
    status=0
    "$eprof" --help >/dev/full 2>err || status=$?
    : >out
    status_is 1
    complains 'stdout: No space left on device'
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
