# gcc builds for aarch64, and qemu-user runs the programs on the build machine
# (tests/packages-aarch64.txt).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# For tests/auto, which build their own programs. These tests need a stack above all static data, as
# the kernel places it. If the address space is limited (run_by_qemu.sh), qemu places only libraries
# below the stack, otherwise only the program.
set(eprof_run_by qemu-aarch64)
set(eprof_run_with_library_by "qemu-aarch64 -R 4G")

# Tests start programs by path, and these start others. So each program is a script that runs the
# real program, TARGET.elf, by qemu: the kernel then needs no handler for programs of another
# processor. CMake's own trials need the real program, because they read its contents.
get_property(is_trial GLOBAL PROPERTY IN_TRY_COMPILE)
foreach(language C CXX)
    if(is_trial)
        break()
    endif()
    set(link "<CMAKE_${language}_COMPILER> <FLAGS> <CMAKE_${language}_LINK_FLAGS> <LINK_FLAGS>")
    set(CMAKE_${language}_LINK_EXECUTABLE
        "${link} <OBJECTS> -o <TARGET>.elf <LINK_LIBRARIES>"
        "${CMAKE_CURRENT_LIST_DIR}/run_by_qemu.sh <TARGET>")
endforeach()
