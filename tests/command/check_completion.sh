#!/bin/bash
# check_completion.sh COMPLETION EPROF - tests the words that bash offers after `eprof`, and that it
# offers each option of the program.
set -u
completion=$1 eprof=$2
# shellcheck disable=SC1090 # it is an argument
. "$completion"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
touch one.eprof 'two words.eprof' other.txt
mkdir folder
failed=0

# offers EXPECTED WORD...: completes the last of these words, which are split as bash splits them.
offers() {
    local expected=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _eprof
    local IFS='|'
    [ "${COMPREPLY[*]}" = "$expected" ] && return
    echo "behind '$*' are offered ${COMPREPLY[*]}, not $expected"
    failed=1
}

complete -p eprof | grep -q -- '-F _eprof eprof' || failed=1
offers 'run|report|merge|diff|top|serve|--help|--version' eprof ''
offers 'report' eprof re
offers '' eprof nonsense ''

offers '--format=|--focus=' eprof report --fo
# The formats that the program has, in its order; it may have been built without pprof.
formats=$("$eprof" report --format=nonsense x 2>&1 | sed 's/.*known are //; s/ (.*//; s/, pprof$//; s/, /|/g')
offers "$formats|pprof" eprof report --format =
offers 'table|tree' eprof report --format = t
offers 'threads|ticks' eprof report --format = csv : t
offers 'raw' eprof report --format = csv : threads : r
offers '' eprof report --format = csv : s
offers 'summary' eprof report --format = openmetrics : s
offers 'table|tree' eprof report -f t
offers 'threads|ticks' eprof report -f csv : t
offers 'mean|min|max|mean_error' eprof report --sort = m
offers 'mean|min|max|mean_error' eprof report --sort m
offers 'p50|p90|p99|p99.9|processes|process_min|process_mean|process_max|process_stddev|process_slowest' eprof report --columns = p
offers 'where' eprof report --format = tree : w
offers 'auto|always' eprof report --color = a
offers 'ticks' eprof report --unit t
offers 'ns|ticks' eprof report --unit = ''
offers 'one.eprof|two words.eprof|folder' eprof report ''
offers 'one.eprof' eprof report --raw on
offers 'other.txt' eprof report -o ot
offers 'other.txt' eprof report --output = ot

offers '--before=' eprof diff --be
offers 'one.eprof|two words.eprof|folder' eprof diff --before ''
offers 'one.eprof' eprof diff --before one.eprof --after on
offers 'table' eprof diff --format = t
offers 'self' eprof diff --by s

offers '--count=|--color=' eprof top --co
offers 'self/s|self' eprof top --sort = se
offers 'one.eprof|two words.eprof|folder' eprof top ''
offers 'one.eprof|two words.eprof|folder' eprof serve ''
offers '127.0.0.1:|0.0.0.0:' eprof serve --listen = ''

offers '--quiet' eprof run --q
offers 'clock_gettime' eprof run --source = clock
offers 'mkfifo' eprof run mkfi
offers 'mkfifo' eprof run --repeat 3 -q -- mkfi
offers '' eprof run mkfifo --q
offers '' eprof run -o x -- mkfifo --q
COMP_WORDBREAKS=' '
offers '--format=csv:raw' eprof report --format=csv:r

commands="run report merge diff top"
! "$eprof" serve --help >help || commands="$commands serve"
for command in $commands; do
    COMP_WORDS=(eprof "$command" -) COMP_CWORD=2 COMPREPLY=()
    _eprof
    "$eprof" "$command" --help | grep -oE '^ .{5}--[a-z-]+' | grep -oE -- '--[a-z-]+' |
        grep -vE '^--(usage|version)$' | sort >options
    printf '%s\n' "${COMPREPLY[@]%=}" | sort | diff options - ||
        { echo "$command: the options differ (<: --help, >: offered)"; failed=1; }
done
exit $failed
