#!/bin/sh
# check_refused_version.sh WORK ARGUMENT... - tests that find_package() refuses the package if the
# outside project asks for another version.
set -eu
work=$1
shift
here=$(dirname "$0")

rm -rf "$work"
if output=$(cmake -S "$here/outside" -B "$work" -DLANGUAGE=C "$@" 2>&1); then
    echo "a wrong version was accepted"
    exit 1
fi
echo "$output"
echo "$output" | grep -q 'considered but not accepted'
