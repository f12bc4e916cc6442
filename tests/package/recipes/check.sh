#!/bin/sh
# check.sh ROOT VERSION - tests that the recipes for vcpkg and Conan have the version of the sources and
# set only options that the build knows, and that it can be configured with these.
set -eu
root=$1 version=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root/packaging"

grep -qF "\"version\": \"$version\"" vcpkg/eprof/vcpkg.json ||
    { echo "vcpkg.json has not version $version"; exit 1; }
if command -v python3 >/dev/null; then
    python3 -c 'import ast, json, sys
for path in sys.argv[1:]:
    (json.loads if path.endswith(".json") else ast.parse)(open(path).read())' \
        conan/conanfile.py conan/test_package/conanfile.py vcpkg/eprof/vcpkg.json
fi
for recipe in vcpkg/eprof/portfile.cmake conan/conanfile.py; do
    options=$(grep -o 'EPROF_[A-Z]*_*[A-Z]*' "$recipe" | grep -v '^EPROF_VERSION_' | sort -u)
    # the static library and the command
    set --
    for option in $options; do
        case $option in
        EPROF_BUILD_STATIC | EPROF_BUILD_COMMAND) value=ON ;;
        *) value=OFF ;;
        esac
        set -- "$@" "-D$option=$value"
    done
    [ $# -ge 5 ] || { echo "$recipe sets only: $options"; exit 1; }
    cmake -S "$root" -B "$work/${recipe%%/*}" "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    ! grep -A9 'not used by the project' "$work/log" || exit 1
done
