# sphereflake.sh - a C++ program of our own: examples/sphereflake.cpp
#
# Read by tests/bench/hooks.sh, as cmark.sh is.

package=
compiler=g++

# build COMPILER FLAGS LIBRARIES: ./program
# shellcheck disable=SC2086 # the flags are words of their own
build() {
    "$1" $2 -std=c++11 "$here/../../examples/sphereflake.cpp" $3 -o program >log 2>&1
}

make_input() {
    :
}

long_run="./program"
