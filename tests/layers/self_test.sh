#!/bin/bash
# self_test.sh CASE COMPILER - tests that the checks of the layers find the faults that they are
# for, in a small example with two layers: low, with stone.c and brick.c, and high, with tile.c,
# which uses low.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
compiler=$2
house=$(mktemp -d)
trap 'rm -r "$house"' EXIT
mkdir -p "$house"/src/{low,high} "$house"/layers/{low,high} "$house"/objects/ep_{low,high}.dir
ln -s "$house/src/low" "$house/layers/low/low"
ln -s "$house/src/high" "$house/layers/high/high"
cd "$house/src"
echo 'int ep_stone(void);' >low/stone.h
echo 'int ep_brick(void);' >low/brick.h
echo 'int ep_tile(void);' >high/tile.h
printf '#include "low/stone.h"\nint ep_stone(void) { return 1; }\n' >low/stone.c
printf '#include "low/stone.h"\nint ep_brick(void) { return ep_stone(); }\n' >low/brick.c
printf '#include "high/tile.h"\n#include "low/brick.h"\nint ep_tile(void) { return ep_brick(); }\n' \
    >high/tile.c

links() {
    local file layer
    for file in */*.c; do
        layer=${file%/*}
        "$compiler" -w -I"$house/layers/low" -I"$house/layers/high" -c "$file" \
            -o "$house/objects/ep_$layer.dir/$(basename "$file").o"
    done
    "$here/check_links.py" "$house/src" "$house/objects" low= high=low
}
includes() {
    "$here/check_includes.sh" "$house/src" low "" "$compiler" -I"$house/layers/low" &&
        "$here/check_includes.sh" "$house/src" high low "$compiler" -I"$house/layers/low" \
            -I"$house/layers/high"
}
# says TEXT COMMAND: the command must fail, and print TEXT.
says() {
    local said
    if said=$($2); then
        echo "$2 passes: $said"
        exit 1
    fi
    grep -qF -- "$1" <<<"$said" || { echo "expected: $1; said: $said"; exit 1; }
}

case $1 in
passes_a_clean_house)
    links
    includes
    ;;
sees_a_call_upward)
    printf 'int ep_tile(void);\nint ep_stone(void) { return ep_tile(); }\n' >low/stone.c
    says 'low/stone.c refers to ep_tile of high/tile.c, but low does not use high' links
    ;;
lets_the_one_table_pass)
    echo 'extern const int ep_upward; int ep_stone(void) { return ep_upward; }' >low/stone.c
    echo 'const int ep_upward = 1;' >>high/tile.c
    links
    ;;
sees_a_circle_of_files)
    echo 'int ep_brick(void); int ep_stone(void) { return ep_brick(); }' >low/stone.c
    says 'a circle of files: low/brick.c low/stone.c' links
    ;;
sees_a_layer_without_objects)
    rm -r "$house/objects/ep_high.dir" high/tile.c
    says 'object files of 2 layers' links
    ;;
sees_an_include_that_is_not_declared)
    ln -s "$house/src/high" "$house/layers/low/high"
    says 'low does not use high, but compiles with #include "high/tile.h"' includes
    ;;
sees_a_declared_layer_that_is_not_found)
    rm "$house/layers/low/low"
    says 'low cannot include low' includes
    ;;
sees_an_include_that_leaves_the_folder)
    echo '#include "../high/tile.h"' >>low/stone.c
    says 'low includes by a path that leaves its folder' includes
    ;;
*)
    echo "$0: no such case: $1"
    exit 2
    ;;
esac
