#!/bin/sh
# check_source_package.sh ROOT VERSION - tests that dpkg-source makes a source package of a copy of the
# sources in ROOT, and that the package contains them all.
set -eu
root=$1 version=$2
command -v dpkg-source >/dev/null || { echo 'there is no dpkg-source'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$(dirname "$0")/copy_sources.sh" "$root" "$work" "$version"
cd "$work"
dpkg-source -b eprof
dpkg-source --no-check -x "eprof_$version"-*.dsc unpacked
diff -r --exclude=.pc eprof unpacked
