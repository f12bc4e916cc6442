#!/bin/sh
# exported_symbols.sh MAP - what a library exports by its version map, as nm -D writes it: each node,
# and each name with its node (name@@NODE); names alone where the map has no node.
set -eu
LC_ALL=C awk '
    /^[A-Z_0-9]* *\{/ { node = $1 == "{" ? "" : $1; if (node) print node }
    /^ *global:/ { is_global = 1 }
    /^ *local:|^\}/ { is_global = 0 }
    is_global && /^ +[a-z_0-9]+;/ {
        sub(/;.*/, ""); sub(/^ +/, "")
        print node ? $0 "@@" node : $0
    }' "$1" | LC_ALL=C sort
