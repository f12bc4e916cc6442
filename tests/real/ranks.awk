# ranks.awk - tests whether the functions with the most time are those with the most instructions
#
#     awk -f ranks.awk -v program=NAME CALLGRIND.LIST EPROF.LIST
#
# Prints Spearman's rank correlation of the 20 functions with the most total time ("The Proof and
# Measurement of Association between Two Things", American Journal of Psychology 15(1), 1904). It is
# Pearson's correlation of the ranks; equal values get the mean of their ranks.

BEGIN { FS = "\t" }

FILENAME == ARGV[ARGC - 2] { instructions[$4] += $2 }
FILENAME == ARGV[ARGC - 1] { total_ns[$4] += $2 }

# Makes top[1], top[2], ... of the functions with the most time.
function choose(count,    i, name, chosen)
{
    for (i = 1; i <= count; i++) {
        for (name in total_ns)
            if (name in instructions && !(name in chosen) &&
                (top[i] == "" || total_ns[name] > total_ns[top[i]]))
                top[i] = name
        chosen[top[i]] = 1
    }
}

function rank(values, name, count,    i, above, equal)
{
    for (i = 1; i <= count; i++) {
        above += values[top[i]] > values[name]
        equal += values[top[i]] == values[name]
    }
    return above + (equal + 1) / 2
}

END {
    count = 20
    choose(count)
    mean = (count + 1) / 2
    for (i = 1; i <= count; i++) {
        x = rank(total_ns, top[i], count) - mean
        y = rank(instructions, top[i], count) - mean
        xx += x * x; yy += y * y; xy += x * y
        printf "%4.1f %4.1f %12.0f ns %13.0f  %s\n", x + mean, y + mean, total_ns[top[i]],
            instructions[top[i]], top[i]
    }
    correlation = xy / sqrt(xx * yy)
    printf "%s: (c) Spearman's rank correlation of the top %d: %.3f\n", program, count, correlation
}
