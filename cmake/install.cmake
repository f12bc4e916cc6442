# What `cmake --install` puts where. The installed tree may be moved: nothing in
# it holds an absolute path.
include(CMakePackageConfigHelpers)

set(eprof_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/eprof)

# ------------------------------------------------- libraries, headers, man page

set(eprof_targets)
foreach(target eprof eprof_static eprof_auto eprof_auto_static)
    if(TARGET ${target})
        list(APPEND eprof_targets ${target})
    endif()
endforeach()
install(TARGETS ${eprof_targets} EXPORT eprof-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(FILES docs/man/eprof.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES docs/reference/profile.schema.json docs/reference/profile-diff.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/eprof)

# ------------------------------------------------------------------ the program

if(TARGET eprof_command)
    install(TARGETS eprof_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES docs/man/eprof.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    # where bash-completion looks for it when `eprof` is first completed
    install(FILES src/cli/eprof.bash RENAME eprof
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()

# ------------------------------------------------------------------------ CMake

install(EXPORT eprof-targets NAMESPACE eprof:: DESTINATION ${eprof_config_dir})
configure_package_config_file(cmake/eprof-config.cmake.in
    ${PROJECT_BINARY_DIR}/eprof-config.cmake INSTALL_DESTINATION ${eprof_config_dir})
# As with the SONAME: what was linked against 0.x runs with every later 0.y.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eprof-config-version.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/eprof-config.cmake
    ${PROJECT_BINARY_DIR}/eprof-config-version.cmake DESTINATION ${eprof_config_dir})

# ------------------------------------------------------------------- pkg-config

# From the directory of the .pc file, so that it is true wherever the tree stands.
function(eprof_relative_path result from to)
    file(RELATIVE_PATH path ${from} ${to})
    string(REGEX REPLACE "/$" "" path ${path})
    set(${result} ${path} PARENT_SCOPE)
endfunction()
eprof_relative_path(pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
eprof_relative_path(prefix_to_lib ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
eprof_relative_path(prefix_to_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
# Where the C library has the threads in itself, this is empty.
set(private_libs ${CMAKE_THREAD_LIBS_INIT})

# The flags stand in either order with the objects, also where a linker leaves a shared library out
# that nothing has asked for yet (--as-needed, which some distributions have by default), and takes
# of a static one only what was asked for before. The first is kept from that by --no-as-needed, in
# one word: pkgconf leaves out words that a package has had already, and would part the library
# from what is around it. For the second the names are asked for on the command line, all that a
# program may link with: one of them has most others in its wake.
file(STRINGS src/api/eprof.map static_names REGEX "^    eprof_")
list(TRANSFORM static_names REPLACE "^ *([a-z_]+);$" "--undefined=\\1")
list(JOIN static_names "," static_names)
set(static_names -Wl,${static_names})
set(static_hooks -Wl,--undefined=__cyg_profile_func_enter,--undefined=__cyg_profile_func_exit)
foreach(name vfork dlclose) # of the hooks, not of the C library
    string(APPEND static_hooks ",--undefined=${name}")
endforeach()
configure_file(cmake/eprof.pc.in ${PROJECT_BINARY_DIR}/eprof.pc @ONLY)
# As a shell takes them: words with blanks between.
list(JOIN eprof_auto_flags " " auto_flags)
list(JOIN eprof_auto_filter_gcc " " gcc_filter)
list(JOIN eprof_auto_filter_clang " " clang_filter)
configure_file(cmake/eprof-auto.pc.in ${PROJECT_BINARY_DIR}/eprof-auto.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/eprof.pc ${PROJECT_BINARY_DIR}/eprof-auto.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
