#!/bin/sh
# check_pkg_config.sh PREFIX LIBDIR VERSION C|CXX shared|static - a program builds
# with what pkg-config says of the package in PREFIX, and runs.
set -eu
prefix=$1 libdir=$1/$2 version=$3 language=$4 kind=$5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$libdir/pkgconfig"

[ "$(pkg-config --modversion eprof)" = "$version" ]
case $kind in
shared) libs=$(pkg-config --libs eprof) ;;
static) libs="-static $(pkg-config --static --libs eprof)" ;;
esac
# shellcheck disable=SC2046,SC2086 # flags are words
case $language in
C) $CC $CFLAGS $(pkg-config --cflags eprof) "$here/outside/main.c" -o "$work/main" $libs ;;
CXX) $CXX $CXXFLAGS $(pkg-config --cflags eprof) "$here/outside/main.cpp" -o "$work/main" $libs ;;
esac
LD_LIBRARY_PATH=$libdir "$here/check_program.sh" "$work/main" "$kind"
