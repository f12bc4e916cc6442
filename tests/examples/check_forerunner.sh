#!/bin/sh
# check_forerunner.sh PROGRAM - tests that the demonstration of the forerunner prints the table,
# since programs rely on its first four columns: "%d: %-12s%7llu%15llu".
set -eu
output=$("$1")
echo "$output"

# line NUMBER PATTERN: that line of the output must match from its first character on.
line() {
    echo "$output" | sed -n "$1p" | grep -qE "^$2" ||
        { echo "line $1 is not /^$2/"; exit 1; }
}

microseconds='[ 0-9.]{14}[0-9]( |$)'
line 1 '$'
line 2 'eProf Result:$'
line 3 '$'
line 4 'ID name           calls     usec/call( |$)'
line 5 '-{51,}$'
line 6 "0: func1 {7} {6}1$microseconds"
line 7 "1: func2 {7} {5}10$microseconds"
