# `eprof top`: a view of a running program.
set(eprof_golden ${CMAKE_CURRENT_SOURCE_DIR}/golden)
cli_test(cli top_keys top_frame top_sight top_screen)

add_executable(command_driven driven.c)
set_target_properties(command_driven PROPERTIES OUTPUT_NAME driven)
target_compile_definitions(command_driven PRIVATE _GNU_SOURCE)
target_link_libraries(command_driven PRIVATE eprof::eprof eprof_warnings)

function(top_tests script program)
    foreach(case ${ARGN})
        set(name command_${script}_${case})
        add_test(NAME ${name}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/check_${script}.sh ${case}
                $<TARGET_FILE:eprof_command> $<TARGET_FILE:${program}>)
        set_tests_properties(${name} PROPERTIES TIMEOUT ${eprof_patience} SKIP_RETURN_CODE 77)
    endforeach()
endfunction()
top_tests(top command_driven
    shows_a_program_that_runs
    finds_the_file_of_a_process
    finds_a_file_that_has_any_name
    finds_a_file_in_another_mount_namespace
    finds_the_file_of_a_process_with_ids_of_its_own
    finds_a_file_that_was_removed
    says_who_can_see_a_file_that_was_removed
    takes_no_other_file_in_its_place
    sees_the_end_of_a_process
    takes_digits_for_a_file_that_is_there
    says_how_to_record_to_a_file
    takes_no_child_for_its_parent
    knows_that_there_is_no_such_process
    says_that_a_process_is_not_ours
    says_what_is_wrong_with_a_file
    shows_rates
    shows_so_many_frames
    has_no_escape_codes
    ends_with_the_program
    says_that_it_was_killed
    goes_on_behind_a_reset
    says_that_the_file_is_gone
    sorts_and_filters
    shows_what_was_measured
    shows_a_saved_profile
    says_that_the_disk_is_full)
top_tests(top_screen command_driven
    shows_what_fits_in_80_columns
    shows_all_in_140_columns
    shows_what_matters_in_30_columns
    follows_the_size_of_the_terminal
    goes_on_by_itself
    sorts_by_keys
    filters_while_it_is_typed
    pauses
    scrolls
    keeps_the_last_figures
    goes_on_with_another_run
    ends_after_so_many_frames
    gives_the_terminal_back_when_it_quits
    takes_the_terminal_again_when_it_goes_on
    ends_when_the_terminal_is_gone
    is_plain_on_a_terminal_that_can_do_nothing)
if(NOT EPROF_TEST_VALGRIND) # valgrind takes the signals that signalfd(2) would report
    top_tests(top_screen command_driven
        gives_the_terminal_back_when_it_is_told_to_end
        gives_the_terminal_back_while_it_is_stopped)
endif()
# /proc shows the signals that qemu-user or valgrind waits for, and qemu-user uses other numbers.
if(NOT CMAKE_CROSSCOMPILING AND NOT EPROF_TEST_VALGRIND)
    top_tests(top_screen command_driven waits_for_all_signals_that_would_end_it)
endif()

# The compiler's hooks record its functions; their names come from its file.
if(EPROF_SYMBOLS AND TARGET eprof_auto AND NOT EPROF_TEST_VALGRIND) # as in names.cmake
    add_executable(command_driven_auto driven.c)
    set_target_properties(command_driven_auto PROPERTIES OUTPUT_NAME driven_auto)
    target_compile_definitions(command_driven_auto PRIVATE _GNU_SOURCE)
    target_link_libraries(command_driven_auto PRIVATE eprof::auto eprof::eprof eprof_warnings)
    top_tests(top command_driven_auto
        complains_of_names_once)
endif()
