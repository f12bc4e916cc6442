# pugixml.sh - another C++ program: the tests of an XML library, of 30,000 lines with the library
#
# Read by run and by tests/bench/hooks.sh, as cmark.sh is. The tests are the program: 956 of them
# parse, change, write and query documents; they throw, they longjmp, and they run out of memory.
# Their time is the system's, for files that cannot be opened: they are judged by their calls only.

package=pugixml
compiler=g++
checksum="3175390011 27"
judged=calls

list_sources() {
    ls src/pugixml.cpp tests/*.cpp | sed '/fuzz_/d'
}

# build COMPILER FLAGS LIBRARIES: ./program
# shellcheck disable=SC2086 # the flags are words of their own
build() {
    list_sources | xargs -P 2 -L 1 "$1" -std=c++11 $2 -c >log 2>&1 &&
        "$1" $2 ./*.o $3 -o program >>log 2>&1
}

own_tests() {
    ./program
}

make_input() {
    :
}

long_run="./program"
