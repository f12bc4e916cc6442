# jsoncpp.sh - a C++ program: a JSON library of 12,000 lines, with the tests of its authors
#
# The scripts run and tests/bench/hooks.sh read this file, as they read cmark.sh. ./program reads a
# document, writes it in two ways, reads the results and compares. The test compares only the calls:
# they take 3 ns on average, and a probe adds ten times as much, at some calls more than at others.

package=libjsoncpp
compiler=g++
checksum="4294967295 0" # it writes to files, so its output is empty
judged=calls

# build COMPILER FLAGS LIBRARIES: makes ./program
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

# Records with each kind of value, some of them deeply nested.
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
