#!/bin/sh
# fetch.sh PACKAGE FOLDER - unpacks a Debian source package into that folder
#
# On most machines apt lists the places of Debian's programs, but not those of their sources. So the
# script copies the lists of apt, with deb-src in place of deb, into a separate configuration of apt
# in FOLDER/apt: that of the machine is not changed, and only the right to write into FOLDER is
# needed.
set -eu
package=$1
mkdir -p "$2/apt/parts" "$2/apt/lists/partial" "$2/apt/cache/archives/partial"
folder=$(cd "$2" && pwd)
apt=$folder/apt

for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"$apt/parts/$(basename "$list")"
done
for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")"
done

private_apt() {
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

# A list without sources does not matter if the package is found in another list.
private_apt update >"$apt/log" 2>&1 || true
cd "$folder"
private_apt source "$package" >>"$apt/log" 2>&1 || {
    cat "$apt/log" >&2
    echo "fetch.sh: $package: apt-get source failed" >&2
    exit 1
}
