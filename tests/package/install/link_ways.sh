# link_ways.sh - every way to link a program in: compilers, linkers, with and without PIE, with the
# libraries before the objects and behind them, and where all libraries are left out that nothing
# has asked for yet (as distributions have it by default).
# shellcheck shell=sh

# compilers GIVEN OTHER...: those that are there and compile for the machine of the first.
compilers() {
    machine=$($1 -dumpmachine)
    echo "$1"
    for other in "$@"; do
        [ "$other" != "$(basename "$1")" ] && [ "$other" != "$1" ] &&
            theirs=$("$other" -dumpmachine 2>/dev/null) && [ "${theirs%%-*}" = "${machine%%-*}" ] &&
            echo "$other"
    done
    true
}

# has_linker WORK FLAGS COMPILER LINKER: whether the compiler finds it, and it knows the machine.
has_linker() {
    echo 'int main(void) { return 0; }' >"$1/empty.c"
    # shellcheck disable=SC2086 # flags are words
    $3 $2 $4 -x c "$1/empty.c" -o "$1/empty" 2>/dev/null
}

# link_each_way WORK FLAGS LIBS PIES COMPILER COMMAND...: the command, behind it the program, for
# each way of linking WORK/object.o.
link_each_way() {
    work=$1 flags=$2 libs=$3 pies=$4 compiler=$5
    shift 5
    for linker in '' -fuse-ld=bfd -fuse-ld=gold -fuse-ld=lld; do
        has_linker "$work" "$flags" "$compiler" "$linker" || continue
        for pie in $pies; do
            for words in "$libs $work/object.o" "$work/object.o $libs"; do
                echo "== $compiler $linker $pie $words"
                # shellcheck disable=SC2086 # flags are words
                $compiler $flags $linker $pie -Wl,--as-needed $words -o "$work/program"
                "$@" "$work/program"
            done
        done
    done
}
