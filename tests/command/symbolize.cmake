# `eprof symbolize`: the names of functions. The compilers are those of all tests.
set(machine)
if(CMAKE_C_FLAGS MATCHES "-m32")
    set(machine -m32)
endif()

function(symbolize_tests script)
    foreach(case ${ARGN})
        set(name command_${script}_${case})
        add_test(NAME ${name}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/check_${script}.sh ${case}
                $<TARGET_FILE:eprof_command> ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER} ${machine})
        set_tests_properties(${name} PROPERTIES TIMEOUT ${eprof_patience})
    endforeach()
endfunction()

symbolize_tests(symbolize
    names_functions_of_c
    names_what_was_not_inlined_of_a_function_that_is
    finds_functions_where_they_are_defined
    names_clones_by_their_function
    names_functions_by_the_source_and_not_by_aliases
    names_functions_by_their_best_symbol
    names_functions_of_every_kind_of_program
    names_functions_of_a_library
    names_functions_of_cxx_with_their_parameters
    names_functions_of_cxx_by_debug_information_alone
    names_lambdas
    names_clones_of_cxx_by_their_function
    names_functions_without_debug_information
    names_what_was_written_by_hand
    names_functions_of_a_stripped_library_by_its_dynamic_symbols
    finds_what_was_stripped_by_build_id
    finds_what_was_stripped_by_its_link
    takes_no_debug_information_of_another_program
    reads_the_symbols_that_a_stripped_program_kept
    reads_compressed_debug_information
    reads_each_version_of_debug_information
    reads_debug_information_that_programs_share
    reads_debug_information_made_small
    reads_debug_information_in_files_of_its_own
    leaves_alone_what_the_linker_has_left_out)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    symbolize_tests(symbolize
        names_parts_by_their_function
        reads_debug_information_made_when_linking
        reads_little_debug_information)
else()
    symbolize_tests(symbolize reads_lines_alone)
endif()
symbolize_tests(symbolize_files
    of_one_that_has_another_build_id
    of_one_with_a_build_id_of_any_length
    of_one_that_has_another_time
    of_one_with_a_build_id_at_another_time
    of_one_that_is_missing
    of_what_is_no_file
    of_what_is_no_program
    among_good_ones
    with_nothing_asked
    of_many_questions
    that_ends_the_process_that_reads_it
    with_limits
    of_a_request_that_is_none
    with_names_that_are_too_long
    without_asking_over_the_network)
symbolize_tests(symbolize_choice
    all_without_a_pattern
    those_that_are_like_one
    those_that_are_not_like_one
    those_that_are_like_one_and_not_like_another
    all_of_a_file
    all_of_a_file_that_a_system_header_declares_some_of
    nothing_that_has_no_name
    by_names_with_and_without_parameters
    by_names_of_the_linker
    by_names_of_aliases
    those_without_a_size
    at_the_last_address
    in_few_stretches
    without_debug_information
    by_the_patterns_that_came_before)

# These tests use all the time that they may take.
set(long_cases that_takes_too_long of_a_pipe_in_the_place_of_what_was_stripped)
symbolize_tests(symbolize_files ${long_cases})
foreach(case ${long_cases})
    set_tests_properties(command_symbolize_files_${case} PROPERTIES LABELS long)
endforeach()

cli_test(cli_symbols demangle symbols)
target_compile_options(cli_symbols PRIVATE -g)
target_link_libraries(cli_symbols PRIVATE eprof_symbol_libraries stdc++) # __cxa_demangle

# Damaged files: of a program in C, and of one in C++.
add_executable(mutated_files test_mutated_files.c)
target_compile_definitions(mutated_files PRIVATE _GNU_SOURCE)
target_include_directories(mutated_files PRIVATE ${CMOCKA_INCLUDE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(mutated_files PRIVATE
    eprof_test_support eprof_static eprof_warnings ${CMOCKA_LIBRARIES})
add_executable(mutated_c symbolize/functions.c)
add_executable(mutated_cxx symbolize/functions.cpp)
foreach(language c cxx)
    target_compile_options(mutated_${language} PRIVATE -g)
    eprof_stays_a_program(mutated_${language})
    foreach(count 100 5000)
        add_test(NAME command_symbolize_mutated_${language}_${count}
            COMMAND mutated_files $<TARGET_FILE:eprof_command> $<TARGET_FILE:mutated_${language}>
                ${count})
    endforeach()
    set_tests_properties(command_symbolize_mutated_${language}_5000 PROPERTIES LABELS long)
endforeach()
