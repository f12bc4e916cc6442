#!/bin/bash
# check_symbolize_choice.sh CASE EPROF CC CXX [MACHINE] - tests which functions the patterns of
# auto= choose.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
. "$here/symbolize/ask.sh"

# Pads a hexadecimal number to 16 digits, so that numbers can be compared as text.
padded() {
    printf '%16s' "$1" | tr ' ' 0
}

# Prints the functions on stdin that PATTERN... leaves out of FILE. They are linker names, one on
# each line.
left_out() {
    for pattern in "${@:2}"; do
        printf 'P\0%s\0' "$pattern"
    done >request
    module "$1"
    printf 'S\0' >>request
    ask
    status_is 0
    is_empty err
    [ "$(sed -n 1,3p out)" = "M

S" ] || fail "this is no answer"
    [ "$(wc -l <out)" = $((5 + 2 * $(sed -n 4p out))) ] || fail "this is not the end"
    sed -n '5,$p' out | paste - - | grep -v '^E' >stretches
    while read -r symbol; do
        place=$(padded "$(address "$1" "$symbol")")
        while read -r begin end; do
            begin=$(padded "$begin") end=$(padded "$end")
            [[ $place < $begin || ! $place < $end ]] || echo "$symbol"
        done <stretches
    done
}

# chosen_are FILE NAMES PATTERN...: of all functions on stdin, NAMES are not left out.
chosen_are() {
    cat >all
    left_out "$1" "${@:3}" <all >not_chosen || exit
    chosen=$(grep -vxFf not_chosen all | tr '\n' ' ')
    [ "$chosen" = "$2 " ] || fail "chosen by ${*:3} are $chosen, not $2"
}
of_c() {
    chosen_are program "$@" <<'NAMES'
hidden
helper
checked
entry
main
NAMES
}
of_cxx() {
    chosen_are program "$@" <<'NAMES'
_ZN8geometry5twiceIiEET_S1_
_ZN8geometry12_GLOBAL__N_16secretEi
_ZNK8geometry6VectorplERKS0_
_ZL12of_this_filei
like_c
NAMES
}
twice=_ZN8geometry5twiceIiEET_S1_
secret=_ZN8geometry12_GLOBAL__N_16secretEi
plus=_ZNK8geometry6VectorplERKS0_
static=_ZL12of_this_filei

case $case in
all_without_a_pattern)
    build program
    of_c 'hidden helper checked entry main'
    ;;
those_that_are_like_one)
    build program
    of_c 'hidden helper' 'h*'
    of_c 'hidden entry' hidden 'e?try'
    of_c 'entry' '[d-f]n*'
    ;;
those_that_are_not_like_one)
    build program
    of_c 'checked entry main' '!h*'
    of_c 'entry' '!h*' '!main' '!check[ae]d'
    ;;
those_that_are_like_one_and_not_like_another)
    build program
    of_c 'helper' 'h*' '!hid*'
    of_c 'helper' '!hid*' 'h*'
    ;;
all_of_a_file)
    build program
    of_c 'hidden helper checked entry main' functions.c
    of_c 'hidden helper checked entry main' "$work/*"
    of_c 'helper checked entry main' '*/functions.c' '!hidden'
    [ "$(left_out program functions.c <<<_start)" = _start ] || fail "_start is chosen"
    ;;
all_of_a_file_that_a_system_header_declares_some_of)
    printf '#include <stdlib.h>\nint atoi(const char *s) { return *s; }\n' >functions.c
    printf 'int main(int c, char **v) { return atoi(v[c - 1]); }\n' >>functions.c
    build program -fno-builtin
    chosen_are program 'atoi main' functions.c <<<$'atoi\nmain'
    chosen_are program 'main' '!atoi' <<<$'atoi\nmain'
    ;;
nothing_that_has_no_name)
    build program
    printf 'P\0entry\0' >request
    module program
    printf 'S\0' >>request
    ask
    [ "$(sed -n '4p;5p;8p' out | tr '\n' ' ')" = '2 0 ffffffffffffffff ' ] || fail "there are others"
    [ "$(padded "$(sed -n 6p out)")" \< "$(padded "$(sed -n 7p out)")" ] || fail "there is no gap"
    ;;
by_names_with_and_without_parameters)
    build_cxx program -O0
    of_cxx "$twice" 'geometry::twice<int>'
    of_cxx "$twice" 'int geometry::twice<int>(int)'
    of_cxx "$secret" 'geometry::(anonymous namespace)::secret'
    of_cxx "$secret" 'geometry::(anonymous namespace)::secret(int)'
    of_cxx "$plus" 'geometry::Vector::operator+'
    of_cxx "$static" of_this_file
    of_cxx "$static like_c" '*(int)' like_c '!geometry*' '!int geometry*'
    ;;
by_names_of_the_linker)
    build_cxx program -O0
    of_cxx "$twice $secret" '_ZN8geometry*'
    of_cxx "like_c" '!_Z*'
    ;;
by_names_of_aliases)
    build program
    for name in shared_body another_shared_body a_body _shared; do
        chosen_are program shared_body $name <<<'shared_body'
        chosen_are program entry "!$name" <<'NAMES'
shared_body
entry
NAMES
    done
    ;;
those_without_a_size)
    build program
    chosen_are program 'by_hand' '!without_size' <<'NAMES'
by_hand
without_size
NAMES
    ;;
at_the_last_address)
    # a damaged file may have a function at this address; no range can contain it
    build program
    objcopy --add-symbol last=-1,function,global program
    left_out program '!*' </dev/null
    while read -r begin end; do
        [[ $(padded "$begin") < $(padded "$end") ]] || fail "a range from $begin to $end"
    done <stretches
    [ -s stretches ] || fail "no function is left out"
    ;;
in_few_stretches)
    # padding between two functions of a file does not split a range
    build program -O2
    for pattern in functions.c '!functions.c'; do
        left_out program $pattern </dev/null
        [ "$(sed -n 4p out)" -le 6 ] || fail "there are too many"
    done
    ;;
without_debug_information)
    build_cxx program -O0
    strip --strip-debug program
    of_cxx "$twice" 'geometry::twice<int>'
    of_cxx "$plus" 'geometry::Vector::operator+' functions.cpp
    ;;
by_the_patterns_that_came_before)
    build program
    module program
    printf 'S\0P\0%s\0S\0' '!*' >>request
    ask
    status_is 0
    [ "$(sed -n '3p;4p;5p;6p' out | tr '\n' ' ')" != 'S 0 S 0 ' ] || fail "the pattern does nothing"
    [ "$(sed -n '3p;4p;5p' out | tr '\n' ' ')" = 'S 0 S ' ] || fail "the pattern came too early"
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
