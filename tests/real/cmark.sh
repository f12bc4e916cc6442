# cmark.sh - a C program: it converts Markdown to HTML, 20,000 lines
#
# The scripts run and tests/bench/hooks.sh read this file. Each file of this kind describes a
# program and how it is built, tested and run; its functions are called in the folder of one build
# of the program.
#
# The test compares only the calls, since a part of the time is spent waiting for memory. Even the
# order by samples of the program without hooks has a correlation of only 0.87 with that of
# callgrind (docs/internals/proofs.md).

package=cmark
compiler=gcc
checksum="4194864142 1974150"
judged=calls

# build COMPILER FLAGS LIBRARIES: makes ./program
build() {
    cmake -S . -B made -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Plain -DCMARK_SHARED=OFF \
        -DCMAKE_C_FLAGS="$2" -DCMAKE_CXX_FLAGS="$2" -DCMAKE_EXE_LINKER_FLAGS="$2" \
        -DCMAKE_C_STANDARD_LIBRARIES="$3" -DCMAKE_CXX_STANDARD_LIBRARIES="$3" >log 2>&1 &&
        cmake --build made >>log 2>&1 && ln made/src/cmark program
}

# Without python3 it has one test instead of six.
own_tests() {
    (cd made && ctest)
}

# The samples with which its authors measure its speed.
make_input() {
    for _ in $(seq 150); do
        cat bench/samples/*.md
    done >input
}

long_run="./program input"
