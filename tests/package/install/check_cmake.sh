#!/bin/sh
# check_cmake.sh WORK LANGUAGES ARGUMENT... - tests, for each of LANGUAGES (C, CXX), that the outside
# project builds in WORK, with the given arguments, and runs with both libraries; and that its
# functions are profiled, by entries or hooks (FLAGS_OF_AUTO), and by hooks where it requests them,
# with and without the compiler's filter.
set -eu
work=$1 languages=$2
shift 2
here=$(dirname "$0")

rm -rf "$work"
for language in $languages; do
    # A configuration of its own for each language; the objects of libeprof are compiled once.
    rm -rf "$work/CMakeCache.txt" "$work/CMakeFiles"
    cmake -S "$here/outside" -B "$work" -DLANGUAGE="$language" "$@"
    cmake --build "$work"
    "$here/check_program.sh" "$work/with_shared" shared
    "$here/check_program.sh" "$work/with_static" static
    case $language in
    C) functions=2 ;;
    CXX) functions=3 ;;
    esac
    "$here/check_hooked.sh" "$work/hooked_shared" shared $functions "$FLAGS_OF_AUTO"
    "$here/check_hooked.sh" "$work/hooked_static" static $functions "$FLAGS_OF_AUTO"
    "$here/check_hooked.sh" "$work/with_hooks" shared $functions hooks
    "$here/check_hooked.sh" "$work/filtered" shared 2 hooks
    [ "$language" = CXX ] || continue
    "$here/check_hooked.sh" "$work/template_auto" shared 5 "$FLAGS_OF_AUTO"
    "$here/check_hooked.sh" "$work/template_auto_static" static 5 "$FLAGS_OF_AUTO"
done
