# cmark.sh - a C program: Markdown made HTML, 20,000 lines
#
# Read by run and by tests/bench/hooks.sh. Each such file says what a program is and how it is
# built, tested and run; all of it is called in the folder of one build of the program.
#
# It is judged by its calls only: its time is also that of memory that it waits for. An order by
# samples of the program without hooks agrees with callgrind's by 0.87 only (docs/internals/proofs.md).

package=cmark
compiler=gcc
checksum="4194864142 1974150"
judged=calls

# build COMPILER FLAGS LIBRARIES: ./program
build() {
    cmake -S . -B made -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Plain -DCMARK_SHARED=OFF \
        -DCMAKE_C_FLAGS="$2" -DCMAKE_CXX_FLAGS="$2" -DCMAKE_EXE_LINKER_FLAGS="$2" \
        -DCMAKE_C_STANDARD_LIBRARIES="$3" -DCMAKE_CXX_STANDARD_LIBRARIES="$3" >log 2>&1 &&
        cmake --build made >>log 2>&1 && ln made/src/cmark program
}

# Where there is no python3, it has one test and not six.
own_tests() {
    (cd made && ctest)
}

# The samples with which its authors measure it.
make_input() {
    for _ in $(seq 150); do
        cat bench/samples/*.md
    done >input
}

long_run="./program input"
