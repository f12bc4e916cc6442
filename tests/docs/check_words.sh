#!/bin/sh
# check_words.sh ROOT - tests that words which this project no longer uses do not appear in src,
# include, README.md and docs; each is listed with its replacement. docs/internals/decisions.md is
# left out, since it also describes the past. A word with a second meaning is listed with the
# letters that identify its old meaning, or not at all ("place" is a verb, "spread" a word of
# statistics).
set -eu
cd "$1"
failed=0

# old PATTERN REPLACEMENT - an extended regular expression; case does not matter.
old() {
    found=$(grep -rniE --include='*.[ch]' --include='*.in' --include='*.md' \
        --include='*.[1-9]' --include='*.json' -- "$1" src include README.md docs |
        grep -v '^docs/internals/decisions\.md:' || true)
    [ -n "$found" ] || return 0
    printf '%s\n    say: %s\n' "$found" "$2"
    failed=1
}

word() { old "(^|[^a-z])($1)([^a-z]|\$)" "$2"; }

word 'floors?' layer
word 'waists?' snapshot
word 'troubles?' diagnostics
word 'thinned' sampled
word 'stamps?|stamped|stamping' 'generation; owner_tag for its upper bits'
word 'salts?' owner_tag
word 'frame_cells?|stack entry|stack entries' 'open scope'
old 'ep_(tree|instance|top|report_walk)?_?place([^a-z]|$)' 'call site, tree position, slot or location'
old 'ep_pair_cell|pair_cells' instance_cells
word 'hand(s|ed|ing)? on' 'charge to the parent'
word 'weigh(s|ed|ing)?' inspect
word 'outlines?' 'distribution; sparkline'
word 'is_told|told' 'nominal, monotonic, documented'
word 'forced close|stray keep|strays?' 'unwound scope; unmatched keep'
word 'mend(s|ed|ing)?' repair
word 'claim(s|ed|ing)?' 'mark as used'
word 'settle(s|d)?|settling' 're-read'
word 'drain(s|ed|ing)?' quiesce
word 'shelter(s|ed)?' helper
exit $failed
