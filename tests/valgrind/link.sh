#!/bin/bash
# link.sh LINKER ARGUMENT... - links as it is told, and puts a script in the place of a program that
# came of it, which runs that under valgrind (memcheck.sh)
#
# So each program is watched, whoever starts it: ctest, a script of the tests, `eprof run`. CMake
# calls it (CMAKE_C_LINKER_LAUNCHER, in the preset `valgrind`). The program has its name in a folder
# beside the script, since some tell their name.
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
