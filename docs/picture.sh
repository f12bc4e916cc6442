#!/bin/bash
# picture.sh BUILD - makes docs/picture.png, the picture in the README
#
# BUILD is a folder in which libeprof was built. The page is what the example flake leaves with
# EPROF=html=PATH; Chromium, without a screen, takes the picture (tests/formats/browser.js).
set -euo pipefail
docs=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# as somebody sees it who has built it: ./flake
ln -s "$build/examples/flake" flake
EPROF=html=flake.html ./flake >/dev/null
node "$docs/../tests/formats/browser.js" flake.html --size=1200x960 --scheme=light \
    --hover='.flame a:nth-of-type(7)' --screenshot="$docs/picture.png"
