#!/bin/bash
# check_links.sh ROOT - tests that each relative link of README.md, CONTRIBUTING.md and docs/ refers
# to a file, and its #part to a heading of that file.
set -eu
cd "$1"
failed=0
fail() {
    echo "$*"
    failed=1
}

# The names that GitHub gives to the headings of a page.
headings() {
    sed -E '/^```/,/^```/d' "$1" | sed -nE 's/^#+ //p' | tr '[:upper:]' '[:lower:]' |
        sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

links=0
while IFS= read -r page; do
    while IFS= read -r link; do
        links=$((links + 1))
        file=${link%%#*}
        target=$page
        [ -z "$file" ] || target=$(dirname "$page")/$file
        if [ ! -e "$target" ]; then
            fail "$page: $link leads to no file"
        elif [[ $link == *#* ]]; then
            headings "$target" | grep -qxF -- "${link#*#}" || fail "$page: $link leads to no heading"
        fi
    done < <(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)]+\)' |
        sed -E 's/^\]\(|\)$//g' | grep -vE '^[a-z]+:')
done < <(printf '%s\n' README.md CONTRIBUTING.md; find docs -name '*.md')
[ "$links" -gt 20 ] || fail "only $links links were found"
exit $failed
