#!/bin/bash
# check_faulty_files.sh CASE EPROF RECORDER - tests that a FILE that is not a profile gives one line
# on stderr that says so, status 1, and nothing on stdout.
set -u
. "$(dirname "$0")/expect.sh"

"$eprof" run -q -o good -- "$recorder" exit

# refuses FILE PATTERN
refuses() {
    try "$eprof" report "$1"
    status_is 1
    is_empty out
    complains "$1: $2"
}

# patch OFFSET BYTES: writes BYTES, which are in the form for %b of printf, over those of a copy of
# good.
patch() {
    cp good patched
    printf %b "$2" | dd of=patched bs=1 seek="$1" conv=notrunc status=none
}

case $case in
missing)
    refuses missing 'No such file or directory'
    ;;
of_a_directory)
    mkdir folder
    refuses folder '.*directory'
    ;;
empty)
    : >empty
    refuses empty '.*empty'
    ;;
of_text)
    yes 'This is a text.' | head -n 1000 >text
    refuses text '.*not an eprof image'
    ;;
of_a_pipe)
    mkfifo pipe
    refuses pipe '.*'
    ;;
of_a_device)
    refuses /dev/zero '.*'
    ;;
cut_off)
    head -c 4096 good >begin
    refuses begin '.*'
    head -c 100 good >begin
    refuses begin '.*'
    ;;
of_a_newer_version)
    patch 8 '\07\0\0\0'
    refuses patched '.*version 7.*newer'
    ;;
of_the_other_byte_order)
    patch 12 '\01\02\03\04'
    refuses patched '.*byte order'
    ;;
among_good_ones)
    echo text >text
    try "$eprof" report good text good missing
    status_is 1
    is_empty out
    says err '^eprof: text: '
    says err '^eprof: missing: '
    [ "$(wc -l <err)" = 2 ] || fail "not one line for each"
    ;;
of_a_name_of_two_lines)
    name=$(printf 'two\nlines')
    try "$eprof" report "$name"
    status_is 1
    complains 'two\\x0alines: No such file or directory'
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
