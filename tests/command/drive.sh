# drive.sh - for scripts that source expect.sh after it: runs a program that records on command
# while `eprof top` shows it. A script that sources it is called with CASE EPROF DRIVEN.
# shellcheck shell=bash
driven=$3

# begin FILE [PROGRAM]: starts it as process $driven_pid; it records into FILE.
begin() {
    coproc DRIVEN { EPROF=image=$1 exec "${2-$driven}"; }
    # shellcheck disable=SC2153 # coproc sets it
    driven_pid=$DRIVEN_PID
    drive 'calls 0'
}

# drive COMMAND: sends the command and waits until it is done; the answer is in $answer.
drive() {
    echo "$1" >&"${DRIVEN[1]}"
    read -r answer <&"${DRIVEN[0]}" || fail "the program has ended"
}

# end: closes the input of the program, so that it ends.
end() {
    local input=${DRIVEN[1]}
    exec {input}>&-
    wait "$driven_pid"
}

# kill_it SIGNAL
kill_it() {
    kill -"$1" "$driven_pid"
    wait "$driven_pid" 2>/dev/null
}

# has FILE NAME COLUMN VALUE: compares a value in the last frame of FILE. Columns are counted from
# the last one, which is 1 and contains the calls.
has() {
    value=$(grep -E "^$2 " "$1" | tail -n 1 | sed -E 's/ (%|ns|us|ms|s) / /g' |
        awk -v column="$3" '{ print $(NF + 1 - column) }')
    [ "$value" = "$4" ] || fail "$2 has ${value:-nothing}, not $4"
}
