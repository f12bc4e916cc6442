#!/bin/sh
# check_shared_library.sh LIBRARY MAP [NEEDED] - LIBRARY exports what its version map MAP lists and
# nothing else, and tells the loader what it should. It needs the C library, and NEEDED, which it
# finds beside itself.
set -eu
library=$1 map=$2 beside=${3-}

wanted=$(mktemp)
trap 'rm "$wanted"' EXIT
"$(dirname "$0")/exported_symbols.sh" "$map" >"$wanted"
nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | diff "$wanted" - ||
    { echo "the exported symbols differ (<: wanted, >: are)"; exit 1; }

dynamic=$(readelf -d "$library")
echo "$dynamic" | grep -E 'NEEDED|SONAME|RUNPATH|FLAGS'
echo "$dynamic" | grep -qF "soname: [$(basename "$library").0]"
echo "$dynamic" | grep -q 'FLAGS_1.*NODELETE'
# shellcheck disable=SC2016 # the loader's $
if [ -n "$beside" ]; then
    echo "$dynamic" | grep -qF "Shared library: [$beside]"
    echo "$dynamic" | grep -qF 'runpath: [$ORIGIN]'
fi
# The C library alone; some linkers name the loader, which is a part of it.
if echo "$dynamic" | grep NEEDED | grep -vF "[${beside:-no other}]" |
    grep -vE '\[(libc\.so\.6|ld-linux[^]]*)\]'; then
    echo "the library needs more than the C library"
    exit 1
fi
