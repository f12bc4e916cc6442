#!/bin/sh
# check_debian.sh ROOT SUITE - runs build_and_use.sh in a new tree of this release of Debian, with
# gcc, CMake and make alone. It needs debootstrap, root and a mirror (MIRROR).
set -eu
root=$1 suite=$2
mirror=${MIRROR-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo 'this needs root'; exit 77; }
command -v debootstrap >/dev/null || { echo 'there is no debootstrap'; exit 77; }

tree=$(mktemp -d)
trap 'rm -rf --one-file-system "$tree"' EXIT
debootstrap --variant=minbase --include=gcc,libc6-dev,make,cmake "$suite" "$tree" "$mirror" \
    >"$tree/log" 2>&1 || { cat "$tree/log" && exit 77; }

mkdir "$tree/eprof" "$tree/work"
tar -C "$root" --exclude=./.git --exclude=./build --exclude='./build-*' -c . | tar -C "$tree/eprof" -x
# In a mount namespace of its own, so that no mount stays.
# shellcheck disable=SC2016 # expanded there
unshare --mount sh -c 'mount -t proc proc "$1/proc" &&
    exec chroot "$1" env -i PATH=/usr/bin:/bin /eprof/tests/package/alone/build_and_use.sh /eprof /work' sh "$tree"
