# outside.awk - tests how many calls of a program libeprof-auto has not counted inline
#
#     awk -f csv_split.awk -f outside.awk -v program=NAME -v most=PERCENT OUTSIDE RUN.CSV
#
# OUTSIDE is the output of outside.c, RUN.CSV is a report of the same run. The first call of each
# path is not inline, and neither are the calls that are timed. The rest of the calls that were not
# inline are those that the index does not find, although their path is known: at most 1 % of all.

FILENAME == ARGV[1] {
    enters = $1
    leaves = $2
    next
}
FNR == 1 {
    for (i = split_csv($0); i > 0; i--)
        column[field[i]] = i
    next
}
{
    split_csv($0)
    if (field[column["kind"]] != "function")
        next
    paths++
    calls += field[column["calls"]]
    timed += field[column["timed"]]
}

END {
    missing = enters - paths - timed
    printf "%s: (e) of %d calls on %d paths %d enters (%.3f %%) and %d leaves (%.3f %%) were not inline; %d calls were timed, %d (%.3f %%) not found\n",
        program, calls, paths, enters, 100 * enters / calls, leaves, 100 * leaves / calls, timed,
        missing, 100 * missing / calls
    exit calls < 1000000 || enters < paths || missing > most * calls / 100
}
