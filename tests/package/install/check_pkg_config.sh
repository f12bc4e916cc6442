#!/bin/sh
# check_pkg_config.sh PREFIX LIBDIR VERSION C|CXX shared|static - tests that a program builds with
# the flags of pkg-config for the package in PREFIX, and runs, in each way of linking.
set -eu
prefix=$1 libdir=$1/$2 version=$3 language=$4 kind=$5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$libdir/pkgconfig"

[ "$(pkg-config --modversion eprof)" = "$version" ]
. "$here/link_ways.sh"
case $kind in
shared) libs=$(pkg-config --libs eprof) pies="-pie -no-pie" ;;
static) libs=$(pkg-config --static --libs eprof) pies=-static ;;
esac
case $language in
C) flags=$CFLAGS source=$here/outside/main.c all=$(compilers "$CC" gcc clang) ;;
CXX) flags=$CXXFLAGS source=$here/outside/main.cpp all=$CXX ;;
esac

check() {
    LD_LIBRARY_PATH=$libdir "$here/check_program.sh" "$1" "$kind"
}
for compiler in $all; do
    # shellcheck disable=SC2046,SC2086 # flags are words
    $compiler $flags $(pkg-config --cflags eprof) -fPIE -c "$source" -o "$work/object.o"
    link_each_way "$work" "$flags" "$libs" "$pies" "$compiler" check
done
