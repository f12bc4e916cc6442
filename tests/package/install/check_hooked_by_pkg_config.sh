#!/bin/sh
# check_hooked_by_pkg_config.sh PREFIX LIBDIR VERSION C|CXX shared|static - tests that the functions
# of a program are profiled with the flags of pkg-config for eprof-auto, which are those of entries
# or of hooks (FLAGS_OF_AUTO), and with hooks, with and without the compiler's filter.
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
shared) libs=$(pkg-config --libs eprof-auto) pie= ;;
static) libs=$(pkg-config --static --libs eprof-auto) pie=-static ;;
esac
case $($compiler --version) in
*clang*) filter=clang_filter ;;
*) filter=gcc_filter ;;
esac

# build NAME ORDER FLAG...
build() {
    name=$1 order=$2
    shift 2
    # shellcheck disable=SC2086 # flags are words
    $compiler $flags -O2 $(pkg-config --cflags eprof) "$@" -c "$source" -o "$work/$name.o"
    case $order in
    before) words="$libs $work/$name.o" ;;
    after) words="$work/$name.o $libs" ;;
    esac
    # shellcheck disable=SC2086
    $compiler $flags $pie -Wl,--as-needed $words -o "$work/$name"
}

[ "$(pkg-config --modversion eprof-auto)" = "$version" ]
filters=$(pkg-config --variable=$filter eprof-auto)
default=$(pkg-config --cflags eprof-auto)
hooks=$(pkg-config --variable=hook_cflags eprof-auto)
[ -n "$filters" ]
default_functions=$functions
[ "$FLAGS_OF_AUTO" != entries ] || default_functions=2 # the compiler inlines the operator
for order in before after; do
    echo "== libraries $order the objects"
    # shellcheck disable=SC2086 # flags are words
    build default $order $default
    "$here/check_hooked.sh" "$work/default" "$kind" "$default_functions" "$FLAGS_OF_AUTO"
    # shellcheck disable=SC2086
    build hooked $order $hooks
    "$here/check_hooked.sh" "$work/hooked" "$kind" "$functions" hooks
    # shellcheck disable=SC2086
    build filtered $order $hooks $filters
    "$here/check_hooked.sh" "$work/filtered" "$kind" 2 hooks
done
# gold does not read the script that is in --libs.
if [ "$kind" = shared ] && command -v ld.gold >/dev/null; then
    # shellcheck disable=SC2086,SC2046 # flags are words
    $compiler $flags -O2 $hooks "$source" -fuse-ld=gold -Wl,--as-needed \
        $(pkg-config --variable=hook_libs eprof-auto) -o "$work/gold"
    "$here/check_hooked.sh" "$work/gold" shared "$functions" hooks
fi

[ "$language" = CXX ] || exit 0
for linker in bfd lld; do
    case $linker,$(command -v ld.lld) in lld,) continue ;; esac
    # shellcheck disable=SC2086
    $compiler $flags -O2 $default "$here"/outside/template.cpp "$here"/outside/template_other.cpp \
        $pie -fuse-ld=$linker $libs -o "$work/template_$linker"
    "$here/check_hooked.sh" "$work/template_$linker" "$kind" 5 "$FLAGS_OF_AUTO"
done
