#!/bin/sh
# check_objects.sh COMPILER FLAGS - tests that eprof.hpp compiles without a warning in C++11, C++17
# and C++20, and that a program built with EPROF_DISABLE refers to no symbol of the library.
set -eu
compiler=$1 flags=$2
here=$(dirname "$0")
command -v "$compiler" >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
    # shellcheck disable=SC2086 # flags are words
    "$compiler" -x c++ $flags -I "$here/../../../include" -Wall -Wextra -pedantic -Wshadow -Werror "$@"
}

for standard in 11 17 20; do
    for level in -O0 -O2; do
        compile -std=c++$standard $level -c -o /dev/null "$here/every_object.cpp"
        compile -std=c++$standard $level -fno-exceptions -fno-rtti -c -o /dev/null \
            "$here/every_object.cpp"
        compile -std=c++$standard $level -DEPROF_DISABLE -c -o "$work/object.o" \
            "$here/every_object.cpp"
        if nm -u "$work/object.o" | grep -E ' eprof_'; then
            echo "$compiler $standard $level: the symbols above are still needed"
            exit 1
        fi
        # shellcheck disable=SC2086
        "$compiler" $flags -o "$work/object" "$work/object.o"
        "$work/object"
    done
done

# An object that ends at once is a mistake.
if [ "$("$compiler" -dumpversion | cut -d. -f1)" -ge 10 ] &&
    echo '#include <eprof.hpp>
void f(const eprof::site &site) { eprof::scope{site}; }' |
    compile -std=c++17 -c -o /dev/null - 2>"$work/said"; then
    echo "$compiler does not warn of a scope without a name"
    exit 1
fi
