# Built by gcc for aarch64, and run by qemu-user on the machine that builds (tests/packages.txt).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# For tests/auto, which build their programs themselves, and rely on a stack that is above what is
# static, as the kernel has it. In an address space that is bounded (run_by_qemu.sh) qemu has only
# libraries below it, and in another only the program.
set(eprof_run_by qemu-aarch64)
set(eprof_run_with_library_by "qemu-aarch64 -R 4G")

# Tests start programs, and programs start others, by path: each is a script that has qemu run what
# stands beside it. So no kernel has to know what to do with programs of another processor. CMake's
# own trials look into the programs.
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
