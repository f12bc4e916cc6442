# library.sh - build_library, for hooks.sh and lua.sh, which source this file. They set `root`, the
# folder of the project, and `work`, a folder for what is made.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that source it

# Installs the library under $work/eprof, makes $work/libempty.so, whose hooks only return, and sets
# what pkg-config and gcc need. The messages are in $work/log. Fails if anything does not build.
build_library() {
    {
        cmake -S "$root" -B "$work/library" -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_INSTALL_PREFIX="$work/eprof" -DCMAKE_INSTALL_LIBDIR=lib \
            -DEPROF_BUILD_TESTS=OFF -DEPROF_BUILD_EXAMPLES=OFF -DEPROF_BUILD_BENCH=OFF &&
            cmake --build "$work/library" --parallel 2 &&
            cmake --install "$work/library" &&
            gcc -O2 -shared -fPIC "$root/tests/bench/empty_hooks.c" -o "$work/libempty.so"
    } >"$work/log" 2>&1 || return 1
    export PKG_CONFIG_PATH=$work/eprof/lib/pkgconfig
    flags=$(pkg-config --variable=hook_cflags eprof-auto)
    entry_flags=$(pkg-config --variable=entry_cflags eprof-auto)
    ours="$(pkg-config --libs eprof-auto) -Wl,-rpath,$work/eprof/lib"
    empty="-L$work -Wl,-rpath,$work -lempty"
}
