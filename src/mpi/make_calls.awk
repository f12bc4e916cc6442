# make_calls.awk - makes the macro calls for the entry points from calls.list and the prototypes of
# mpi.h. Called as: awk -f make_calls.awk calls.list PREPROCESSED.
#
#   EP_MPI_CALL(Send, (types), (parameters), (arguments), BYTES)
#   EP_MPI_FORTRAN_CALL(Send, send, (parameters), (arguments), error code, BYTES)
#
# Parameters are called a1, a2 ... In Fortran each is a pointer, the error code follows, and then a
# length for each text. BYTES: NOTHING, RECORD(bytes), NOTE(number of the request, bytes),
# STARTED(number of the request) or STARTED_ALL(number of the count, number of the requests).

# ---- the list ----

FILENAME == ARGV[1] {
    if ($0 ~ /^[A-Z]/) {
        name = $1
        sub(/^[^ ]+ */, "")
        names[++count] = name
        bytes[name] = "NOTHING"
        if (match($0, /^[0-9]+=/))
            bytes[name] = "NOTE(" substr($0, 1, RLENGTH - 1) ", " substr($0, RLENGTH + 1) ")"
        else if ($0 ~ /^STARTED/)
            bytes[name] = $0
        else if ($0 != "")
            bytes[name] = "RECORD(" $0 ")"
    }
    next
}

# ---- the prototypes ----

{ text = text " " $0 }

# "const int counts[]" becomes "const int *".
function type_of(parameter,    stars) {
    stars = ""
    while (sub(/ *\[[^]]*\] *$/, "", parameter))
        stars = stars "*"
    sub(/[A-Za-z_][A-Za-z_0-9]* *$/, "", parameter)
    sub(/ +$/, "", parameter)
    return parameter (stars != "" && parameter ~ /[A-Za-z_]$/ ? " " : "") stars
}

function list(parameters, of,    parts, i, type, line, n) {
    n = split(parameters, parts, /,/)
    texts = 0
    for (i = 1; i <= n; i++) {
        gsub(/^[ \t]+|[ \t]+$/, "", parts[i])
        gsub(/[ \t]+/, " ", parts[i])
        type = type_of(parts[i])
        texts += type ~ /char/
        line = line (i > 1 ? ", " : "") (of == "types" ? type : of == "names" ? "a" i : type " a" i)
    }
    arguments = n
    return "(" line ")"
}

function numbered(before, n,    i, line) {
    for (i = 1; i <= n; i++)
        line = line (i > 1 ? ", " : "") before "a" i
    return "(" line ")"
}

function make(name, as, has_fortran,    at, types, parameters) {
    at = prototype[name]
    if (at == "")
        return
    types = list(at, "types")
    parameters = list(at, "parameters")
    print "EP_MPI_CALL(" name ", " types ", " parameters ", " list(at, "names") ", " bytes[as] ")"
    if (has_fortran)
        print "EP_MPI_FORTRAN_CALL(" name ", " tolower(name) ", " \
            numbered("void *", arguments + 1 + texts) ", " numbered("", arguments + 1 + texts) \
            ", a" arguments + 1 ", " bytes[as] ")"
}

END {
    n = split(text, statements, /;/)
    for (i = 1; i <= n; i++)
        if (match(statements[i], /int[ \t]+MPI_[A-Za-z_0-9]+[ \t]*\([^()]*\)/)) {
            found = substr(statements[i], RSTART, RLENGTH)
            parameters = found
            sub(/^[^(]*\(/, "", parameters)
            sub(/\)$/, "", parameters)
            sub(/^int[ \t]+MPI_/, "", found)
            sub(/[ \t]*\(.*/, "", found)
            prototype[found] = parameters
        }
    for (i = 1; i <= count; i++) {
        make(names[i], names[i], 1)
        make(names[i] "_c", names[i], 0)
    }
}
