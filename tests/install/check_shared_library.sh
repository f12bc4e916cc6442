#!/bin/sh
# check_shared_library.sh LIBRARY SYMBOLS - LIBRARY exports what the file SYMBOLS
# lists and nothing else, and tells the loader what it should.
set -eu
library=$1 symbols=$2

nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | diff "$symbols" - ||
    { echo "the exported symbols differ (<: wanted, >: are)"; exit 1; }

dynamic=$(readelf -d "$library")
echo "$dynamic" | grep -E 'NEEDED|SONAME|FLAGS'
echo "$dynamic" | grep -q 'SONAME.*\[libeprof\.so\.0\]'
echo "$dynamic" | grep -q 'FLAGS_1.*NODELETE'
# The C library alone; some linkers name the loader, which is a part of it.
if echo "$dynamic" | grep NEEDED | grep -vE '\[(libc\.so\.6|ld-linux[^]]*)\]'; then
    echo "the library needs more than the C library"
    exit 1
fi
