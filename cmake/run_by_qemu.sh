#!/bin/sh
# run_by_qemu.sh PROGRAM - makes PROGRAM a script that runs PROGRAM.elf by qemu under its name.
#
# -R limits the address space. qemu records each reserved page, and an image reserves 64 GiB if
# possible, which would cost each process half a second; within 4 GiB it reserves less. A test that
# starts itself again must start this script (tests/support/own_program.h).
set -eu
program=$(realpath -s "$1")
printf '#!/bin/sh\nEPROF_TEST_PROGRAM=$0 exec qemu-aarch64 -R 4G -0 "$0" %s "$@"\n' "'$program.elf'" >"$1"
chmod +x "$1"
