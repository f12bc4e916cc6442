#!/bin/sh
# check_shared_library.sh LIBRARY MAP [NEEDED [MISSING]] - tests that LIBRARY exports exactly the
# names in its version map MAP, except MISSING, and has the right entries for the loader. It may need
# only the C library and NEEDED, which must be found in its own folder.
set -eu
library=$1 map=$2 beside=${3-} missing=${4-none}

wanted=$(mktemp)
trap 'rm "$wanted"' EXIT
"$(dirname "$0")/exported_symbols.sh" "$map" | grep -vxF "$missing" >"$wanted"
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
# Only the C library; some linkers also name the loader, which is a part of it.
if echo "$dynamic" | grep NEEDED | grep -vF "[${beside:-no other}]" |
    grep -vE '\[(libc\.so\.6|ld-linux[^]]*)\]'; then
    echo "the library needs more than the C library"
    exit 1
fi
