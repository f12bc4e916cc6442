#!/bin/bash
# check_top.sh CASE EPROF DRIVEN - tests the documented behaviour of `eprof top` without a terminal.
set -u
. "$(dirname "$0")/drive.sh"
. "$(dirname "$0")/expect.sh"

# Starts a view that continues. Its frames are in the file out; its process id is $top_pid.
look_on() {
    "$eprof" top "$@" >out 2>err &
    top_pid=$!
}

# Waits until this number of frames is there: a fixed time would not be enough on a loaded machine.
await_frames() {
    until [ "$(grep -c '^eprof top: ' out)" -ge "$1" ]; do
        kill -0 "$top_pid" 2>/dev/null || fail "there are not $1 frames"
        sleep 0.01
    done
}

await_end() {
    status=0
    wait "$top_pid" || status=$?
}

as_other() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# Some tests need a second user, who runs the program `other` and may write here too.
need_other() {
    [ "$(id -u)" = 0 ] || exit 77
    chmod 777 .
    as_other "$eprof" --version >out 2>&1 || exit 77 # the other user cannot read the build
    printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s\n' "$driven" >other
    chmod +x other
}

case $case in
shows_a_program_that_runs)
    begin file
    drive 'calls 7'
    try "$eprof" top --count=1 file
    status_is 0
    is_empty err
    says out "^eprof top: [^ ]*driven, process $driven_pid, running, recorded for [0-9.]+ .?s$"
    says out '^3 scopes, 1 instance, by self/s; rates are of all that time$'
    has out work 1 7
    has out step 1 7
    has out tick 1 7
    has out serve 1 1
    ;;
finds_the_file_of_a_process)
    begin file
    drive 'calls 7'
    try "$eprof" top --count=1 "$driven_pid"
    status_is 0
    says out "process $driven_pid, running"
    has out work 1 7
    ;;
finds_a_file_that_has_any_name)
    mkdir 'a folder'
    begin 'a folder/a file'
    drive 'calls 7'
    try env --chdir=/ "$eprof" top --count=1 "$driven_pid"
    status_is 0
    has out work 1 7
    ;;
finds_a_file_in_another_mount_namespace)
    need_other
    mkdir folder
    unshare --mount mount -t tmpfs none folder || exit 77
    echo 'mount -t tmpfs -o mode=777 none folder && exec ./other' >inside
    printf '#!/bin/sh\nexec unshare --mount sh inside\n' >hidden
    chmod +x hidden
    begin folder/file ./hidden
    drive 'calls 7'
    is_not_there folder/file
    try "$eprof" top --count=1 "$driven_pid"
    status_is 0
    has out work 1 7
    try as_other "$eprof" top --count=1 "$driven_pid"
    status_is 0
    has out work 1 7
    ;;
finds_the_file_of_a_process_with_ids_of_its_own)
    apart=(unshare --pid --fork --kill-child)
    [ "$(id -u)" = 0 ] || apart+=(--map-root-user)
    "${apart[@]}" true || exit 77
    printf '#!/bin/sh\nexec %s %s\n' "${apart[*]}" "$driven" >hidden
    chmod +x hidden
    begin file ./hidden
    drive 'calls 7'
    try "$eprof" top --count=1 "$(pgrep -P "$driven_pid")"
    status_is 0
    says out 'process 1, running'
    has out work 1 7
    ;;
finds_a_file_that_was_removed)
    [ "$(id -u)" = 0 ] || exit 77
    begin file
    drive 'calls 7'
    rm file
    try "$eprof" top --count=1 "$driven_pid"
    status_is 0
    has out work 1 7
    ;;
says_who_can_see_a_file_that_was_removed)
    need_other
    begin file ./other
    drive 'calls 7'
    try as_other "$eprof" top --count=1 "$driven_pid"
    has out work 1 7
    rm file
    try as_other "$eprof" top --count=1 "$driven_pid"
    status_is 1
    complains "$driven_pid: a file that it has mapped was removed or replaced, and only root can"
    ;;
takes_no_other_file_in_its_place)
    [ "$(id -u)" = 0 ] || exit 77
    begin file
    drive 'calls 7'
    cp file 'file (deleted)' # the name that the kernel shows for a removed file
    rm file
    EPROF=image=file "$driven" <<<'calls 9' >answers
    drive 'calls 4'
    try "$eprof" top --count=1 "$driven_pid"
    has out work 1 11
    ;;
sees_the_end_of_a_process)
    begin file
    drive 'calls 7'
    look_on --interval=0.01 "$driven_pid"
    await_frames 1
    rm -f file
    drive 'calls 4'
    end
    await_end
    status_is 0
    has out work 1 11
    [ "$(grep -c ', ended, ' out)" = 1 ] || fail "not one frame of the end"
    ;;
takes_digits_for_a_file_that_is_there)
    begin 4711
    drive 'calls 7'
    try "$eprof" top --count=1 4711
    status_is 0
    has out work 1 7
    ;;
says_how_to_record_to_a_file)
    begin file
    coproc OTHER { exec "$driven"; } 2>/dev/null
    echo 'calls 1' >&"${OTHER[1]}"
    read -r _ <&"${OTHER[0]}"
    try "$eprof" top "$OTHER_PID"
    status_is 1
    is_empty out
    complains "$OTHER_PID: records to no file; start it with .eprof run -o FILE -- PROGRAM' or EPROF=image=FILE$"
    ;;
takes_no_child_for_its_parent)
    begin file
    drive fork
    try "$eprof" top "${answer#done }"
    kill "${answer#done }"
    status_is 1
    complains "${answer#done }: records to no file"
    ;;
knows_that_there_is_no_such_process)
    try "$eprof" top 4194305 # larger than any process id on Linux
    status_is 1
    is_empty out
    complains '4194305: no such process, and no such file$'
    ;;
says_that_a_process_is_not_ours)
    need_other
    begin file
    try as_other "$eprof" top "$driven_pid"
    status_is 1
    complains "$driven_pid: what it has mapped cannot be read: Permission denied$"
    ;;
says_what_is_wrong_with_a_file)
    try "$eprof" top nothing
    status_is 1
    complains 'nothing: No such file or directory$'
    echo some text >text
    try "$eprof" top text
    status_is 1
    complains 'text: .*not an eprof image'
    ;;
shows_rates)
    begin file
    look_on --interval=0.05 file
    await_frames 1
    for _ in 1 2 3; do
        drive 'calls 1000'
        frames=$(grep -c '^eprof top: ' out)
        await_frames $((frames + 1))
    done
    end
    await_end
    status_is 0
    # the calls of one command may be in two frames, and those of two commands in one
    rates=$(awk '/rates are of/ { is_rate = / the last / } is_rate && /^work / && $6 > 0' out | wc -l)
    [ "$rates" -ge 1 ] && [ "$rates" -le 6 ] || fail "$rates frames have rates"
    has out work 1 3000
    ;;
shows_so_many_frames)
    begin file
    try "$eprof" top --interval=0.01 --count=5 file
    status_is 0
    [ "$(grep -c '^eprof top: ' out)" = 5 ] || fail "not five frames"
    [ "$(grep -c 'rates are of the last' out)" = 4 ] || fail "not four of a refresh"
    ;;
has_no_escape_codes)
    begin file
    drive 'calls 7'
    try "$eprof" top --interval=0.01 --count=2 file
    ! grep -q $'\033' out || fail "there is an escape code"
    try "$eprof" top --interval=0.01 --count=2 --color=always file
    grep -q $'\033' out || fail "there is no colour"
    ;;
ends_with_the_program)
    begin file
    look_on --interval=0.01 file
    await_frames 2
    drive 'calls 7'
    end
    await_end
    status_is 0
    is_empty err
    [ "$(grep -c ', ended, recorded for ' out)" = 1 ] || fail "not one frame of the end"
    tail -n 8 out | grep -q 'rates are of all that time$' || fail "the end has no rates of all"
    has out work 1 7
    ;;
says_that_it_was_killed)
    begin file
    drive 'calls 7'
    look_on --interval=0.01 file
    await_frames 30 # so that its age is known to an eighth
    kill_it KILL
    await_end
    status_is 0
    [ "$(grep -c ', killed, recorded for about ' out)" = 1 ] || fail "not one frame of the end"
    has out work 1 7
    try "$eprof" top file
    status_is 0
    says out ', killed$'
    says out 'since when is not known, and so no rates$'
    ;;
goes_on_behind_a_reset)
    begin file
    drive 'calls 100000'
    look_on --interval=0.05 file
    await_frames 2
    drive reset
    drive 'calls 3'
    frames=$(grep -c '^eprof top: ' out)
    await_frames $((frames + 2))
    end
    await_end
    status_is 0
    has out work 1 3
    # the first frame, one after the reset, and the last
    [ "$(grep -c 'rates are of all that time$' out)" -ge 3 ] || fail "the reset is not seen"
    # the calls before the reset, or 2^64 minus some, would give a larger rate after it
    awk '/^work / && $NF == 3 && $6 > 500000 { bad = 1 } END { exit bad }' out ||
        fail "a rate is absurd"
    ! grep -qE '[0-9]{9}' out || fail "a figure is absurd"
    ;;
says_that_the_file_is_gone)
    begin file
    look_on --interval=0.01 file
    await_frames 2
    rm file
    await_end
    status_is 1
    complains 'file: No such file or directory$'
    ;;
sorts_and_filters)
    begin file
    drive 'calls 7'
    try "$eprof" top --count=1 --sort=name file
    [ "$(sed -n '7,10s/ .*//p' out | tr '\n' ' ')" = 'serve step tick work ' ] || fail "not by name"
    says out '^\[name\] '
    try "$eprof" top --count=1 --sort=name --filter='s*' file
    [ "$(sed -n '7,10s/ .*//p' out | tr '\n' ' ')" = 'serve step ' ] || fail "not filtered"
    try "$eprof" top --count=1 --sort=name --top=2 file
    [ "$(sed -n '7,10s/ .*//p' out | tr '\n' ' ')" = 'serve step … ' ] || fail "not two"
    says out '^… 2 more$'
    try "$eprof" top --count=1 --sort=name --paths file
    [ "$(sed -n '7,10s/ .*//p' out | tr '\n' ' ')" = 'serve serve;work;step tick serve;work ' ] ||
        fail "no paths"
    ;;
shows_what_was_measured)
    # this clock takes a system call: with the faster read of the counter, a processor may do other
    # work, and then there is no cost to subtract
    EPROF=image=file,source=thread_cputime "$driven" <<<'calls 100000' >answers
    try "$eprof" top --sort=name file
    ticked=$(sed -n 's/^tick  *//p' out)
    try "$eprof" top --sort=name --raw file
    status_is 0
    has out tick 1 100000
    [ "$(sed -n 's/^tick  *//p' out)" != "$ticked" ] || fail "the probes are taken off"
    ;;
complains_of_names_once)
    cp "$driven" program
    begin file ./program
    drive 'calls 7'
    rm program
    try "$eprof" top --interval=0.01 --count=3 file
    status_is 0
    [ "$(grep -c '^eprof top: ' out)" = 3 ] || fail "not three frames"
    complains '.*/program is not there any more: its functions are shown by'
    ;;
shows_a_saved_profile)
    EPROF=image=file "$driven" <<<'calls 9' >answers
    "$eprof" merge -o sum file file
    try "$eprof" top sum
    status_is 0
    says out 'several programs, a saved profile$'
    has out work 1 18
    ;;
says_that_the_disk_is_full)
    begin file
    status=0
    "$eprof" top --count=1 file >/dev/full 2>err || status=$?
    : >out
    status_is 1
    complains 'stdout: No space left on device'
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
