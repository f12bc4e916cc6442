#!/bin/bash
# memcheck.sh PROGRAM ARGUMENT... - runs it under valgrind: it ends with 99 if it read what was never
# written, or what is no more, or left memory that nothing points to
#
# No gdb is waited for, whose files would count among the program's; and the C library does not free
# its own at the end: it would set back a file that a forked child has read from beside its parent.
exec valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --num-callers=25 --fair-sched=try --max-threads=2000 \
    --vgdb=no --run-libc-freeres=no --suppressions="$(dirname "$0")/suppressions.txt" "$@"
