#!/bin/sh
# check_cmake.sh WORK C|CXX ARGUMENT... - the outside project builds in WORK, given
# the arguments, and runs with both libraries.
set -eu
work=$1 language=$2
shift 2
here=$(dirname "$0")

rm -rf "$work"
cmake -S "$here/outside" -B "$work" -DLANGUAGE="$language" "$@"
cmake --build "$work"
"$here/check_program.sh" "$work/with_shared" shared
"$here/check_program.sh" "$work/with_static" static
