#!/bin/sh
# check_shared_library.sh LIBRARY SYMBOLS [NEEDED] - LIBRARY exports what the file SYMBOLS lists and
# nothing else, and tells the loader what it should. It needs the C library, and NEEDED, which it
# finds beside itself.
set -eu
library=$1 symbols=$2 beside=${3-}

nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | diff "$symbols" - ||
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
