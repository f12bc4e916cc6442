#!/bin/bash
# check_red.sh HONESTY ARGUMENT... - passes where `honesty` fails: ends with 1, and with nothing else
"$@"
status=$?
[ $status = 77 ] && exit 77
[ $status = 1 ]
