#!/bin/sh
# check_names.sh ROOT - tests that each name of this project that the documents write as code (a C
# file, an identifier with an underscore) exists in the source.
set -eu
cd "$1"
failed=0
fail() {
    echo "$*"
    failed=1
}

documents=$(find docs -name '*.md')
# shellcheck disable=SC2016,SC2086 # the backticks are the documents'; names of files are words
code=$(sed '/^```/,/^```/d' README.md $documents | grep -o '`[^`]*`' | tr -d '`' | sort -u)

for file in $(echo "$code" | grep -oE '^[a-z_0-9/-]+\.(c|h|map)$'); do
    [ -e "$file" ] || [ -e "src/$file" ] || [ -e "include/$file" ] ||
        fail "there is no file $file"
done
for name in $(echo "$code" | grep -oE '^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+'); do
    grep -rqwF -- "$name" src include tests examples ||
        fail "there is no name $name"
done
exit $failed
