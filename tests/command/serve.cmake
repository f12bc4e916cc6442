# Tests of `eprof serve`, by requests over HTTP. The scripts are in serve/.
add_executable(command_busy serve/busy.c)
set_target_properties(command_busy PROPERTIES OUTPUT_NAME busy)
target_compile_definitions(command_busy PRIVATE _GNU_SOURCE)
target_link_libraries(command_busy PRIVATE eprof::eprof eprof_warnings Threads::Threads)

eprof_test_group(cli_serve cli eprof_static serve_left_out)
target_include_directories(cli_serve PRIVATE ${PROJECT_SOURCE_DIR}/src)
eprof_links_server(cli_serve)

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
    serves_names_of_several_hundred_bytes
    knows_a_loopback_address_in_any_form
    metrics_have_all_processes
    metrics_leave_out_what_ended_long_ago
    counters_never_fall
    refuses_what_it_does_not_know
    survives_requests_that_are_none
    wants_an_address_and_a_folder
    folder_may_have_the_name_of_a_command
    wants_its_program
    reaches_nothing_outside_the_folder
    names_images_that_cannot_be_read
    leaves_out_an_image_that_ends_its_reader
    goes_on_when_an_image_vanishes
    wants_a_folder_for_temporary_files
    needs_no_privileges
    ends_with_status_0_while_clients_wait)
if(EPROF_PPROF)
    serve_tests(serve command_recorder compresses_for_other_machines) # zlib
endif()
# Memory and lost answers do not depend on the compiler: these run in the preset dev, and with the
# sanitizers.
if(EPROF_TEST_READERS OR eprof_is_watched)
    serve_tests(serve_load command_recorder
        hundred_clients_lose_nothing
        clients_that_do_not_read_take_nothing
        clients_that_go_away_free_their_place
        a_client_that_only_stops_sending_gets_its_answer
        five_hundred_images_take_no_more
        images_that_come_and_go_and_are_hostile
        survives_random_requests
        requests_that_are_refused_leave_nothing)
    if(EPROF_PPROF)
        serve_tests(serve_load command_recorder at_most_twenty_profiles_are_taken_at_once)
    endif()
    if(NOT eprof_is_watched)
        serve_tests(serve_load command_busy
            a_profile_that_is_too_large_is_an_error
            metrics_outlast_a_process_whose_instances_change)
    endif()
endif()
foreach(case ten_thousand_images_take_no_more memory_stays_flat slow_clients_are_cut
        a_renderer_that_hangs_is_ended)
    serve_tests(serve_load command_recorder ${case})
    set_tests_properties(command_serve_load_${case} PROPERTIES LABELS long TIMEOUT 600)
endforeach()
if(NOT eprof_is_watched AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME command_serve_unit_works_under_systemd
        COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/serve/boot/run.sh ${PROJECT_BINARY_DIR}
            $<TARGET_FILE:command_busy>)
    set_tests_properties(command_serve_unit_works_under_systemd PROPERTIES
        LABELS long TIMEOUT 2400 SKIP_RETURN_CODE 77)
endif()
if(eprof_is_watched)
    get_property(names DIRECTORY PROPERTY TESTS)
    list(FILTER names INCLUDE REGEX "^command_serve_load_")
    set_property(TEST ${names} APPEND PROPERTY ENVIRONMENT LOOSE_MEMORY=1)
endif()
if(EPROF_TEST_READERS)
    serve_tests(serve_clients command_busy
        prometheus_scrapes_a_program_that_is_killed_and_started_again
        prometheus_scrapes_for_a_minute
        promtool_has_no_complaint
        chromium_shows_the_list_and_a_report
        systemd_takes_the_unit_of_the_documents
        command_of_the_unit_serves)
    if(EPROF_PPROF)
        serve_tests(serve_clients command_busy
            pprof_fetches_two_seconds
            pprof_fetches_a_minute
            profile_of_a_program_that_starts_and_of_one_that_is_killed
            profile_leaves_out_what_was_not_readable_at_its_begin)
        set_tests_properties(command_serve_clients_pprof_fetches_a_minute PROPERTIES
            LABELS long TIMEOUT 300)
    endif()
    set_tests_properties(command_serve_clients_prometheus_scrapes_for_a_minute PROPERTIES
        LABELS long TIMEOUT 300)
endif()
