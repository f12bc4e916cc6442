#!/bin/sh
# check_man.sh MAN EPROF - tests that eprof(1) describes exactly the options that --help lists, and
# each format.
set -eu
man=$1 eprof=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

commands="run report merge diff top"
! "$eprof" serve --help >"$work/serve" || commands="$commands serve"
for command in $commands; do
    "$eprof" $command --help | grep -oE '^ .{5}--[a-z-]+' | grep -oE -- '--[a-z-]+' |
        grep -vxE -- '--(help|usage|version)' | LC_ALL=C sort >"$work/help"
    awk -v command="$command" '/^\.Sh / { inside = tolower($0) == ".sh eprof " command } inside' "$man" |
        sed -nE 's/^\.It .*Fl \\-([a-z-]+).*/--\1/p' | LC_ALL=C sort >"$work/man"
    [ -s "$work/help" ]
    diff "$work/help" "$work/man" ||
        { echo "$command: the options differ (<: --help, >: $man)"; exit 1; }
done

for format in $("$eprof" report --format=nonsense x 2>&1 | sed 's/.*known are //; s/ (.*//; s/,//g'); do
    grep -qF "\\fB$format\\fP" "$man" || { echo "there is no format $format in $man"; exit 1; }
done
