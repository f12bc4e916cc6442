#!/bin/bash
# check_symbolize_files.sh CASE EPROF CC CXX [MACHINE] - tests the answers about files with faults,
# and the answers to questions that cannot be answered.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
. "$here/symbolize/ask.sh"

# has_status FILE STATUS: the function that is asked for has no name, and STATUS is the fault of the
# file.
has_status() {
    module "$1"
    function_at 1000
    ask
    status_is 0
    is_empty err
    printf 'M\n%s\nA\n\n\n0\nE\n' "$2" | diff - out >differences || fail "it is not: $2"
}

# build_hostile: builds a program with a function whose name takes years to demangle.
build_hostile() {
    # each pair consists of two of the pair before it: 2^30 of the first pair
    name=_Z5namedSt4pairIiiE
    for place in {0..9} {A..T}; do
        name+=S_IS${place}_S${place}_E
    done
    echo "int named(int x) __asm__(\"$name\"); int named(int x) { return x; }" >>functions.c
    build hostile
}

# ends_in_module: asserts that the limits end the process, and that its answer stops in the first
# module.
ends_in_module() {
    ask
    [ "$status" -gt 128 ] || fail "it was not ended by a signal, but with $status"
    [ "$(head -n 1 out)" = M ] || fail "the answer does not begin"
    says_not out '^E$'
}

case $case in
of_one_that_has_another_build_id)
    build program -Wl,--build-id=sha1
    build_id=$(id_of program)
    names_are program program <<<'entry|entry'
    build program -Wl,--build-id=sha1 -O3
    has_status program 'has changed since the profile was taken'
    build program -Wl,--build-id=none
    has_status program 'has changed since the profile was taken'
    ;;
of_one_with_a_build_id_of_any_length)
    build program -Wl,--build-id=0x0123456789abcdef0123456789abcdef0123456789abcdef
    build_id=0123456789abcdef0123456789abcdef01234567 # a profile has the first 20 bytes of it
    names_are program program <<<'entry|entry'
    build program -Wl,--build-id=0x01234567
    has_status program 'has changed since the profile was taken'
    build_id=01234567
    names_are program program <<<'entry|entry'
    ;;
of_one_that_has_another_time)
    build program -Wl,--build-id=none
    modified=$(date -r program +%s%N)
    names_are program program <<<'entry|entry'
    modified=$((modified + 1))
    has_status program 'has changed since the profile was taken'
    modified=0 # not known
    names_are program program <<<'entry|entry'
    ;;
of_one_with_a_build_id_at_another_time)
    build program -Wl,--build-id=sha1
    build_id=$(id_of program)
    modified=1
    names_are program program <<<'entry|entry'
    ;;
of_one_that_is_missing)
    has_status missing 'is not there any more'
    touch file
    has_status file/below 'is not there any more'
    ;;
of_what_is_no_file)
    mkfifo pipe
    for path in . /dev/null pipe; do
        has_status "$path" 'is no file'
    done
    has_status "$(printf '%5000s' x)" 'cannot be read: File name too long'
    ;;
of_what_is_no_program)
    echo 'text' >text
    : >empty
    head -c 100 "$eprof" >beginning
    for path in text empty beginning; do
        has_status $path 'is no ELF file'
    done
    # shellcheck disable=SC2086
    "$cc" $machine -g -c functions.c -o object
    has_status object 'is neither a program nor a library'
    ;;
among_good_ones)
    build program
    module missing
    function_at 1
    module program
    function_at "$(address program entry)"
    module missing
    module program
    function_at 1
    function_at "$(address program hidden)"
    ask
    status_is 0
    for name in entry hidden; do
        line=$(grep -n "/\* $name \*/" functions.c | cut -d: -f1)
        printf 'A\n%s\n%s\n%s\n' $name "$work/functions.c" "$line" >$name
    done
    {
        printf 'M\nis not there any more\nA\n\n\n0\nM\n\n'
        cat entry
        printf 'M\nis not there any more\nM\n\nA\n\n\n0\n'
        cat hidden
        echo E
    } | diff - out >differences || fail "the answers are not those, in this order"
    ;;
with_nothing_asked)
    : >request
    ask
    status_is 0
    [ "$(cat out)" = E ] || fail "that is not all"
    ;;
of_many_questions)
    # searching all functions for each question would take longer than the time limit
    for group in {1..400}; do
        echo "F(${group}0) F(${group}1) F(${group}2) F(${group}3) F(${group}4)"
        echo "F(${group}5) F(${group}6) F(${group}7) F(${group}8) F(${group}9)"
    done >many.c
    # shellcheck disable=SC2086
    "$cc" $machine -g '-DF(n)=void f_##n(void) {}' -shared many.c -o many 2>err || fail 'cannot build it'
    module many
    nm many | awk '$NF ~ /^f_/ { printf "A\n%s\n", $1 }' | tr '\n' '\0' >functions
    for turn in {1..25}; do
        cat functions
    done >>request
    ask
    status_is 0
    [ "$(grep -c '^f_' out)" = 100000 ] || fail "not all of them have names"
    ;;
that_ends_the_process_that_reads_it)
    # in this test the limit on its processor time does so
    build_hostile
    build program
    module program
    function_at "$(address program entry)"
    module hostile
    function_at "$(address hostile "$name")"
    module program
    (ulimit -t 1 && exec "$eprof" symbolize <request) >answer 2>err
    [ $? -gt 128 ] || fail "it was not ended by a signal"
    line=$(grep -n "/\* entry \*/" functions.c | cut -d: -f1)
    printf '%s\0' M '' A entry "$work/functions.c" "$line" M | cmp - answer ||
        fail "the answer does not stop in the second module"
    ;;
with_limits)
    # The test waits for the first answer, since the process has set its limits by then.
    mkfifo request answer
    "$eprof" symbolize <request >answer 2>err &
    exec 3>request 4<answer
    printf 'M\0missing\0\0000\0M\0' >&3
    read -r -N 1 -u 4
    cp "/proc/$!/limits" limits
    exec 3>&-
    says limits '^Max cpu time +10 +10 '
    says limits '^Max core file size +0 +0 '
    # a sanitizer reserves more, and a 32-bit program has no more
    nm "$eprof" | grep -q __.san_init || [ "$machine" ] ||
        says limits '^Max address space +4294967296 +4294967296 '
    ;;
of_a_request_that_is_none)
    build program
    for request in 'X\0' 'M\0' 'M\0program\0' 'M\0program\0\0' 'M\0program\0\0x\0' 'A\0001\0' \
        'M\0program\0\0000\0A' 'M\0program\0\0000\0A\0' 'M\0program\0\0000\0A\0g\0' 'M' 'S\0' \
        'M\0program\0\0000\0A\0001' 'P\0'; do
        # shellcheck disable=SC2059 # it is the format
        printf "$request" >request
        ask
        status_is 1
        complains 'symbolize: this is no request that this version knows$'
        says_not out '^E$'
    done
    ;;
with_names_that_are_too_long)
    # cut between characters: each has 2 bytes, and one byte comes before them
    name=x$(printf '%3000s' '' | sed 's/ /\xc3\xa9/g')
    echo "int named(int x) __asm__(\"$name\"); int named(int x) { return x; }" >>functions.c
    build program
    strip --strip-debug program
    module program
    function_at "$(address program "$name")"
    ask
    status_is 0
    [ "$(sed -n 4p out)" = "${name:0:2048}" ] || fail "that is not its beginning"
    [ "$(sed -n 4p out | wc -c)" = $((4095 + 1)) ] || fail "it is not 4,095 bytes long"
    ;;
that_takes_too_long)
    build_hostile
    module hostile
    function_at "$(address hostile "$name")"
    ends_in_module
    ;;
of_a_pipe_in_the_place_of_what_was_stripped)
    build program -Wl,--build-id=none
    strip_debug program
    objcopy --add-gnu-debuglink=program.debug program
    rm program.debug
    mkfifo program.debug
    module program
    function_at 1000
    ends_in_module
    ;;
without_asking_over_the_network)
    # libdw takes this library for the client of a server of debug information
    # shellcheck disable=SC2086
    "$cc" $machine -shared -fPIC "$here/symbolize/network.c" -o libdebuginfod.so.1 2>err ||
        fail "cannot build the client"
    build program -Wl,--build-id=sha1
    strip program
    module program
    function_at 1
    export LD_LIBRARY_PATH=$work DEBUGINFOD_URLS=http://localhost:1
    ask
    status_is 0
    is_not_there asked
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
