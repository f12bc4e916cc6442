#!/bin/sh
# check_cmake.sh WORK C|CXX ARGUMENT... - tests that the outside project builds in WORK, with the
# given arguments, and runs with both libraries; and that its functions are profiled, by entries or
# hooks (FLAGS_OF_AUTO), and by hooks where it requests them, with and without the compiler's filter.
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
"$here/check_hooked.sh" "$work/hooked_shared" shared $functions "$FLAGS_OF_AUTO"
"$here/check_hooked.sh" "$work/hooked_static" static $functions "$FLAGS_OF_AUTO"
"$here/check_hooked.sh" "$work/with_hooks" shared $functions hooks
"$here/check_hooked.sh" "$work/filtered" shared 2 hooks
[ "$language" = CXX ] || exit 0
"$here/check_hooked.sh" "$work/template_auto" shared 5 "$FLAGS_OF_AUTO"
"$here/check_hooked.sh" "$work/template_auto_static" static 5 "$FLAGS_OF_AUTO"
