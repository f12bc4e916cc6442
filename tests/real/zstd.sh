# zstd.sh - a C program with threads: a compressor, 60,000 lines
#
# Read by run, as cmark.sh is. Nearly all of its time is spent in small functions that are inlined by
# force, each with two hooks. It compresses on two threads, with a third that reads and writes, so
# that how often they wait for each other is another number in each run: its call tree is compared.

package=libzstd
compiler=gcc
checksum="1494348815 544991"
judged=tree

# build COMPILER FLAGS LIBRARIES: ./program
build() {
    make -C programs zstd CC="$1" CFLAGS="$2" LDFLAGS="$2" LDLIBS="$3" HAVE_ZLIB=0 HAVE_LZMA=0 \
        HAVE_LZ4=0 >log 2>&1 && ln programs/zstd program
}

# Debian's package has not its authors' own.
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

# Jobs of 512 KiB, the least there is.
long_run="./program -q -T2 -3 -B512K -c input"
