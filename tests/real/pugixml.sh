# pugixml.sh - another C++ program: the tests of an XML library, of 30,000 lines with the library
#
# The scripts run and tests/bench/hooks.sh read this file, as they read cmark.sh. The program
# consists of the tests: 956 tests parse, change, write and query documents; they throw exceptions,
# call longjmp(), and run out of memory. Most of their time is system time, for files that cannot be
# opened: so the test compares only the calls.

package=pugixml
compiler=g++
checksum="3175390011 27"
judged=calls

list_sources() {
    ls src/pugixml.cpp tests/*.cpp | sed '/fuzz_/d'
}

# build COMPILER FLAGS LIBRARIES: makes ./program
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
