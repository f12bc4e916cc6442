#!/bin/sh
# check_complete.sh - tests that every_call.c contains each call that the library exports, as a
# statement and by its address, so that the other tests in this folder test it.
set -eu
here=$(dirname "$0")
# Functions that the inline calls use, and that a program does not call.
internal='eprof_recording|eprof_hot|eprof_entry_(close_ended|enter|is_known|is_wanted|leave|measured)|eprof_instance_start|eprof_job_(begin|complain|end|fail|image)|eprof_instance_stop|eprof_scope_(enter|enter_slow|leave|leave_slow)|eprof_frame_(enter|leave)|eprof_value_record|eprof_function_(enter|leave|modules_changed|vfork)'

missing=0
for call in $("$here/../install/exported_symbols.sh" "$here/../../../src/api/eprof.map" |
    grep -o '^eprof_[a-z_0-9]*' |
    grep -vxE "$internal"); do
    grep -q "[^_a-z]$call(" "$here/every_call.c" ||
        { echo "$call is never called"; missing=1; }
    grep -qE "= &?$call;" "$here/every_call.c" ||
        { echo "the address of $call is never taken"; missing=1; }
done
exit $missing
