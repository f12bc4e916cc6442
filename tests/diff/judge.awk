# judge.awk - tests whether comparisons have the error rates that `eprof diff` promises at a
# confidence of 95 %
#
# The input has a line for each comparison, with fields separated by tabs: the changed region, the
# factor by which it is slower (1: it is not), the status of `eprof diff --fail-above 0`, and
# PATH,VERDICT,LOW,HIGH of each region. -v risk: see check_verdicts.sh.
BEGIN { FS = "\t" }

# Returns the highest number of `count` events of this probability that is accepted: a higher number
# occurs with a probability of at most the risk (binomial distribution).
function most(count, probability, term, below, k) {
    term = (1 - probability) ^ count
    for (below = term; 1 - below > risk && k < count; below += term) {
        term *= (count - k) / (k + 1) * probability / (1 - probability)
        k++
    }
    return k + 0
}

function check(what, times, count, limit) {
    printf "%d of %d %s; %d may\n", times, count, what, limit
    if (times > limit)
        broken = 1
}

# A region around a slower region is slower, too.
function is_around(path, i) {
    for (i = 4; i <= NF; i++)
        if ($i ~ "^[a-z;]*;" $1 ",")
            return index($i, path ";") == 1
}

{
    is_changed = $2 > 1
    comparisons[is_changed]++
    alarms = found = slower = holds = 0
    for (i = 4; i <= NF; i++) {
        split($i, row, ",")
        slower += row[2] == "slower"
        if (is_changed && row[1] ~ ";" $1 "$") {
            found = row[2] == "slower"
            holds = row[3] <= $2 && $2 <= row[4]
        } else if (!is_changed || !is_around(row[1]))
            alarms += row[2] != "no evidence"
    }
    rows = NF - 3
    if (rows != 11 || ($3 == 3) != (slower > 0)) {
        print "comparison " NR ": " rows " regions, status " $3 ", but " slower " are slower"
        broken = 1
    }
    alarmed[is_changed] += alarms > 0
    failed += !is_changed && $3 == 3
    missed += is_changed && !found
    misled += is_changed && !holds
}

END {
    check("comparisons with itself have a verdict", alarmed[0], comparisons[0],
        most(comparisons[0], 0.05))
    check("comparisons with itself fail", failed, comparisons[0], most(comparisons[0], 0.025))
    check("changes of 10 % are not seen", missed, comparisons[1], most(comparisons[1], 0.05))
    check("changes of 10 % lie outside of their interval", misled, comparisons[1],
        most(comparisons[1], 0.05))
    check("changes of 10 % give a verdict on another region", alarmed[1], comparisons[1],
        most(comparisons[1], 0.05))
    exit broken
}
