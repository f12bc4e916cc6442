#!/bin/sh
# check_static_library.sh LIBRARY NAME [FOREIGN] - every name that LIBRARY defines for a linker to
# see begins with eprof_ or ep_, so that none collides with one of the program; but for those that
# FOREIGN, a pattern, matches. NAME is among them.
set -eu
library=$1 name=$2 foreign=${3-none}

names=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }')
echo "$names" | grep -qxF "$name"
# 32-bit x86 reads its own address by functions of this name, of which the linker
# keeps one for all: the compiler's, not ours.
if echo "$names" | grep -vE '^(eprof_|ep_|__x86\.get_pc_thunk\.)' | grep -vxE "$foreign"; then
    echo "the names above do not begin with eprof_ or ep_"
    exit 1
fi
