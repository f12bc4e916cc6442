#!/bin/bash
# gate.sh - whether a change makes a program slower: a gate for CI (docs/tutorials/gate.md)
#
#     gate.sh [-n RUNS] [-p PERCENT] [-o FOLDER] [-a] BEFORE AFTER [-- OPTION...]
#
# BEFORE and AFTER are commands of the shell, each one word: two builds of one benchmark, which
# records with libeprof. They take turns, and `eprof diff` judges.
#
#     -n RUNS     of each side; 20, or more where so many regions need more
#     -p PERCENT  what a region may become slower by; 5
#     -o FOLDER   where the profiles, the report and what the programs print go; gate
#     -a          nothing in them records, but they were compiled with -finstrument-functions
#     OPTION      of `eprof diff`: --by self, --filter 'parse*', --confidence 99
#
# Exit status: 0 no region is slower by more than that, as far as can be told; 3 one is; 2 a command
# line that is not understood, or too few runs; 1 a program failed or recorded nothing.
#
# It needs bash, eprof and coreutils.
set -u -o pipefail
export LC_ALL=C.UTF-8

usage() {
    echo "usage: gate.sh [-n RUNS] [-p PERCENT] [-o FOLDER] [-a] BEFORE AFTER [-- OPTION...]" >&2
    exit 2
}

fail() {
    echo "gate.sh: $*" >&2
    exit 1
}

runs='' percent=5 folder=gate auto=()
while getopts n:p:o:a option; do
    case $option in
    n) runs=$OPTARG ;;
    p) percent=$OPTARG ;;
    o) folder=$OPTARG ;;
    a) auto=(--auto) ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[[ $runs =~ ^([1-9][0-9]{0,5})?$ && $percent =~ ^[0-9]+(\.[0-9]+)?$ ]] || usage
[[ $# -eq 2 || ($# -gt 2 && $3 == --) ]] || usage
declare -A commands=([before]=$1 [after]=$2)
options=("${@:4}")

# A gate that is called off ends all that it has started, which else would go on alone.
running=''
stop() {
    trap '' INT TERM
    [ -z "$running" ] || { kill -TERM -- "-$running" && wait "$running"; } 2>/dev/null
    rm -f "$folder"/part.*
    exit $((128 + $1))
}
trap 'stop 2' INT
trap 'stop 15' TERM

# run SIDE NUMBER: once, into one profile; those of all processes that it starts are added up.
run() {
    local command=${commands[$1]} profile=$folder/$1.$2.eprof parts status
    set -m # in a process group of its own, with signals as they are
    eprof run -q "${auto[@]}" -o "${folder//%/%%}/part.%p" -- bash -c "$command" <&0 \
        >>"$folder/log" 2>&1 &
    set +m
    running=$!
    wait $running
    status=$? running=''
    [ $status = 0 ] || {
        tail -n 5 "$folder/log" >&2
        fail "$command: run $2 of $1 ended with status $status; what it printed is in $folder/log"
    }
    parts=("$folder"/part.*)
    [ -e "${parts[0]}" ] ||
        fail "$command: it recorded nothing; link it with libeprof, or see -a"
    if [ ${#parts[@]} = 1 ]; then
        mv "${parts[0]}" "$profile"
    else
        eprof merge -o "$profile" "${parts[@]}" && rm "${parts[@]}"
    fi || fail "$profile: cannot be written"
}

# The one that was first is second in the next round: a drift of the machine hits both alike.
take_turns() {
    local number sides=(before after)
    for ((number = 1; number <= runs; number++)); do
        run "${sides[0]}" $number
        run "${sides[1]}" $number
        sides=("${sides[1]}" "${sides[0]}")
        printf . >&2
    done
    echo >&2
}

# So many runs of each side are needed before anything can be told of so many regions.
ask_needed() {
    local json
    json=$(eprof diff --format json --top 1 "${options[@]}" "$folder"/{before,after}.0.eprof) || return
    [[ $json =~ \"files_needed\":([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

mkdir -p "$folder" || exit 1
rm -f "$folder"/{before,after}.*.eprof "$folder"/part.* "$folder"/{log,report.html}

# The first run of each fills caches. It is not judged.
run before 0
run after 0
needed=$(ask_needed) || exit
rm "$folder"/{before,after}.0.eprof
: "${runs:=$((needed > 20 ? needed : 20))}"
[ "$runs" -ge "$needed" ] || {
    echo "gate.sh: $runs runs of each side are too few; $needed are needed for a verdict" >&2
    exit 2
}
echo "gate.sh: $runs runs of each side" >&2
take_turns

files=(--before "$folder"/before.*.eprof --after "$folder"/after.*.eprof)
eprof diff "${options[@]}" --format html -o "$folder/report.html" "${files[@]}" || exit
eprof diff "${options[@]}" --fail-above "$percent" "${files[@]}"
