#!/bin/bash
# check_names.sh CASE EPROF NAMED PLUGIN LIBRARY... - tests that functions have their names in each
# report; LIBRARY... are the libraries that NAMED is linked with.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
named=$recorder plugin=$4
libraries=("${@:5}")
unset LD_LIBRARY_PATH

# The programs in the PATH of the caller must not change the result.
export PATH=/usr/bin:/bin

# rows_are FILE: compares the functions in that csv, with their calls and their places in the
# source.
rows_are() {
    rows=$(awk -F, '$1 == "function" {
        sub(".*/", "", $5); print $3, $5 ($6 ? ":" $6 : ""), $7 }' "$1")
    [ "$rows" = "$(cat)" ] || fail "the functions of $1 are
$rows"
}

# place_of FILE DECLARATION: the place of the declaration in the source, as file:line.
place_of() {
    echo "$1:$(grep -n "$2\$" "$here/names/$1" | cut -d: -f1)"
}

rows_of_named="main $(place_of named.c 'int main(.*)') 1
main;work $(place_of named.c 'int work(void)') 1
main;work;step $(place_of named.c 'void step(void)') 3"

# Copies the program, and the libraries into a separate folder, where there is no eprof beside them.
install_without_eprof() {
    mkdir -p place/lib place/bin place/path
    cp "$named" place/bin/named
    for library in "${libraries[@]}"; do
        cp "$library" "place/lib/$(basename "$library" | sed 's/\.so\..*/.so.0/')"
    done
    export LD_LIBRARY_PATH=$work/place/lib
}

# A program that leaves a file if it is asked for names.
make_trap() {
    printf '#!/bin/sh\ntouch %s/asked\n' "$work" >trap
    chmod +x trap
}

case $case in
of_a_killed_program)
    EPROF=image=profile "$named" kill 2>/dev/null
    try "$eprof" report --format=csv profile
    status_is 0
    is_empty err
    sed -i 's/^\(function,main,.*named.c,[0-9]*\),0,/\1,1,/' out # main never ended
    rows_are out <<<"$rows_of_named"
    ;;
of_a_program_that_runs_to_its_end)
    EPROF=csv=figures,symbolizer=$eprof try "$named"
    status_is 0
    is_empty err
    rows_are figures <<<"$rows_of_named"
    ;;
of_functions_that_never_ended)
    line='^1 region whose end never came \(forced_closes\): leap \(named\.c:[0-9]+\); '
    EPROF=symbolizer=$eprof try "$named" jump
    status_is 0
    says err "$line"
    EPROF=image=profile "$named" jump kill 2>/dev/null
    try "$eprof" report profile
    status_is 0
    says out "$line"
    cp profile other
    try "$eprof" report profile other
    says out "${line/1 region/2 regions}"
    try "$eprof" report --format=json profile
    says out '"unended":\[\{"name":"leap","file":"[^"]*/named\.c","line":[1-9][0-9]*\}\]'
    ;;
in_the_tree_at_the_end)
    EPROF=symbolizer=$eprof try "$named"
    status_is 0
    is_empty out
    says err '^eProf Tree: 3 functions on 3 call paths'
    says err '^main +1 '
    says err 'work +1 '
    says err 'step +3 '
    says_not err 'names of functions'
    ;;
of_a_library_that_was_closed)
    EPROF=csv=figures,symbolizer=$eprof try "$named" plugin "$plugin"
    status_is 0
    rows=$(grep -c '^function,\(visit\|look\),.*/plugin\.c,' figures)
    [ "$rows" = 2 ] || fail "the figures are $(cat figures)"
    EPROF=image=profile "$named" plugin "$plugin" kill 2>/dev/null
    try "$eprof" report --format=csv profile
    is_empty err
    says out '^function,look,main;call_plugin;visit;look,\*,.*/plugin\.c,[0-9]+,2,'
    ;;
of_a_program_whose_debug_information_is_elsewhere)
    cp "$named" program
    id=$(readelf -n program | sed -n 's/.*Build ID: //p')
    mkdir -p "place/.build-id/${id:0:2}"
    objcopy --only-keep-debug program "place/.build-id/${id:0:2}/${id:2}.debug"
    strip program
    EPROF=image=profile ./program
    try "$eprof" report --format=csv profile
    says out '^function,program\+0x'
    try "$eprof" report --debug-directory=place --format=csv profile
    status_is 0
    is_empty err
    rows_are out <<<"$rows_of_named"
    ;;
of_several_profiles)
    for run in 1 2 3; do
        EPROF=image=profile$run "$named"
    done
    try "$eprof" report --format=csv profile1 profile2 profile3
    status_is 0
    is_empty err
    says out '^function,step,main;work;step,\*,.*/named\.c,[0-9]+,9,'
    says out '^function,main,main,\*,.*/named\.c,[0-9]+,3,'
    ;;
by_dynamic_symbol_where_there_is_no_eprof)
    install_without_eprof
    try place/bin/named
    status_is 0
    says err '^main +1 '
    says err 'work +1 '
    says err 'named\+0x[0-9a-f]+ +3 '
    says err '^eprof: names of functions: .*`eprof run`.*symbolizer=PATH'
    [ "$(grep -c '^eprof:' err)" = 1 ] || fail "more than one line"
    EPROF=csv=figures try place/bin/named
    is_empty err
    grep -q '^function,named+0x[0-9a-f]*,main;work;named+0x' figures || fail "$(cat figures)"
    ;;
by_the_eprof_beside_the_library)
    install_without_eprof
    cp "$eprof" place/bin/eprof
    try place/bin/named
    says err 'step +3 '
    says_not err '^eprof:'
    ;;
by_the_eprof_on_path)
    install_without_eprof
    cp "$eprof" place/path/eprof
    PATH=relative:$work/place/path:$PATH try place/bin/named
    says err 'step +3 '
    says_not err '^eprof:'
    ;;
by_no_eprof_in_a_relative_folder_of_path)
    install_without_eprof
    cp "$eprof" place/path/eprof
    PATH=place/path::$PATH try place/bin/named
    says err 'named\+0x[0-9a-f]+ +3 '
    ;;
by_another_program_in_vain)
    EPROF=tree,symbolizer=/bin/true try "$named"
    status_is 0
    says err 'named\+0x[0-9a-f]+ +3 '
    says err '^eprof: names of functions: .*another program'
    EPROF=csv=figures,symbolizer=/bin/true try "$named"
    is_empty err
    ;;
by_a_program_that_is_not_there)
    EPROF=csv=figures,symbolizer=/nowhere/eprof try "$named"
    status_is 0
    complains '"symbolizer=/nowhere/eprof" in EPROF or eprof_setup\(\): not a program'
    mkdir folder
    EPROF=csv=figures,symbolizer=folder try "$named"
    complains '"symbolizer=folder" in EPROF or eprof_setup\(\): not a program'
    ;;
by_a_relative_path)
    mkdir folder
    ln -s "$eprof" folder/eprof
    EPROF=csv=figures,symbolizer=folder/eprof try "$named"
    is_empty err
    rows_are figures <<<"$rows_of_named"
    ;;
not_of_a_file_that_has_changed)
    cp "$named" program
    EPROF=image=profile ./program
    cp "$eprof" program
    try "$eprof" report --format=csv profile
    status_is 0
    complains ".*/program has changed since the profile was taken: its functions are shown by"
    says out '^function,program\+0x[0-9a-f]+,'
    says_not out '^function,step,'
    ;;
not_of_a_file_that_is_gone)
    cp "$named" program
    EPROF=image=profile ./program
    rm program
    try "$eprof" report profile
    status_is 0
    complains ".*/program is not there any more: its functions are shown by"
    cp "$named" program
    EPROF=symbolizer=$eprof try ./program remove "$work/program"
    says err '^eprof: .*/program is not there any more: its functions are shown by'
    says err '^main +1 '
    says err 'program\+0x[0-9a-f]+ +3 '
    ;;
beside_a_file_that_takes_too_long_to_be_read)
    # the file with its debug information is a pipe to which no process writes
    objcopy --strip-debug --remove-section=.note.gnu.build-id "$plugin" plugin.so
    : >plugin.debug
    objcopy --add-gnu-debuglink=plugin.debug plugin.so
    rm plugin.debug
    mkfifo plugin.debug
    EPROF=image=profile "$named" plugin "$work/plugin.so" kill 2>/dev/null
    try "$eprof" report --format=csv profile
    status_is 0
    complains '.*/plugin.so cannot be read: .*takes too long: its functions are shown by dynamic'
    says out '^function,call_plugin,.*/named\.c,'
    says out '^function,plugin\.so\+0x'
    ;;
of_a_file_with_a_hostile_name)
    name=$'two\nlines\033[31m'
    cp "$named" "$name"
    EPROF=image=profile "./$name"
    rm "$name"
    try "$eprof" report profile
    complains '.*/two\\x0alines\\x1b\[31m is not there any more'
    ;;
by_dynamic_symbol_while_the_program_runs)
    make_trap
    EPROF=image=profile,symbolizer=$work/trap try "$named" report
    status_is 0
    is_there profile
    is_not_there asked
    grep -q '^function,work,main;work,' out || fail "no name of work"
    grep -q '^function,named+0x[0-9a-f]*,main;work;named+0x' out || fail "step has a name"
    ;;
takes_no_time_of_what_is_open)
    # The symbolizer takes four times as long as the program ran before it starts. Only the time
    # before its start may count as time of main.
    cat >slow <<'END'
#!/bin/bash
start=$(date +%s%N)
echo $((start - BEGIN)) >before_ns
until [ $(($(date +%s%N) - start)) -gt $((4 * (start - BEGIN))) ]; do :; done
exec "$EPROF_COMMAND" "$@"
END
    chmod +x slow
    export EPROF_COMMAND=$eprof
    BEGIN=$(date +%s%N) EPROF=csv=figures,symbolizer=$work/slow try "$named" exit
    total_ns=$(awk -F, '$3 == "main" { print $11 }' figures)
    [ "$total_ns" -gt 0 ] || fail "$(cat figures)"
    [ "$total_ns" -le "$(cat before_ns)" ] || fail "main took $total_ns of $(cat before_ns) ns"
    ;;
asks_for_nothing_where_nothing_is_shown)
    make_trap
    EPROF=image=profile,symbolizer=$work/trap try "$named"
    EPROF=off,symbolizer=$work/trap try "$named"
    EPROF=symbolizer=$work/trap try "$named" report
    is_not_there asked
    EPROF=symbolizer=$work/trap try "$named"
    is_there asked
    ;;
*)
    echo "no such case: $case"
    exit 1
    ;;
esac
