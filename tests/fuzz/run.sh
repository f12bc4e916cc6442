#!/bin/sh
# run.sh FUZZER SECONDS - lets the fuzzer loose on the corpus, which stays as it is
#
# What it finds lies in ./found afterwards; inputs that reached new code in ./corpus.
set -eu
fuzzer=$1 seconds=$2
here=$(dirname "$0")
mkdir -p corpus found
cp "$here"/corpus/image/*.eprof "$here"/../golden/*.eprof corpus
# An input that is spoilt is refused, however often it is spoilt again: so but twice. No memory
# that is asked for at once is a thousand times as large as the input.
exec "$fuzzer" -max_total_time="$seconds" -max_len=131072 -mutate_depth=2 -timeout=30 \
    -rss_limit_mb=2048 -malloc_limit_mb=128 -print_final_stats=1 -artifact_prefix=found/ corpus
