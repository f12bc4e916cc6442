#!/bin/bash
# memcheck.sh PROGRAM ARGUMENT... - runs the program under valgrind: it ends with 99 if it read
# uninitialized or freed memory, or leaked memory
#
# valgrind does not wait for gdb, since the files for it would count as files of the program. The C
# library does not free its own memory at the end, since this would also reset the offset of a file
# that a forked child shares with its parent.
exec valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --num-callers=25 --fair-sched=try --max-threads=2000 \
    --vgdb=no --run-libc-freeres=no --suppressions="$(dirname "$0")/suppressions.txt" "$@"
