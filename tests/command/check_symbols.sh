#!/bin/sh
# check_symbols.sh PROGRAM OBJECTS - tests that the program contains no function and no data of the
# folders of src/ that record: a reader of profiles is not profiled itself. OBJECTS is the build
# directory of src/.
set -eu
of_recording=$(mktemp)
trap 'rm "$of_recording"' EXIT
find "$2" -name '*.o' | grep -E '/ep_(record|instrument|api)\.dir/' | xargs nm --defined-only |
    sed -nE 's/^[0-9a-f]+ [A-Z] (eprof_.*|ep_.*)$/\1/p' | sort -u >"$of_recording"
grep -q . "$of_recording" || { echo "$2 has no objects of recording"; exit 1; }
if nm --defined-only "$1" | sed 's/.* //' | grep -xF -f "$of_recording"; then
    echo "the names above are of recording"
    exit 1
fi
