#!/bin/bash
# check_calls.sh FILE... - tests that each external function that a program or library calls is in
# calls.h, which makes it fail, or in unfailing.txt, which gives the reason why it does not fail.
set -u
here=$(dirname "$0")
known=$(mktemp)
trap 'rm -f "$known"' EXIT

{
    sed -n 's/^ *CALL(\([a-z_0-9]*\),.*/\1/p' "$here/calls.h"
    sed -n 's/^\([^# ]*\)  *.*/\1/p' "$here/unfailing.txt" | tr '|' '\n'
} >"$known"

status=0
for file in "$@"; do
    calls=$(nm --dynamic --undefined-only "$file" | sed 's/.* //; s/@.*//' | sort -u)
    [ "$calls" ] || { echo "$file makes no calls"; status=1; }
    while IFS= read -r call; do
        # calls of compilers, sanitizers and profilers of tests do not come from the sources
        case $call in
        _ITM_* | __gmon_start__ | __cxa_finalize | __libc_start_main | __asan_* | __ubsan_* | \
            __lsan_* | __stack_chk_fail | ___tls_get_addr | __tls_get_addr | __udivdi3 | __gcov_*)
            continue ;;
        esac
        grep -qxF -- "$call" "$known" || {
            echo "$file: $call: neither in calls.h nor in unfailing.txt"
            status=1
        }
    done <<<"$calls"
done
exit $status
