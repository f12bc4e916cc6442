#!/bin/bash
# check_memory.sh FEW MANY EPROF MANY_REGIONS - tests that the memory of `eprof diff` of two files
# grows by at most 1.5 KB for each further region that both have, from FEW to MANY regions: regions
# with different names, and paths of a few names. It counts pages, and not time, so that the result
# is the same on each machine.
set -eu
few=$1 many=$2 eprof=$3 program=$4
most_bytes=1500
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset EPROF

# peak COUNT [NAMES]: the largest memory during the comparison of two such files, in bytes
peak() {
    for side in before after; do
        EPROF=limit=4G "$eprof" run -q -o $side -- "$program" record "$@"
    done
    # shellcheck disable=SC2069 # the figure is on stderr
    "$program" peak "$eprof" diff --format=csv before after 2>&1 >rows
    rows=$(grep -c '^scope,' rows)
    [ "$rows" -ge "$1" ] || { echo "there are $rows regions, not $1" >&2; exit 1; }
}

status=0
for names in 1 500; do
    few_bytes=$(peak "$few" $names)
    many_bytes=$(peak "$many" $names)
    bytes=$(((many_bytes - few_bytes) / (many - few)))
    echo "$names: $few_bytes bytes for $few regions, $many_bytes for $many: $bytes a region"
    [ "$bytes" -le "$most_bytes" ] || status=1
done
[ "$status" = 0 ] || echo "that is more than $most_bytes"
exit $status
