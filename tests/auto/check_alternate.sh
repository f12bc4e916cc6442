#!/bin/bash
# check_alternate.sh COMPILER LINK - builds one program of a part with hooks and a part with entries
# with that compiler (gcc, clang), and tests that each call path of it has exactly its calls: under
# each kind of budget, with selected functions, and with a limit of depth. LINK is shared or static:
# the libraries of libeprof.
# It takes from the environment CFLAGS, AUTO, EPROF, AUTO_STATIC, EPROF_STATIC (the libraries) and
# COMMAND (the program eprof).
set -euo pipefail
compiler=$1 link=$2 rounds=20000
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2086 # flags are words
compile() { "$compiler" -std=gnu11 $CFLAGS -O2 -Wall -Wextra -Werror -c "$here/alternate.c" "$@"; }
compile -DHOOKED -finstrument-functions -fno-omit-frame-pointer -o "$work/hooked.o"
compile -fpatchable-function-entry=5 -o "$work/entered.o"
libraries=("$AUTO" "$EPROF" "-Wl,-rpath,$(dirname "$AUTO"):$(dirname "$EPROF")")
[ "$link" != static ] || libraries=("-Wl,-u,ep_routine" "$AUTO_STATIC" "$EPROF_STATIC")
# shellcheck disable=SC2086
"$compiler" $CFLAGS -rdynamic "$work"/{hooked,entered}.o -Wl,--no-as-needed "${libraries[@]}" \
    -lpthread -o "$work/program"

# A call inside another call of its function belongs to the path of that call.
awk -v rounds=$rounds '
    function enter(path, name,   ends) {
        ends = index(path ";", ";" name ";")
        path = ends ? substr(path, 1, ends + length(name)) : path ";" name
        calls[path]++
        return path
    }
    function step(path, own, other, n) {
        path = enter(path, own "_step")
        if (n) step(path, other, own, n - 1)
        enter(path, own "_leaf")
        enter(path, other "_leaf")
    }
    BEGIN {
        calls["main"] = 1
        for (i = 0; i < rounds; i++) {
            step("main", "hooked", "entered", i % 6)
            step("main", "entered", "hooked", i % 6)
            enter(enter("main", "hooked_search"), "entered_compare")
            enter(enter("main", "entered_search"), "hooked_compare")
        }
        for (path in calls) print path, calls[path]
    }' >"$work/paths"

# check ITEMS: compares the calls of each path under EPROF=ITEMS with those of stdin. Nothing may be
# lost or closed by force.
unset EPROF
check() {
    sort >"$work/expected"
    EPROF=$1,symbolizer=$COMMAND,csv=$work/profile "$work/program" $rounds
    awk -F, '$1 == "function" { print $3, $7 }' "$work/profile" | sort >"$work/found"
    diff -u --label "expected, EPROF=$1" --label found "$work/expected" "$work/found"
    if grep '^diagnostic' "$work/profile"; then exit 1; fi
}
for budget in off 2 1/2 1/4096; do
    check "budget=$budget" <"$work/paths"
done
grep -v leaf "$work/paths" | check 'auto=!*_leaf'
sed -n 's/^main;\(.*_step [0-9]*\)$/\1/p' "$work/paths" | check 'auto=*_step'
grep -v ';.*;' "$work/paths" | check depth=2
grep -v ';.*;.*;' "$work/paths" | check depth=3
