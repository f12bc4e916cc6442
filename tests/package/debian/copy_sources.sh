#!/bin/sh
# copy_sources.sh ROOT WORK VERSION - copies the sources in ROOT to WORK/eprof, and packs them without
# debian/ as the original archive of a Debian source package: the files of a release, and those that
# debian/ adds.
set -eu
root=$1 work=$2 version=$3

mkdir "$work/eprof"
tar -C "$root" --exclude=./.git --exclude=./build --exclude='./build-*' -c . | tar -C "$work/eprof" -x
tar -C "$work" --exclude=eprof/debian -cJf "$work/eprof_$version.orig.tar.xz" eprof
