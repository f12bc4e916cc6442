# The tests of what libeprof-auto has besides the hooks. LINK_ONLY: its flags are for the parts that
# are to be bracketed, and not for the tests themselves.
add_library(eprof_hooks INTERFACE)
target_link_libraries(eprof_hooks INTERFACE $<LINK_ONLY:eprof::auto>)
set_source_files_properties(api/hooked.c api/hooked_plugin.c PROPERTIES
    COMPILE_OPTIONS "${eprof_auto_flags}")

# Elsewhere it is the C library's; and the thread sanitizer makes a fork() of it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|i[3-6]86|aarch64)$" AND
        NOT CMAKE_C_FLAGS MATCHES "-fsanitize=thread")
    eprof_api_test(vfork)
    target_sources(api_vfork PRIVATE api/hooked.c)
    target_link_libraries(api_vfork PRIVATE eprof_hooks)
endif()

# Of the static library each plug-in would have its own. A sanitizer has memory of its own between
# what is unloaded and what is loaded in its place.
if(TARGET eprof_auto AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    eprof_api_test(dlclose)
    target_link_libraries(api_dlclose PRIVATE eprof_hooks)
    foreach(name one other)
        add_library(eprof_${name}_plugin MODULE api/hooked_plugin.c)
        target_link_libraries(eprof_${name}_plugin PRIVATE eprof_hooks)
        add_dependencies(api_dlclose eprof_${name}_plugin)
        string(TOUPPER ${name} upper_name)
        target_compile_definitions(api_dlclose PRIVATE
            EPROF_TEST_${upper_name}_PLUGIN="$<TARGET_FILE:eprof_${name}_plugin>")
    endforeach()
endif()
