# What programs are compiled with for automatic instrumentation: eprof::auto and eprof-auto.pc say it.

# What gcc and clang both take. The frame pointer tells which frame is whose, where one is left by
# longjmp() or an exception.
set(eprof_auto_flags -finstrument-functions -fno-omit-frame-pointer)

# The compilers' own filters, of which each takes but its own. gcc's are parts of names of files and
# of functions: those of the compiler and of the system, and operators. Of clang's two flags the last
# one counts.
set(eprof_auto_filter_gcc
    -finstrument-functions-exclude-file-list=/usr/include,/include/c++/,/usr/lib
    -finstrument-functions-exclude-function-list=operator)
set(eprof_auto_filter_clang -finstrument-functions-after-inlining)

# A generator expression: the filter of that compiler, in targets with the property EPROF_AUTO_FILTER.
function(eprof_auto_filter_of result compiler words)
    set(wanted $<BOOL:$<TARGET_PROPERTY:EPROF_AUTO_FILTER>>)
    foreach(language C CXX)
        list(APPEND filters
            "$<$<AND:${wanted},$<COMPILE_LANG_AND_ID:${language},${compiler}>>:${words}>")
    endforeach()
    set(${result} ${filters} PARENT_SCOPE)
endfunction()

# `target` hands the flags on to what is linked with it.
function(eprof_auto_hand_on target)
    eprof_auto_filter_of(filter_gcc GNU "${eprof_auto_filter_gcc}")
    eprof_auto_filter_of(filter_clang Clang "${eprof_auto_filter_clang}")
    target_compile_options(${target} INTERFACE
        "$<$<COMPILE_LANGUAGE:C,CXX>:${eprof_auto_flags}>" ${filter_gcc} ${filter_clang})
endfunction()
