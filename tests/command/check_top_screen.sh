#!/bin/bash
# check_top_screen.sh CASE EPROF DRIVEN - tests the output of `eprof top` on a terminal, and its
# keys. The terminal is tmux.
set -u
. "$(dirname "$0")/drive.sh"
. "$(dirname "$0")/expect.sh"
command -v tmux >/dev/null || exit 77

terminal() {
    tmux -u -L eprof -f /dev/null "$@"
}

export TMUX_TMPDIR=$work PS1='ready> '
unset TMUX
trap 'terminal kill-server 2>/dev/null; rm -rf "$work"' EXIT

# open_terminal COLUMNS ROWS: starts a shell in it. The shell ends after some time, in case this
# script is killed.
open_terminal() {
    terminal new-session -d -x "$1" -y "$2" timeout --foreground 100 bash --norc --noprofile
    await '^ready>'
}

# The process id of the program that runs in that shell.
viewer() {
    pgrep -P "$(pgrep -P "$(terminal display-message -p '#{pane_pid}')")"
}

# Writes the text on the screen to the file out.
look() {
    terminal capture-pane -p >out
    : >err
}

# await PATTERN: waits up to a minute for a line of the screen that matches.
await() {
    for _ in $(seq 600); do
        look
        grep -qE -- "$1" out && return
        sleep 0.05
    done
    fail "there is never a line like $1"
}

type_line() {
    terminal send-keys -l "$1"
    terminal send-keys Enter
}

keys() {
    terminal send-keys "$@"
}

# watch COLUMNS ROWS [ARGUMENT...]: starts the viewer with 7 calls of work, and waits for a whole
# frame.
watch() {
    local columns=$1 rows=$2
    shift 2
    begin file
    drive 'calls 7'
    open_terminal "$columns" "$rows"
    type_line "$eprof top --interval=0.05 $* file"
    await '^q quit'
}

# Three flags: whether the alternate screen is shown, the cursor is visible, and long lines are
# wrapped.
terminal_flags() {
    terminal display-message -p '#{alternate_on}#{cursor_flag}#{wrap_flag}'
}

# Asserts that the viewer has the terminal: with the alternate screen, and without echo of typed
# keys.
is_taken() {
    for _ in $(seq 600); do
        [ "$(terminal_flags)" = 100 ] && break
        sleep 0.05
    done
    [ "$(terminal_flags)" = 100 ] || fail "it has not taken the terminal"
    stty -a -F "$(terminal display-message -p '#{pane_tty}')" >out
    says out '( |^)-icanon '
    says out '( |^)-echo '
}

# Asserts that the shell has the terminal as before: with the normal screen, and echo of typed keys.
is_given_back() {
    await '^ready>$'
    ! grep -q '^eprof top: ' out || fail "the screen is not given back"
    type_line 'stty -a'
    await ' icanon '
    says out '( |^)echo '
    [ "$(terminal_flags)" = 011 ] || fail "the terminal is another"
}

case $case in
shows_what_fits_in_80_columns)
    watch 80 24
    says out "^eprof top: .*driven, process $driven_pid, running, recorded for [0-9.]+ m?s$"
    says out '^3 scopes, 1 instance, by self/s; rates are of '
    says out '^name +\[self/s\] +total/s +calls/s +now +mean +(p99 +)?total$'
    says out '^q quit  p pause  / filter  < > sort  b by path  arrows scroll$'
    [ "$(sed -n 24p out | cut -c 1-6)" = 'q quit' ] || fail "the keys are not at the bottom"
    [ "$(wc -L <out)" -le 80 ] || fail "a line is longer"
    ;;
shows_all_in_140_columns)
    watch 140 30
    says out '^name +\[self/s\] +total/s +calls/s +now +mean +p99 +self +total +calls$'
    has out work 1 7
    [ "$(sed -n 30p out | cut -c 1-6)" = 'q quit' ] || fail "the keys are not at the bottom"
    ;;
shows_what_matters_in_30_columns)
    watch 30 12
    says out '^eprof top: .*, running$'
    says out '^rates are of '
    says out '^work '
    ;;
follows_the_size_of_the_terminal)
    watch 140 30
    terminal resize-window -x 80 -y 20
    await '^name .* mean +(p99 +)?total$'
    until [ "$(sed -n 20p out | cut -c 1-6)" = 'q quit' ]; do await '^q quit'; done
    [ "$(grep -c '^eprof top: ' out)" = 1 ] || fail "something of the other size is left"
    terminal resize-window -x 140 -y 30
    await '^name .* calls$'
    ;;
goes_on_by_itself)
    watch 140 30
    drive 'calls 1000'
    await '^work .* 1007$'
    ;;
sorts_by_keys)
    watch 140 30
    keys '>'
    await '^name +self/s +\[total/s\] '
    keys Right
    await '^name .* \[calls/s\] '
    keys '<' Left Left
    await '^\[name\] +self/s '
    [ "$(sed -n '7,10s/ .*//p' out | tr '\n' ' ')" = 'serve step tick work ' ] || fail "not by name"
    keys b
    await '^serve;work;step '
    says out '^\[name\] '
    keys b
    await '^step '
    ;;
filters_while_it_is_typed)
    watch 80 24
    keys / w o
    await '^filter: wo_ '
    says out '^work '
    says out '^1 scope like wo, '
    says_not out '^(tick|step|serve) '
    keys x
    await '^nothing like wox, '
    keys BSpace Enter
    await '^q quit'
    says out '^work '
    says_not out '^tick '
    keys / C-u
    await '^tick '
    keys s Escape
    await '^1 scope like wo, '
    ;;
pauses)
    watch 140 30
    keys p
    await '^PAUSED: 3 scopes'
    drive 'calls 1000'
    # after this time a view that is not paused would have changed; the key b draws the frame again
    "$eprof" top --interval=0.05 --count=4 file >/dev/null
    keys b
    await '^serve;work '
    has out 'serve;work' 1 7
    keys p
    await '^serve;work .* 1007$'
    says_not out PAUSED
    ;;
scrolls)
    watch 80 8 --sort=name # there is room for two rows
    await '   1-2 of 4$'
    says out '^serve '
    keys Down
    await '   2-3 of 4$'
    says out '^step '
    says_not out '^serve '
    keys NPage NPage
    await '   3-4 of 4$'
    keys Home
    await '   1-2 of 4$'
    ;;
keeps_the_last_figures)
    watch 140 30
    drive 'calls 1000'
    end
    await ', ended, recorded for '
    has out work 1 1007
    says out 'rates are of all that time'
    sleep 0.2
    look
    has out work 1 1007
    keys q
    is_given_back
    ;;
goes_on_with_another_run)
    watch 140 30
    kill_it KILL
    await ', killed'
    EPROF=image=file "$driven" <<<'calls 9' >answers
    await ', run 2, ended, '
    has out work 1 9
    ;;
ends_after_so_many_frames)
    begin file
    open_terminal 80 24
    type_line "$eprof top --interval=0.01 --count=20 file; echo status \$?"
    await '^status 0$'
    ;;
gives_the_terminal_back_when_it_quits)
    watch 80 24
    is_taken
    keys q
    is_given_back
    type_line 'echo status $?'
    await '^status 0$'
    ;;
gives_the_terminal_back_when_it_is_told_to_end)
    watch 80 24
    keys C-c
    is_given_back
    for signal in TERM HUP QUIT USR1 RTMAX; do
        type_line "clear; $eprof top --interval=0.05 file"
        await '^tick '
        kill -$signal "$(viewer)"
        is_given_back
    done
    ;;
waits_for_all_signals_that_would_end_it)
    watch 80 24
    waited=0
    for number in $(seq 64); do
        case $(kill -l "$number") in
        KILL | STOP) ;;                         # nothing can wait for these;
        ILL | TRAP | BUS | FPE | SEGV | SYS) ;; # these are faults;
        CHLD | URG | TTIN | TTOU) ;;            # these end no process;
        32 | 33 | '') ;;                        # these belong to the C library (nptl(7))
        *) waited=$((waited | 1 << (number - 1))) ;;
        esac
    done
    blocked=$(sed -n 's/^SigBlk:\t//p' "/proc/$(viewer)/status")
    [ "$blocked" = "$(printf %016x $waited)" ] || fail "it waits for $blocked"
    ;;
takes_the_terminal_again_when_it_goes_on)
    watch 80 24
    kill -STOP "$(viewer)"
    await Stopped
    type_line "stty sane; printf '\033[?7h\033[?25h\033[?1049l'; clear; fg"
    await '^tick '
    is_taken
    keys q
    is_given_back
    ;;
gives_the_terminal_back_while_it_is_stopped)
    watch 80 24
    keys C-z
    is_given_back
    type_line 'clear; fg'
    await '^tick '
    drive 'calls 1'
    keys / w
    await '^filter: w_ '
    keys Enter q
    is_given_back
    ;;
ends_when_the_terminal_is_gone)
    watch 80 24
    view=$(viewer)
    terminal kill-server
    for _ in $(seq 600); do
        kill -0 "$view" 2>/dev/null || exit 0
        sleep 0.05
    done
    fail "it goes on"
    ;;
is_plain_on_a_terminal_that_can_do_nothing)
    begin file
    drive 'calls 7'
    open_terminal 80 24
    type_line "TERM=dumb $eprof top --interval=0.01 --count=2 file; echo status \$?"
    await '^status 0$'
    [ "$(grep -c '^eprof top: ' out)" = 2 ] || fail "not two frames"
    ;;
*)
    echo "no such case: $case"
    exit 2
    ;;
esac
