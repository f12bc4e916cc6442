#!/bin/bash
# check_entries.sh COMPILER LANGUAGE WORD... - builds a program with entries with that compiler (gcc,
# clang), as that language (c, c++), patches its entries, and tests that each function is found and
# entered as often as expected, and that the program's output is that of one without entries.
# Words:
#   bfd, gold, lld             the linker; default: that of the compiler
#   no-pie, static, static-pie
#   inside                     the patching code is in the program, as with static libraries
#   gc, lto, stripped, cf-full, cf-none, no-unwinding, O0, O1, O3
#   no-sections                the program has no table of sections
#   large                      1,000 functions in place of the usual ones
#   library                    with a shared library, which opens others
#   half, denied, busy, undo   ENTRIES of the driver (entries_driver.c)
# It takes from the environment CFLAGS, SOURCE (src/) and LAYERS (the directories of its headers).
set -euo pipefail
compiler=$1 language=$2
shift 2
words=" $* "
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

has() {
    local word
    for word; do [[ $words == *" $word "* ]] && return; done
    return 1
}
skip() {
    echo "$1 is missing" >&2
    exit 77
}

c=$compiler driver=$compiler
if [ "$language" = c++ ]; then
    driver=$(sed 's/gcc/g++/; s/clang/clang++/' <<<"$compiler")
fi
plain=(-O2 -g -Wall -Wextra -Werror -I "$here") linking=()
for word in $words; do
    case $word in
    bfd | gold | lld)
        command -v ld."$word" >/dev/null || skip "ld.$word"
        linking+=(-fuse-ld="$word")
        ;;
    no-pie) plain+=(-fno-pie) linking+=(-no-pie) ;;
    static) plain+=(-fno-pie) linking+=(-static) ;;
    static-pie) plain+=(-fPIE) linking+=(-static-pie) ;;
    gc) plain+=(-ffunction-sections) linking+=("-Wl,--gc-sections") ;;
    lto) plain+=(-flto) linking+=(-flto) ;;
    cf-full) plain+=(-fcf-protection=full) ;;
    cf-none) plain+=(-fcf-protection=none) ;;
    no-unwinding) plain+=(-fno-asynchronous-unwind-tables) ;;
    O?) plain+=(-"$word") ;;
    library) plain+=(-DWITH_LIBRARY) ;;
    esac
done
has no-pie static static-pie || plain+=(-fPIE) linking+=(-pie)
[ "$language" = c ] || plain+=(-DWITH_TEMPLATE)
# clang would otherwise call a linker that cannot read its objects
[ "$compiler" != clang ] || ! has lto || has lld || linking+=(-fuse-ld=lld)

# ---- the code that patches, which has no entries ----

mkdir "$work/driver"
patching=()
for file in "$SOURCE"/auto/{entries,patch,patch_modules}.c "$here/entries_driver.c"; do
    # shellcheck disable=SC2086 # flags are words
    "$c" -std=gnu11 -D_GNU_SOURCE $CFLAGS -O2 -fPIC -I "$SOURCE" -I "$LAYERS" -c "$file" \
        -o "$work/driver/$(basename "$file").o"
    patching+=("$work/driver/$(basename "$file").o")
done
if ! has static static-pie inside; then
    # shellcheck disable=SC2086
    "$c" $CFLAGS -shared "${patching[@]}" -lpthread -o "$work/libdriver.so"
    patching=("-Wl,--no-as-needed" "$work/libdriver.so" "-Wl,-rpath,$work")
fi

# ---- the program, twice ----

generate() {
    local object
    echo 'int main(void) {' >"$work/main.c"
    for object in 1 2 3 4; do
        echo "void run_$object(void); run_$object();" >>"$work/main.c"
        awk -v object="$object" 'BEGIN {
            print "#include \"entries_program.h\"\n#define F(n) static ENTERED int f_" object \
                "_##n(int i) { __asm__ volatile(\"\" : \"+r\"(i)); return i + n; }"
            for (i = 0; i < 250; i++) print "F(" i ")"
            print "void run_" object "(void); void run_" object "(void) {"
            for (i = 0; i < 250; i++) print "f_" object "_" i "(1);"
            print "}" }' >"$work/part_$object.c"
    done
    echo '}' >>"$work/main.c"
}

# compile DIRECTORY LANGUAGE FILE FLAG...: compiles the file into the directory.
compile() {
    local to=$1 as=$2 file=$3 with=$driver standard=gnu++11
    shift 3
    [ "$as" != c ] || with=$c standard=gnu11
    # shellcheck disable=SC2086
    "$with" -x "$as" -std="$standard" -D_GNU_SOURCE $CFLAGS "${plain[@]}" "$@" -c "$file" \
        -o "$to/$(basename "$file").o"
}

# share OUTPUT OBJECT FLAG...: links a shared library.
share() {
    # shellcheck disable=SC2086
    "$c" $CFLAGS "${linking[@]/#-*pie/-shared}" -shared "${@:2}" -lpthread -o "$1"
}

# build DIRECTORY FLAG...: builds the program there.
build() {
    local to=$1 file objects=() files=("$here/entries_program.c")
    shift
    mkdir "$to"
    ! has large || files=("$work"/main.c "$work"/part_?.c)
    for file in "${files[@]}"; do
        compile "$to" "$language" "$file" "$@"
    done
    if [ "$language" = c++ ]; then
        compile "$to" c++ "$here/entries_first.cpp" "$@"
        compile "$to" c++ "$here/entries_second.cpp" "$@"
    fi
    objects=("$to"/*.o)
    if has library; then
        mkdir "$to/plugins"
        compile "$to" c "$here/entries_library.c" -fPIC "$@"
        compile "$to" c "$here/entries_plugin.c" -fPIC "$@"
        # shellcheck disable=SC2016 # the loader's $
        share "$to/library.so" "$to/entries_library.c.o" -Wl,--enable-new-dtags,-rpath,'$ORIGIN/plugins'
        share "$to/plugins/plugin.so" "$to/entries_plugin.c.o"
        objects+=(-rdynamic "$to/library.so" "-Wl,-rpath,$to")
    fi
    # first, so that it shares pages with the program's functions if it is inside
    [ "$to" = "$work/plain" ] || objects=("${patching[@]}" "${objects[@]}")
    # shellcheck disable=SC2086
    "$driver" $CFLAGS "${linking[@]}" "${objects[@]}" -lpthread -o "$to/program"
    cp "$to/program" "$to/with_symbols"
    ! has stripped || strip "$to/program"
    # e_shoff, e_shnum, e_shstrndx
    ! has no-sections || for place in 40:8 60:4; do
        dd if=/dev/zero of="$to/program" bs=1 seek=${place%:*} count=${place#*:} conv=notrunc status=none
    done
}
! has large || generate
has large || build "$work/plain"
build "$work/entries" -fpatchable-function-entry=5

# ---- runs ----

arguments=()
! has library || arguments=(plugin.so)
mode=
for word in half denied busy undo; do
    ! has $word || mode=$word
done
has large || "$work/plain/program" "${arguments[@]}" >"$work/expected_output"
ENTRIES=$mode ENTRIES_LOG=$work/log "$work/entries/program" "${arguments[@]}" >"$work/output" ||
    { status=$?; [ $status != 77 ] || skip seccomp; echo "exit status $status"; exit 1; }
has large || diff -u "$work/expected_output" "$work/output"

# names MODULE FILE: prints the lines of the log for that module, with names.
names() {
    nm -C "$2" | awk -v module="$1" '
        FNR == NR { if ($2 ~ /^[tTwW]$/) { sub(/<?(int>)?\(.*/, ""); name[$1] = $NF }
                    next }
        $1 == module { print $1, $2 in name ? name[$2] : $2, $3 }' - "$work/log"
}
{
    names program "$work/entries/with_symbols"
    ! has library || names library.so "$work/entries/library.so"
    ! has library || names plugin.so "$work/entries/plugins/plugin.so"
    grep -E '^(report|opened|undo|writable) ' "$work/log"
} | sed -E 's/\.(lto_priv|isra|part)\.[0-9]+//' |
    sort >"$work/found"

# ---- what is expected ----

{
    if has large; then
        echo program main 1
        for object in 1 2 3 4; do
            echo "program run_$object 1"
            for i in {0..249}; do echo "program f_${object}_$i 1"; done
        done
    else
        echo program main 1
        echo program program_construct 1
        echo program program_leaf 1000
        echo program program_recursive 10
        echo program program_variadic 1
        echo program program_floating 1
        ! nm "$work/entries/with_symbols" | grep program_never >/dev/null || echo program program_never 0
    fi
    if [ "$language" = c++ ]; then
        echo program first_use 1
        echo program second_use 1
        echo program second_helper 1
        echo program template_twice 3
    fi
    if has library; then
        echo library.so library_function 1
        echo library.so library_opens 2
        echo plugin.so plugin_construct 2
        echo plugin.so plugin_function 2
        echo plugin.so plugin_leaf 4
    fi
} >"$work/functions"
at_start=$(grep -vc '^plugin' "$work/functions")
modules=1
! has library || modules=2
start="$modules $at_start $at_start 0" opened='1 3 3 0' not_called=nothing
case $mode in
half) start="$modules $at_start $((at_start / 2)) 0" ;;
denied) start="$modules $at_start 0 13" opened='1 3 0 13' not_called=. ;; # EACCES
busy) start="$modules $at_start 0 16" not_called='program\|library' ;; # EBUSY
undo) not_called='program\|library' ;;
esac
{
    sed "/^\($not_called\)/s/[0-9]*\$/0/" "$work/functions"
    echo "report $start"
    ! has library || printf 'opened %s\n' "$opened" "$opened"
} | sort >"$work/expected"
if [ "$mode" = half ]; then # which half is called depends on the order of the functions
    sed -i '/^report/!d' "$work/expected" "$work/found"
fi
diff -u "$work/expected" "$work/found"
