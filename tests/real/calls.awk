# calls.awk - whether two lists agree on how often each function of a program was called
#
#     awk -f calls.awk -v program=NAME CALLGRIND.LIST EPROF.LIST
#
# A function is the program's if either list knows its source and that is none of the system's: not
# the start-up code, and no template of the standard library, some of which callgrind sees in that
# library where libeprof sees them inlined.

BEGIN { FS = "\t" }

# Names that stand for several functions (the constructors of a complete object and of a base, say)
# are added up.
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
    exit differences > 0 || functions < 100 || recorded < 10000000
}
