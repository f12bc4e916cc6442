#!/bin/bash
# hooks.sh [-n ROUNDS] [-w WAYS] [PROGRAM]... - measures the cost of automatic instrumentation for whole
# programs
#
# PROGRAM is one of tests/real: sphereflake, cmark, jsoncpp (the default is these three), mawk,
# pugixml, sqlite3, zstd. WAYS are words of the list below (all); plain is one of them. Each is built without a profiler and in the ways below, at -O2 by gcc; the library is
# built as for an installation. The builds take turns, so that a disturbance of the machine affects
# all of them. The time of a run is the processor time of the program and its recorder. The slowdown
# is relative to the plain program in the same round, and the result is the median of the rounds
# (7). The script needs pkg-config, uftrace, and the packages that tests/real needs.
#
#   plain        no profiler
#   entries      patched function entries with libeprof-auto (x86-64), EPROF=image=...
#   entries-off  the same, EPROF=off
#   entries-main the same, EPROF=image=...,auto=main: no other function is patched
#   empty        the documented flags with the filter, hooks that do nothing
#   ours         the same with libeprof-auto, EPROF=image=...
#   ours-all     the same without a budget: each call timed
#   ours-off     EPROF=off
#   flags-empty  the documented flags without the filter, hooks that do nothing
#   flags-ours   the same with libeprof-auto
#   bare-ours    -finstrument-functions and nothing else
#   uftrace      "uftrace record" of the program of `ours`
#   uftrace-pg   "uftrace record" of a program built with -pg
#   gprof        the program built with -pg
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/real
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=7
ways="plain entries entries-off entries-main empty ours ours-all ours-off flags-empty flags-ours
bare-ours uftrace uftrace-pg gprof"
while getopts n:w: option; do
    case $option in
    n) rounds=$OPTARG ;;
    w) ways="plain $OPTARG" ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- sphereflake cmark jsoncpp
unset EPROF

fail() {
    echo "hooks.sh: $*" >&2
    exit 1
}

# shellcheck source=tests/bench/library.sh
. "$root/tests/bench/library.sh" # build_library, flags, ours, empty

# is_needed FOLDER: whether one of the ways runs the program there.
is_needed() {
    local way
    for way in $ways; do
        choose_way "$way"
        [ "$folder" != "$1" ] || return 0
    done
    return 1
}

# build_as NAME FLAGS LIBRARIES
build_as() {
    is_needed "$1" || return 0
    if [ -n "$package" ]; then
        cp -a "$work/source/$package"-*/ "$work/$program/$1"
    else
        mkdir -p "$work/$program/$1"
    fi
    cd "$work/$program/$1"
    build "$compiler" "-O2 $2" "$3" || fail "$program does not build with $2: $(tail -5 log)"
    make_input
}

build_program() {
    package='' compiler='' long_run='' # the file sets these
    # shellcheck source=/dev/null
    . "$here/$program.sh"
    mkdir -p "$work/$program" "$work/source"
    [ -z "$package" ] || "$here/fetch.sh" "$package" "$work/source"
    build_as plain "" ""
    build_as entries "$entry_flags" "$ours"
    build_as empty "$flags $filter" "$empty"
    build_as ours "$flags $filter" "$ours"
    build_as flags-empty "$flags" "$empty"
    build_as flags-ours "$flags" "$ours"
    build_as bare-ours "-finstrument-functions" "$ours"
    build_as gprof "-pg" ""
}

# Sets the variables folder, items and command.
choose_way() {
    folder=$1 items='' command=()
    case $1 in
    entries | ours | flags-ours | bare-ours) items=image=$work/data/run.eprof,limit=2G ;;
    ours-all) folder=ours items=image=$work/data/run.eprof,limit=2G,budget=off ;;
    ours-off) folder=ours items=off ;;
    entries-off) folder=entries items=off ;;
    entries-main) folder=entries items=image=$work/data/run.eprof,auto=main ;;
    uftrace) folder=empty ;;
    uftrace-pg) folder=gprof ;;
    esac
    [[ $1 != uftrace* ]] || command=(uftrace record --no-event -d "$work/data/uftrace")
}

# Appends the way, the seconds and the bytes written to the figures of the program.
run_way() {
    local seconds bytes TIMEFORMAT='%U %S'
    choose_way "$1"
    cd "$work/$program/$folder"
    rm -rf "$work/data" gmon.out
    mkdir "$work/data"
    # shellcheck disable=SC2086 # a command line
    seconds=$({ time env EPROF="$items" "${command[@]}" $long_run >"$work/output" 2>"$work/errors"; } 2>&1) ||
        fail "$program, $1: $(tail -3 "$work/errors")"
    [ ! -e gmon.out ] || mv gmon.out "$work/data"
    bytes=$(du -sb --apparent-size "$work/data" | cut -f1)
    echo "$1 $seconds $((bytes - 4096))" | awk '{ print $1, $2 + $3, $4 }' >>"$work/$program/figures"
}

print_program() {
    printf '\n%s, %d rounds\n%-12s %8s %9s  %-15s %12s\n' "$program" "$rounds" \
        way "cpu, s" slowdown quartiles "writes, MB"
    awk -v ways="$ways" -f "$root/tests/bench/slowdown.awk" "$work/$program/figures"
}

build_library || fail "the library does not build: $(tail -5 "$work/log")"
filter=$(pkg-config --variable=gcc_filter eprof-auto)
printf '%s\nkernel %s, gcc %s, uftrace %s\n%s\n' "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
    "$(uname -r)" "$(gcc -dumpfullversion)" "$(uftrace --version | cut -d' ' -f2)" "$(date -u +'%F %T UTC')"
for program in "$@"; do
    build_program
    for ((round = 0; round < rounds; round++)); do
        for way in $ways; do
            run_way "$way"
        done
    done
    print_program
    cd "$work"
    rm -rf "${work:?}/$program"
done
