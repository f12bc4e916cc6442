# floors.awk - see check_floors.sh. The first file is the table, whose rows are
#     | 2 image | `cell.h` `image` | 0 1 `eprof.h` |
# and the others are the C files and headers that it speaks of. A file in a folder of src/ is
# named with it, `cli/main`.

function fail(message) {
    print message
    failed = 1
}

function where() {
    return FILENAME ":" FNR ":"
}

# The number of the floor that a file of src/ stands on; "" for none.
function floor_of(file) {
    if (file in floor)
        return floor[file]
    sub(/\.[ch]$/, "", file)
    return file in floor ? floor[file] : ""
}

# A file of src/ as the table names it.
function in_table(path) {
    return substr(path, length(src) + 1)
}

# The file of src/ that an include means: one beside the file that includes it, if it is quoted
# and there is one, else one of src/ itself.
function meant(header, quoted,    beside) {
    beside = file
    sub(/[^\/]*$/, "", beside)
    return quoted && floor_of(beside header) != "" ? beside header : header
}

function is_in_src(path) {
    return index(path, src) == 1
}

function is_public(header) {
    return header == "eprof.h" || header ~ /^eprof\//
}

function read_row(row,    column, names, count, i, number) {
    split(row, column, "|")
    number = column[2] + 0
    gsub(/`/, " ", column[3])
    count = split(column[3], names, " ")
    for (i = 1; i <= count; ++i)
        floor[names[i]] = number
    gsub(/`/, " ", column[4])
    count = split(column[4], names, " ")
    allowed[number, number] = 1
    for (i = 1; i <= count; ++i)
        allowed[number, names[i]] = 1
}

function check_public_include(header, quoted) {
    if (!is_public(header) && (quoted || floor_of(header) != ""))
        fail(where() " a public header includes " header)
}

function check_src_include(header, quoted,    here, there) {
    here = floor_of(file)
    header = meant(header, quoted)
    there = floor_of(header)
    if (here == "")
        return # END tells of this file
    if (is_public(header)) {
        if (!((here, "eprof.h") in allowed))
            fail(where() " floor " here " may not include the public " header)
    } else if (there != "") {
        if (!((here, there) in allowed))
            fail(where() " floor " here " may not include " header " of floor " there)
    } else if (quoted) {
        fail(where() " " header " is on no floor")
    }
}

FILENAME == ARGV[1] {
    if (/^\| *[0-9]/)
        read_row($0)
    next
}

FNR == 1 {
    in_src = is_in_src(FILENAME)
    file = in_src ? in_table(FILENAME) : FILENAME
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    quoted = /"/
    match($0, /["<][^">]*/)
    header = substr($0, RSTART + 1, RLENGTH - 1)
    if (in_src)
        check_src_include(header, quoted)
    else
        check_public_include(header, quoted)
}

END {
    for (i = 2; i < ARGC; ++i)
        if (is_in_src(ARGV[i])) {
            there_is[in_table(ARGV[i])] = 1
            if (floor_of(in_table(ARGV[i])) == "")
                fail(ARGV[i] ": is on no floor")
        }
    for (name in floor)
        if (!(name in there_is) && !((name ".c") in there_is))
            fail(ARGV[1] ": there is no file for " name)
    exit failed
}
