#!/bin/bash
# gate.sh - tests whether a change makes a program slower: a gate for CI (docs/tutorials/gate.md)
#
#     gate.sh [-n RUNS] [-p PERCENT] [-o FOLDER] [-a] BEFORE AFTER [-- OPTION...]
#
# BEFORE and AFTER are commands of the shell, each one word: two builds of one benchmark, which
# records with libeprof. They take turns, and `eprof diff` judges.
#
#     -n RUNS     runs of each side; 20, or more if so many regions need more
#     -p PERCENT  the slowdown of a region that is allowed; 5
#     -o FOLDER   for the profiles, the report and the output of the programs; gate
#     -a          the programs do not call libeprof, but were compiled with -finstrument-functions
#     OPTION      of `eprof diff`: --by self, --filter 'parse*', --confidence 99
#
# Exit status: 0 no evidence that a region is slower by more than that; 3 there is evidence; 2 the
# command line is not understood, or too few runs; 1 a program failed or recorded nothing.
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

# If the gate is interrupted, it ends the programs that it started, which would continue otherwise.
running=''
stop() {
    trap '' INT TERM
    [ -z "$running" ] || { kill -TERM -- "-$running" && wait "$running"; } 2>/dev/null
    rm -f "$folder"/part.*
    exit $((128 + $1))
}
trap 'stop 2' INT
trap 'stop 15' TERM

# run SIDE NUMBER: runs the command once. The profiles of all its processes are added up to one.
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

# The side that was first is second in the next round: a drift of the machine affects both equally.
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

# The number of runs that each side needs before a comparison of so many regions can find a change.
ask_needed() {
    local json
    json=$(eprof diff --format json --top 1 "${options[@]}" "$folder"/{before,after}.0.eprof) || return
    [[ $json =~ \"files_needed\":([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

mkdir -p "$folder" || exit 1
rm -f "$folder"/{before,after}.*.eprof "$folder"/part.* "$folder"/{log,report.html}

# The first run of each side fills caches. It is not compared.
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
