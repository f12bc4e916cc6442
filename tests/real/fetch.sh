#!/bin/sh
# fetch.sh PACKAGE FOLDER - unpacks a Debian source package into that folder
#
# Most machines know where Debian's programs are and not where their sources are. So the list that
# apt has is taken as it is, with deb-src in the place of deb, into an apt of its own in FOLDER/apt:
# the machine's stays untouched, and no right is needed but to write there.
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

# A list among others that has no sources is no matter as long as the package is found.
private_apt update >"$apt/log" 2>&1 || true
cd "$folder"
private_apt source "$package" >>"$apt/log" 2>&1 || {
    cat "$apt/log" >&2
    echo "fetch.sh: $package: apt-get source failed" >&2
    exit 1
}
