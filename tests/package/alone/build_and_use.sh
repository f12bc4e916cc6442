#!/bin/sh
# build_and_use.sh ROOT WORK - tests that a copy of the sources in ROOT, which it makes in WORK, needs a
# C compiler and CMake only: by the first command of README.md, without the optional libraries, which
# must not be found, it is built and installed, and a program can be compiled, recorded and reported.
# The configuration and the command say what is left out, in one line each.
set -eu
root=$1 work=$2
cc=${CC-cc}
unset EPROF
export LC_ALL=C.UTF-8

fail() {
    echo "$*"
    exit 1
}

# says FILE LINES PATTERN: the file contains so many lines like the pattern, an extended regular
# expression.
says() {
    found=$(grep -cE -- "$3" "$1" || true)
    [ "$found" = "$2" ] || { tail -n 40 "$1" && fail "$found lines in place of $2 like: $3"; }
}

mkdir "$work/sources"
tar -C "$root" --exclude=./.git --exclude=./build --exclude='./build-*' -c . | tar -C "$work/sources" -x
cd "$work/sources"
command=$(grep '^cmake -B build && .* --prefix ~/\.local$' README.md)
export HOME="$work" CMAKE_BUILD_PARALLEL_LEVEL=2
sh -c "$command" >"$work/built" 2>&1 || { tail -n 40 "$work/built" && exit 1; }
says "$work/built" 1 '^-- EPROF_SYMBOLS is off, not found: .*libdw-dev.* Without it automatic instrumentation'
says "$work/built" 1 '^-- EPROF_MPI is off, not found: MPI, or awk. Without it there is no libeprof-mpi'
says "$work/built" 1 '^-- EPROF_PPROF is off, not found: .*zlib1g-dev.* Without it .eprof report. has no'
says "$work/built" 1 '^-- EPROF_SERVE is off, not found: .*libmicrohttpd-dev.* Without it there is no .eprof serve'
says "$work/built" 0 'warning:'
says build/CMakeCache.txt 0 '^CMAKE_CXX_COMPILER'
[ -z "$(find build -name CTestTestfile.cmake)" ] || fail 'tests are built'
cd "$work"

pkgconfig=$(dirname "$(find "$work/.local" -name eprof.pc)")
if command -v pkg-config >/dev/null; then
    unset PKG_CONFIG_LIBDIR
    export PKG_CONFIG_PATH="$pkgconfig"
    flags=$(pkg-config --cflags --libs eprof) auto="$(pkg-config --cflags --libs eprof-auto)"
else
    flags="-I$work/.local/include -L${pkgconfig%/*} -Wl,--no-as-needed -leprof"
    auto="$(sed -n 's/^Cflags: //p' "$pkgconfig/eprof-auto.pc") $flags -leprof-auto"
fi
export LD_LIBRARY_PATH="${pkgconfig%/*}" PATH="$work/.local/bin:$PATH"

# shellcheck disable=SC2086 # flags are words
$cc ${CFLAGS-} -O2 "$root/packaging/conan/test_package/scopes.c" $flags -o scopes
./scopes 2>tree
says tree 1 '^└─inside +100 '
eprof run -q -o one ./scopes
eprof run -q -o other ./scopes
eprof merge -o sum one other
eprof report -f csv sum >rows
says rows 1 '^scope,inside,outside;inside,.*,200,'
eprof diff one other >comparison || [ $? = 2 ] || fail 'no comparison'
says comparison 1 '^inside +100 +100 '
eprof top one </dev/null >frame
says frame 1 '^inside .* 100$'

# what is left out
! eprof report -f pprof one 2>refused || fail 'there is a format pprof'
says refused 1 '^eprof: pprof: this eprof was built without it; build it with -DEPROF_PPROF=ON$'
[ "$(wc -l <refused)" = 1 ]
! eprof serve . 2>refused || fail 'there is eprof serve'
says refused 1 '^eprof: serve: this eprof was built without it; build it with -DEPROF_SERVE=ON$'
[ "$(wc -l <refused)" = 1 ]
# shellcheck disable=SC2086 # flags are words
$cc ${CFLAGS-} -O2 "$root/tests/package/install/outside/hooked.c" $auto -o functions
eprof run -q -o functions.eprof ./functions
eprof report -f csv functions.eprof >rows 2>messages
says rows 2 '^function,'
says messages 1 '^eprof: .*dynamic symbol, or address: this eprof was built without what looks their names up$'
[ "$(wc -l <messages)" = 1 ]
