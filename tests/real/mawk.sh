# mawk.sh - another C program: an awk, of 20,000 lines
#
# The scripts run and tests/bench/hooks.sh read this file, as they read cmark.sh. Most of its
# functions take 5 to 15 ns, and a probe cannot distinguish times that differ by 5 ns: so the test
# compares only the calls.

package=mawk
compiler=gcc
checksum="2240963746 58"
judged=calls

# build COMPILER FLAGS LIBRARIES: makes ./program
build() {
    CC=$1 CFLAGS=$2 LDFLAGS=$2 LIBS=$3 ./configure >log 2>&1 && make >>log 2>&1 && ln mawk program
}

own_tests() {
    make check 2>&1
}

# The text that the program reads: lines of six words.
make_input() {
    awk 'function draw(limit) { state = state * 16807 % 2147483647; return state % limit }
    BEGIN {
        state = 1
        for (line = 0; line < 400; line++) {
            for (word = 0; word < 6; word++) {
                for (letters = 3 + draw(6); letters > 0; letters--)
                    printf "%c", 97 + draw(26)
                printf " "
            }
            print line % 50 == 0 ? "begin" : line % 50 == 9 ? "end" : ""
        }
    }' >input
}

long_run="./program -f $here/mawk.awk -v ROUNDS=40 input"
