#!/bin/sh
# check_mpi.sh PREFIX LIBDIR PROGRAM MPICC MPIEXEC CMAKE_OPTION... - tests that an MPI program without a
# line of libeprof is profiled as a job if it is built with the flags of pkg-config, with the target of
# CMake, or not at all. PROGRAM is its source.
set -eu
prefix=$1 libdir=$1/$2 source=$3 mpicc=$4 mpiexec=$5
shift 5
eprof=$prefix/bin/eprof
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# check PROGRAM [NAME=VALUE]: two ranks.
check() {
    program=$1
    shift
    EPROF=quiet "$mpiexec" -n 2 env "$@" "./$program"
    "$eprof" report -f csv "$program.mpi.eprof" | grep -q '^scope,MPI_Allreduce,.*,ns,,2,' ||
        { echo "$program: there is no such profile"; exit 1; }
}

# shellcheck disable=SC2046 # flags are words
"$mpicc" "$source" -o by_pkg_config $(pkg-config --cflags --libs eprof-mpi)
check by_pkg_config
"$mpicc" "$source" -o preloaded
check preloaded LD_PRELOAD="$libdir/libeprof-mpi.so.0"
mkdir project
cp "$source" project/main.c
cat >project/CMakeLists.txt <<'PROJECT'
cmake_minimum_required(VERSION 3.18)
project(outside LANGUAGES C)
find_package(MPI REQUIRED COMPONENTS C)
find_package(eprof REQUIRED)
add_executable(by_cmake main.c)
target_link_libraries(by_cmake PRIVATE eprof::mpi MPI::MPI_C)
PROJECT
cmake -S project -B . -DCMAKE_PREFIX_PATH="$prefix" -DMPI_C_COMPILER="$mpicc" "$@" >cmake.log ||
    { cat cmake.log; exit 1; }
cmake --build .
check by_cmake
