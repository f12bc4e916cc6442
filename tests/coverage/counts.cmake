# Counts which lines and branches of src/ are run by the programs that the tests start: for the
# preset `coverage`, measure.sh. It must be included before the first target is made.

# Without optimization, so that each line has its own instructions; the counters are incremented by
# several threads.
add_compile_options(-O0 -fprofile-arcs -ftest-coverage -fprofile-update=atomic)
# gcc would replace this call by a function of its own, which writes the counts; counts.c writes
# them.
add_compile_options(-fno-builtin-execvp)
add_link_options(--coverage)

# Code that exists only for the tests need not be run completely, so it is not counted.
set(eprof_not_counted -fno-profile-arcs -fno-test-coverage)

# These keep the counts of processes that end without exit(). They are not counted themselves.
add_library(eprof_counted OBJECT tests/coverage/counted.c)
add_library(eprof_counts SHARED tests/coverage/counts.c)
foreach(target eprof_counted eprof_counts)
    target_compile_options(${target} PRIVATE ${eprof_not_counted})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endforeach()
target_link_libraries(eprof_counts PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(eprof_counts eprof_counted)

# It is added to each program and library from here on. It is an object and not an archive, since no
# symbol of it is referenced.
add_link_options($<TARGET_OBJECTS:eprof_counted>)
link_libraries(eprof_counts)
