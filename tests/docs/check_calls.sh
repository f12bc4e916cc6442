#!/bin/bash
# check_calls.sh ROOT [PAGES] - tests that eprof(3) lists each call that a program may make, and no
# other; that the numbers of the headers, of eprof(3) and of the source are the same; and that the
# folder PAGES has a page for each call, which shows the call's prototype, and for each macro. 77:
# there is no groff.
set -eu
cd "$1"
pages=${2-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
# Functions that the inline calls use, and that a program does not call.
internal='eprof_recording|eprof_hot|eprof_entry_(close_ended|enter|is_known|is_wanted|leave|measured)|eprof_instance_start|eprof_job_(begin|complain|end|fail|image)|eprof_instance_stop|eprof_scope_(enter|enter_slow|leave|leave_slow)|eprof_frame_(enter|leave)|eprof_value_record|eprof_function_(enter|leave|modules_changed|vfork)'

tests/package/install/exported_symbols.sh src/api/eprof.map | grep -o '^eprof_[a-z_0-9]*' |
    grep -vxE "$internal" | sort >"$work/exported"
sed -nE 's/^\.It Fn (eprof_[a-z_0-9]+) Ta .*/\1/p' docs/man/eprof.3 | sort >"$work/listed"
diff "$work/exported" "$work/listed" ||
    { echo "the calls differ (<: exported, >: in eprof.3)"; exit 1; }

# ---- numbers ----

failed=0
fail() {
    echo "$*"
    failed=1
}

# The comments of headers, or the text of a page, in one line.
text_of() {
    case $1 in
    *.h | *.hpp) grep -E '^ ?\*|/\*|//|^ {20,}' "$1" ;;
    *) sed -E 's/\\f[BPI]//g; s/\\-/-/g; s/^\.It (Cm|Ar) //' "$1" ;;
    esac | sed -E 's,^ *(/\*|\*/?|//) ?, ,; s,\*/, ,' | tr -s '\n ' ' '
}
headers="include/eprof.h include/eprof/calls.h include/eprof/scopes.h include/eprof.hpp"
costs=docs/internals/performance.md
for file in $headers docs/man/eprof.3 $costs docs/reference/formats.md; do
    mkdir -p "$work/$(dirname "$file")"
    text_of "$file" >"$work/$file"
done

# limit NUMBER WORDS FILE... - each file has the number, which the source has, before the words.
limit() {
    local number=$1 words=$2 file
    shift 2
    number=$(echo "$number" | sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta')
    for file in "$@"; do
        grep -qE "(^|[^0-9,.])$number $words" "$work/$file" ||
            fail "$file does not say \"$number $words\", as the source does"
    done
}
constant() { # NAME FILE
    sed -nE "s/.*\\b$1\\b( =|) (UINT64_C\\()?([0-9]+).*/\\3/p" "$2" | grep . || echo "no $1 in $2"
}
calls=include/eprof/calls.h page=docs/man/eprof.3
slot_bits=$(constant EP_SLOT_BITS src/image/cells_header.h)
limit "$(constant EP_LABEL_BYTES src/image/cells_header.h)" bytes $calls $page
limit $((1 << slot_bits)) instances $calls $page
limit $(((1 << (31 - slot_bits)) - 1)) times $calls $page
limit "$(constant EP_SWITCHES_KEPT src/record/rate.h)" switches $calls $page
deepest=$(($(constant EP_LEVELS src/image/cells_region.h) - 1))
limit $deepest "are kept or dropped with the ${deepest}nd" $calls
limit $(($(constant SHORTEST_MEASURE_NS src/clock/calibrate.c) / 1000000)) ms $calls $page
limit $(($(constant MEASURE_OF_NOW_NS src/clock/calibrate.c) * 9 / 1000000)) 'ms more' $calls $page
buckets=$(constant EP_OCTAVE_BUCKETS src/base/histogram.h)
limit "$(awk "BEGIN { print 100 / $buckets / 2 }")" % include/eprof.h $page docs/reference/formats.md

# A number of a header is a limit, which eprof(3) has too, or a cost, which was measured.
numbers=0 units='bytes|instances|times|switches|instructions|levels|ns|us|ms|s|[KMG]iB|%'
for header in $headers; do
    while read -r number; do
        numbers=$((numbers + 1))
        grep -qE "(^|[^0-9,.])${number//./\\.}([^a-zA-Z0-9]|$)" "$work/$page" "$work/$costs" ||
            fail "$header says \"$number\", and neither eprof(3) nor performance.md does"
    done < <(grep -oE "[0-9][0-9,.]* ($units)( |[.,;:)]|$)" "$work/$header" |
        sed -E 's/[ .,;:)]$//' | sort -u)
done
[ "$numbers" -ge 10 ] || fail "only $numbers numbers were found in the headers"

# What the header and the page say of signal handlers and of a clock of the program.
for words in 'once its thread has recorded something' 'it may not use other calls' \
    'must not call the library, must keep errno, and must return: no longjmp'; do
    for file in include/eprof.h $page; do
        sed 's/(3)//g' "$work/$file" | grep -qF "$words" || fail "$file does not say \"$words\""
    done
done
[ $failed = 0 ] || exit 1

# ---- a page for each call ----

[ -n "$pages" ] || exit 0
(cd "$pages" && printf '%s\n' ./*.3) | sed 's,^\./,,; s/\.3$//' | sort >"$work/paged"
sed -nE 's/^#define (EPROF_[A-Z]+)(\([a-z_]+(, [a-z_]+)?\) | )EPROF_[A-Z]+(_NUMBERED)?\(.*/\1/p' include/eprof/scopes.h |
    sort >"$work/macros"
[ "$(wc -l <"$work/macros")" -ge 7 ] || fail "only $(cat "$work/macros") are macros"
sort "$work/exported" "$work/macros" | diff - "$work/paged" ||
    { echo "the calls and macros differ (<: in the headers, >: with a page)"; exit 1; }
command -v groff >/dev/null || { echo "there is no groff"; exit 77; }
echo '#include <eprof.h>' >"$work/prototypes.c"
while read -r call; do
    groff -ww -mandoc -Tascii -P-cbou -rLL=200n "$pages/$call.3" >"$work/page" 2>"$work/problems"
    [ ! -s "$work/problems" ] || fail "$call.3: $(cat "$work/problems")"
    sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$work/page" |
        grep -vE '^[A-Z]|#include|-leprof' >"$work/prototype"
    grep -qE "(^|[ *])$call\\(.*\\);" "$work/prototype" || fail "$call.3 has no prototype of it"
    cat "$work/prototype" >>"$work/prototypes.c"
    lines=$(sed -n '/^DESCRIPTION/,/^SEE ALSO/p' "$work/page" | grep -cE '^ +[A-Za-z]')
    [ "$lines" -ge 1 ] || fail "$call.3 has no description"
done <"$work/exported"
while read -r macro; do
    groff -ww -mandoc -Tascii -P-cbou -rLL=200n "$pages/$macro.3" >"$work/page" 2>"$work/problems"
    [ ! -s "$work/problems" ] || fail "$macro.3: $(cat "$work/problems")"
    sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$work/page" | grep -qE "^ +$macro(\(\"label\"|;)" ||
        fail "$macro.3 does not show how it is used"
    lines=$(sed -n '/^DESCRIPTION/,/^\(NOTES\|SEE ALSO\)/p' "$work/page" | grep -cE '^ +[A-Za-z]')
    [ "$lines" -ge 1 ] || fail "$macro.3 has no description"
done <"$work/macros"
# Another type of a call, or of a parameter, does not compile.
${CC:-cc} -std=gnu11 -fsyntax-only -Iinclude "$work/prototypes.c" || failed=1
exit $failed
