# jsoncpp.sh - a C++ program: a JSON library of 12,000 lines, and what its authors test it with
#
# Read by run and by tests/bench/hooks.sh, as cmark.sh is. ./program reads a document, writes it anew
# in two ways, reads that and compares. It is judged by its calls only: they take 3 ns on average, and
# a probe adds ten times as much, at some more than at others.

package=libjsoncpp
compiler=g++
checksum="4294967295 0" # it writes to files
judged=calls

# build COMPILER FLAGS LIBRARIES: ./program
# shellcheck disable=SC2086 # the flags are words of their own
build() {
    {
        ls src/lib_json/*.cpp src/test_lib_json/*.cpp
        echo src/jsontestrunner/main.cpp -o runner.o
    } | xargs -P 2 -L 1 "$1" $2 -std=c++11 -Iinclude -c >log 2>&1 &&
        "$1" $2 json_*.o runner.o $3 -o program >>log 2>&1 &&
        "$1" $2 json_*.o jsontest.o fuzz.o main.o $3 -o tests >>log 2>&1
}

own_tests() {
    ./tests
}

# Records of every kind of value, some deep in each other.
make_input() {
    awk 'function draw(limit) { state = state * 16807 % 2147483647; return state % limit }
    function text(    letters, result) {
        for (letters = 2 + draw(12); letters > 0; letters--)
            result = result sprintf("%c", 97 + draw(26))
        return "\"" result (draw(8) ? "" : "\\n\\u00e9\\\"") "\""
    }
    function value(depth,    count, result, i) {
        i = draw(depth > 0 ? 10 : 6)
        if (i == 0) return draw(2) ? "true" : "null"
        if (i <= 2) return draw(1000000) - 500000
        if (i == 3) return (draw(1000000) - 500000) / 1024
        if (i <= 5) return text()
        for (count = 2 + draw(5); count > 0; count--)
            result = result (result ? ", " : "") (i > 7 ? text() ": " : "") value(depth - 1)
        return i > 7 ? "{" result "}" : "[" result "]"
    }
    BEGIN {
        state = 1
        for (i = 0; i < 1000; i++)
            printf "%s%s", i ? ",\n" : "[", value(6)
        print "]"
    }' >input.json
}

long_run="./program input.json"
