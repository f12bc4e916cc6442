#!/bin/bash
# redis.sh [-n ROUNDS] [-r REQUESTS] [-w WAYS] - measures what automatic instrumentation costs a server
#
# The server is Debian's redis, built by gcc -O2 with malloc() of the C library. The flags are given
# for its own files, not for the libraries in its source package. Each run starts a server, which
# redis-benchmark asks over a socket of the file system, twice: with 16 requests at a time
# ("pipelined") and with one. REQUESTS (30000) is how many of each command are sent pipelined; a
# fifth of them is sent one by one. The figure is the user time of the server and of its recorder.
# The ways take turns; the figures are medians of the rounds (5). WAYS are words of the list below
# (all); plain is one of them. The script needs pkg-config and uftrace, and 5 GB for its traces.
#
#   plain        no profiler
#   entries      patched function entries (x86-64), EPROF=image=...
#   entries-off  the same, EPROF=off
#   entries-1%   the same with auto=NAME for each 100th function
#   ours         hooks, with the documented flags and gcc's filter, EPROF=image=...
#   ours-off     the same, EPROF=off
#   uftrace-pg   "uftrace record" of a program built with -pg
#   gprof        the program built with -pg
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
server=''
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
rounds=5 requests=30000
ways="plain entries entries-off entries-1% ours ours-off uftrace-pg gprof"
while getopts n:r:w: option; do
    case $option in
    n) rounds=$OPTARG ;;
    r) requests=$OPTARG ;;
    w) ways="plain $OPTARG" ;;
    *) exit 2 ;;
    esac
done
unset EPROF

fail() {
    echo "redis.sh: $*" >&2
    exit 1
}

# shellcheck source=tests/bench/library.sh
. "$root/tests/bench/library.sh" # build_library, flags, ours

# build NAME FLAGS LIBRARIES: makes $work/NAME
build() {
    [[ " $ways " == *" $1"* || $1 == plain ]] || [[ $1 == gprof && $ways == *uftrace* ]] || return 0
    cp -a "$work"/source/redis-*/ "$work/$1.d"
    make -C "$work/$1.d/src" -j2 MALLOC=libc USE_SYSTEMD=no OPTIMIZATION=-O2 REDIS_CFLAGS="$2" \
        REDIS_LDFLAGS="$2 $3" redis-server redis-benchmark redis-cli >"$work/log" 2>&1 ||
        fail "$1 does not build: $(tail -5 "$work/log")"
    mv "$work/$1.d/src/redis-server" "$work/$1"
    [ "$1" != plain ] || mv "$work/$1.d/src/redis-benchmark" "$work/$1.d/src/redis-cli" "$work"
    rm -rf "$work/$1.d"
}

build_library || fail "the library does not build: $(tail -5 "$work/log")"
"$root/tests/real/fetch.sh" redis "$work/source" || fail "the source package is not there"
build plain "" ""
build entries "$entry_flags" "$ours"
build ours "$flags $(pkg-config --variable=gcc_filter eprof-auto)" "$ours"
build gprof -pg ""

# Each 100th function of the program, as items.
one_percent() {
    nm "$work/entries" | awk '$2 ~ /[tT]/ && $3 !~ /^_|^ep|\./ { print $3 }' | sort -u |
        awk 'NR % 100 == 1 { printf ",auto=%s", $1 }'
}

client() {
    "$work/redis-benchmark" -s "$work/socket" -q -r 10000 "$@" >>"$work/client.log" 2>&1
}

# Starts the server of a way, sends the requests and stops it. Appends way, kind, user time and bytes
# written.
run_way() { # WAY KIND CLIENT'S ARGUMENTS
    local way=$1 kind=$2 program=$1 items='' command=() TIMEFORMAT=%U bytes
    shift 2
    case $way in
    entries | ours) items=image=$work/data/run.eprof,limit=2G ;;
    entries-1%) program=entries items=image=$work/data/run.eprof,limit=2G$selected ;;
    *-off) program=${way%-off} items=off ;;
    uftrace-pg) program=gprof command=(uftrace record --no-event -d "$work/data/uftrace") ;;
    esac
    rm -rf "$work/data"
    mkdir "$work/data"
    cd "$work/data"
    { time EPROF=$items "${command[@]}" "$work/$program" --port 0 --unixsocket "$work/socket" \
        --save '' --appendonly no --dir "$work/data" >"$work/server.log" 2>&1; } 2>"$work/time" &
    server=$!
    for ((i = 0; i < 200; i++)); do
        [ "$("$work/redis-cli" -s "$work/socket" ping 2>/dev/null)" != PONG ] || break
        sleep 0.05
    done
    client "$@" || fail "$way: $(tail -3 "$work/client.log" "$work/server.log")"
    "$work/redis-cli" -s "$work/socket" shutdown nosave || true
    wait "$server" || fail "$way: the server fails: $(tail -3 "$work/server.log")"
    server=''
    bytes=$(du -sb --apparent-size "$work/data" | cut -f1)
    echo "$way $kind $(tail -1 "$work/time") $((bytes - 4096))" >>"$work/figures"
}

selected=''
[[ $ways != *1%* ]] || selected=$(one_percent)
commands=set,get,incr,lpush,rpush,lpop,sadd,hset,zadd,lrange_100,mset
for ((round = 0; round < rounds; round++)); do
    for way in $ways; do
        run_way "$way" pipelined -P 16 -n "$requests" -t $commands
        run_way "$way" single -n $((requests / 5)) -t $commands
    done
done

printf '%s\n%s, gcc %s, uftrace %s, %s\n' "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
    "$("$work/plain" --version | cut -d' ' -f1-3)" "$(gcc -dumpfullversion)" \
    "$(uftrace --version | cut -d' ' -f2)" "$(date -u +'%F %T UTC')"
for kind in pipelined single; do
    printf '\n%s, %d rounds\n%-12s %8s %9s  %-15s %12s\n' "$kind" "$rounds" \
        way "user, s" slowdown quartiles "writes, MB"
    awk -v kind=$kind '$2 == kind { print $1, $3, $4 }' "$work/figures" >"$work/kind"
    awk -v ways="$ways" -f "$root/tests/bench/slowdown.awk" "$work/kind"
done
