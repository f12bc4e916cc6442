# csv.awk - the functions of a program, by libeprof
#
#     awk -f csv_split.awk -f csv.awk RUN.CSV
#
# prints what callgrind.awk prints, with ns in the place of instructions, of the rows that
# `eprof report --format csv` writes: one for each path, added up here. What the program's end
# interrupted, as exit() does with main(), was called and is open.

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
}

END {
    for (name in calls)
        printf "%.0f\t%.0f\t%s\t%s\n", calls[name], total_ns[name], file[name], name
}
