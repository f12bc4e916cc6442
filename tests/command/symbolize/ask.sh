# ask.sh - functions for scripts that ask `eprof symbolize`; it uses those of expect.sh. A script
# that sources it is called with CASE EPROF CC CXX [MACHINE]; MACHINE (-m32) is for the compilers.
# shellcheck shell=bash disable=SC2154 # what expect.sh sets
cc=$3 cxx=$4 machine=${5-}
cp "$here"/symbolize/functions.* .
# The other parts of each request.
build_id='' modified=0 options=()

# build FILE OPTION...: builds the program in C, or, with build_cxx, in C++; with debug information.
build() {
    # shellcheck disable=SC2086 # no word where there is none
    "$cc" $machine -g "${@:2}" functions.c -o "$1" 2>err || fail "cannot build $*"
}
build_cxx() {
    # shellcheck disable=SC2086
    "$cxx" $machine -g "${@:2}" functions.cpp -o "$1" 2>err || fail "cannot build $*"
}
is_by_clang() {
    "$cc" -dM -E - </dev/null | grep -q __clang__
}

# address FILE SYMBOL: the address in the symbol table of the linker; SYMBOL may be a pattern.
address() {
    nm "$1" | awk -v symbol="^$2\$" '$NF ~ symbol && $2 ~ /^[tTwWi]$/ { print $1; exit }'
}

# module FILE: begins a request.
module() {
    printf 'M\0%s\0%s\0%s\0' "$1" "$build_id" "$modified" >>request
}
function_at() {
    printf 'A\0%s\0' "$1" >>request
}
# ask: sends the file `request`, and writes the answer to out, one field on each line.
ask() {
    try "$eprof" symbolize "${options[@]}" <request
    tr '\0' '\n' <out >lines
    mv lines out
    rm request
}

# names_are FILE SYMBOLS, with lines SYMBOL|NAME[|WORDS] on stdin: the functions of FILE, whose
# addresses are taken from SYMBOLS, must have these names. They must be declared in the source file
# `source`, on the line with the comment WORDS (default NAME), or `below` lines below it. If
# `source` is empty, their place must be unknown.
source=functions.c below=0
names_are() {
    printf 'M\n\n' >expected
    module "$1"
    while IFS='|' read -r symbol name words; do
        place=$(address "$2" "$symbol")
        [ -n "$place" ] || fail "$2 has no $symbol"
        function_at "$place"
        printf 'A\n%s\n%s\n' "$name" "${source:+$work/$source}" >>expected
        if [ "$source" ]; then
            line=$(grep -nF "/* ${words:-$name} */" "$source" | cut -d: -f1)
            echo $((line + below)) >>expected
        else
            echo 0 >>expected
        fi
    done
    echo E >>expected
    ask
    status_is 0
    is_empty err
    diff expected out >differences || {
        cat differences
        fail "the names in $1 differ (<: expected)"
    }
}

id_of() {
    readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# Strips FILE: the removed parts go to FILE.debug; FILE.whole is a copy with all parts.
strip_debug() {
    cp "$1" "$1.whole"
    objcopy --only-keep-debug "$1" "$1.debug"
    strip "$1"
}
