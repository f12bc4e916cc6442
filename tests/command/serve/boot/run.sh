#!/bin/bash
# run.sh BUILD BUSY [FOLDER] - tests the systemd unit of docs/tutorials/watch-a-service.md under a
# real systemd: boots Debian in a virtual machine (qemu), in which checks.sh examines the service
#
# BUILD is a folder in which eprof was built, BUSY the program ../busy.c. Nothing is installed on this
# machine, and the virtual one has no network. It needs root and a mirror (MIRROR), as debootstrap
# does. With a FOLDER its files are kept there, and its root file system is used again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) busy=$2
page=$here/../../../../docs/tutorials/watch-a-service.md
export PATH=$PATH:/usr/sbin LC_ALL=C
for tool in qemu-system-x86_64 debootstrap mke2fs; do
    command -v $tool >/dev/null || { echo "there is no $tool"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'debootstrap needs root'; exit 77; }
if [ $# -gt 2 ]; then
    mkdir -p "$3"
    work=$(cd "$3" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
fi
root=$work/root

# ---- the file system ----

# With what eprof is linked with, and a client.
packages=systemd-sysv,linux-image-cloud-amd64,libdw1,libmicrohttpd12,libprotobuf-c1,curl
if [ ! -e "$root" ]; then
    # shellcheck disable=SC2086 # without MIRROR it takes its own
    debootstrap --variant=minbase --include=$packages bookworm "$root.new" ${MIRROR-} \
        >"$work/log" 2>&1 || { tail -n 5 "$work/log" && exit 77; }
    chroot "$root.new" useradd --system service
    mv "$root.new" "$root"
fi
DESTDIR=$root cmake --install "$build" --prefix /usr >/dev/null
install "$busy" "$root/usr/bin/busy"
install "$here/checks.sh" "$root/usr/bin/checks"
units=$root/etc/systemd/system
# the unit as it is in the page
# shellcheck disable=SC2016 # it is no expression of the shell
sed -n '/^# eprof-serve\.service$/,/^```$/{/^```$/!p}' "$page" >"$units/eprof-serve.service"
grep -q '^ExecStart=' "$units/eprof-serve.service"
cat >"$units/service.service" <<'UNIT'
[Service]
User=service
StateDirectory=service
Environment=EPROF=image=/var/lib/service/%%p.eprof
ExecStart=/usr/bin/busy 100

[Install]
WantedBy=multi-user.target
UNIT
cat >"$units/checks.service" <<'UNIT'
[Unit]
After=eprof-serve.service service.service

[Service]
Type=oneshot
ExecStart=/usr/bin/checks
StandardOutput=file:/dev/ttyS1
StandardError=file:/dev/ttyS1

[Install]
WantedBy=multi-user.target
UNIT
rm -rf "$root/var/lib/service"
SYSTEMD_OFFLINE=1 chroot "$root" systemctl enable --quiet eprof-serve service checks
mke2fs -q -F -t ext4 -d "$root" "$work/disk" 1G

# ---- the machine ----

: >"$work/checked"
timeout 900 qemu-system-x86_64 -m 1G -smp 2 -display none -nic none \
    -no-reboot -drive "file=$work/disk,format=raw,if=virtio" \
    -kernel "$(echo "$root"/boot/vmlinuz-*)" -initrd "$(echo "$root"/boot/initrd.img-*)" \
    -append "root=/dev/vda rw console=ttyS0 panic=-1 quiet" \
    -serial "file:$work/console" -serial "file:$work/checked" </dev/null || {
    tail -n 20 "$work/console"
    cat "$work/checked"
    echo "the machine did not end by itself"
    exit 1
}
tr -d '\r' <"$work/checked"
grep -q '^all checks passed' "$work/checked"
