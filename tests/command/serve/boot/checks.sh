#!/bin/bash
# checks.sh - in the virtual machine of run.sh: examines the units eprof-serve and service, and then
# switches the machine off
set -uo pipefail
trap 'systemctl poweroff --no-block' EXIT
unit=eprof-serve
cgroup=/sys/fs/cgroup/system.slice/$unit.service
url=http://127.0.0.1:3776

fail() {
    echo "FAILED: $*"
    systemctl status --no-pager --lines=0 $unit
    journalctl --no-pager --output=cat --unit=$unit
    exit 1
}

passed() {
    echo "passed: $*"
}

is() {
    [ "$2" = "$3" ] || fail "$1 is $2, not $3"
}

property() {
    systemctl show -P "$2" "$1"
}

get() {
    curl --silent --show-error --fail "$url$1"
}

# await COMMAND...: at most a minute.
await() {
    for ((tries = 0; tries < 600; tries++)); do
        if "$@" >/dev/null 2>&1; then
            return
        fi
        sleep 0.1
    done
    fail "in vain waited for: $*"
}

# The file system as the service sees it.
inside() {
    nsenter --target "$(property $unit MainPID)" --mount "$@" 2>&1
}

# The list has this process.
shows() {
    [[ $(get /) == *"$1.eprof"* ]]
}

# ---- the start, before the folder exists ----

await get /
is "restarts after the boot" "$(property $unit NRestarts)" 0
await test -e /var/lib/service
program=$(property service MainPID)
await shows "$program"
passed "it starts, also before the folder exists, and shows the program"

requests() {
    get /metrics | sed -n "s/^eprof_scope_seconds_count{process_id=\"$program\".*path=\"request\"} //p" |
        grep .
}
await requests
before=$(requests)
have_grown() {
    [ "$(requests)" -gt "$before" ]
}
await have_grown
[[ $(get "/p/$program/") == *"<title>"* ]] || fail "no report"
[ "$(get "/p/$program/debug/pprof/profile?seconds=1" | wc -c)" -gt 100 ] || fail "no profile"
passed "its metrics grow ($before, $(requests) requests), report and profile are written"

# ---- the sandbox ----

main=$(property $unit MainPID)
is user "$(stat -c %U /proc/"$main")" service
is NoNewPrivs "$(sed -n 's/^NoNewPrivs:\t//p' /proc/"$main"/status)" 1
is capabilities "$(sed -n 's/^CapBnd:\t//p' /proc/"$main"/status)" 0000000000000000
is "the limit of memory" "$(cat $cgroup/memory.max)" $((128 << 20))
for path in /usr/new /etc/new /var/lib/service/new; do
    [[ $(inside touch $path) == *"Read-only file system"* ]] || fail "$path can be written"
done
mkdir -p /home/user && echo secret >/home/user/file && echo outside >/tmp/file
[ -z "$(inside find /home /root -mindepth 1)" ] || fail "/home is visible: $(inside ls /home)"
inside test ! -e /tmp/file || fail "/tmp is that of all"
passed "it keeps to its sandbox"

# ---- memory ----

load() {
    for ((i = 0; i < $1; i++)); do
        for path in / /metrics "/p/$program/" "/p/$program/report.json" /debug/pprof/profile?seconds=1; do
            get "$path" >/dev/null || return 1
        done
    done
}
for ((client = 0; client < 8; client++)); do
    load 5 &
    clients[client]=$!
done
for client in "${clients[@]}"; do
    wait "$client" || fail "a client got no answer"
done
most_kib=$(($(cat $cgroup/memory.peak) / 1024))
[ $most_kib -lt 65536 ] || fail "the unit took $most_kib KiB"
is "the number of kills for memory" "$(sed -n 's/^oom_kill //p' $cgroup/memory.events)" 0
is "the process after that" "$(property $unit MainPID)" "$main"
passed "200 answers take $most_kib KiB, with its files in the cache"

# ---- the program is killed, and starts again ----

killed=$program
is_seen_as_killed() {
    get /metrics | sed -n "s/^eprof_running{process_id=\"$killed\".*} 0$/&/p" | grep .
}
kill -9 "$killed"
await is_seen_as_killed
systemctl start service
program=$(property service MainPID)
await shows "$program"
shows "$killed" || fail "the killed program is not in the list"
passed "it shows a killed program, and the one started after it"

# ---- killed, and stopped, while a client waits ----

is_restarted() {
    [ "$(property $unit NRestarts)" = 1 ]
}

curl --silent "$url/debug/pprof/profile?seconds=600" >/dev/null &
sleep 1
kill -9 "$main"
await is_restarted
await get /
[ "$(property $unit MainPID)" != "$main" ] || fail "it is the same process"
passed "it is restarted after a kill"

curl --silent "$url/debug/pprof/profile?seconds=600" >/dev/null &
sleep 1
start=$SECONDS
systemctl stop $unit
[ $((SECONDS - start)) -lt 30 ] || fail "the stop takes $((SECONDS - start)) s"
is Result "$(property $unit Result)" success
is status "$(property $unit ExecMainStatus)" 0
is state "$(property $unit ActiveState)" inactive
is "what the server says" "$(journalctl --no-pager --output=cat _SYSTEMD_UNIT=$unit.service | sort -u)" "$url/"
passed "it stops cleanly while a client waits"
systemd-analyze security --no-pager $unit | tail -n 1
echo "all checks passed"
