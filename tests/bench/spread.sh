#!/bin/bash
# spread.sh BENCH CASE... - prints how much a case's ratio differs between processes
#
# It starts BENCH (eprof_bench) until 30 processes had the core to themselves, or 300 times, and
# prints the lowest, median and highest ratio of these processes, and of all. A process had the core
# to itself if its core_use is at most 1 % above the lowest one (bench_pairing.h says why it
# matters).
set -euo pipefail
bench=$1
shift

# own FILE: prints the ratios of the processes that had the core to themselves, sorted.
own() {
    awk -F, '{ ratio[NR] = $6; use[NR] = $11; if (!lowest || $11 < lowest) lowest = $11 }
        END { for (i = 1; i <= NR; i++) if (use[i] <= lowest * 1.01) print ratio[i] }' "$1" | sort -n
}

# summary WORDS: prints those of the sorted ratios on stdin.
summary() {
    awk -v words="$1" '{ ratio[NR] = $1 }
        END {
            printf "%s: %d processes: from %.3f, median %.3f, to %.3f: %.1f %%\n", words, NR, ratio[1],
                ratio[int((NR + 1) / 2)], ratio[NR], (ratio[NR] / ratio[1] - 1) * 100
        }'
}

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for case in "$@"; do
    : >"$results"
    for _ in {1..300}; do
        "$bench" --case "$case" --csv | tail -n 1 >>"$results"
        [ "$(own "$results" | wc -l)" -lt 30 ] || break
    done
    own "$results" | summary "$case, core of its own"
    cut -d, -f6 "$results" | sort -n | summary "$case, all"
done
