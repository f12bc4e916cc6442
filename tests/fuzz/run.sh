#!/bin/sh
# run.sh FUZZER SECONDS - runs a fuzzer on its corpus, which is not changed
#
# FUZZER is named fuzz_NAME, and its corpus is corpus/NAME. Afterwards ./found-NAME contains the
# inputs with faults, and ./corpus-NAME the inputs that reached new code. If the format has
# keywords, they are in NAME.dict.
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
    # A damaged input is refused, however often it is damaged again: so it is mutated only twice.
    set -- -max_len=131072 -mutate_depth=2
fi
# Texts of an image have at most 4,095 bytes.
[ "$name" != names ] || set -- -max_len=16384
[ ! -f "$here/$name.dict" ] || set -- "$@" -dict="$here/$name.dict"
# No single allocation may be a thousand times as large as the largest input. The output about
# refused inputs is not needed.
exec "$fuzzer" -max_total_time="$seconds" "$@" -timeout=30 -rss_limit_mb=2048 \
    -malloc_limit_mb=128 -print_final_stats=1 -close_fd_mask=1 \
    -artifact_prefix="found-$name/" "corpus-$name"
