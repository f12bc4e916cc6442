#!/bin/sh
# check_slow_requests.sh PROGRAM - tests that the profile contains exactly the requests that the
# server kept: as many as the server has counted, about one in a hundred, with all scopes inside
# them, and nothing of the others. The amount of work is the clock, so that each run has the same
# result.
set -eu
unset EPROF
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# run NAME [OPTION]...: writes the csv to NAME, and sets $kept to the number of requests that the
# program reports as kept.
run() {
    name=$1
    shift
    "$program" -w -n 20000 -f csv "$@" >"$name"
    kept=$(sed -n '1s/^kept \([0-9]*\) of 20000 requests$/\1/p' "$name")
    echo "$name: kept $kept, in the profile $(figure "$name" request calls)"
}

# figure RUN PATH COLUMN: prints a field of the row with that path; nothing if there is none.
figure() {
    awk -F, -v path="$2" -v column="$3" '
        $1 == "kind" { for (i = 1; i <= NF; i++) place[$i] = i }
        $1 == "scope" && $place["path"] == path { print $place[column] }' "$1"
}

# expect WHAT IS WANTED: compares the value IS with WANTED
expect() {
    [ "$2" = "$3" ] || {
        echo "$1: $2, not $3"
        cat "$name"
        exit 1
    }
}

run slowest
expect "requests in the profile" "$(figure slowest request calls)" "$kept"
expect "what each of them does" "$(figure slowest 'request;parse' calls)" "$kept"
[ "$kept" -ge 150 ] && [ "$kept" -le 250 ] || {
    echo "kept $kept of 20000, which is not about 1 %"
    exit 1
}
fastest_ns=$(figure slowest request min_ns)

run slowest_again
cmp slowest slowest_again

run each -a
expect "requests kept" "$kept" 20000
expect "requests in the profile" "$(figure each request calls)" 20000
[ "$(figure each request p50_ns)" -lt "$fastest_ns" ] || {
    echo "the fastest of the slow ones, $fastest_ns ns, is no slower than the half of all"
    exit 1
}

run limited -l 40000
expect "requests in the profile" "$(figure limited request calls)" "$kept"
[ "$kept" -gt 0 ] && [ "$kept" -lt 20000 ]
[ "$(figure limited request min_ns)" -ge 40000 ] || {
    echo "one took $(figure limited request min_ns) ns, less than 40000"
    exit 1
}
