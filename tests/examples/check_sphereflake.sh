#!/bin/sh
# check_sphereflake.sh PLAIN AUTO - tests that the ray tracer renders the same image with the
# compiler's hooks as without them, and that its call tree, without operators, is on stderr at the
# end. Without the hooks stderr must be empty.
#
# The names are looked up in csv: the tree folds functions whose time is less than their probes, and
# under a sanitizer every short function is one of them.
set -eu
unset EPROF
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$1" -s 96 -d 3 -o plain.ppm >plain 2>plain.error
"$2" -s 96 -d 3 -o auto.ppm >auto 2>auto.error
cmp plain auto
cmp plain.ppm auto.ppm
[ "$(head -n 3 auto.ppm | tr '\n' ' ')" = "P6 96 96 255 " ]
[ "$(wc -c <auto.ppm)" -eq $((13 + 96 * 96 * 3)) ]
[ ! -s plain.error ] || {
    echo "without hooks it writes to stderr"
    exit 1
}

grep -q '─render(' auto.error || {
    echo "no tree with render on stderr:"
    cat auto.error
    exit 1
}
EPROF=csv "$2" -s 96 -d 3 -o csv.ppm >csv 2>csv.error
cmp csv.ppm auto.ppm
for name in render trace shade_ball light_of is_covered search; do
    grep -q "[\" :]$name(" csv.error || {
        echo "no $name in the csv:"
        cat csv.error
        exit 1
    }
done
! grep operator auto.error csv.error || {
    echo "the filter lets operators through"
    exit 1
}
