#!/bin/bash
# check_symbolize.sh CASE EPROF CC CXX [MACHINE] - tests the names of functions and their places in
# the source.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
. "$here/symbolize/ask.sh"

c_names_are() {
    names_are "$1" "${2:-$1}" <<'NAMES'
hidden|hidden
shared_body|shared_body
name_of_the_linker|renamed
entry|entry
NAMES
}

# Asserts the names that are known without debug information.
linker_names_are() {
    source='' names_are "$1" "$2" <<'NAMES'
hidden|hidden
shared_body|shared_body
name_of_the_linker|name_of_the_linker
entry|entry
NAMES
}

# declared_are OPTION...: tests a program with its own headers and a system header.
declared_are() {
    mkdir -p system
    cp "$here/symbolize/declared.c" .
    printf 'int given(int x);\nstatic inline int given_inline(int x) { return x ^ 5; }\n' >system/given.h
    printf '\n\nint own(int x);\nstatic inline int from_header(int x) { return x ^ 3; }\n' >own.h
    printf '{\n    return x * 11;\n}\n' >body.h
    # shellcheck disable=SC2086 # no word where there is none
    "$cc" $machine -g -fno-builtin -isystem system "$@" declared.c -o program 2>err ||
        fail "cannot build $*"
    source=declared.c names_are program program <<'NAMES'
given|given
atoi|atoi
own|own
NAMES
    module program
    for symbol in from_header given_inline of_grammar with_body; do
        function_at "$(address program $symbol)"
    done
    ask
    sed -i "s,^$work/,,; s,^[.]/,," out
    printf '%s\n' M '' A from_header own.h 4 A given_inline system/given.h 2 \
        A of_grammar grammar.y 700 A with_body declared.c 33 E >expected
    diff expected out >differences || {
        cat differences
        fail "places differ with $* (<: expected)"
    }
}

case $case in
names_functions_of_c)
    for level in 0 2; do
        build program -O$level
        names_are program program <<'NAMES'
main|main
hidden|hidden
checked|checked
entry|entry
NAMES
    done
    ;;
names_what_was_not_inlined_of_a_function_that_is)
    for level in 0 2; do
        build program -O$level
        names_are program program <<<'helper|helper'
    done
    ;;
finds_functions_where_they_are_defined)
    for flags in -O0 -O1 '-O2 -gdwarf-4' '-O2 -gdwarf-5' -gsplit-dwarf; do
        # shellcheck disable=SC2086 # several options
        declared_are $flags
    done
    is_by_clang && exit
    declared_are -O2 -g1
    for flags in -O2 '-O2 -flto'; do # a part that is rarely run is placed in another section
        # shellcheck disable=SC2086 # several options
        "$cc" $machine -g -isystem system $flags -DSPLIT declared.c -o program 2>err ||
            fail "cannot build $flags"
        source=declared.c names_are program program <<'NAMES'
given|given|given, in two parts
given\.cold|given|given, in two parts
NAMES
    done
    "$cc" $machine -g -isystem system -O2 -DSPLIT declared.c -o program 2>err || fail "cannot build"
    cp program other
    try dwz -m shared program other
    source=declared.c names_are program program <<<'given|given|given, in two parts'
    ;;
names_clones_by_their_function)
    build program -O2
    names_are program program <<<'scaled(\..*)?|scaled'
    strip --strip-debug program
    source='' names_are program program <<<'scaled(\..*)?|scaled'
    ;;
names_parts_by_their_function) # only gcc makes them
    build program -O2
    names_are program program <<<'checked\.cold|checked'
    strip --strip-debug program
    source='' names_are program program <<<'checked\.cold|checked'
    ;;
names_functions_by_the_source_and_not_by_aliases)
    build program -O1
    for symbol in shared_body another_shared_body a_body _shared; do
        names_are program program <<<"$symbol|shared_body"
    done
    names_are program program <<<'name_of_the_linker|renamed'
    ;;
names_functions_by_their_best_symbol)
    build program -O1
    strip --strip-debug program
    source='' names_are program program <<<'a_body|shared_body'
    ;;
names_functions_of_every_kind_of_program)
    for kind in '-fPIE -pie' '-fno-pie -no-pie' '-fno-pie -static' '-fPIE -static-pie'; do
        # shellcheck disable=SC2086 # several options
        build program $kind
        c_names_are program
    done
    ;;
names_functions_of_a_library)
    build library.so -O2 -fPIC -shared -DLIBRARY
    c_names_are library.so
    ;;
names_functions_of_cxx_with_their_parameters)
    long='unsigned long'
    source=functions.cpp
    build_cxx program -O0
    names_are program program <<NAMES
_ZN8geometry6VectorC[12]Ed|geometry::Vector::Vector(double)|Vector
_ZN8geometry6VectorD[12]Ev|geometry::Vector::~Vector()|~Vector
_ZNK8geometry6VectorplERKS0_|geometry::Vector::operator+(geometry::Vector const&) const|operator+
_ZNK8geometry6VectorcviEv|geometry::Vector::operator int() const|operator int
_ZN8geometry6Vector5countEPKcm|geometry::Vector::count(char const*, $long)|count
_ZN8geometry12_GLOBAL__N_16secretEi|geometry::(anonymous namespace)::secret(int)|secret
_ZN8geometry5twiceIiEET_S1_|int geometry::twice<int>(int)|twice
_ZN8geometry10use_secretEi|geometry::use_secret(int)|use_secret
_ZL12of_this_filei|of_this_file(int)|of_this_file
like_c|like_c
NAMES
    ;;
names_functions_of_cxx_by_debug_information_alone)
    source=functions.cpp
    for version in 3 4; do
        build_cxx program -gdwarf-$version
        objcopy --wildcard --strip-symbol='_Z*' --strip-symbol=count program stripped
        [ -z "$(address stripped _ZN8geometry10use_secretEi)" ] || fail "it has its symbols"
        names_are stripped program <<'NAMES'
_ZN8geometry6VectorC[12]Ed|geometry::Vector::Vector(double)|Vector
_ZN8geometry10use_secretEi|geometry::use_secret(int)|use_secret
NAMES
    done
    ;;
names_lambdas)
    source=functions.cpp
    build_cxx program -O0
    name='main::{lambda(int)#1}::operator()(int) const'
    ! is_by_clang || name='main::$_0::operator()(int) const'
    names_are program program <<<"_ZZ4mainENK.*_?clEi|$name|lambda"
    ;;
names_clones_of_cxx_by_their_function)
    build_cxx program -O2
    for source in functions.cpp ''; do
        names_are program program <<'NAMES'
_ZNK8geometry6VectorplERKS0_(\..*)?|geometry::Vector::operator+(geometry::Vector const&) const|operator+
_ZNK8geometry6VectorcviEv(\..*)?|geometry::Vector::operator int() const|operator int
NAMES
        strip --strip-debug program
    done
    ;;
names_functions_without_debug_information)
    build program -O2
    strip --strip-debug program
    linker_names_are program program
    ;;
names_what_was_written_by_hand)
    build program
    source='' names_are program program <<'NAMES'
by_hand|by_hand
without_size|without_size
NAMES
    ;;
names_functions_of_a_stripped_library_by_its_dynamic_symbols)
    build library.so -O2 -fPIC -shared -DLIBRARY
    cp library.so whole
    strip library.so
    source='' names_are library.so whole <<'NAMES'
shared_body|shared_body
entry|entry
NAMES
    ;;
finds_what_was_stripped_by_build_id)
    build program -Wl,--build-id=sha1
    strip_debug program
    id=$(id_of program)
    mkdir -p debug/.build-id/"${id:0:2}"
    mv program.debug debug/.build-id/"${id:0:2}/${id:2}.debug"
    build_id=$id
    for options in "--debug-directory=$work/debug" --debug-directory=debug; do
        c_names_are program program.whole
    done
    options=()
    source='' names_are program program.whole <<<'entry|'
    ;;
finds_what_was_stripped_by_its_link)
    build program -Wl,--build-id=none
    strip_debug program
    objcopy --add-gnu-debuglink=program.debug program
    c_names_are program program.whole
    mkdir .debug
    mv program.debug .debug
    c_names_are program program.whole
    ;;
takes_no_debug_information_of_another_program)
    build program -Wl,--build-id=none
    strip_debug program
    objcopy --add-gnu-debuglink=program.debug program
    build program.debug -Wl,--build-id=none -O3
    source='' names_are program program.whole <<<'entry|'
    ;;
reads_the_symbols_that_a_stripped_program_kept)
    # as in distributions (.gnu_debugdata)
    build program
    strip_debug program
    rm program.debug
    objcopy --strip-debug program.whole symbols
    xz symbols
    objcopy --add-section .gnu_debugdata=symbols.xz program
    linker_names_are program program.whole
    ;;
reads_compressed_debug_information)
    build program -gz=zlib
    readelf -SW program | grep -qE '\.debug_info .* C ' || fail "nothing is compressed"
    c_names_are program
    ;;
reads_each_version_of_debug_information)
    for version in 2 3 4 5; do
        build program -gdwarf-$version
        readelf --debug-dump=info program 2>/dev/null | grep -q "Version: *$version" ||
            fail "there is no version $version"
        c_names_are program
    done
    ;;
reads_debug_information_that_programs_share)
    for version in 4 5; do
        [ $version = 4 ] || ! is_by_clang || break # dwz 0.15 does not support clang's version 5
        build program -O2 -gdwarf-$version
        build other -O2 -gdwarf-$version -DOTHER
        try dwz -m shared program other
        readelf -SW program | grep -q gnu_debugaltlink || fail "nothing is shared"
        c_names_are program
    done
    ;;
reads_debug_information_made_small)
    build program -O2 -gdwarf-4
    try dwz program
    status_is 0
    c_names_are program
    ;;
reads_debug_information_in_files_of_its_own)
    build program -gsplit-dwarf
    ls ./*.dwo >/dev/null || fail "there is no file of its own"
    c_names_are program
    ;;
reads_debug_information_made_when_linking) # clang would need a linker that is not installed
    build program -O2 -flto
    names_are program program <<'NAMES'
main|main
checked|checked
NAMES
    ;;
reads_little_debug_information) # only gcc makes it
    build program -g1
    c_names_are program
    ;;
reads_lines_alone) # only clang makes them; they begin with the first instruction
    build program -gline-tables-only
    below=1 names_are program program <<'NAMES'
hidden|hidden
entry|entry
NAMES
    ;;
leaves_alone_what_the_linker_has_left_out)
    build program -ffunction-sections -Wl,--gc-sections
    [ -z "$(address program never_called)" ] || fail "never_called is there"
    c_names_are program
    # the function has no address; its address is not 0 either
    module program
    function_at 1
    ask
    printf 'M\n\nA\n\n\n0\nE\n' | diff - out >differences || fail "there is something at 1"
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
