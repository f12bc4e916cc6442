#!/bin/sh
# dump.sh LIBRARY >tests/package/abi/libeprof.so.0.abi - prints the interface with which programs
# are compiled: the exported symbols, with the layouts in the public headers.
#
# It is run after a decision to change the interface: CONTRIBUTING.md.
set -eu
# The dump must not contain the folder in which the sources were compiled.
abidw --exported-interfaces-only --headers-dir "$(dirname "$0")/../../../include" --drop-private-types \
    --no-comp-dir-path --no-corpus-path --no-show-locs --no-write-default-sizes --no-elf-needed \
    --type-id-style hash "$1" | sed "s| path='[^']*/src/| path='src/|"
