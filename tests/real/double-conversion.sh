# double-conversion.sh - a C++ program: the tests of a library that converts between binary numbers
# and decimal digits, 18,000 lines and 300,000 lines of test data
#
# The script run reads this file, as it reads cmark.sh. The long run consists of the tests of its
# big numbers, which fit into a few hundred bytes. The calls take 2 ns on average, less than a probe
# adds; but they are made in loops over digits, so that the added time is proportional to the
# instructions. This is not true of test-dtoa and test-fast-dtoa, which are left out
# (docs/internals/proofs.md has their results). BignumDtoaGayShortest is left out too, since it
# takes as long as all the others.

package=double-conversion
compiler=g++
checksum="3583912050 14"
judged="calls ranks"

# build COMPILER FLAGS LIBRARIES: makes ./program
build() {
    cmake -S . -B made -DCMAKE_CXX_COMPILER="$1" -DCMAKE_BUILD_TYPE=Plain -DBUILD_TESTING=ON \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_CXX_FLAGS="$2" -DCMAKE_EXE_LINKER_FLAGS="$2" \
        -DCMAKE_CXX_STANDARD_LIBRARIES="$3" >log 2>&1 &&
        cmake --build made >>log 2>&1 && ln made/test/cctest/cctest program
}

own_tests() {
    (cd made && ctest)
}

make_input() {
    :
}

bignum_dtoa="test-bignum-dtoa/BignumDtoa"
long_run="./program test-bignum ${bignum_dtoa}GayFixed ${bignum_dtoa}GayPrecision \
${bignum_dtoa}VariousDoubles test-conversions test-fixed-dtoa test-strtod test-ieee"
