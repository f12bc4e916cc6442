# Counts which lines and branches of src/ are taken, by every program that the tests start:
# the preset `coverage`, measure.sh. Included before the first target is made.

# Without optimization, so that each line has instructions of its own; the counters are
# incremented by several threads.
add_compile_options(-O0 -fprofile-arcs -ftest-coverage -fprofile-update=atomic)
# gcc would put a call of its own there, which writes the counts by itself: counts.c does.
add_compile_options(-fno-builtin-execvp)
add_link_options(--coverage)

# Of what is only there to test, nobody asks that it runs.
set(eprof_not_counted -fno-profile-arcs -fno-test-coverage)

# What keeps the counts of processes that end without exit(). It is not counted itself.
add_library(eprof_counted OBJECT tests/coverage/counted.c)
add_library(eprof_counts SHARED tests/coverage/counts.c)
foreach(target eprof_counted eprof_counts)
    target_compile_options(${target} PRIVATE ${eprof_not_counted})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endforeach()
target_link_libraries(eprof_counts PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(eprof_counts eprof_counted)

# To whatever is linked from here on. An object and not an archive, since nobody asks for it.
add_link_options($<TARGET_OBJECTS:eprof_counted>)
link_libraries(eprof_counts)
