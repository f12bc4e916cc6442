#!/bin/bash
# check_page.sh PAGE PREFIX LIBDIR - follows the instructions of a page of the documents: in their
# order, in one shell, with libeprof in PREFIX, and in a folder with examples/ and docs/ of its
# source. Each sh block must succeed and print the lines of the text block after it, in any order,
# since the order of rows depends on the load of the machine. Times, shares, process ids, dates and
# widths may differ, and so may the marks of estimates. With <!-- figures differ --> before the
# block, all numbers may differ; with <!-- exactly --> nothing may but how long the program ran. A
# block of any other kind is the content of the file that its first line names.
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
    # a background process that ends at once may still be a copy of this shell, with its trap
    [ "$BASHPID" = $$ ] || return 0
    [ $status = 0 ] || [ ! -e "$work/out" ] || {
        cat "$work/out" "$work/err"
        echo "$page: it fails at block ${step##*/}"
    } >&3
    # shellcheck disable=SC2046 # process ids are words
    kill $(jobs -p) 2>"$work/null" || true
    rm -rf "$work"
}
exec 3>&1 # if a block fails, stdout is still the file for the output of the block
trap end EXIT

printf '#!/bin/sh\nexec %s %s "$@"\n' "$compiler" "$CFLAGS" >"$work/bin/cc"
chmod +x "$work/bin/cc"

# mask FILE: prints the parts of the lines that are the same in each run.
mask() {
    if [ -e "$step.exactly" ]; then
        sed -Ef "$here/mask_run.sed" "$1"
    elif [ -e "$step.differ" ]; then
        sed -Ef "$here/mask_times.sed" "$1" | sed -Ef "$here/mask_figures.sed"
    else
        sed -Ef "$here/mask_times.sed" "$1"
    fi
}

# On a busy machine bash 5.2 sometimes reports that it does not know a process which it started in
# the background and which was killed later: in 1 of 11 runs at a load of 10. This message does not
# come from the commands of the page.
compare() {
    mask "$step" >"$work/said"
    cat "$work/out" "$work/err" | sed '/: wait_for: No record of process [0-9]*$/d' >"$work/both"
    mask "$work/both" >"$work/printed"
    awk -f "$here/same_shape.awk" "$work/said" "$work/printed"
}

# The name of the file is the first word of the first line, without comment signs.
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
