#!/bin/sh
# check_abi.sh LIBRARY - tests that the library has the interface with which programs were compiled:
# no call is removed, none has other arguments, no structure has another layout. An addition needs a
# decision, too.
#
# The script compares two dumps, and not a dump with the library: otherwise abidiff would leave out
# the structures of the public headers, since a dump does not contain their places in the source.
set -u
here=$(cd "$(dirname "$0")" && pwd)
command -v abidiff >/dev/null || exit 77
dump=$(mktemp)
trap 'rm -f "$dump"' EXIT
"$here/dump.sh" "$1" >"$dump" || exit 1
abidiff "$here/libeprof.so.0.abi" "$dump" && exit
echo "If that is wanted: CONTRIBUTING.md, \"A change\"."
exit 1
