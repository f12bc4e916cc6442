#!/bin/bash
# check_run.sh CASE EPROF RECORDER - tests the documented behaviour of `eprof run`.
set -u
. "$(dirname "$0")/expect.sh"

case $case in
wants_a_file_for_the_profile)
    try "$eprof" run -o - -- "$recorder" word
    status_is 2
    is_empty out
    complains 'run: -o - is stdout, which no program can record into; a file of that name is ./-$'
    is_not_there -
    try "$eprof" run -q -o ./- -- "$recorder" word
    status_is 0
    is_there ./-
    ;;
names_the_file_after_the_program)
    try "$eprof" run -- "$recorder" exit
    status_is 0
    is_of_recorder recorder.eprof
    says err '^eprof: profile in recorder\.eprof$'
    ;;
shows_the_tree_on_stderr)
    try "$eprof" run "$recorder" exit one two
    says err '^eProf Tree: 2 scopes'
    says err 'step +12 '
    [ "$(cat out)" = "$(printf 'one\ntwo')" ] || fail "stdout is not the program's alone"
    ;;
leaves_options_behind_the_program_to_it)
    try "$eprof" run -q "$recorder" exit --quiet -o --help --
    status_is 0
    [ "$(cat out)" = "$(printf -- '--quiet\n-o\n--help\n--')" ] || fail "the words are others"
    is_of_recorder recorder.eprof
    ;;
is_quiet)
    try "$eprof" run --quiet -- "$recorder" exit
    status_is 0
    is_empty err
    try "$eprof" run -q -- "$recorder" status
    status_is 3
    is_empty err
    is_of_recorder recorder.eprof
    ;;
passes_the_status_on)
    try "$eprof" run -- "$recorder" status
    status_is 3
    is_of_recorder recorder.eprof
    try "$eprof" run -- "$recorder" _exit
    status_is 4
    is_of_recorder recorder.eprof
    ;;
ends_by_the_signal_that_killed_the_program)
    for ending in abort:6:Aborted kill:9:Killed segv:11:Segmentation; do
        signal=${ending#*:} name=${ending##*:} ending=${ending%%:*}
        signal=${signal%:*}
        try "$eprof" run -- "$recorder" "$ending"
        status_is $((128 + signal))
        says err "^eprof: .*/recorder was killed by signal $signal \($name.*\): the profile is up"
        is_of_recorder recorder.eprof
        # a shell cannot distinguish a signal from an exit status with that number, but eprof can
        try "$eprof" run -- "$eprof" run -q -- "$recorder" "$ending"
        says err "^eprof: $eprof was killed by signal $signal "
    done
    ;;
leaves_the_core_to_the_program)
    # bash reports whether the process that it started, which is eprof, has dumped core
    bash -c 'ulimit -c "$(ulimit -H -c)"; "$@" 2>err; exit' bash "$eprof" run -q -- "$recorder" abort \
        >out 2>said
    grep -q Aborted said || fail "bash says $(cat said)"
    ! grep -q 'core dumped' said || fail "eprof has dumped its core"
    ;;
says_of_a_killed_program_in_quiet)
    try "$eprof" run --quiet -- "$recorder" kill
    complains '.*/recorder was killed by signal 9 \(Killed\): the profile is up to then$'
    ;;
does_not_find_a_program)
    try "$eprof" run -- no-such-program
    status_is 127
    complains 'no-such-program: not found in PATH; '
    try "$eprof" run -- ./no-such-program
    status_is 127
    complains '\./no-such-program: No such file'
    is_not_there no-such-program.eprof
    ;;
cannot_execute_a_program)
    echo text >text
    try "$eprof" run -- ./text
    status_is 126
    complains '\./text: Permission denied'
    mkdir folder
    try "$eprof" run -- ./folder
    status_is 126
    complains '\./folder: Permission denied'
    ;;
runs_into_the_file_that_is_named)
    mkdir folder
    try "$eprof" run -o folder/mine -- "$recorder" exit
    status_is 0
    says err '^eprof: profile in folder/mine$'
    is_of_recorder folder/mine
    try "$eprof" run --output="$work/absolute" -- "$recorder" exit
    is_of_recorder absolute
    is_not_there recorder.eprof
    # relative to this folder, even if the program changes its folder
    try "$eprof" run -o mine -- env --chdir=folder "$recorder" exit
    is_of_recorder mine
    ;;
knows_the_process_id_in_a_file_name)
    try "$eprof" run -o 'a-%p-%%.eprof' -- "$recorder" exit
    status_is 0
    file=$(echo a-*-%.eprof)
    says err "^eprof: profile in $file\$"
    echo "$file" | grep -qE '^a-[0-9]+-%\.eprof$' || fail "the file is $file"
    is_of_recorder "$file"
    # a percent sign that begins no conversion stays a percent sign
    try "$eprof" run -o 'b%x%' -- "$recorder" exit
    is_of_recorder 'b%x%'
    ;;
takes_any_name)
    name=$(printf 'a b,c\\,d%%p%%%%e*\n[f]')
    mkdir "$name"
    cp "$recorder" "$name/$name"
    cd "$name" || exit
    try "$eprof" run -- "./$name" exit
    status_is 0
    is_of_recorder "$name.eprof"
    says err '^eprof: profile in a b,c\\,d%p%%e\*\\x0a\[f\]\.eprof$'
    ;;
keeps_what_the_caller_asked_for)
    export EPROF='csv=own.csv'
    try "$eprof" run -- "$recorder" exit
    unset EPROF
    is_of_recorder recorder.eprof
    [ "$(head -c 10 own.csv)" = "kind,name," ] || fail "no csv in own.csv"
    # the backslash is the end of that path, and does not escape the comma after it
    EPROF='csv=own\' try "$eprof" run -- "$recorder" exit
    is_there 'own\'
    is_of_recorder recorder.eprof
    ;;
sets_the_source)
    try "$eprof" run --source clock_gettime -- "$recorder" exit
    status_is 0
    says err '^source clock_gettime'
    ;;
repeats)
    try "$eprof" run --repeat 3 -- "$recorder" exit
    status_is 0
    for run in 1 2 3; do
        is_of_recorder recorder.$run.eprof
    done
    is_not_there recorder.4.eprof
    says err 'step +36 '
    says err '^eprof: 3 profiles in recorder\.%n\.eprof$'
    try "$eprof" run --repeat=2 -o '%n-of-mine' -- "$recorder" exit
    is_of_recorder 1-of-mine
    is_of_recorder 2-of-mine
    try "$eprof" run --repeat=2 -o mine -- "$recorder" exit
    is_of_recorder mine.2
    ;;
repeats_up_to_the_run_that_fails)
    cat >third_fails <<'SCRIPT'
#!/bin/sh
echo run >>runs
[ "$(wc -l <runs)" -lt 3 ] || exec "$1" status
exec "$1" exit
SCRIPT
    chmod +x third_fails
    try "$eprof" run --repeat 5 -- ./third_fails "$recorder"
    status_is 3
    says err 'step +36 '
    is_of_recorder third_fails.3.eprof
    is_not_there third_fails.4.eprof
    try "$eprof" run --repeat 5 -- "$recorder" kill
    status_is 137
    is_not_there recorder.2.eprof
    ;;
adds_up_what_forked_processes_recorded)
    try "$eprof" run -- "$recorder" fork
    status_is 0
    says err '^eprof: 4 profiles in recorder\.eprof and, of forked processes, recorder\.eprof\.%p$'
    says err 'work +8 '
    says_not err 'child process' # all processes are in the sum
    try "$eprof" run -o '%p.eprof' -- "$recorder" fork
    says err '^eprof: 4 profiles in %p\.eprof$'
    says err 'work +8 '
    ;;
adds_up_no_file_of_another_run)
    "$eprof" run -q -- "$recorder" exit
    cp recorder.eprof recorder.eprof.1234
    "$eprof" run -q -o 'p-%p' -- "$recorder" exit
    cp p-* p-1-2
    try "$eprof" run -- "$recorder" exit
    says err '^eprof: profile in recorder\.eprof$'
    says err 'work +5 '
    # shellcheck disable=SC2016 # for that shell
    try "$eprof" run -o 'p-%p' -- sh -c 'EPROF=image=p-3-4 "$0"; exec "$0"' "$recorder"
    says err '^eprof: profile in p-[0-9]+$'
    is_of_recorder p-3-4
    ;;
knows_a_file_by_its_process_and_its_moment)
    "$eprof" run -q -o old -- "$recorder" exit
    for offset in 24 32; do # the offsets of process id and moment in the header, src/image/cells_header.h
        try "$eprof" run -o old -- dd if=/dev/urandom of=old bs=1 seek=$offset count=4 conv=notrunc
        says err '^eprof: profile in old$'
    done
    try "$eprof" run -o old -- sh -c 'cp old copy && mv copy old'
    says err 'sh: it left no profile'
    ;;
says_that_nothing_was_recorded)
    "$eprof" run -q -o old -- "$recorder" exit
    try "$eprof" run -o old -- true
    status_is 0
    complains 'true: it left no profile; link it with -leprof'
    try "$eprof" run -o old -- false
    status_is 1
    EPROF=off try "$eprof" run -o new -- "$recorder" exit
    status_is 0
    says err 'it left no profile'
    is_of_recorder old
    ;;
records_without_standard_descriptors)
    for closed in 0 1 2; do
        sh -c "exec \"\$@\" $closed>&-" sh "$eprof" run -q -o new -- "$recorder" exit one two
        is_of_recorder new
    done
    ;;
wants_a_name_in_a_shared_folder)
    mkdir shared
    chmod a+rwxt shared
    cd shared || exit
    try "$eprof" run -- "$recorder" exit word
    status_is 2
    is_empty out
    complains 'others may write in the current folder; name the profile by -o FILE'
    try "$eprof" run -o "$work/mine" -- "$recorder" exit
    status_is 0
    ;;
leaves_alone_what_is_no_profile)
    echo text >text
    mkdir folder
    ln -s text link
    for file in text folder link; do
        try "$eprof" run -o $file -- "$recorder" exit word
        status_is 1
        is_empty out
        complains ".*/$file: .*; name another by -o FILE"
    done
    [ "$(cat text)" = text ] || fail "the text has changed"
    try "$eprof" run -o nowhere/file -- "$recorder" exit word
    status_is 1
    is_empty out
    complains '.*/nowhere/file: No such file or directory'
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
