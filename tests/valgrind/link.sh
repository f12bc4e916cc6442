#!/bin/bash
# link.sh LINKER ARGUMENT... - calls the linker; if the result is a program, replaces it by a script
# that runs the program under valgrind (memcheck.sh)
#
# So each program runs under valgrind, also if a script of the tests or `eprof run` starts it. CMake
# calls it (CMAKE_C_LINKER_LAUNCHER, in the preset `valgrind`). The program keeps its name, in a
# folder next to the script, since some programs print their name.
set -euo pipefail
"$@"

output=
for ((i = 1; i < $#; i++)); do
    case ${!i} in
    -shared) exit 0 ;;
    -o) j=$((i + 1)) output=$(realpath "${!j}") ;;
    esac
done
[ -n "$output" ] || exit 0

program=$(dirname "$output")/programs/$(basename "$output")
mkdir -p "$(dirname "$program")"
mv "$output" "$program"
here=$(realpath "$(dirname "$0")")
cat >"$output" <<END
#!/bin/bash
export EPROF_TEST_PROGRAM="$output"
exec "$here/memcheck.sh" "$program" "\$@"
END
chmod +x "$output"
