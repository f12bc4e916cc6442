# csv_split.awk - a function for awk programs that read CSV; awk reads this file first

# Splits a line of CSV (RFC 4180) into field[1], field[2], ... A comma within quotes does not
# separate fields, and two quotes within quotes are one quote.
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
