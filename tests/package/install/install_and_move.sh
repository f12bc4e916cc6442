#!/bin/sh
# install_and_move.sh BUILD WORK - installs BUILD with a DESTDIR and a prefix, and moves the prefix
# to WORK/moved, where the other tests of this directory use it.
set -eu
build=$1 work=$2

rm -rf "$work"
mkdir -p "$work"
DESTDIR="$work/stage" cmake --install "$build" --prefix /first/place
mv "$work/stage/first/place" "$work/moved"
rm -r "$work/stage"

if grep -rE "/first/place|$build" "$work/moved" --include='*.pc' --include='*.cmake'; then
    echo "the lines above know where the package was built or first put"
    exit 1
fi
