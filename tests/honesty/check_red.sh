#!/bin/bash
# check_red.sh HONESTY ARGUMENT... - passes if `honesty` fails with exit status 1, and with no other
"$@"
status=$?
[ $status = 77 ] && exit 77
[ $status = 1 ]
