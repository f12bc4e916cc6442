#!/bin/sh
# check_orders.sh PROGRAM - tests that the profile of the example contains each order exactly once:
# those that were refused, those that were taken, and the time of each in the queue, with one and
# with several threads.
set -eu
unset EPROF
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# expect PATH CALLS: compares the calls of a row.
expect() {
    calls=$(awk -F, -v path="$1" '
        $1 == "kind" { for (i = 1; i <= NF; i++) place[$i] = i }
        $place["path"] == path { print $place["calls"] }' csv)
    [ "$calls" = "$2" ] || {
        echo "$threads threads: $1 has ${calls:-no} calls, not $2"
        cat csv
        exit 1
    }
}

for threads in 1 4; do
    # shellcheck disable=SC2094 # "csv" is also the name of a format
    "$program" -n 2100 -t $threads -f csv >csv
    expect "waiting in the queue" 2100
    expect handle 2100
    expect "handle;parse" 3900 # the first of two calls throws in 300
    expect refuse 300
    expect "handle;take book" 600
    expect "handle;take record" 600
    expect "handle;take picture" 600
    pop=$(grep -c ',queue::pop,' csv)
    [ "$pop" = 1 ] || {
        echo "$pop rows of queue::pop"
        exit 1
    }
    if grep -q '^diagnostic' csv; then
        grep '^diagnostic' csv
        exit 1
    fi
done
