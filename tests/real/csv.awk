# csv.awk - the functions of a program, by libeprof
#
#     awk -f csv.awk RUN.CSV
#
# prints what callgrind.awk prints, with ns in the place of instructions, of the rows that
# `eprof report --format csv` writes: one for each path, added up here. What the program's end
# interrupted, as exit() does with main(), was called and is open.

# Splits a line of CSV (RFC 4180) into field[1], field[2], ... A comma within quotes is none, and
# two quotes in them are one.
function split_csv(line,    count, text)
{
    count = 0
    while (1) {
        if (match(line, /^"([^"]|"")*"/)) {
            text = substr(line, 2, RLENGTH - 2)
            gsub(/""/, "\"", text)
            line = substr(line, RLENGTH + 1)
        } else {
            match(line, /^[^,]*/)
            text = substr(line, 1, RLENGTH)
            line = substr(line, RLENGTH + 1)
        }
        field[++count] = text
        if (line == "")
            return count
        line = substr(line, 2)
    }
}

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
