# sphereflake.sh - a C++ program of this project: examples/sphereflake.cpp
#
# The script tests/bench/hooks.sh reads this file, as it reads cmark.sh.

package=
compiler=g++

# build COMPILER FLAGS LIBRARIES: makes ./program
# shellcheck disable=SC2086 # the flags are words of their own
build() {
    "$1" $2 -std=c++11 "$here/../../examples/sphereflake.cpp" $3 -o program >log 2>&1
}

make_input() {
    :
}

long_run="./program"
