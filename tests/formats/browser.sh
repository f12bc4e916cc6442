# browser.sh - functions for tests of a page in headless Chromium. browser.js does the work, and
# documents more steps than this file uses. A test is skipped if Chromium or node is not installed.
#
#     . "$(dirname "$0")/browser.sh"
#     browser_is_silent page.html || failed=1
# shellcheck shell=bash

browser_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

for browser_program in "${CHROMIUM:-chromium}" node; do
    command -v "$browser_program" >/dev/null ||
        { echo "$browser_program is not installed (tests/packages.txt)"; exit 77; }
done

# browser PAGE STEP...: runs the steps of browser.js.
browser() {
    node "$browser_folder/browser.js" "$@"
}

# browser_dom PAGE: prints the document after loading.
browser_dom() {
    browser "$1" --dom
}

# browser_messages PAGE: prints each script, request, dialog and violation of the
# Content-Security-Policy.
browser_messages() {
    browser "$1" --messages
}

# browser_is_silent PAGE: succeeds if there are no such messages; otherwise prints them.
browser_is_silent() {
    local messages
    messages=$(browser_messages "$1") || return
    [ -z "$messages" ] || { echo "$1: it is more than text and style:"; echo "$messages"; return 1; }
}

# browser_load_ms PAGE: the time from the request to the end of the load event.
browser_load_ms() {
    browser "$1" --load-ms
}

# browser_screenshot PAGE PNG WIDTHxHEIGHT dark|light: a picture of a window of that size.
browser_screenshot() {
    browser "$1" "--size=$3" "--scheme=$4" "--screenshot=$2"
}

# browser_evaluate PAGE EXPRESSION...: prints the values: texts as they are, others as JSON.
browser_evaluate() {
    local page=$1
    shift
    browser "$page" "${@/#/--evaluate=}"
}
