# tree.awk - tests whether two sources agree on each path of a program's call tree
#
#     awk -f csv_split.awk -f tree.awk -v program=NAME SYMBOLS SHADOW RUN.CSV
#
# SYMBOLS are lines of address and name (nm), SHADOW is the output of shadow.c, RUN.CSV comes from
# `eprof report --format csv`. The names of a path are joined by ";", as there. Functions with the
# same name are added up on both sides. A call that is open at the end counts as a call.
#
# If a jump leaves a function, the shadow detects that only when a function around it is left. So
# the functions of a program with such jumps are compared, and not its paths.

function escaped(name)
{
    gsub(/[\\;]/, "\\\\&", name)
    return name
}

FILENAME == ARGV[1] {
    address = $1
    sub(/^[^ ]+ [^ ]+ /, "")
    if (!(address in symbol))
        symbol[address] = escaped($0)
    next
}
FILENAME == ARGV[2] && $1 == "unwound" { unwound = $2; next }
FILENAME == ARGV[2] {
    parent[$1] = $2
    node_name[$1] = $3 in symbol ? symbol[$3] : "?" $3
    node_calls[$1] = $4
    next
}
FNR == 1 {
    for (i = split_csv($0); i > 0; i--)
        column[field[i]] = i
    next
}
{
    split_csv($0)
    kind = field[column["kind"]]
    if (field[column["name"]] == "forced_closes" && kind !~ /function|scope|instance/)
        forced = field[column["calls"]]
    if (kind != "function")
        next
    path = field[column["path"]]
    name = escaped(field[column["name"]])
    calls = field[column["calls"]] + field[column["open"]]
    by_eprof[path] += calls
    function_by_eprof[name] += calls
    recorded += calls
}

function path_of(node)
{
    if (!(node in whole_path))
        whole_path[node] = (parent[node] ? path_of(parent[node]) ";" : "") node_name[node]
    return whole_path[node]
}

function compare(what, one, other,    key, count)
{
    for (key in one) {
        count[0]++
        if (!(key in other) || one[key] != other[key])
            tell(what, key, one[key], key in other ? other[key] : 0)
    }
    for (key in other)
        if (!(key in one)) {
            count[0]++
            tell(what, key, 0, other[key])
        }
    return count[0]
}

function tell(what, key, shadow, eprof)
{
    differences[what]++
    difference_calls[what] += shadow > eprof ? shadow - eprof : eprof - shadow
    if (differences[what] <= 10)
        printf "%s: %s: shadow %d, eprof %d: %s\n", program, what, shadow, eprof, key
}

END {
    for (node in parent) {
        by_shadow[path_of(node)] += node_calls[node]
        function_by_shadow[node_name[node]] += node_calls[node]
    }
    functions = compare("function", function_by_shadow, function_by_eprof)
    if (!unwound)
        paths = compare("path", by_shadow, by_eprof)
    printf "%s: (d) %d functions of %d and %d paths of %d differ, by %d calls of %d; left without an exit: %d, forced closes: %d\n",
        program, differences["function"], functions, differences["path"], paths,
        difference_calls["path"], recorded, unwound, forced
    exit differences["function"] + differences["path"] > 0 || (forced && !unwound) || !functions ||
        recorded < 1000000
}
