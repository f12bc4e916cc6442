# The compiler flags for automatic instrumentation, which eprof::auto and eprof-auto.pc provide.

# Flags of both gcc and clang. The frame pointer identifies the frame of a call, so that calls that
# longjmp() or an exception ended are recognized.
set(eprof_auto_flags -finstrument-functions -fno-omit-frame-pointer)

# In place of these on x86-64: no call, but room for one at the entry of each function.
set(eprof_entry_flags -fpatchable-function-entry=5)

# The filters of the compilers; each compiler accepts only its own. gcc excludes files and functions
# whose names contain one of these texts: headers of the compiler and the system, and operators.
# clang's flag replaces -finstrument-functions, because only the last one of the two has effect.
set(eprof_auto_filter_gcc
    -finstrument-functions-exclude-file-list=/usr/include,/include/c++/,/usr/lib
    -finstrument-functions-exclude-function-list=operator)
set(eprof_auto_filter_clang -finstrument-functions-after-inlining)

# Sets `result` to generator expressions: the filter of this compiler in targets that have the
# property EPROF_AUTO_FILTER.
function(eprof_auto_filter_of result compiler words)
    set(wanted $<BOOL:$<TARGET_PROPERTY:EPROF_AUTO_FILTER>>)
    foreach(language C CXX)
        list(APPEND filters
            "$<$<AND:${wanted},$<COMPILE_LANG_AND_ID:${language},${compiler}>>:${words}>")
    endforeach()
    set(${result} ${filters} PARENT_SCOPE)
endfunction()

# Adds the flags to each target that links with `target`.
function(eprof_auto_hand_on target)
    eprof_auto_filter_of(filter_gcc GNU "${eprof_auto_filter_gcc}")
    eprof_auto_filter_of(filter_clang Clang "${eprof_auto_filter_clang}")
    target_compile_options(${target} INTERFACE
        "$<$<COMPILE_LANGUAGE:C,CXX>:${eprof_auto_flags}>" ${filter_gcc} ${filter_clang})
endfunction()
