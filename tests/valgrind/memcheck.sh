#!/bin/bash
# What stands where a program was (link.sh): it ends with 99 if it read what was never written, or
# what is no more, or left memory that nothing points to.
export EPROF_TEST_PROGRAM="@script@"
exec valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --num-callers=25 --suppressions="@suppressions@" \
    --fair-sched=try --max-threads=2000 "@program@" "$@"
