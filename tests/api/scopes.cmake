# The tests of scopes that hang on what the compiler makes of a function: its frame, what it
# inlines, how it unwinds. Each is built at every level of optimisation.

# Where the tests are C++, the compiler and the flags are those of C.
if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND NOT CMAKE_CXX_COMPILER)
    set(CMAKE_CXX_COMPILER clang++)
endif()
enable_language(CXX)
set(CMAKE_CXX_FLAGS "${CMAKE_C_FLAGS}")

set(eprof_levels 0 2 3)
set(eprof_unwindings exceptions no-exceptions)
# It looks at the stack of a thread that ended without being unwound, and finds it unclean.
if(CMAKE_C_FLAGS MATCHES "-fsanitize=address")
    set(eprof_unwindings exceptions)
endif()

# eprof_scope_test(NAME LEVEL SOURCE... [OPTIONS OPTION...]): a program that tests at one level.
function(eprof_scope_test name level source)
    cmake_parse_arguments(PARSE_ARGV 3 test "" "" "SOURCES;OPTIONS;LIBRARIES")
    eprof_test(api_${name}_O${level} api/${source} eprof::eprof ${test_LIBRARIES})
    foreach(more IN LISTS test_SOURCES)
        target_sources(api_${name}_O${level} PRIVATE api/${more})
    endforeach()
    target_compile_options(api_${name}_O${level} PRIVATE -O${level} ${test_OPTIONS})
endfunction()

# What other parts of a program hold, and a plug-in; both call back into the program.
function(eprof_scope_part name kind source)
    add_library(${name} ${kind} api/${source})
    target_link_libraries(${name} PRIVATE eprof::eprof eprof_warnings)
endfunction()
eprof_scope_part(eprof_site_library SHARED site_library.c)
eprof_scope_part(eprof_site_plugin MODULE site_plugin.c)

foreach(level IN LISTS eprof_levels)
    foreach(name tree exits manual jump jump_frame signal)
        eprof_scope_test(scope_${name} ${level} test_scope_${name}.c)
    endforeach()
    foreach(exceptions IN LISTS eprof_unwindings)
        eprof_scope_test(scope_ends_${exceptions} ${level} test_scope_ends.c
            OPTIONS -f${exceptions})
    endforeach()
    eprof_scope_test(scope_sites ${level} test_scope_sites.c
        SOURCES site_twin_one.c site_twin_other.c
        LIBRARIES eprof_site_library ${CMAKE_DL_LIBS})
    set_target_properties(api_scope_sites_O${level} PROPERTIES ENABLE_EXPORTS ON)
    target_compile_definitions(api_scope_sites_O${level} PRIVATE
        EPROF_TEST_PLUGIN="$<TARGET_FILE:eprof_site_plugin>")
    add_dependencies(api_scope_sites_O${level} eprof_site_plugin)
    foreach(standard 11 17)
        eprof_scope_test(cxx${standard} ${level} test_cxx.c SOURCES cxx_scopes.cpp)
        set_target_properties(api_cxx${standard}_O${level} PROPERTIES
            CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    endforeach()
endforeach()

# At -O0 it takes for unset what gcc itself has set: by which way a block was left (12.2).
if(CMAKE_C_FLAGS MATCHES "-fanalyzer")
    target_compile_options(api_scope_exits_O0 PRIVATE -Wno-analyzer-use-of-uninitialized-value)
endif()

# What records while its thread ends; objects of threads are C++.
eprof_api_test(thread_keys)
target_sources(api_thread_keys PRIVATE api/thread_object.cpp)
