# Functions have their names in each report. The tests use a program with hooks, and a library that
# it loads.
add_executable(command_named names/named.c)
set_target_properties(command_named PROPERTIES OUTPUT_NAME named ENABLE_EXPORTS ON)
target_compile_definitions(command_named PRIVATE _GNU_SOURCE)
target_link_libraries(command_named PRIVATE eprof::auto eprof::eprof eprof_warnings ${CMAKE_DL_LIBS})
add_library(command_named_plugin MODULE names/plugin.c)
target_link_libraries(command_named_plugin PRIVATE eprof::auto eprof_warnings)
foreach(target command_named command_named_plugin)
    target_compile_options(${target} PRIVATE -g -O1)
    set_target_properties(${target} PROPERTIES EPROF_AUTO_HOOKS ON)
endforeach()
eprof_stays_a_program(command_named)

function(names_tests)
    foreach(case ${ARGN})
        add_test(NAME command_names_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/check_names.sh ${case}
                $<TARGET_FILE:eprof_command> $<TARGET_FILE:command_named>
                $<TARGET_FILE:command_named_plugin> $<TARGET_FILE:eprof> $<TARGET_FILE:eprof_auto>)
        set_tests_properties(command_names_${case} PROPERTIES TIMEOUT ${eprof_patience})
    endforeach()
endfunction()
names_tests(
    of_a_program_that_runs_to_its_end
    in_the_tree_at_the_end
    by_dynamic_symbol_where_there_is_no_eprof
    by_the_eprof_beside_the_library
    by_the_eprof_on_path
    by_no_eprof_in_a_relative_folder_of_path
    by_another_program_in_vain
    by_a_program_that_is_not_there
    by_a_relative_path
    by_dynamic_symbol_while_the_program_runs
    takes_no_time_of_what_is_open
    asks_for_nothing_where_nothing_is_shown)
# The command starts /proc/self/exe to find names; under valgrind that file is valgrind.
if(NOT EPROF_TEST_VALGRIND)
    names_tests(
        of_a_killed_program
        of_functions_that_never_ended
        of_a_library_that_was_closed
        of_a_program_whose_debug_information_is_elsewhere
        of_several_profiles
        not_of_a_file_that_has_changed
        not_of_a_file_that_is_gone
        of_a_file_with_a_hostile_name
        beside_a_file_that_takes_too_long_to_be_read)
    set_tests_properties(command_names_beside_a_file_that_takes_too_long_to_be_read
        PROPERTIES LABELS long)
endif()

# The same program with the flags that eprof::auto gives. A sanitizer adds functions with entries to
# the program.
if(eprof_has_entries AND NOT EPROF_TEST_VALGRIND AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    add_executable(command_named_default names/named.c)
    set_target_properties(command_named_default PROPERTIES
        OUTPUT_NAME named_default ENABLE_EXPORTS ON)
    target_compile_definitions(command_named_default PRIVATE _GNU_SOURCE)
    target_link_libraries(command_named_default PRIVATE
        eprof::auto eprof::eprof eprof_warnings ${CMAKE_DL_LIBS})
    target_compile_options(command_named_default PRIVATE -g -O1)
    foreach(case of_a_program_that_runs_to_its_end in_the_tree_at_the_end
            of_a_killed_program of_several_profiles)
        add_test(NAME command_names_by_default_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/check_names.sh ${case}
                $<TARGET_FILE:eprof_command> $<TARGET_FILE:command_named_default>
                $<TARGET_FILE:command_named_plugin> $<TARGET_FILE:eprof> $<TARGET_FILE:eprof_auto>)
        set_tests_properties(command_names_by_default_${case} PROPERTIES TIMEOUT ${eprof_patience})
    endforeach()
endif()
