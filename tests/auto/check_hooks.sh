#!/bin/bash
# check_hooks.sh COMPILER LANGUAGE LEVEL FRAMES LINK - builds the subjects with that compiler (gcc,
# clang), as that language (c, c++), at that level of optimisation (0 to 3), with the documented
# flags of the hooks (frames), with -finstrument-functions alone (no-frames), or with
# -fpatchable-function-entry=5 (entries), and runs the tests. LINK is the
# way to link the program:
#   pie, no-pie   with the shared libraries
#   static        with the static ones
#   library       with the shared ones, and the subjects are a shared library, too
# It takes from the environment CFLAGS, INCLUDE (a directory), TESTS (the tests as an archive), and
# AUTO, EPROF, AUTO_STATIC, EPROF_STATIC (the libraries), and RUN_BY, the command that runs programs
# of another processor.
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
# Without optimisation each function has a frame pointer. On aarch64 gcc sets it to the lower end of
# the frame, so it does not show where the frame ends.
if [ "$frames" = no-frames ] && [ "$level" != 0 ] ||
    [[ $compiler == *gcc* && $("$compiler" -dumpmachine) == aarch64* ]]; then
    words+=(no-frames)
fi
[ "$compiler" != clang ] || words+=(no-unwinding)
[ "$frames" != entries ] || words=(entries)

flags=(-O"$level" -I "$INCLUDE" -D_GNU_SOURCE
    -Wall -Wextra -Wno-infinite-recursion -Werror)
# Entries are instrumented after the optimisation: each function of the tests stays one.
case $frames in
frames) flags+=(-finstrument-functions -fno-omit-frame-pointer) ;;
no-frames) flags+=(-finstrument-functions) ;;
entries) flags+=(-fpatchable-function-entry=5 -fno-inline -fno-optimize-sibling-calls) ;;
esac
if [ "$frames" = entries ] && [ "$compiler" = gcc ]; then
    flags+=(-fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-ipa-pure-const -fno-ipa-modref
        -fno-early-inlining -fno-partial-inlining)
fi
case $link in
pie | static) flags+=(-fPIE) linking=(-pie) ;;
no-pie) flags+=(-fno-pie) linking=(-no-pie) ;;
library) flags+=(-fPIC) linking=(-pie) ;;
esac

# compile LANGUAGE FILE...: compiles the files into objects.
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
compile "$language" plain.c jump.c thread.c signals.c step.c mixed.c context.c sampled.c split.c
# If gcc does not split the function, the test is useless. In a library it does not split it, since
# another module may define a function with that name.
if [[ $compiler == gcc && $frames != entries && $level -ge 2 && $link != library && -z $CFLAGS ]] &&
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
    # the C library has empty functions of these names: so these libraries must come before it
    libraries=(-Wl,--no-as-needed "${shared[@]}")
    ;;
*) libraries=("${shared[@]}") ;;
esac
# nothing in the program refers to the library
if [ "$frames" = entries ]; then
    libraries=(-Wl,--no-as-needed "${libraries[@]}")
    [ "$link" != static ] || libraries=(-Wl,-u,ep_routine "${libraries[@]}")
fi
# -rdynamic: a running program is named by dynamic symbols, so functions need them.
# shellcheck disable=SC2086
"$driver" $CFLAGS "${linking[@]}" -rdynamic "${tests[@]}" "${objects[@]}" "${libraries[@]}" \
    -lcmocka -lpthread -o "$work/test"
unset EPROF
${RUN_BY-} "$work/test" "${words[@]}"
