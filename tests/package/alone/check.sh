#!/bin/sh
# check.sh ROOT - runs build_and_use.sh with the tools of this machine, but without its
# optional libraries and its C++ compiler.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/no_pkgconfig"
# CMake looks for MPI by its compilers
echo 'set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON)' >"$work/no_mpi.cmake"
export CMAKE_TOOLCHAIN_FILE="$work/no_mpi.cmake"
export PKG_CONFIG_LIBDIR="$work/no_pkgconfig" CXX=false CMAKE_BUILD_TYPE=Debug # it compiles faster
"$(dirname "$0")/build_and_use.sh" "$1" "$work"
