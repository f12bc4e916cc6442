#!/bin/sh
# run.sh FUZZER SECONDS - lets a fuzzer loose on its corpus, which stays as it is
#
# FUZZER is called fuzz_NAME, and its corpus is corpus/NAME. What it finds lies in ./found-NAME
# afterwards; inputs that reached new code in ./corpus-NAME. Words that the format knows are in
# NAME.dict, where there are any.
set -eu
fuzzer=$1 seconds=$2
here=$(dirname "$0")
name=$(basename "$fuzzer")
name=${name#fuzz_}
mkdir -p "corpus-$name" "found-$name"
cp "$here/corpus/$name"/* "corpus-$name"
set -- -max_len=1024
if [ "$name" = image ]; then
    cp "$here"/../golden/*.eprof "corpus-$name"
    # An input that is spoilt is refused, however often it is spoilt again: so but twice.
    set -- -max_len=131072 -mutate_depth=2
fi
# Texts of an image have 4,095 bytes at most.
[ "$name" != names ] || set -- -max_len=16384
[ ! -f "$here/$name.dict" ] || set -- "$@" -dict="$here/$name.dict"
# No memory that is asked for at once is a thousand times as large as the largest input. What was
# printed of refused inputs is not looked at.
exec "$fuzzer" -max_total_time="$seconds" "$@" -timeout=30 -rss_limit_mb=2048 \
    -malloc_limit_mb=128 -print_final_stats=1 -close_fd_mask=1 \
    -artifact_prefix="found-$name/" "corpus-$name"
