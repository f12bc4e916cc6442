#!/bin/bash
# check_list.sh LIST PREPROCESSED - tests that each procedure that mpi.h declares is in the list of
# wrapped calls or among those that it says are left out, and that with MPI 4 each name of the list
# is one of mpi.h. PREPROCESSED is mpi.h after the preprocessor.
set -u -f
list=$1 mpi_h=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tr '\n' ' ' <"$mpi_h" | grep -oE '\bMPI_[A-Z][A-Za-z0-9_]*[a-z0-9] *\(' | tr -d ' (' | sed 's/^MPI_//' |
    sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 300 ] || { echo "mpi.h declares $(wc -l <"$work/declared")"; exit 1; }
awk '/^[A-Z]/ { print $1 }' "$list" | sort >"$work/wrapped"
left_out=$(sed -n 's/^- //p' "$list")
status=0
uniq -d "$work/wrapped" | grep . && { echo "in the list twice"; status=1; }

is_left_out() {
    local pattern
    for pattern in $left_out; do
        # shellcheck disable=SC2254 # a pattern
        case $1 in $pattern) return 0 ;; esac
    done
    return 1
}

while read -r name; do
    base=${name%_c}
    if grep -qx "$base" "$work/wrapped"; then
        is_left_out "$base" && { echo "MPI_$name is wrapped and left out"; status=1; }
        continue
    fi
    is_left_out "$base" || { echo "MPI_$name is neither wrapped nor left out"; status=1; }
done <"$work/declared"
if grep -qx Session_init "$work/declared"; then
    comm -13 "$work/declared" "$work/wrapped" | grep . && { echo "not in mpi.h"; status=1; }
fi
exit $status
