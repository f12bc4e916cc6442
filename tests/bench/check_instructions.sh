#!/bin/bash
# check_instructions.sh PROGRAM - counts the instructions of a pair with callgrind: the number is
# the same on each processor and on a busy machine. PROGRAM is count_pairs. The script prints the
# numbers, and fails if they are above the limits below, which are the numbers of gcc 12 at -O2. An
# increase needs a decision (docs, performance).
set -euo pipefail
command -v valgrind >/dev/null || exit 77
program=$1
export EPROF=source=rdtsc,csv=/dev/null # the same paths on each machine

# count KIND PAIRS: prints the number of all instructions of the program.
count() {
    local said
    said=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1)
    sed -n 's/.*Collected : //p' <<<"$said" | grep . || { echo "$said" >&2 && return 1; }
}

status=0
while read -r kind most; do
    fewer=$(count "$kind" 64000)
    more=$(count "$kind" 128000)
    # The number is rounded down: an interruption causes a new longest time, which takes a cold
    # path. On a busy machine this adds up to 0.4 of an instruction to a pair; it never subtracts
    # any.
    each=$(((more - fewer) / 64000))
    echo "$kind: $each instructions a pair, at most $most"
    [ $each -gt 20 ] && [ $each -le "$most" ] || status=1
done <<'LIMITS'
instance 100
scope 177
nested 177
untimed 41
LIMITS
exit $status
