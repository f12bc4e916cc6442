#!/bin/bash
# check_instructions.sh PROGRAM - the instructions that a pair takes, by callgrind: a number that is
# the same on each processor and on a busy machine. PROGRAM is count_pairs. Prints them, and fails if
# there are more than the limits below, which are what gcc 12 makes at -O2: a larger number is a
# decision (docs, performance).
set -euo pipefail
command -v valgrind >/dev/null || exit 77
program=$1
export EPROF=source=rdtsc,csv=/dev/null # the same paths on each machine

# count KIND PAIRS - all instructions of the program.
count() {
    local said
    said=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1)
    sed -n 's/.*Collected : //p' <<<"$said" | grep . || { echo "$said" >&2 && return 1; }
}

status=0
while read -r kind most; do
    fewer=$(count "$kind" 64000)
    more=$(count "$kind" 128000)
    # Rounded down: an interruption makes a longest time anew, which takes a cold path. On a busy
    # machine that is up to 0.4 of an instruction a pair, and never less than none.
    each=$(((more - fewer) / 64000))
    echo "$kind: $each instructions a pair, at most $most"
    [ $each -gt 20 ] && [ $each -le "$most" ] || status=1
done <<'LIMITS'
instance 100
scope 168
nested 166
LIMITS
exit $status
