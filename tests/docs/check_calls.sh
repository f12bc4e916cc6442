#!/bin/sh
# check_calls.sh ROOT - tests that eprof(3) lists each call that a program may make, and no other.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Functions that the inline calls use, and that a program does not call.
internal='eprof_recording|eprof_hot|eprof_entry_(enter|is_known|is_wanted|leave|measured)|eprof_instance_start|eprof_instance_stop|eprof_scope_(enter|enter_slow|leave)|eprof_frame_(enter|leave)|eprof_value_record|eprof_function_(enter|leave|modules_changed|vfork)'

tests/package/install/exported_symbols.sh src/api/eprof.map | grep -o '^eprof_[a-z_0-9]*' |
    grep -vxE "$internal" | LC_ALL=C sort >"$work/exported"
sed -nE 's/^\.It Fn (eprof_[a-z_0-9]+) Ta .*/\1/p' docs/man/eprof.3 | LC_ALL=C sort >"$work/listed"
diff "$work/exported" "$work/listed" ||
    { echo "the calls differ (<: exported, >: in eprof.3)"; exit 1; }
