#!/bin/sh
# run_by_qemu.sh PROGRAM - makes PROGRAM a script that has qemu run PROGRAM.elf, by the same name.
#
# -R: the address space that it has. qemu notes each page of what is reserved, and an image reserves
# 64 GiB where it can, which takes half a second of each process; of 4 GiB it takes what there is.
# A test that runs itself anew must run this (tests/support/own_program.h).
set -eu
program=$(realpath -s "$1")
printf '#!/bin/sh\nEPROF_TEST_PROGRAM=$0 exec qemu-aarch64 -R 4G -0 "$0" %s "$@"\n' "'$program.elf'" >"$1"
chmod +x "$1"
