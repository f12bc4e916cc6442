# Tests of `eprof serve`, by requests over HTTP. The scripts are in serve/.
add_executable(command_busy serve/busy.c)
set_target_properties(command_busy PROPERTIES OUTPUT_NAME busy)
target_compile_definitions(command_busy PRIVATE _GNU_SOURCE)
target_link_libraries(command_busy PRIVATE eprof::eprof eprof_warnings Threads::Threads)

# serve_tests(SCRIPT PROGRAM CASE...)
function(serve_tests script program)
    foreach(case ${ARGN})
        set(name command_${script}_${case})
        add_test(NAME ${name}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/serve/check_${script}.py ${case}
                $<TARGET_FILE:eprof_command> $<TARGET_FILE:${program}>)
        set_tests_properties(${name} PROPERTIES
            SKIP_RETURN_CODE 77 TIMEOUT ${eprof_patience} ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
    endforeach()
endfunction()

serve_tests(serve command_recorder
    lists_processes_with_their_hottest_regions
    list_is_empty_without_images
    list_has_pages
    shows_instances_of_a_program_without_scopes
    writes_each_format
    reload_renews_the_report
    finds_a_process_by_the_name_of_its_file
    serves_files_and_several_folders
    metrics_have_all_processes
    metrics_leave_out_what_ended_long_ago
    counters_never_fall
    refuses_what_it_does_not_know
    survives_requests_that_are_none
    wants_an_address_and_a_folder
    reaches_nothing_outside_the_folder
    names_images_that_cannot_be_read
    leaves_out_an_image_that_hangs_or_kills_its_reader
    goes_on_when_an_image_vanishes
    wants_a_folder_for_temporary_files
    ends_with_status_0_while_clients_wait)
