#!/bin/bash
# check_browser.sh - tests that browser.sh reports all actions of a page, so that an empty report is
# meaningful.
set -u
. "$(dirname "$0")/browser.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
failed=0

# hears PATTERN...: each pattern must match a line of the messages.
hears() {
    local pattern
    for pattern; do
        grep -qE "^$pattern" messages || { echo "nothing like $pattern"; failed=1; }
    done
}

cat >loud.html <<'PAGE'
<!DOCTYPE html><title>loud</title><style>@import "of-style.css";</style>
<script>console.log('spoken')</script>
<script>throw Error('thrown')</script>
<script>alert('shown')</script>
<svg
    onload="1"></svg>
<img src="of-image.png">
PAGE
browser_messages loud.html >messages || failed=1
hears 'console: spoken$' 'error: Error: thrown' 'dialog: shown$' 'request: .*/of-style\.css$' \
    'request: .*/of-image\.png$' 'script: .*/loud\.html:[234]$' 'script: .*/loud\.html:[56]$'

cat >forbidden.html <<'PAGE'
<!DOCTYPE html><title>forbidden</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<script>console.log('spoken')</script><svg onload="1"></svg>
<img src="of-image.png"><p style="color: red">
PAGE
browser_messages forbidden.html >messages || failed=1
hears 'log: .*inline script' 'log: .*inline event handler' 'log: .*of-image\.png' 'log: .*inline style'
[ "$(grep -c '^script\|^console' messages)" = 0 ] || { echo 'what is forbidden was done'; failed=1; }

echo '<!DOCTYPE html><title>silent</title><style>p { color: red }</style><p>text<details>' >silent.html
browser_is_silent silent.html || failed=1
browser_is_silent loud.html >/dev/null && { echo 'a loud page is called silent'; failed=1; }
[ $failed = 0 ] || cat messages
exit $failed
