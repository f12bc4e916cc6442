# csv.awk - lists the functions of a program from a report of libeprof
#
#     awk -f csv_split.awk -f csv.awk RUN.CSV
#
# prints the same lines as callgrind.awk, with ns in place of instructions. The input is from
# `eprof report --format csv`, which has a row for each path; the rows of a function are added up. A
# call that the end of the program interrupted, as exit() interrupts main(), is open and counts as a
# call. With -v callers=1 it prints pairs of caller and function, with an empty caller if there is
# none.

NR == 1 {
    for (i = split_csv($0); i > 0; i--)
        column[field[i]] = i
    next
}
{
    split_csv($0)
    if (field[column["kind"]] != "function")
        next
    name = field[column["name"]]
    calls[name] += field[column["calls"]] + field[column["open"]]
    total_ns[name] += field[column["total_ns"]]
    file[name] = field[column["file"]]
    count = split(field[column["path"]], path, ";")
    pairs[(count > 1 ? path[count - 1] : "") "\t" name] += \
        field[column["calls"]] + field[column["open"]]
}

END {
    if (callers) {
        for (pair in pairs)
            printf "%.0f\t%s\n", pairs[pair], pair
        exit
    }
    for (name in calls)
        printf "%.0f\t%.0f\t%s\t%s\n", calls[name], total_ns[name], file[name], name
}
