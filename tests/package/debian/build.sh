#!/bin/sh
# build.sh ROOT VERSION - the Debian packages, the source's too, are built from a copy of the sources
# in ROOT, lintian has no error to tell, and what is in them works as a program is compiled, run and
# reported with it.
set -eu
root=$1 version=$2
install=$root/tests/package/install
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || { echo "there is no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What is set for another build is not for this one.
unset DEB_BUILD_OPTIONS DEB_BUILD_PROFILES MAKEFLAGS EPROF

mkdir "$work/eprof"
tar -C "$root" --exclude=./.git --exclude=./build --exclude='./build-*' -c . | tar -C "$work/eprof" -x
cd "$work/eprof"
dpkg-checkbuilddeps || exit 77
# What a release is, and what debian/ adds to it.
tar -C .. --exclude=eprof/debian -cJf "../eprof_$version.orig.tar.xz" eprof
dpkg-buildpackage -us -uc "-j$(nproc)"
lintian --allow-root --fail-on error ../eprof_*.changes

# Beside each other as they would be installed. The manual is as it is in other installations.
for package in libeprof0 libeprof-dev eprof; do
    dpkg-deb -x "../${package}_"*.deb "$work/installed"
done
prefix=$work/installed/usr
libdir=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
gunzip "$prefix"/share/man/man*/*.gz
[ -s "$prefix/share/man/man3/eprof.3" ]

export CC=cc CXX=c++ CFLAGS='' CXXFLAGS=''
for kind in shared static; do
    "$install/check_pkg_config.sh" "$prefix" "$libdir" "$version" C "$kind"
    "$install/check_hooked_by_pkg_config.sh" "$prefix" "$libdir" "$version" C "$kind"
done
"$install/check_command.sh" "$prefix" "$libdir" "$version"
# libeprof is where the loader looks, for which a variable stands here.
LD_LIBRARY_PATH=$prefix/$libdir "$install/check_preloaded.sh" "$prefix"
