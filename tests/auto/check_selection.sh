#!/bin/bash
# check_selection.sh COMPILER [FLAG...] - builds a program and a library that it opens with entries,
# with that compiler (gcc, clang) and these flags, and tests by the bytes at each function's entry
# that the selected functions are patched, and that the code of all others is that of the files. If
# another thread runs before, only the library is patched, which is opened later, and one line says
# so if a function of the program was selected.
# It takes from the environment CFLAGS, AUTO, EPROF (the libraries) and COMMAND (the program eprof).
set -euo pipefail
compiler=$1
shift
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
libraries=("-Wl,--no-as-needed" "$AUTO" "$EPROF" "-Wl,-rpath,$(dirname "$AUTO"):$(dirname "$EPROF")")
unset EPROF

# shellcheck disable=SC2086 # flags are words
build() {
    "$compiler" -std=gnu11 $CFLAGS -O2 -g -Wall -Wextra -Werror -fpatchable-function-entry=5 \
        "$@" -ldl
}
build "$@" -fPIC -shared -DLIBRARY "$here/selection.c" -o "$work/library.so"
build "$@" "$here/selection.c" -o "$work/plain"
build "$@" "$here/selection.c" "${libraries[@]}" -o "$work/program"

"$work/plain" "$work/library.so" >"$work/unpatched"

# check ITEMS NAME...: under EPROF=ITEMS these functions are patched, and no other is.
check() {
    local items=$1
    shift
    EPROF=$items "$work/program" "$work/library.so" >"$work/bytes"
    printf '%s\n' "$@" | sed '/^$/d' | sort >"$work/expected"
    awk 'FNR == NR { bytes[$1] = $2; next } bytes[$1] != $2 { print $1 }' \
        "$work/unpatched" "$work/bytes" | sort >"$work/patched"
    diff -u --label "expected, EPROF=$items" --label patched "$work/expected" "$work/patched"
}
report=symbolizer=$COMMAND,csv=$work/profile
all=({program,library}_{one,other,local})
check "$report" "${all[@]}"
check off ''
check "$report,depth=1" "${all[@]}"
check "$report,auto=program_one" program_one
check "$report,auto=!program_one" program_{other,local} library_{one,other,local}
check "$report,auto=!*_local" {program,library}_{one,other}
check "$report,auto=*_o*,auto=!*_one" {program,library}_other
check "$report,auto=*/selection.c,auto=!library_*" program_{one,other,local}
check "$report,auto=!*" ''
check "$report,auto=none" ''

# A library whose constructor starts a thread, before that of libeprof-auto.
cat >"$work/early.c" <<'C'
#include <pthread.h>
#include <unistd.h>
static void *stay(void *unused)
{
    pause();
    return unused;
}
__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, stay, NULL);
}
C
"$compiler" -fPIC -shared -Wl,-z,initfirst "$work/early.c" -lpthread -o "$work/early.so"
# said ITEMS LINES
said() {
    EPROF=$1 LD_PRELOAD=$work/early.so "$work/program" "$work/library.so" 2>"$work/errors" |
        grep ^program | diff - "$work/bytes"
    [ "$(grep -c 'not recorded: another thread was running' "$work/errors")" = "$2" ] ||
        { echo "EPROF=$1 with a thread: not $2 lines:" && cat "$work/errors" && exit 1; }
}
EPROF=off "$work/program" "$work/library.so" | grep ^program >"$work/bytes"
said "$report" 1
said off 0
said "$report,auto=none" 0
