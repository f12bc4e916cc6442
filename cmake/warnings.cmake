# The warnings of each target of this project. They are not global, so a project
# that includes libeprof by add_subdirectory keeps its own flags.
add_library(eprof_warnings INTERFACE)
target_compile_options(eprof_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wwrite-strings -Wcast-qual -Wundef -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<BOOL:${EPROF_WERROR}>:-Werror>)
