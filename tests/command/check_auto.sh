#!/bin/bash
# check_auto.sh CASE EPROF HOOKED LIBRARY - tests the documented behaviour of `eprof run --auto`
# with a program that is not linked with libeprof; LIBRARY is libeprof-auto.
set -u
. "$(dirname "$0")/expect.sh"
hooked=$recorder library=$4

# Installs the command and the library into the folders bin and lib of the given folder.
install_into() {
    mkdir -p "$1/bin" "$1/lib"
    cp "$eprof" "$1/bin/eprof"
    cp "$library" "$1/lib/libeprof-auto.so.0"
}

case $case in
records_a_program_that_is_not_linked_with_it)
    try "$eprof" run --auto -- "$hooked"
    status_is 0
    says err '^eProf Tree: 3 functions on 3 call paths'
    says err "^eprof: profile in $(basename "$hooked")\.eprof$"
    calls=$("$eprof" report --format=csv "$(basename "$hooked").eprof" | sed -n 's/^function,.*,\*,[^,]*,[0-9]*,\([0-9]*\),.*/\1/p')
    [ "$calls" = "$(printf '1\n3\n12')" ] || fail "the calls are $calls"
    ;;
leaves_the_program_alone_without_it)
    try "$eprof" run -- "$hooked"
    status_is 0
    complains '.*/hooked: it left no profile; link it with -leprof'
    ;;
goes_on_to_the_programs_that_this_one_starts)
    # shellcheck disable=SC2016 # for that shell
    try "$eprof" run --auto -q -o 'a-%p' -- sh -c '"$0"; "$0"' "$hooked"
    status_is 0
    [ "$(echo a-* | wc -w)" = 2 ] || fail "the files are $(echo a-*)"
    ;;
repeats_with_it)
    try "$eprof" run --auto --repeat=2 -- "$hooked"
    status_is 0
    says err '^eprof: 2 profiles'
    ;;
keeps_what_is_preloaded_anyway)
    LD_PRELOAD=$library:libc.so.6 try "$eprof" run --auto -q -- env
    says out '^LD_PRELOAD=/[^:]*/libeprof-auto\.so\.0[^:]*:.*:libc\.so\.6$'
    LD_PRELOAD='' try "$eprof" run --auto -q -- env
    says out '^LD_PRELOAD=/[^:]*/libeprof-auto\.so\.0[^:]*$'
    ;;
says_that_a_program_has_no_hooks)
    try "$eprof" run --auto -- "$eprof" --version # a program of the architecture of the library
    status_is 0
    complains '.*/eprof: it left no profile; compile it with -fpatchable-function-entry=5 \(x86-64\) or -finstrument-functions, and do not link '
    ;;
says_that_the_library_is_not_there)
    install_into place
    rm place/lib/libeprof-auto.so.0
    try place/bin/eprof run --auto -- echo word
    status_is 1
    is_empty out
    complains 'libeprof-auto\.so\.0: not found from .*/place/bin; '
    ;;
says_that_the_library_cannot_be_named)
    for name in 'a b' a:b; do
        install_into "$name"
        try "$name/bin/eprof" run --auto -- echo word
        status_is 1
        is_empty out
        complains ".*/$name/lib/libeprof-auto\.so\.0: LD_PRELOAD takes no path with a blank or a colon"
    done
    ;;
finds_the_library_where_the_command_was_moved_to)
    install_into place
    place/bin/eprof run --auto -q -- env >out
    says out "^LD_PRELOAD=$work/place/lib/libeprof-auto\.so\.0\$"
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
