#!/bin/sh
# check_clean.sh COMPILER LANGUAGE STANDARD FLAGS - tests that eprof.h compiles without a warning at
# the beginning of a file, inside extern "C", and with each call.
set -eu
compiler=$1 language=$2 standard=$3 flags=$4
here=$(dirname "$0")
command -v "$compiler" >/dev/null || exit 77

compile() {
    # shellcheck disable=SC2086 # flags are words
    "$compiler" -x "$language" -std="$standard" $flags -I "$here/../../../include" \
        -Wall -Wextra -pedantic -Werror "$@" -c -o /dev/null
}

for build in -UEPROF_DISABLE -DEPROF_DISABLE; do
    echo '#include <eprof.h>' | compile $build -
    if [ "$language" = c++ ]; then
        printf 'extern "C" {\n#include <eprof.h>\n}\n' | compile $build -
    fi
    compile $build -O0 "$here/every_call.c"
    compile $build -O2 "$here/every_call.c"
done
