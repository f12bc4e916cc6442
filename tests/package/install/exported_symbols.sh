#!/bin/sh
# exported_symbols.sh MAP - prints the symbols that a library exports by its version map, in the
# format of nm -D: each node, and each name with its node (name@@NODE); only names if the map has no
# node.
set -eu
LC_ALL=C awk '
    /^[A-Z_0-9]* *\{/ { node = $1 == "{" ? "" : $1; if (node) print node }
    /^ *global:/ { is_global = 1 }
    /^ *local:|^\}/ { is_global = 0 }
    is_global && /^ +[a-z_0-9]+;/ {
        sub(/;.*/, ""); sub(/^ +/, "")
        print node ? $0 "@@" node : $0
    }' "$1" | LC_ALL=C sort
