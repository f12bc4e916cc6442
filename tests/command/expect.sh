# expect.sh - for the other scripts of this folder: an empty working directory, and functions that
# check results. A script that sources it is called with CASE EPROF RECORDER.
# shellcheck shell=bash
case=$1 eprof=$2 recorder=$3
unset EPROF NO_COLOR CLICOLOR_FORCE COLUMNS
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit
umask 022

# try COMMAND...: stores the output in the files out and err, and the exit status in $status.
try() {
    status=0
    "$@" >out 2>err || status=$?
}

fail() {
    echo "$case: $*"
    echo "status ${status-unknown}, on stdout:"
    cat out
    echo "on stderr:"
    cat err
    exit 1
}

status_is() {
    [ "$status" = "$1" ] || fail "the status is $status, not $1"
}

# says FILE PATTERN: a line of FILE (out, err) must match.
says() {
    grep -qE -- "$2" "$1" || fail "std$1 has no line like $2"
}

says_not() {
    ! grep -qE -- "$2" "$1" || fail "std$1 has a line like $2"
}

is_empty() {
    [ ! -s "$1" ] || fail "there is something on std$1"
}

# stderr must be one line of the command itself.
complains() {
    [ "$(wc -l <err)" = 1 ] || fail "not one line on stderr"
    says err "^eprof: $1"
}

# figure FILE COLUMN KIND PATH: prints that figure of a row in a csv, or nothing if there is no such
# row.
figure() {
    "$eprof" report --format=csv "$1" | awk -F, -v column="$2" -v kind="$3" -v path="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
        $1 == kind && $place["path"] == path { print $place[column] }'
}

# calls_are FILE KIND PATH CALLS
calls_are() {
    calls=$(figure "$1" calls "$2" "$3")
    [ "$calls" = "$4" ] || fail "$1: $2 $3 has ${calls:-no} calls, not $4"
}

# The profile has the calls of recorder, this number of times.
is_of_recorder() {
    calls_are "$1" instance parse $((10 * ${2-1}))
    calls_are "$1" instance store $((5 * ${2-1}))
    calls_are "$1" scope work $((5 * ${2-1}))
    calls_are "$1" scope 'work;step' $((12 * ${2-1}))
}

is_there() {
    [ -e "$1" ] || fail "there is no $1, but $(ls)"
}

is_not_there() {
    [ ! -e "$1" ] || fail "there is a $1"
}
