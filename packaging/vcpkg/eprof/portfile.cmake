# vcpkg install eprof --overlay-ports=packaging/vcpkg - builds the sources around this file.
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../..")

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" is_shared)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" is_static)
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
    tool EPROF_BUILD_COMMAND) # which is linked with the static library
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DEPROF_BUILD_SHARED=${is_shared}
        -DEPROF_BUILD_STATIC=${is_static}
        -DEPROF_BUILD_EXAMPLES=OFF
        -DEPROF_SYMBOLS=OFF
        -DEPROF_PPROF=OFF
        -DEPROF_SERVE=OFF
        -DEPROF_MPI=OFF
        ${features}
    OPTIONS_DEBUG
        -DEPROF_BUILD_COMMAND=OFF
    MAYBE_UNUSED_VARIABLES # without the command
        EPROF_SYMBOLS
        EPROF_PPROF
        EPROF_SERVE
        EPROF_MPI)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/eprof)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES eprof AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
