#!/bin/bash
# check_hooks.sh COMPILER LANGUAGE LEVEL FRAMES LINK - the subjects, built by that compiler (gcc,
# clang) as that language (c, c++) at that level of optimisation (0 to 3), with the flags that are
# documented (frames) or -finstrument-functions alone (no-frames), in a program that is linked so:
#   pie, no-pie   with the shared libraries
#   static        with the static ones
#   library       with the shared ones, and the subjects are a shared library, too
# It takes from the environment CFLAGS, INCLUDE (a directory), TESTS (the tests as an archive), and
# AUTO, EPROF, AUTO_STATIC, EPROF_STATIC (the libraries), and RUN_BY, what programs of another
# processor are run by.
set -euo pipefail
compiler=$1 language=$2 level=$3 frames=$4 link=$5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

c=$compiler driver=$compiler words=() tests=("$TESTS")
if [ "$language" = c++ ]; then
    driver=$(sed 's/gcc/g++/; s/clang/clang++/' <<<"$compiler")
    tests+=(-Wl,-u,test_throw)
fi
# Without optimisation every function has a frame pointer. gcc for aarch64 has it point below what is
# in the frame, so that it does not tell where that ends.
if [ "$frames" = no-frames ] && [ "$level" != 0 ] ||
    [[ $compiler == *gcc* && $("$compiler" -dumpmachine) == aarch64* ]]; then
    words+=(no-frames)
fi
[ "$compiler" != clang ] || words+=(no-unwinding)

flags=(-O"$level" -finstrument-functions -I "$INCLUDE" -D_GNU_SOURCE
    -Wall -Wextra -Wno-infinite-recursion -Werror)
[ "$frames" = no-frames ] || flags+=(-fno-omit-frame-pointer)
case $link in
pie | static) flags+=(-fPIE) linking=(-pie) ;;
no-pie) flags+=(-fno-pie) linking=(-no-pie) ;;
library) flags+=(-fPIC) linking=(-pie) ;;
esac

# compile LANGUAGE FILE...: into objects.
objects=()
compile() {
    local language=$1 with=$c standard=gnu11 file object
    [ "$language" = c ] || with=$driver standard=gnu++11
    shift
    for file; do
        object=$work/$file.o
        # shellcheck disable=SC2086 # flags are words
        "$with" -x "$language" -std="$standard" $CFLAGS "${flags[@]}" -c "$here/$file" -o "$object"
        objects+=("$object")
    done
}
compile "$language" plain.c jump.c thread.c signals.c mixed.c context.c throttle.c split.c
# What it does not split is not tested. In a library it does not, as another may have a function of
# that name.
if [[ $compiler == gcc && $level -ge 2 && $link != library && -z $CFLAGS ]] &&
    ! nm "$work/split.c.o" | grep -q 'split_compute\.part'; then
    echo "check_hooks.sh: gcc has split no function of split.c" >&2
    exit 1
fi
if [ "$language" = c++ ]; then
    compile c++ throw.cpp
    compile c callback.c
fi

shared=("$AUTO" "$EPROF" -Wl,-rpath,"$(dirname "$AUTO"):$(dirname "$EPROF")")
case $link in
static) libraries=("$AUTO_STATIC" "$EPROF_STATIC") ;;
library)
    # shellcheck disable=SC2086
    "$driver" $CFLAGS -shared "${objects[@]}" "${shared[@]}" -o "$work/libsubjects.so"
    objects=("$work/libsubjects.so" -Wl,-rpath,"$work")
    # the C library has hooks, too, which do nothing: the program must ask for these before
    libraries=(-Wl,--no-as-needed "${shared[@]}")
    ;;
*) libraries=("${shared[@]}") ;;
esac
# -rdynamic: functions have dynamic symbols, which a running program is named by.
# shellcheck disable=SC2086
"$driver" $CFLAGS "${linking[@]}" -rdynamic "${tests[@]}" "${objects[@]}" "${libraries[@]}" \
    -lcmocka -lpthread -o "$work/test"
unset EPROF
${RUN_BY-} "$work/test" "${words[@]}"
