#!/bin/bash
# check_page.sh PAGE PREFIX LIBDIR - what a page of the documents tells to do is done: in its order,
# in one shell, by somebody who has libeprof in PREFIX and is in a folder with examples/ and docs/
# of its source. Each block of sh succeeds and prints the lines of the block of text that follows it,
# in whatever order: how busy the machine is puts rows before others. Times, shares, process ids,
# dates and widths may be others, and whether times are estimates; with <!-- figures differ --> before
# the block all numbers, with <!-- exactly --> nothing. A block of any other kind is the file that
# its first line names.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
page=$1 prefix=$2 libdir=$2/$3
compiler=$(command -v "$CC")

unset EPROF NO_COLOR CLICOLOR_FORCE COLUMNS
export LC_ALL=C.UTF-8 LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig
work=$(mktemp -d)
steps=$work/steps
mkdir "$steps" "$work/bin" "$work/folder"
export PATH=$work/bin:$prefix/bin:$PATH

end() {
    status=$?
    # what a block has begun and ended at once may be this shell still: a copy of it, with its trap
    [ "$BASHPID" = $$ ] || return 0
    [ $status = 0 ] || [ ! -e "$work/out" ] || {
        cat "$work/out" "$work/err"
        echo "$page: it fails at block ${step##*/}"
    } >&3
    # shellcheck disable=SC2046 # process ids are words
    kill $(jobs -p) 2>"$work/null" || true
    rm -rf "$work"
}
exec 3>&1 # where a block fails, stdout is still the file of what it prints
trap end EXIT

printf '#!/bin/sh\nexec %s %s "$@"\n' "$compiler" "$CFLAGS" >"$work/bin/cc"
chmod +x "$work/bin/cc"

# mask FILE: of the lines that a block prints what is the same each time.
mask() {
    if [ -e "$step.exactly" ]; then
        cat "$1"
    elif [ -e "$step.differ" ]; then
        sed -Ef "$here/mask_times.sed" "$1" | sed -Ef "$here/mask_figures.sed"
    else
        sed -Ef "$here/mask_times.sed" "$1"
    fi
}

# bash 5.2 complains now and then, on a busy machine, that it does not know a process which it has
# started in the background and which has been killed since: 1 of 11 runs at a load of 10. Nothing
# that the page runs has said it.
compare() {
    mask "$step" >"$work/said"
    cat "$work/out" "$work/err" | sed '/: wait_for: No record of process [0-9]*$/d' >"$work/both"
    mask "$work/both" >"$work/printed"
    awk -f "$here/same_shape.awk" "$work/said" "$work/printed"
}

# The name is the first word of the first line, comment signs aside.
save() {
    name=$(sed -nE '1s|^[^A-Za-z]*([A-Za-z0-9_./]+).*|\1|p' "$step")
    mkdir -p "$(dirname "$name")"
    cp "$step" "$name"
}

awk -v steps="$steps" -f "$here/page_steps.awk" "$page"
cd "$work/folder"
ln -s "$here/../../examples" "$here/../../docs" .
# shellcheck disable=SC1090 # a block is the page's
for step in "$steps"/*; do
    case $step in
    *.exactly | *.differ) ;;
    *.sh) . "$step" >"$work/out" 2>"$work/err" ;;
    *.text) compare ;;
    *) save ;;
    esac
done
