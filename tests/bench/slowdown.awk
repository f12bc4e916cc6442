# slowdown.awk - for hooks.sh and redis.sh: lines "WAY SECONDS BYTES", one for each run, become a table
#
# The runs of a way are numbered in their order, and each is compared with the run of "plain" of that
# number. ways: the rows of the table.
$1 == "plain" { plain[++round] = $2 }
{ seconds[$1, ++count[$1]] = $2; bytes[$1] = $3 }
function sort(list, n,    i, k, kept) {
    for (i = 2; i <= n; i++)
        for (k = i; k > 1 && list[k] < list[k - 1]; k--) {
            kept = list[k]; list[k] = list[k - 1]; list[k - 1] = kept
        }
}
END {
    n = split(ways, way, " ")
    for (i = 1; i <= n; i++) {
        for (k = 1; k <= round; k++) {
            own[k] = seconds[way[i], k]
            ratio[k] = own[k] / plain[k]
        }
        sort(own, round); sort(ratio, round)
        half = int((round + 1) / 2); quarter = int((round + 3) / 4)
        printf "%-12s %8.3f %9.2f  %6.2f - %6.2f %12.1f\n", way[i], own[half],
            ratio[half], ratio[quarter], ratio[round + 1 - quarter], bytes[way[i]] / 1e6
    }
}
