# The parts of the program eprof that need libraries. Each is ON (an error if something is missing),
# OFF, or AUTO: built if all that it needs is found; otherwise a line of the configuration names what
# is missing, and what that costs.
include(CheckLibraryExists)
find_package(PkgConfig QUIET)

# Appends `package` to the list `missing` if pkg-config does not find `module`. What it finds goes
# into the variables of pkg_check_modules() with this prefix.
macro(eprof_look_for prefix module package)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(${prefix} QUIET ${module})
    endif()
    if(NOT ${prefix}_FOUND)
        list(APPEND missing ${package})
    endif()
endmacro()

# Starts a part: sets `is_wanted`, and `missing` to what all parts need.
macro(eprof_begin_part part description)
    if(NOT DEFINED ${part})
        set(${part} AUTO CACHE STRING "${description}: ON, OFF, or AUTO (if it can be built)")
        set_property(CACHE ${part} PROPERTY STRINGS AUTO ON OFF)
    endif()
    set(is_wanted ${${part}})
    set(missing)
    if(NOT PKG_CONFIG_FOUND)
        set(missing pkg-config)
    endif()
endmacro()

# Sets the variable `part` to ON or OFF. `cost` says what the program lacks without it.
macro(eprof_end_part part cost)
    if(is_wanted AND missing)
        list(JOIN missing ", " missing)
        set(line "${part} is off, not found: ${missing}. Without it ${cost}.")
        if(NOT is_wanted STREQUAL "AUTO")
            message(FATAL_ERROR "${line}")
        endif()
        message(STATUS "${line}")
        set(${part} OFF)
    elseif(is_wanted)
        set(${part} ON)
    endif()
endmacro()

eprof_begin_part(EPROF_SYMBOLS "The program eprof looks functions up in debug information")
if(is_wanted)
    eprof_look_for(eprof_libdw libdw libdw-dev)
    check_library_exists(stdc++ __cxa_demangle "" eprof_has_demangler)
    if(NOT eprof_has_demangler)
        unset(eprof_has_demangler CACHE) # it may be installed later
        list(APPEND missing libstdc++)
    endif()
endif()
eprof_end_part(EPROF_SYMBOLS
    "automatic instrumentation knows functions by dynamic symbol or address only")

eprof_begin_part(EPROF_PPROF "The program eprof writes the format pprof")
if(is_wanted)
    eprof_look_for(eprof_protobuf_c libprotobuf-c libprotobuf-c-dev)
    eprof_look_for(eprof_zlib zlib zlib1g-dev)
    find_program(EPROF_PROTOC_C protoc-c DOC "The compiler of protobuf-c")
    mark_as_advanced(EPROF_PROTOC_C)
    if(NOT EPROF_PROTOC_C)
        list(APPEND missing protobuf-c-compiler)
    endif()
endif()
eprof_end_part(EPROF_PPROF "`eprof report` has no format pprof")

eprof_begin_part(EPROF_SERVE "The program eprof serves profiles over HTTP")
if(is_wanted)
    eprof_look_for(eprof_microhttpd libmicrohttpd libmicrohttpd-dev)
endif()
eprof_end_part(EPROF_SERVE "there is no `eprof serve`")
