#!/bin/bash
# check_spread.sh PROGRAM - how far the measures of what a probe costs inside a region are apart, of
# 100 processes on an idle machine and of 100 with every processor busy: from the 10th to the 90th
# percentile at most 3 ns, or the figures of two runs could not be compared. PROGRAM is count_pairs.
set -euo pipefail
program=$1
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true' EXIT

# inside KIND - of each process what it takes off, in ns.
inside() {
    for _ in {1..100}; do
        EPROF=tree=/dev/stdout "$program" "$1" 8 |
            sed -nE 's/.* costs [0-9.]+ ns, of which ([0-9.]+) ns.*/\1/p'
    done | sort -n
}

status=0
for load in idle busy; do
    if [ $load = busy ]; then
        for ((i = 0; i < $(nproc); i++)); do
            while :; do :; done &
            busy+=($!)
        done
    fi
    for kind in instance scope; do
        inside "$kind" | awk -v what="$load, $kind" '
            { ns[NR] = $1 }
            END {
                low = ns[10]; high = ns[90]
                printf "%s: %d processes: p10 %s, p50 %s, p90 %s ns, from %s to %s\n", what, NR,
                    low, ns[50], high, ns[1], ns[NR]
                exit NR != 100 || high - low > 3
            }' || status=1
    done
done
exit $status
