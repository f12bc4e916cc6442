#!/bin/bash
# check_instructions.sh PROGRAM - counts the instructions of a pair with callgrind: the number is
# the same on each processor and on a busy machine. PROGRAM is count_pairs; the programs for hooks
# are beside it. The script prints the numbers, and fails if they are above the limits below, which
# are the numbers of gcc 12 at -O2. An increase needs a decision (docs, performance).
set -euo pipefail
command -v valgrind >/dev/null || exit 77
program=$1
export EPROF=source=rdtsc,csv=/dev/null # the same paths on each machine

# count PROGRAM... PAIRS: prints the number of all instructions of the program.
count() {
    local said
    said=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1)
    sed -n 's/.*Collected : //p' <<<"$said" | grep . || { echo "$said" >&2 && return 1; }
}

# count_each PROGRAM...: prints the number of instructions of a pair. The number of pairs is $pairs.
count_each() {
    local fewer more
    fewer=$(count "$@" $pairs)
    more=$(count "$@" $((2 * pairs)))
    # The number is rounded down: an interruption causes a new longest time, which takes a cold
    # path. On a busy machine this adds up to 0.4 of an instruction to a pair; it never subtracts
    # any.
    echo $(((more - fewer) / pairs))
}

status=0
pairs=64000
while read -r kind most; do
    each=$(count_each "$program" "$kind")
    echo "$kind: $each instructions a pair, at most $most"
    [ "$each" -gt 20 ] && [ "$each" -le "$most" ] || status=1
done <<'LIMITS'
instance 92
scope 150
nested 147
untimed 40
site 164
untimed_site 80
label 464
untimed_label 377
LIMITS

# A hold, with eight nested calls unless it is empty. Some calls are timed, and the draw decides in which holds: the
# numbers differ by some ten instructions from run to run.
pairs=16000
while read -r kind most; do
    each=$(count_each "$program" "$kind")
    echo "$kind: $each instructions a hold, at most $most"
    [ "$each" -gt 500 ] && [ "$each" -le "$most" ] || status=1
done <<'LIMITS'
dropped 1615
kept 1800
slow_empty 750
slow_dropped 1240
slow_kept 1600
LIMITS
pairs=64000

# In the ray tracer one scope in 4,096 is timed. Counted is all that it has more with scopes, also
# where the compiler's code for the program differs: its reads of memory show whether the values of
# the program stay in registers across a scope (43 if they do not).
flake=$(dirname "$program")/eprof_count_flake
scopes() {
    EPROF=csv "$flake"_with -s "$1" 2>&1 >/dev/null |
        awk -F, '$1 == "scope" { n += $7 } END { print n }'
}
export EPROF=budget=1/4096,$EPROF
read -r with with_reads _ < <(count --cache-sim=yes "$flake"_with -s 160)
read -r with_fewer with_fewer_reads _ < <(count --cache-sim=yes "$flake"_with -s 60)
read -r without without_reads _ < <(count --cache-sim=yes "$flake"_without -s 160)
read -r fewer fewer_reads _ < <(count --cache-sim=yes "$flake"_without -s 60)
more=$(($(scopes 160) - $(scopes 60)))
each=$(((with - with_fewer - without + fewer) / more))
reads=$(((with_reads - with_fewer_reads - without_reads + fewer_reads) / more))
echo "ray tracer: $each instructions a scope, at most 35; $reads reads, at most 20"
[ $each -gt 20 ] && [ $each -le 35 ] && [ $reads -gt 5 ] && [ $reads -le 20 ] || status=1

# Of these one in 4,096 is timed. A compiler's own code around a hook is some 20 instructions.
hooked=$(dirname "$program")/eprof_count_hooked
if [ -x "${hooked}_ours" ]; then
    ours=$(count_each "${hooked}_ours")
    empty=$(count_each "${hooked}_empty")
    none=$(count_each "${hooked}_no")
    echo "hooked: $((ours - empty)) instructions a pair above hooks that only return, at most 40"
    echo "hooked: $((ours - none)) above the same functions without hooks, at most 63"
    [ $((ours - empty)) -gt 20 ] && [ $((ours - empty)) -le 40 ] && [ $((ours - none)) -le 63 ] ||
        status=1
fi
exit $status
