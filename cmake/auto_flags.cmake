# The compiler flags for automatic instrumentation, which eprof::auto and eprof-auto.pc provide.

# Flags of both gcc and clang. The frame pointer identifies the frame of a call, so that calls that
# longjmp() or an exception ended are recognized.
set(eprof_hook_flags -finstrument-functions -fno-omit-frame-pointer)

# In place of these on x86-64: no call, but room for one at the entry of each function that is left
# after inlining.
set(eprof_entry_flags -fpatchable-function-entry=5)

# The filters of the compilers; each compiler accepts only its own. gcc excludes files and functions
# whose names contain one of these texts: headers of the compiler and the system, and operators.
# clang's flag replaces -finstrument-functions, because only the last one of the two has effect.
set(eprof_auto_filter_gcc
    -finstrument-functions-exclude-file-list=/usr/include,/include/c++/,/usr/lib
    -finstrument-functions-exclude-function-list=operator)
set(eprof_auto_filter_clang -finstrument-functions-after-inlining)

# Sets `result` to a generator expression: whether files of this language get entries in place of
# hooks. The library patches entries, the compiler has the flag (clang 10; gcc 8, but before gcc 11
# the unwind information does not contain the nops, and the library finds no function there), and the
# target does not have the property EPROF_AUTO_HOOKS.
function(eprof_auto_has_entries result language)
    set(is_new_enough)
    foreach(compiler_and_version "GNU;11" "Clang;10")
        list(GET compiler_and_version 0 compiler)
        list(GET compiler_and_version 1 version)
        list(APPEND is_new_enough
            $<AND:$<COMPILE_LANG_AND_ID:${language},${compiler}>,$<NOT:$<VERSION_LESS:$<${language}_COMPILER_VERSION>,${version}>>>)
    endforeach()
    list(JOIN is_new_enough "," is_new_enough)
    set(wants_hooks $<BOOL:$<TARGET_PROPERTY:EPROF_AUTO_HOOKS>>)
    set(${result} $<AND:$<BOOL:${eprof_has_entries}>,$<NOT:${wants_hooks}>,$<OR:${is_new_enough}>>
        PARENT_SCOPE)
endfunction()

# Adds the flags to each target that links with `target`. The property EPROF_AUTO_FILTER adds the
# filter of the compiler to the hooks.
function(eprof_auto_hand_on target)
    set(wants_filter $<BOOL:$<TARGET_PROPERTY:EPROF_AUTO_FILTER>>)
    foreach(language C CXX)
        eprof_auto_has_entries(has_entries ${language})
        set(is_hooked $<COMPILE_LANGUAGE:${language}>,$<NOT:${has_entries}>)
        target_compile_options(${target} INTERFACE
            "$<${has_entries}:${eprof_entry_flags}>"
            "$<$<AND:${is_hooked}>:${eprof_hook_flags}>")
        foreach(compiler_and_filter "GNU;${eprof_auto_filter_gcc}" "Clang;${eprof_auto_filter_clang}")
            list(POP_FRONT compiler_and_filter compiler)
            set(is_compiler $<COMPILE_LANG_AND_ID:${language},${compiler}>)
            target_compile_options(${target} INTERFACE
                "$<$<AND:${is_compiler},${is_hooked},${wants_filter}>:${compiler_and_filter}>")
        endforeach()
    endforeach()
endfunction()
