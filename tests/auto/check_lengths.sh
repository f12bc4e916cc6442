#!/bin/sh
# check_lengths.sh FILE... - compares the lengths of instructions in the code of these files with
# those of objdump. At most one in 1,000 may be unknown.
# It takes from the environment LENGTHS (lengths.c).
set -eu
command -v objdump >/dev/null || {
    echo "objdump is missing" >&2
    exit 77
}
for file in "$@"; do
    result=$(objdump -dw --insn-width=16 "$file" | "$LENGTHS") || {
        printf '%s:\n%s\n' "$file" "$result" | head -20 >&2
        exit 1
    }
    echo "$file: $result"
    echo "$result" | awk '{ exit !($1 > 10000 && $2 * 1000 < $1) }'
done
