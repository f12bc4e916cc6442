#!/bin/sh
# check_abi.sh LIBRARY - the library has the interface that programs were compiled against: no call is
# gone, none has other arguments, no structure is laid out anew. What was added is a decision, too.
#
# Dumps are compared, and not a dump with the library: abidiff would leave out the structures of the
# public headers, of which a dump has no places.
set -u
here=$(cd "$(dirname "$0")" && pwd)
command -v abidiff >/dev/null || exit 77
dump=$(mktemp)
trap 'rm -f "$dump"' EXIT
"$here/dump.sh" "$1" >"$dump" || exit 1
abidiff "$here/libeprof.so.0.abi" "$dump" && exit
echo "If that is wanted: CONTRIBUTING.md, \"A change\"."
exit 1
