# callgrind.awk - lists the functions of a program from the output of callgrind
#
#     awk -f callgrind.awk -v object=PROGRAM CALLGRIND.OUT
#
# prints a line for each function of that object: calls, instructions including those of its
# callees, source file and mangled name, separated by tabs. The input format is "Callgrind Format
# Specification" in the manual of valgrind.
#
# With -v callers=1 it prints a line for each pair of a caller and a function that it calls: calls,
# caller, function. Only functions with a name that are not recursive and that no other object calls:
# libeprof counts a recursive call at the outermost call, and does not know callers in other objects.
#
# A recursive call is a function of its own there, NAME'2 (--separate-recs=2). So the instructions
# of NAME and of its callees are those of its outermost calls: libeprof counts time in the same way.

# A name is given once, with its number: "(12) name"; then it is "(12)".
function named(kind, text,    space, number)
{
    if (text !~ /^\(/)
        return text
    space = index(text, " ")
    number = space ? substr(text, 1, space - 1) : text
    if (space)
        names[kind, number] = substr(text, space + 1)
    return names[kind, number]
}

function value(line)
{
    return substr(line, index(line, "=") + 1)
}

# The parts and copies that the compiler makes of a function count for that function.
function whole(name)
{
    sub(/'[0-9]+$/, "", name)
    while (sub(/\.(constprop|part|isra|cold|lto_priv|localalias)(\.[0-9]+)?$/, "", name))
        ;
    return name
}

/^ob=/ { in_object = named("object", value($0)) }
/^f[lie]=/ { file = named("file", value($0)) }
/^fn=/ {
    caller = named("function", value($0))
    if (in_object == object && !(whole(caller) in files))
        files[whole(caller)] = file
    callee_object = ""
}
/^cob=/ { callee_object = named("object", value($0)) }
/^cf[il]=/ { named("file", value($0)) }
/^cfn=/ { callee = named("function", value($0)) }
/^calls=/ {
    if ((callee_object ? callee_object : in_object) == object) {
        calls[whole(callee)] += substr($1, 7)
        pairs[whole(caller) "\t" whole(callee)] += substr($1, 7)
        if (in_object != object || callee ~ /^0x|'[0-9]+$/)
            is_left_out[whole(callee)] = 1
    }
    callee_object = ""
}
# The line after the number of calls has the instructions of these calls.
/^[0-9+*-]/ && in_object == object && caller !~ /'[0-9]+$/ { instructions[caller] += $NF }

END {
    if (callers) {
        for (pair in pairs) {
            split(pair, part, "\t")
            if (!(part[2] in is_left_out))
                printf "%.0f\t%s\n", pairs[pair], pair
        }
        exit
    }
    for (name in instructions)
        whole_instructions[whole(name)] += instructions[name]
    for (name in files)
        printf "%.0f\t%.0f\t%s\t%s\n", calls[name], whole_instructions[name], files[name], name
}
