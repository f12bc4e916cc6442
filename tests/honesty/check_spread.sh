#!/bin/bash
# check_spread.sh PROGRAM - tests the spread of the measured cost of a probe inside a region, over
# 100 processes on an idle machine and 100 with all processors busy: the 10th and the 90th
# percentile may differ by at most 3 ns, since otherwise the figures of two runs could not be
# compared. PROGRAM is count_pairs.
set -euo pipefail
program=$1
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true' EXIT

# inside KIND: prints for each process the cost that it subtracts, in ns.
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
