#!/bin/sh
# check_output_folder.sh ROOT - tests that a project which sets the folder of its programs
# (CMAKE_RUNTIME_OUTPUT_DIRECTORY) gets eprof-serve beside eprof, where eprof looks for it. It only
# configures, and asks CMake's file API for the paths.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build/.cmake/api/v1/query"
: >"$work/build/.cmake/api/v1/query/codemodel-v2"
cmake -S "$root" -B "$work/build" -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$work/programs" \
    -DEPROF_SERVE=ON -DEPROF_MPI=OFF -DEPROF_BUILD_EXAMPLES=OFF >"$work/log" 2>&1 ||
    { cat "$work/log" && exit 1; }
for program in eprof eprof-serve; do
    grep -qrE "\"path\" *: *\"(\.\./|$work/)programs/$program\"" "$work/build/.cmake/api/v1/reply" || {
        echo "$program is built elsewhere:"
        grep -rhE "\"path\" *: *\".*/$program\"" "$work/build/.cmake/api/v1/reply"
        exit 1
    }
done
