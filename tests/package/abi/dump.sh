#!/bin/sh
# dump.sh LIBRARY >tests/package/abi/libeprof.so.0.abi - the interface of the library, as programs were compiled
# against it: what it exports, with the layouts that the public headers tell of.
#
# It is run when a change of that has been decided: CONTRIBUTING.md.
set -eu
# Where the sources lay when they were compiled is nobody's business.
abidw --exported-interfaces-only --headers-dir "$(dirname "$0")/../../../include" --drop-private-types \
    --no-comp-dir-path --no-corpus-path --no-show-locs --no-write-default-sizes --no-elf-needed \
    --type-id-style hash "$1" | sed "s| path='[^']*/src/| path='src/|"
