#!/bin/sh
# check_sources.sh ROOT VERSION - tests that debian/ in ROOT has the version of the sources, and
# lists the exported symbols of the two libraries, each with its symbol version.
set -eu
cd "$1"
version=$2
wanted=$(mktemp)
trap 'rm -f "$wanted"' EXIT

packaged=$(sed -n '1s/^eprof (\(.*\)-[^-]*) .*/\1/p' debian/changelog)
[ "$packaged" = "$version" ] ||
    { echo "the sources are version $version, debian/changelog says $packaged"; exit 1; }

# dpkg-gensymbols passes over a symbol of each program with start files, such as this one.
tests/package/install/exported_symbols.sh src/auto/eprof-auto.map | grep -vx __gmon_start__ |
    sed 's/$/@Base/' >"$wanted"
tests/package/install/exported_symbols.sh src/api/eprof.map | sed 's/@@/@/; s/^EPROF_[0-9]*$/&@&/' >>"$wanted"
LC_ALL=C sort -o "$wanted" "$wanted"
sed -nE 's/^ (\([^)]*\))?([^ ]+) .*/\2/p' debian/libeprof0.symbols | LC_ALL=C sort |
    diff "$wanted" - ||
    { echo "debian/libeprof0.symbols differs (<: exported, >: listed)"; exit 1; }
