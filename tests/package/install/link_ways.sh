# link_ways.sh - all ways to link a program: compilers, linkers, with and without PIE, with the
# libraries before and after the objects, and with --as-needed, which leaves out libraries that no
# earlier object needs (the default of some distributions).
# shellcheck shell=sh

# compilers GIVEN OTHER...: prints those that are installed and compile for the machine of the first
# one.
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

# has_linker WORK FLAGS COMPILER LINKER: whether the compiler finds the linker, and the linker
# supports the machine.
has_linker() {
    echo 'int main(void) { return 0; }' >"$1/empty.c"
    # shellcheck disable=SC2086 # flags are words
    $3 $2 $4 -x c "$1/empty.c" -o "$1/empty" 2>/dev/null
}

# link_each_way WORK FLAGS LIBS PIES COMPILER COMMAND...: links WORK/object.o in each way, and runs
# the command with the program as its last argument.
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
