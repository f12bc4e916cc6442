#!/bin/sh
# check_static_library.sh LIBRARY NAME [FOREIGN] - tests that each global name in LIBRARY begins
# with eprof_ or ep_, so that none collides with a name of the program. Names that match the pattern
# FOREIGN are excepted. NAME must be among the names.
set -eu
library=$1 name=$2 foreign=${3-none}

names=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }')
echo "$names" | grep -qxF "$name"
# 32-bit x86 code reads its own address by functions of this name. They come from the compiler, and
# the linker keeps one copy of each.
if echo "$names" | grep -vE '^(eprof_|ep_|__x86\.get_pc_thunk\.)' | grep -vxE "$foreign"; then
    echo "the names above do not begin with eprof_ or ep_"
    exit 1
fi
