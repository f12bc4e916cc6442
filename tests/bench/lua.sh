#!/bin/bash
# lua.sh [-n ROUNDS] [-t TIMES] - measures what automatic instrumentation costs the interpreter of
# Lua 5.4, whose functions are brief
#
# The interpreter is Debian's, built by gcc -O2: plain, with hooks that only return, and with the
# documented flags. It runs a script TIMES times (6): about 0.95 million calls of its functions
# each time. The ways take turns; the figures are medians of the rounds (11). On a busy machine
# compare processor times.
#
#   plain    no profiler
#   empty    hooks that only return
#   off      EPROF=off
#   counted  one call in 4,096 is timed
#   ours     the default budget; as all ways, without a report
#   every    each call timed
#   entries  function entries in place of hooks (x86-64), with the default budget
#   e-off    the same with EPROF=off
#   gprof    built with -pg
#   uftrace  the same program, recorded by "uftrace record", if that is installed; its processor time
#            includes that of its recorder
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=11 times=6
while getopts n:t: option; do
    case $option in
    n) rounds=$OPTARG ;;
    t) times=$OPTARG ;;
    *) exit 2 ;;
    esac
done
unset EPROF

cat >"$work/script.lua" <<'LUA'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
for round = 1, tonumber(arg[1]) do
    fib(18)
    local t = {}
    for i = 1, 4000 do t[i] = i * 7919 % 4001 end
    table.sort(t)
    local parts = {}
    for i = 1, 2000 do parts[#parts + 1] = tostring(t[i]) .. "," end
    local count = 0
    for word in string.gmatch(table.concat(parts), "%d+") do count = count + #word end
    local made = setmetatable({}, {__index = function(_, k) return k .. "x" end})
    for i = 1, 2000 do local _ = made["k" .. i % 100] end
end
LUA

# shellcheck source=tests/bench/library.sh
. "$root/tests/bench/library.sh" # build_library, flags, ours, empty
{ build_library && "$root/tests/real/fetch.sh" lua5.4 "$work/source" >>"$work/log" 2>&1; } ||
    { tail -5 "$work/log" >&2 && exit 1; }
cd "$work"/source/lua5.4-*/src
rm luac.c # another program
echo '#define DEB_HOST_MULTIARCH "any"' >lua5.4-deb-multiarch.h # Debian's build makes it

# build NAME FLAGS LIBRARIES
build() {
    # shellcheck disable=SC2086 # words
    gcc -O2 -DLUA_USE_POSIX -I. $2 ./*.c -o "$work/$1" -lm $3 2>/dev/null
}
build plain "" ""
build empty "$flags" "$empty"
build ours "$flags" "$ours"
build entries "$entry_flags" "$ours"
build gprof -pg ""

ways="plain empty off counted ours every entries e-off gprof"
[ -z "$(command -v uftrace)" ] || ways+=" uftrace"

# run WAY PROGRAM ITEMS [RECORDER]: appends the way, its wall time and its processor time in ms.
# shellcheck disable=SC2086 # the recorder is words
run() {
    local TIMEFORMAT='%R %U %S' took
    took=$({ time EPROF=$3 ${4-} "$work/$2" "$work/script.lua" "$times" >/dev/null; } 2>&1)
    echo "$1 $took" | awk '{ print $1, $2 * 1000, ($3 + $4) * 1000 }' >>"$work/figures"
}

median() {
    sort -n | awk '{ of[NR] = $1 } END { print of[int((NR + 1) / 2)] }'
}

for ((round = 0; round < rounds; round++)); do
    run plain plain ""
    run empty empty ""
    run off ours off
    run counted ours quiet,budget=1/4096
    run ours ours quiet
    run every ours quiet,budget=off
    run entries entries quiet
    run e-off entries off
    run gprof gprof ""
    [[ $ways != *uftrace* ]] || run uftrace gprof "" "uftrace record --no-event -d $work/trace"
    for way in entries ours; do
        EPROF=csv=$work/rows "$work/$way" "$work/script.lua" "$times"
        awk -F, '$3 == "main" { print $11 / 1e6 }' "$work/rows" >>"$work/main.$way"
    done
done
awk -F, '$1 == "function" { calls += $7; paths++ } END { print calls " calls on " paths " paths" }' \
    "$work/rows"
printf '%-8s %9s %9s\n' way "wall, ms" "cpu, ms"
for way in $ways; do
    printf '%-8s %9.0f %9.1f\n' "$way" "$(awk -v w="$way" '$1 == w { print $2 }' "$work/figures" | median)" \
        "$(awk -v w="$way" '$1 == w { print $3 }' "$work/figures" | median)"
done
for way in ours entries; do
    printf 'reported for main, %s: %.0f ms\n' "$way" "$(median <"$work/main.$way")"
done
