#!/bin/bash
# check_includes.sh SRC LAYER USED,USED... COMPILER FLAG... - tests that a file of the layer
# compiles with an include of a folder that the layer uses, and does not compile with one of any
# other folder. COMPILER FLAG... is the command by which the build compiles the layer.
set -euo pipefail
src=$1 layer=$2 used=,$3,$2, # $3 is a list with commas
compiler=("${@:4}")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}

# The last file, since all headers that it needs exist.
copied=$(find "$src/$layer" -name '*.c' | LC_ALL=C sort | tail -1)

# A header of the folder $1 for the layer to include: one that the layer already includes, or any
# other.
header_of() {
    grep -rhoE "^#include \"$1/[^\"]+\"" "$src/$layer" | sort -u | head -1 | grep . ||
        echo "#include \"$(cd "$src" && find "$1" -name '*.h' | LC_ALL=C sort | head -1)\""
}

compile() {
    "${compiler[@]}" -w -fsyntax-only "$work/copy.c" 2>"$work/said"
}

for folder in "$src"/*/; do
    folder=$(basename "$folder")
    [ -n "$(find "$src/$folder" -name '*.h')" ] || continue
    header=$(header_of "$folder")
    { cat "$copied" && echo "$header"; } >"$work/copy.c"
    if [[ $used == *,$folder,* ]]; then
        compile || fail "$layer cannot include $folder: $(cat "$work/said")"
    elif compile; then
        fail "$layer does not use $folder, but compiles with $header"
    elif ! grep -q 'file not found\|No such file' "$work/said"; then
        fail "$header: $(cat "$work/said")"
    fi
done

# The compiler finds such an include in any layer.
grep -rnE '^[ \t]*#[ \t]*include[ \t]*["<]([^">]*\.\./|/|src/)' "$src/$layer" &&
    fail "$layer includes by a path that leaves its folder"
exit $failed
