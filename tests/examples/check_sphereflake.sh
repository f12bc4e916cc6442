#!/bin/sh
# check_sphereflake.sh auto|hooks PLAIN AUTO FUNCTION... - tests that the ray tracer renders the same
# image with automatic instrumentation as without it, and that its call tree, with these functions,
# is on stderr at the end. With hooks and the compiler's filter it has no operators; with entries it
# has those that the compiler does not inline, as under a sanitizer. Without instrumentation stderr
# must be empty.
#
# The names are looked up in csv: the tree folds functions whose time is less than their probes, and
# under a sanitizer every short function is one of them.
set -eu
unset EPROF
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

variant=$1 plain=$2 auto=$3
shift 3

"$plain" -s 96 -d 3 -o plain.ppm >plain 2>plain.error
"$auto" -s 96 -d 3 -o auto.ppm >auto 2>auto.error
cmp plain auto
cmp plain.ppm auto.ppm
[ "$(head -n 3 auto.ppm | tr '\n' ' ')" = "P6 96 96 255 " ]
[ "$(wc -c <auto.ppm)" -eq $((13 + 96 * 96 * 3)) ]
[ ! -s plain.error ] || {
    echo "without instrumentation it writes to stderr"
    exit 1
}

grep -q '─trace(' auto.error || {
    echo "no tree with trace on stderr:"
    cat auto.error
    exit 1
}
EPROF=csv "$auto" -s 96 -d 3 -o csv.ppm >csv 2>csv.error
cmp csv.ppm auto.ppm
for name; do
    grep -q "[,\" :]${name}[(,]" csv.error || {
        echo "no $name in the csv:"
        cat csv.error
        exit 1
    }
done
[ "$variant" = auto ] || ! grep operator auto.error csv.error || {
    echo "operators are profiled"
    exit 1
}
