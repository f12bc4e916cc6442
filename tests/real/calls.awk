# calls.awk - tests whether two lists agree on how often each function of a program was called
#
#     awk -f calls.awk -v program=NAME [-v least_functions=100] [-v least_calls=10000000] \
#         CALLGRIND.LIST EPROF.LIST
#
# A function belongs to the program if one of the lists has its source file and this is not a file
# of the system. So start-up code is left out, and so are templates of the standard library:
# callgrind finds some of them in that library, while libeprof finds them inlined.

BEGIN {
    FS = "\t"
    if (!least_functions)
        least_functions = 100
    if (!least_calls)
        least_calls = 10000000
}

# If several functions have one name, such as the constructors of a complete object and of a base,
# their calls are added up.
{ calls[FILENAME, $4] += $1; all_calls[FILENAME] += $1 }
$3 != "" && $3 !~ /^(\/usr\/|\?)/ { ours[$4] = 1 }

END {
    for (name in ours) {
        functions++
        by_callgrind = calls[ARGV[ARGC - 2], name] + 0
        by_eprof = calls[ARGV[ARGC - 1], name] + 0
        own_calls += by_eprof
        if (by_callgrind == by_eprof)
            continue
        differences++
        printf "%s: callgrind %.0f, eprof %.0f: %s\n", program, by_callgrind, by_eprof, name
    }
    recorded = all_calls[ARGV[ARGC - 1]]
    printf "%s: (b) %d functions differ of %d, with %.0f calls; %.0f calls were recorded\n", program,
        differences, functions, own_calls, recorded
    exit differences > 0 || functions < least_functions || recorded < least_calls
}
