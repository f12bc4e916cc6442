#!/bin/bash
# check_small_machine.sh CASE PROGRAM - tests that PROGRAM (small_machine.c) runs and reports all its
# calls where memory or address space is limited.
set -eu
check=$1 program=$2
work=$(mktemp -d)
group=
end() {
    [ -z "$group" ] || rmdir "$group"
    rm -rf "$work"
}
trap end EXIT
unset EPROF
export LC_ALL=C.UTF-8

# reports CALLS NAME: rows of this name have so many calls together.
reports() {
    calls=$(awk -F, -v name="$2" '$2 == name { sum += $7 } END { print sum + 0 }' "$work/csv")
    [ "$calls" = "$1" ] || { cat "$work/csv" && echo "$2 has $calls calls, not $1" && exit 1; }
}

# Makes a group of processes that may use 64 MiB, by cgroup version 2 or 1.
make_group() {
    local root file
    for root in /sys/fs/cgroup /sys/fs/cgroup/memory; do
        group=$root/eprof.$$
        mkdir "$group" 2>"$work/why" || continue
        for file in "$group"/memory.max "$group"/memory.limit_in_bytes; do
            [ ! -w "$file" ] || ! echo $((64 << 20)) >"$file" || return 0
        done
        rmdir "$group"
    done
    group=
    echo 'no group of processes can be made: RLIMIT_DATA instead'
}

# in_64_mib COMMAND...: in such a group; where none can be made, with 64 MiB of private memory.
in_64_mib() (
    if [ -n "$group" ]; then
        echo $BASHPID >"$group/cgroup.procs"
    else
        ulimit -d 65536
    fi
    exec "$@"
)

case $check in
under_a_limit_of_address_space)
    for kib in 1000000 200000; do
        (ulimit -v $kib && EPROF=csv=- exec "$program") >"$work/csv"
        reports 4000 step
        reports 1 paths
    done
    ;;
in_a_container_of_64_mib)
    make_group
    EPROF=csv=- in_64_mib "$program" >"$work/csv"
    reports 4000 step
    reports 1 paths
    # more paths than there is memory for: the limit of the call trees keeps the program alive
    EPROF=csv=-,limit=4M in_64_mib "$program" 200000 >"$work/csv"
    reports 4000 step
    reports 1 paths
    awk -F, '/^scope,/ && $2 ~ /^(path |\(other\))/ { sum += $7 }
        END { if (sum != 200000) { print sum " of 200000 calls"; exit 1 } }' "$work/csv"
    grep -q '^scope,(other),' "$work/csv"
    ;;
*)
    echo "there is no case $check"
    exit 1
    ;;
esac
