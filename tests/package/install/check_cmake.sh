#!/bin/sh
# check_cmake.sh WORK C|CXX ARGUMENT... - tests that the outside project builds in WORK, with the
# given arguments, and runs with both libraries; and that a project with hooks does too, where the
# compiler's filter reduces the hooks.
set -eu
work=$1 language=$2
shift 2
here=$(dirname "$0")

rm -rf "$work"
cmake -S "$here/outside" -B "$work" -DLANGUAGE="$language" "$@"
cmake --build "$work"
"$here/check_program.sh" "$work/with_shared" shared
"$here/check_program.sh" "$work/with_static" static
case $language in
C) functions=2 ;;
CXX) functions=3 ;;
esac
"$here/check_hooked.sh" "$work/hooked_shared" shared $functions
"$here/check_hooked.sh" "$work/hooked_static" static $functions
"$here/check_hooked.sh" "$work/filtered" shared 2
