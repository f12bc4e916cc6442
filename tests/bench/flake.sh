#!/bin/sh
# flake.sh [shared|static] [OPTION]... - measures the cost of scopes in a ray tracer with ten
# million calls, as one table: for gcc and clang, if they are installed, each at -O2 and -O3. In the
# lines "dropped" and "kept" each ray from the camera is in a hold. The library is built by the same
# compiler, as for an installation. The options are those of eprof_flake_cost: -n ROUNDS (15), -s
# PIXELS (750).
set -eu
linkage=shared
case ${1-} in
shared | static)
    linkage=$1
    shift
    ;;
esac
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build_library COMPILER: installs it under $work/COMPILER, with the include directory.
build_library() {
    cmake -S "$root" -B "$work/$1/build" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$work/$1" -DCMAKE_INSTALL_LIBDIR=lib \
        -DEPROF_BUILD_TESTS=OFF -DEPROF_BUILD_EXAMPLES=OFF -DEPROF_BUILD_BENCH=OFF
    cmake --build "$work/$1/build"
    cmake --install "$work/$1/build"
}

# build_flake COMPILER LEVEL VARIANT [FLAG]...
build_flake() {
    compiler=$1 level=$2 variant=$3
    shift 3
    "$compiler" -std=c11 -ffp-contract=off "$level" -I"$work/$compiler/include" \
        "$root/examples/flake.c" -o "$work/$compiler$level-$variant" "$@" -lm
}

# library COMPILER: prints the flags to link with it.
library() {
    case $linkage in
    shared) echo "-L$work/$1/lib -Wl,-rpath,$work/$1/lib -leprof" ;;
    static) echo "$work/$1/lib/libeprof.a -pthread" ;;
    esac
}

driver= builds=
for compiler in gcc clang; do
    command -v "$compiler" >"$work/path" || continue
    build_library "$compiler" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    if [ -z "$driver" ]; then
        driver=$work/eprof_flake_cost
        "$compiler" -std=c11 -D_GNU_SOURCE -O2 "$root/tests/bench/flake_cost.c" -o "$driver"
    fi
    for level in -O2 -O3; do
        build_flake "$compiler" "$level" none -DEPROF_DISABLE
        build_flake "$compiler" "$level" raw -DFLAKE_RAW
        # shellcheck disable=SC2046 # the library's flags are words of their own
        build_flake "$compiler" "$level" ours $(library "$compiler")
        # shellcheck disable=SC2046
        build_flake "$compiler" "$level" dropped -DFLAKE_HOLD=1000000000 $(library "$compiler")
        # shellcheck disable=SC2046
        build_flake "$compiler" "$level" kept -DFLAKE_HOLD=0 $(library "$compiler")
        one=$work/$compiler$level
        builds="$builds $compiler$level $one-none $one-raw $one-ours"
        for hold in dropped kept; do
            builds="$builds $compiler$level,$hold $one-none $one-raw $one-$hold"
        done
    done
done
[ -n "$builds" ] || {
    echo "flake.sh: neither gcc nor clang is here" >&2
    exit 1
}
# shellcheck disable=SC2086 # the builds are words of their own
"$driver" "$@" $builds
