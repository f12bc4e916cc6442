#!/bin/sh
# check_names.sh ROOT - what the documents write as code and looks like a name of
# ours (a file of C, an identifier with an underscore) is found in the source; and
# docs/architecture.md names every file of src/.
set -eu
cd "$1"
failed=0
fail() {
    echo "$*"
    failed=1
}

# shellcheck disable=SC2016 # the backticks are the documents'
code=$(sed '/^```/,/^```/d' README.md docs/*.md | grep -o '`[^`]*`' | tr -d '`' | sort -u)

for file in $(echo "$code" | grep -oE '^[a-z_0-9/-]+\.(c|h|map)$'); do
    [ -e "$file" ] || [ -e "src/$file" ] || [ -e "include/$file" ] ||
        fail "there is no file $file"
done
for name in $(echo "$code" | grep -oE '^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+'); do
    grep -rqwF -- "$name" src include tests examples ||
        [ -e "src/$name.c" ] ||
        fail "there is no name $name"
done

for file in src/*.[ch] src/cli/*.[ch] src/auto/*.[ch] src/*.map src/auto/*.map; do
    name=${file#src/}
    grep -qE "^\|.*\`(${name%.*}|$name)\`" docs/architecture.md ||
        fail "docs/architecture.md has no line for $name"
done
exit $failed
