# The rules of `cmake --install`. The installed tree may be moved, because no file
# in it contains an absolute path.
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
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
# eprof.3, and a page for each call and macro
set(eprof_man_headers include/eprof/calls.h include/eprof/scopes.h)
set(eprof_man_pages ${PROJECT_BINARY_DIR}/man3)
add_custom_command(
    OUTPUT ${eprof_man_pages}/eprof_init.3
    COMMAND ${CMAKE_COMMAND} "-DHEADERS=${eprof_man_headers}"
        -DOVERVIEW=${PROJECT_SOURCE_DIR}/docs/man/eprof.3 -DOUT=${eprof_man_pages}
        -P ${PROJECT_SOURCE_DIR}/cmake/man_pages.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS ${eprof_man_headers} docs/man/eprof.3 cmake/man_pages.cmake VERBATIM)
add_custom_target(eprof_man_pages ALL DEPENDS ${eprof_man_pages}/eprof_init.3)
# Its package may be installed or not.
if(TARGET eprof_mpi)
    install(TARGETS eprof_mpi EXPORT eprof-mpi-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT eprof-mpi-targets NAMESPACE eprof:: DESTINATION ${eprof_config_dir})
    install(FILES docs/man/eprof-mpi.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
endif()
install(FILES docs/man/eprof.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(DIRECTORY ${eprof_man_pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES docs/reference/profile.schema.json docs/reference/profile-diff.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/eprof)

# ------------------------------------------------------------------ the program

if(TARGET eprof_command)
    install(TARGETS eprof_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    if(TARGET eprof_server)
        install(TARGETS eprof_server RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/eprof)
    endif()
    install(FILES docs/man/eprof.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    # bash-completion loads it from there when it first completes `eprof`
    install(FILES src/cli/eprof.bash RENAME eprof
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()

# ------------------------------------------------------------------------ CMake

install(EXPORT eprof-targets NAMESPACE eprof:: DESTINATION ${eprof_config_dir})
configure_package_config_file(cmake/eprof-config.cmake.in
    ${PROJECT_BINARY_DIR}/eprof-config.cmake INSTALL_DESTINATION ${eprof_config_dir})
# As with the SONAME: a program that was linked with 0.x runs with every later 0.y.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eprof-config-version.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/eprof-config.cmake
    ${PROJECT_BINARY_DIR}/eprof-config-version.cmake DESTINATION ${eprof_config_dir})

# ------------------------------------------------------------------- pkg-config

# The path relative to the directory of the .pc file stays valid if the tree is moved.
function(eprof_relative_path result from to)
    file(RELATIVE_PATH path ${from} ${to})
    string(REGEX REPLACE "/$" "" path ${path})
    set(${result} ${path} PARENT_SCOPE)
endfunction()
eprof_relative_path(pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
eprof_relative_path(prefix_to_lib ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
eprof_relative_path(prefix_to_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
# Before glibc 2.34 the functions of threads and dladdr() had libraries of their own.
set(private_libs "${CMAKE_THREAD_LIBS_INIT}")
foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND private_libs " -l${library}")
endforeach()

# The flags may come before or after the objects. A linker with --as-needed, the default of some
# distributions, omits a shared library that no earlier object references: --no-as-needed prevents
# this. The library and the flags around it are one word, since pkgconf removes repeated words and
# would separate them. From a static library a linker takes only names that were referenced before:
# --undefined references all public ones. That adds little, as one of them requires most others.
file(STRINGS src/api/eprof.map static_names REGEX "^    eprof_")
list(TRANSFORM static_names REPLACE "^ *([a-z_]+);$" "--undefined=\\1")
list(JOIN static_names "," static_names)
set(static_names -Wl,${static_names})
list(JOIN eprof_auto_static_options "," static_auto)
set(static_auto -Wl,${static_auto})
configure_file(cmake/eprof.pc.in ${PROJECT_BINARY_DIR}/eprof.pc @ONLY)
# As a shell expects them: words separated by blanks.
list(JOIN eprof_hook_flags " " hook_flags)
set(entry_flags)
set(auto_flags ${hook_flags})
if(eprof_has_entries)
    set(entry_flags ${eprof_entry_flags})
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_C_COMPILER_VERSION VERSION_LESS 11)
        set(auto_flags ${entry_flags}) # as in auto_flags.cmake
    endif()
    set(entry_script "\${libdir}/eprof/entries.ld")
    set(link_script " -Wl,-T,\${entry_script}")
    install(FILES src/auto/entries.ld DESTINATION ${CMAKE_INSTALL_LIBDIR}/eprof)
endif()
list(JOIN eprof_auto_filter_gcc " " gcc_filter)
list(JOIN eprof_auto_filter_clang " " clang_filter)
configure_file(cmake/eprof-auto.pc.in ${PROJECT_BINARY_DIR}/eprof-auto.pc @ONLY)
if(TARGET eprof_mpi)
    configure_file(cmake/eprof-mpi.pc.in ${PROJECT_BINARY_DIR}/eprof-mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/eprof-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES ${PROJECT_BINARY_DIR}/eprof.pc ${PROJECT_BINARY_DIR}/eprof-auto.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
