#!/bin/sh
# check_floors.sh TABLE SRC INCLUDE - every include of the files of SRC, and of the public
# headers under INCLUDE, is one that the table of floors allows (docs/floors.md).
set -eu
table=$1 src=$2 include=$3
# shellcheck disable=SC2046 # names of files have no spaces
exec awk -v src="$src/" -f "$(dirname "$0")/floors.awk" \
    "$table" $(find "$src" -name '*.[ch]') $(find "$include" -name '*.h')
