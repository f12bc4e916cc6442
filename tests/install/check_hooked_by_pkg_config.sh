#!/bin/sh
# check_hooked_by_pkg_config.sh PREFIX LIBDIR VERSION C|CXX shared|static - a program has its
# functions profiled by what pkg-config says of eprof-auto, with and without the compiler's filter.
set -eu
prefix=$1 libdir=$1/$2 version=$3 language=$4 kind=$5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"

case $language in
C) compiler=$CC flags=$CFLAGS source=$here/outside/hooked.c functions=2 ;;
CXX) compiler=$CXX flags=$CXXFLAGS source=$here/outside/hooked.cpp functions=3 ;;
esac
case $kind in
shared) libs=$(pkg-config --libs eprof-auto) ;;
static) libs="-static $(pkg-config --static --libs eprof-auto)" ;;
esac
case $($compiler --version) in
*clang*) filter=clang_filter ;;
*) filter=gcc_filter ;;
esac

# build NAME FLAG...
build() {
    name=$1
    shift
    # shellcheck disable=SC2046,SC2086 # flags are words
    $compiler $flags -O2 $(pkg-config --cflags eprof-auto) "$@" "$source" -o "$work/$name" $libs
}

[ "$(pkg-config --modversion eprof-auto)" = "$version" ]
build hooked
"$here/check_hooked.sh" "$work/hooked" "$kind" "$functions"
filters=$(pkg-config --variable=$filter eprof-auto)
[ -n "$filters" ]
# shellcheck disable=SC2086 # flags are words
build filtered $filters
"$here/check_hooked.sh" "$work/filtered" "$kind" 2
