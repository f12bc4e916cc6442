#!/bin/sh
# build.sh ROOT VERSION - tests that the Debian source package can be made of a copy of the sources in
# ROOT, and the packages of the unpacked source package, that lintian reports no error, and that a
# program can be compiled, run and reported with the content of the packages.
set -eu
root=$1 version=$2
install=$root/tests/package/install
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || { echo "there is no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Settings for another build must not affect this one.
unset DEB_BUILD_OPTIONS DEB_BUILD_PROFILES MAKEFLAGS EPROF

"$(dirname "$0")/copy_sources.sh" "$root" "$work" "$version"
cd "$work/eprof"
dpkg-checkbuilddeps || exit 77
dpkg-buildpackage -S -us -uc
dpkg-source -x "../eprof_$version"-*.dsc ../unpacked
cd ../unpacked
dpkg-buildpackage -b -us -uc "-j$(nproc)"
lintian --allow-root --fail-on error ../eprof_*.changes

# The packages are unpacked together, as if they were installed. The manual is the same as in other
# installations.
for package in libeprof0 libeprof-dev libeprof-mpi0 libeprof-mpi-dev eprof; do
    dpkg-deb -x "../${package}_"*.deb "$work/installed"
done
prefix=$work/installed/usr
libdir=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
gunzip "$prefix"/share/man/man*/*.gz

export CC=cc CXX=c++ CFLAGS='' CXXFLAGS='' FLAGS_OF_AUTO=hooks
[ "$(dpkg-architecture -qDEB_HOST_ARCH)" != amd64 ] || FLAGS_OF_AUTO=entries
for kind in shared static; do
    "$install/check_pkg_config.sh" "$prefix" "$libdir" "$version" C "$kind"
    "$install/check_hooked_by_pkg_config.sh" "$prefix" "$libdir" "$version" C "$kind"
done
"$install/check_command.sh" "$prefix" "$libdir" "$version" with
"$install/check_mpi.sh" "$prefix" "$libdir" "$root/tests/mpi/plain.c" mpicc.openmpi mpirun.openmpi
# This variable replaces the search path of the loader for installed libraries.
LD_LIBRARY_PATH=$prefix/$libdir "$install/check_preloaded.sh" "$prefix"
