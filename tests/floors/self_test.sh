#!/bin/sh
# self_test.sh CASE - check_floors.sh sees what is planted in a house of two
# floors, and sees nothing where nothing is.
set -eu
check=$(dirname "$0")/check_floors.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT

mkdir -p "$house/src/shed" "$house/include/eprof"
cat >"$house/floors.md" <<'TABLE'
| floor | files | may include |
|---|---|---|
| 0 ground | `word.h` `stone` | |
| 1 roof | `tile` | 0 `eprof.h` |
| 2 shed | `shed/spade` `shed/tile.h` | 0 |
TABLE
echo '#include <stdint.h>' >"$house/src/word.h"
echo '#include "word.h"' >"$house/src/stone.h"
echo '#include "stone.h"' >"$house/src/stone.c"
printf '#include "stone.h"\n#include "eprof.h"\n' >"$house/src/tile.h"
echo '#include "tile.h"' >"$house/src/tile.c"
echo '/* a tile of its own */' >"$house/src/shed/tile.h"
printf '#include "stone.h"\n#include "tile.h"\n' >"$house/src/shed/spade.h"
echo '#include "spade.h"' >"$house/src/shed/spade.c"
printf '#include <stdio.h>\n#include "eprof/calls.h"\n' >"$house/include/eprof.h"
echo '/* nothing */' >"$house/include/eprof/calls.h"

# says PATTERN: the check fails, and names the culprit.
says() {
    if output=$("$check" "$house/floors.md" "$house/src" "$house/include"); then
        echo "the check passed, but should have said: $1"
        exit 1
    fi
    echo "$output"
    echo "$output" | grep -q "$1"
}

case $1 in
passes_a_clean_house)
    "$check" "$house/floors.md" "$house/src" "$house/include"
    ;;
sees_an_upward_include)
    echo '# include "tile.h"' >>"$house/src/stone.c"
    says 'src/stone.c:2: floor 0 may not include tile.h of floor 1'
    ;;
sees_an_upward_include_in_angle_brackets)
    echo '#include <tile.h>' >>"$house/src/stone.h"
    says 'src/stone.h:2: floor 0 may not include tile.h of floor 1'
    ;;
sees_the_public_header_too_low)
    echo '#include <eprof.h>' >>"$house/src/stone.c"
    says 'src/stone.c:2: floor 0 may not include the public eprof.h'
    ;;
sees_a_file_on_no_floor)
    : >"$house/src/cellar.c"
    says 'src/cellar.c: is on no floor'
    ;;
sees_an_include_of_a_folder)
    echo '#include <tile.h>' >>"$house/src/shed/spade.c"
    says 'shed/spade.c:2: floor 2 may not include tile.h of floor 1'
    ;;
sees_an_upward_include_of_a_folder)
    echo '#include "shed/spade.h"' >>"$house/src/tile.h"
    says 'src/tile.h:3: floor 1 may not include shed/spade.h of floor 2'
    ;;
sees_a_file_of_a_folder_on_no_floor)
    : >"$house/src/shed/stone.h" # there is one of that name on a floor, but in no folder
    says 'src/shed/stone.h: is on no floor'
    ;;
sees_a_name_that_is_no_file)
    rm "$house/src/tile.c" "$house/src/tile.h"
    says 'there is no file for tile'
    ;;
sees_a_public_header_that_includes_an_internal_one)
    echo '#include "word.h"' >>"$house/include/eprof/calls.h"
    says 'calls.h:2: a public header includes word.h'
    ;;
*)
    echo "no such case: $1"
    exit 2
    ;;
esac
