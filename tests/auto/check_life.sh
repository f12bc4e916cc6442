#!/bin/bash
# check_life.sh WAY COMPILER LANGUAGE LEVEL LINK - builds life.c and ends it in that way (returns,
# exits, exits_in_thread, outlives_main), or without recording (off). The other arguments are those
# of check_hooks.sh, except that LINK is pie, no-pie, static, or all-static (without any shared
# library).
set -euo pipefail
way=$1 compiler=$2 language=$3 level=$4 link=$5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

driver=$compiler standard=gnu11
if [ "$language" = c++ ]; then
    driver=$(sed 's/gcc/g++/; s/clang/clang++/' <<<"$compiler") standard=gnu++11
fi
libraries=("$AUTO" "$EPROF" -Wl,-rpath,"$(dirname "$AUTO"):$(dirname "$EPROF")")
case $link in
pie) linking=(-fPIE -pie) ;;
no-pie) linking=(-fno-pie -no-pie) ;;
static) linking=(-fPIE -pie) libraries=("$AUTO_STATIC" "$EPROF_STATIC") ;;
all-static) linking=(-static) libraries=("$AUTO_STATIC" "$EPROF_STATIC") ;;
esac
# shellcheck disable=SC2086 # flags are words
"$driver" -x "$language" -std="$standard" $CFLAGS -O"$level" -I "$INCLUDE" -D_GNU_SOURCE \
    -finstrument-functions -fno-omit-frame-pointer -Wall -Wextra -Werror "${linking[@]}" \
    "$here/life.c" -x none "${libraries[@]}" -lpthread -o "$work/life"

# Prints each row as PATH CALLS OPEN. A function without a name gets its name from the linker's
# table. The functions that gcc makes around constructors of C++ are left out.
rows() {
    nm "$work/life" | awk -F, '
        FNR == NR { split($0, word, " "); sub(/^0*/, "", word[1])
                    if (word[2] ~ /^[tT]$/) name["life+0x" word[1]] = word[3]
                    next }
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i
                   next }
        $1 == "function" {
            count = split($column["path"], part, ";")
            path = ""
            for (i = 1; i <= count; i++) {
                own = part[i] in name ? name[part[i]] : part[i]
                is_made = own ~ /^(_GLOBAL__sub_I|_Z41__static_initialization)/
                if (!is_made)
                    path = path (path == "" ? "" : ";") own
            }
            if (!is_made)
                print path, $column["calls"], $column["open"]
        }' - "$work/csv" | sort
}

export LC_ALL=C
unset EPROF
[ "$way" != off ] || export EPROF=off
${RUN_BY-} "$work/life" "$way" >"$work/csv"

beginning='life_before_constructors 1 0
life_before_constructors;life_work 1 0
life_before_libraries 1 0
life_before_libraries;life_work 1 0
life_before_main 1 0
life_before_main;life_work 1 0'
[ "$language" = c ] || beginning+='
life_construct 1 0
life_construct;life_work 1 0'

# end PATH: prints the functions that run after main, below that path.
end() {
    local handlers=(life_at_exit life_after_main) handler
    [ "$language" = c ] || handlers+=(life_destroy)
    for handler in "${handlers[@]}"; do
        printf '%s 1 0\n' "$1$handler" "$1$handler;life_work"
    done
}

case $way in
returns) rest="main 1 0
main;life_work 1 0
$(end '')" ;;
exits) rest="main 1 1
main;life_exits 1 1
main;life_exits;life_work 1 0
main;life_work 1 0
$(end 'main;life_exits;')" ;;
exits_in_thread) rest="life_thread_exits 1 1
life_thread_exits;life_exits 1 1
life_thread_exits;life_exits;life_work 1 0
main 1 1
main;life_work 1 0
$(end 'life_thread_exits;life_exits;')" ;;
outlives_main) rest="life_last_thread 1 0
life_last_thread;life_work 1 0
main 1 0
main;life_thread_ends 1 0
main;life_work 1 0
$(end '')" ;;
off) beginning='' rest='' ;;
esac
printf '%s\n%s\n' "$beginning" "$rest" | sed '/^$/d' | sort >"$work/expected"
rows >"$work/rows"
diff -u "$work/expected" "$work/rows"
