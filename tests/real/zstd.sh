# zstd.sh - a C program with threads: a compressor, 60,000 lines
#
# The script run reads this file, as it reads cmark.sh. The program spends nearly all its time in
# small functions that are always inlined, each with two hooks. It compresses on two threads, and a
# third one reads and writes, so that the number of waits for each other differs from run to run: so
# the test compares the call tree.

package=libzstd
compiler=gcc
checksum="1494348815 544991"
judged=tree

# build COMPILER FLAGS LIBRARIES: makes ./program
build() {
    make -C programs zstd CC="$1" CFLAGS="$2" LDFLAGS="$2" LDLIBS="$3" HAVE_ZLIB=0 HAVE_LZMA=0 \
        HAVE_LZ4=0 >log 2>&1 && ln programs/zstd program
}

# Debian's package does not contain the tests of its authors.
own_tests() {
    local level
    for level in 1 3 7 12 19; do
        ./program -q -T2 "-$level" -c input >"input.$level.zst" &&
            ./program -q -d -c "input.$level.zst" | cmp - input || return 1
    done
    ./program -q -b1 -i0 input >/dev/null && echo "what it packed at 5 levels is unpacked the same"
}

make_input() {
    cat lib/*.h lib/*/*.[ch] >input
}

# Jobs of 512 KiB, which is the minimum.
long_run="./program -q -T2 -3 -B512K -c input"
