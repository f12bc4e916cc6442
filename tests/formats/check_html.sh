#!/bin/bash
# check_html.sh EPROF PROFILE - tests html pages in a real browser
#
# EPROF is the command, PROFILE the program that makes profiles (profile.c).
set -uo pipefail
eprof=$1 profile=$2
# shellcheck source=/dev/null
. "$(dirname "$0")/browser.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset EPROF
failed=0

# expect WHAT WANTED GOT
expect() {
    [ "$2" = "$3" ] || {
        printf '%s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"
        failed=1
    }
}

# Questions are collected, and all are asked in one visit to the page, since opening a browser takes
# a second.
whats=() wanted=() steps=()
# ask WHAT WANTED EXPRESSION
ask() {
    whats+=("$1") wanted+=("$2") steps+=("--evaluate=$3")
}
# do_step STEP: a step between two questions
do_step() {
    steps+=("$1")
}
# visit PAGE STEP...: runs the steps, and then all questions; no script of the page may run, and
# nothing may be fetched or blocked.
visit() {
    local page=$1 answers i
    shift
    mapfile -t answers < <(browser "$page" "$@" "${steps[@]}" --messages)
    for i in "${!whats[@]}"; do
        expect "$page: ${whats[i]}" "${wanted[i]}" "${answers[i]-}"
    done
    for ((i = ${#whats[@]}; i < ${#answers[@]}; i++)); do
        expect "$page: it is text and style" "" "${answers[i]}"
    done
    whats=() wanted=() steps=()
}

# page NAME ARGUMENT...: makes NAME.html from the profile that `profile` records with these
# arguments
page() {
    local name=$1
    shift
    "$profile" "$name.eprof" "$@" && "$eprof" report "$name.eprof" --format html -o "$name.html" ||
        { echo "$name: there is no page"; exit 1; }
}

page plain
ask "the style sheet is in force" grid 'getComputedStyle(document.querySelector(".row")).display'
sections='[...document.querySelectorAll("section.thread")].map(s => getComputedStyle(s).display).join()'
ask "all threads at first" block,none,none "$sections"
do_step --click='label[for=thread-1]'
ask "a click on a thread" none,block,none "$sections"
do_step --key=ArrowRight
ask "an arrow key" none,none,block "$sections"
do_step --click='label[for=thread-0]'
do_step --hover=#r4
ask "all figures of the row are shown" block \
    'getComputedStyle(document.querySelector("#r4>.all")).display'
ask "and its path is marked, and nothing else" true \
    '[...document.querySelectorAll(".tree details>summary")].every(s =>
        s.parentElement.matches(":hover") == (getComputedStyle(s).boxShadow != "none"))'
ask "a row without others in it can be reached by key" 0 \
    'document.querySelector(".tree div.row[id]").tabIndex'
ask "a row is open" true '(document.querySelector(".tree summary").focus(),
    document.querySelector(".tree details").open)'
do_step --key=Enter
ask "Enter closes it" false 'document.querySelector(".tree details").open'
ask "every box of a flame graph leads to a row" 0 \
    '[...document.querySelectorAll(".flame a")].filter(a =>
        !document.querySelector(a.getAttribute("href"))).length'
do_step --click='.flame a[href="#r3"]'
ask "a click on one" r3 'document.querySelector(":target").id'
ask "every row that the keyboard stops at has its name as its own" true \
    '[...document.querySelectorAll(".tree summary,.tree [tabindex]")].every(e => {
        const label = document.getElementById(e.getAttribute("aria-labelledby"));
        return label && label.textContent.startsWith(e.querySelector(".name bdi").textContent); })'
visit plain.html

# Of all columns a narrow window shows those that fit; with recursion, whose counts are wide.
ask "it fits a narrow window" 360 'document.documentElement.scrollWidth'
visit plain.html --size=360x800

page hostile hostile
ask "no attribute has style or script in it" 0 \
    '[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a =>
        a.name == "style" || a.name.startsWith("on") || /^\s*javascript:/i.test(a.value))).length'
ask "no element runs, loads or is sent" 0 \
    'document.querySelectorAll("script,img,iframe,object,embed,link,base,form,image,use").length'
visit hostile.html

# More than 10,000 rows are folded, and their number is shown.
page deep chain 12000
ask "rows" 10000 'document.querySelectorAll(".row[id]").length'
ask "what is left out" "… 2000 more" 'document.querySelector(".row.rest>.name").textContent'
ask "no anchor stands twice" true \
    '(ids => ids.length == new Set(ids).size)([...document.querySelectorAll("[id]")].map(e => e.id))'
visit deep.html

# The page must have no line of code.
EPROF=html=prof-%p.html "$profile" saved.eprof >out 2>err || failed=1
expect "nothing is printed by that" "" "$(cat out err)"
set -- prof-*.html
expect "pages" 1 $#
ask "it is of the program" "$(basename "$profile")" 'document.querySelector("h1").textContent'
visit "$1"

[ "$failed" = 0 ] && echo "html pages are as they should be"
exit "$failed"
