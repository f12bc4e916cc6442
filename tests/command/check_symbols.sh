#!/bin/sh
# check_symbols.sh EPROF - of the library, the command has nothing that records.
set -eu
eprof=$1
names=$(nm "$eprof" | awk '{ print $NF }')
echo "$names" | grep -qx ep_report_write || { echo "$eprof has no symbols"; exit 1; }
if echo "$names" | grep -E '^(eprof_|ep_(thread|process|scope|control|self|instance|pair|site|stack|hold|probe|source|calibrate)(_|$))'; then
    echo "the names above are of recording"
    exit 1
fi
