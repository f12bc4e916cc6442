#!/bin/sh
# check_flake.sh OURS NONE RAW COUNT - tests that the builds of the ray tracer render the same
# image, that the library counts exactly the calls that COUNT counts, and that its tree is on stderr
# at the end. Without scopes stderr must be empty.
set -eu
unset EPROF
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# run NAME PROGRAM
run() {
    "$2" -c -s 96 -d 3 -o "$1.ppm" >"$1" 2>"$1.error"
    echo "$1:" $(cat "$1")
}
run ours "$1"
run none "$2"
run raw "$3"
run count "$4"

# said NAME WHAT: prints the number WHAT in the output of the run NAME.
said() {
    sed -n "s/^$2 //p" "$1"
}

for variant in none raw count; do
    [ "$(said $variant checksum)" = "$(said ours checksum)" ] || {
        echo "$variant renders another image than ours"
        exit 1
    }
    cmp ours.ppm $variant.ppm
    [ ! -s $variant.error ] || {
        echo "$variant writes to stderr"
        exit 1
    }
done
[ "$(head -n 3 ours.ppm | tr '\n' ' ')" = "P6 96 96 255 " ]
[ "$(wc -c <ours.ppm)" -eq $((13 + 96 * 96 * 3)) ]

[ "$(said count scopes)" -gt 10000 ]
[ "$(said ours scopes)" = "$(said count scopes)" ] || {
    echo "the library counts $(said ours scopes) calls, and there are $(said count scopes)"
    exit 1
}
for name in render find_nearest is_covered; do
    grep -q "$name" ours.error || {
        echo "no $name in the tree on stderr:"
        cat ours.error
        exit 1
    }
done
