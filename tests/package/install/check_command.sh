#!/bin/sh
# check_command.sh PREFIX LIBDIR VERSION SERVE - tests that the program eprof of the package in
# PREFIX has that version, stores and shows the profile of a program that is linked with its library,
# and that its man page and its completion are installed; and `eprof serve`, unless SERVE is
# "without".
set -eu
prefix=$1 libdir=$1/$2 version=$3 serve=$4
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$libdir/pkgconfig"
eprof=$prefix/bin/eprof

[ "$("$eprof" --version)" = "eprof $version" ]
# shellcheck disable=SC2046,SC2086 # flags are words
$CC $CFLAGS $(pkg-config --cflags eprof) "$here/outside/main.c" -o "$work/main" \
    $(pkg-config --libs eprof)
LD_LIBRARY_PATH=$libdir "$eprof" run -q -o "$work/profile" -- "$work/main"
"$eprof" report "$work/profile" | tee "$work/report"
grep -qE '^0: outside +1 +[0-9]' "$work/report"

# it executes libexec/eprof/eprof-serve
[ "$serve" = without ] || "$eprof" serve --help | grep -q '^Usage: eprof serve'
[ -s "$prefix/share/man/man1/eprof.1" ]
for page in eprof eprof_start eprof_snapshot_row; do
    [ -s "$prefix/share/man/man3/$page.3" ]
    ! command -v man >/dev/null ||
        man -M "$prefix/share/man" 3 "$page" | col -b | grep -q '#include <eprof.h>'
done
[ -s "$prefix/share/eprof/profile.schema.json" ]
[ -s "$prefix/share/eprof/profile-diff.schema.json" ]
bash -c '. "$1" && complete -p eprof' bash "$prefix/share/bash-completion/completions/eprof"
