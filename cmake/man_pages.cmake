# cmake -DHEADERS="calls.h;scopes.h" -DOVERVIEW=eprof.3 -DOUT=folder -P man_pages.cmake: writes a
# manual page for each call and macro that the overview lists. Its prototype and text are those of
# the headers, so the two cannot differ; its short description and its date are those of the
# overview. The text of a macro that is a scope continues with what the header says of all scopes,
# from "Labels are" on.
cmake_minimum_required(VERSION 3.18)
file(READ ${OVERVIEW} overview)
file(REMOVE_RECURSE ${OUT})
string(REGEX MATCH "\n\\.Dd [^\n]*" date "${overview}")

# A comment without its stars, as the source of a page.
function(text_of_comment result comment)
    string(REGEX REPLACE "\n \\*/$| \\*/$" "" text "${comment}")
    string(REGEX REPLACE "^/\\*(\n \\*)? ?" "" text "${text}")
    string(REGEX REPLACE "(^|\n) \\* ?" "\\1" text "${text}")
    string(REPLACE "\\" "\\e" text "${text}")
    string(REGEX REPLACE "(^|[ (])-([0-9])" "\\1\\\\-\\2" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
    string(REGEX REPLACE "\n\n+" "\n.Pp\n" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# "int id, uint64_t start" becomes "int id" "uint64_t start".
function(write_page name type parameters comment)
    string(REGEX MATCH "\n\\.It Fn ${name} Ta \"([^\n]*)\"" listed "${overview}")
    if(NOT listed)
        return()
    endif()
    set(purpose "${CMAKE_MATCH_1}")
    string(REGEX REPLACE " *\n *" " " parameters "${parameters}")
    string(REPLACE ", " "\" \"" parameters "${parameters}")
    string(REGEX REPLACE " +$" "" type "${type}")
    string(TOUPPER ${name} title)
    text_of_comment(text "${comment}")
    file(WRITE ${OUT}/${name}.3 ".\\\" Made from eprof/calls.h by cmake/man_pages.cmake.${date}
.Dt ${title} 3 LOCAL
.Os libeprof
.Sh NAME
.Nm ${name}
.Nd ${purpose}
.Sh SYNOPSIS
.In eprof.h
.Ft \"${type}\"
.Fn ${name} \"${parameters}\"
.Pp
.Fl leprof
.Sh DESCRIPTION
${text}
.Sh SEE ALSO
.Xr eprof 3
")
endfunction()

# The overview has its use, as in EPROF_SCOPE("label");
function(write_macro_page name comment notes)
    string(REGEX MATCH "\n\\.It \"(${name}[^\n]*)\" Ta \"([^\n]*)\"" listed "${overview}")
    if(NOT listed)
        return()
    endif()
    set(use "${CMAKE_MATCH_1}")
    set(purpose "${CMAKE_MATCH_2}")
    text_of_comment(text "${comment}")
    if(NOT name MATCHES "VALUE|BYTES")
        text_of_comment(of_all "${notes}")
        string(APPEND text "\n.Sh NOTES\n${of_all}")
    endif()
    file(WRITE ${OUT}/${name}.3 ".\\\" Made from eprof/scopes.h by cmake/man_pages.cmake.${date}
.Dt ${name} 3 LOCAL
.Os libeprof
.Sh NAME
.Nm ${name}
.Nd ${purpose}
.Sh SYNOPSIS
.In eprof.h
.Pp
.Sy \"${use}\"
.Pp
.Fl leprof
.Sh DESCRIPTION
${text}
.Sh SEE ALSO
.Xr eprof 3
")
endfunction()

# Each comment, with the declaration or the macro that follows it.
set(declaration "^\n(struct [a-z_]+;\n)?(EPROF_INLINE )?([a-z0-9_ ]+[ *]+)(eprof_[a-z0-9_]+)\\(([^)]*)\\)")
set(notes "")
foreach(file IN LISTS HEADERS)
    file(READ ${file} header)
    while(TRUE)
        string(FIND "${header}" "/*" start)
        if(start EQUAL -1)
            break()
        endif()
        string(SUBSTRING "${header}" ${start} -1 header)
        string(FIND "${header}" "*/" end)
        math(EXPR end "${end} + 2")
        string(SUBSTRING "${header}" 0 ${end} comment)
        string(SUBSTRING "${header}" ${end} -1 header)
        string(FIND "${comment}" "\n * Labels are " labels)
        if(NOT labels EQUAL -1)
            string(SUBSTRING "${comment}" ${labels} -1 notes)
            string(PREPEND notes "/*")
        endif()
        if(header MATCHES "${declaration}")
            write_page(${CMAKE_MATCH_4} "${CMAKE_MATCH_3}" "${CMAKE_MATCH_5}" "${comment}")
        elseif(header MATCHES "^\n#define (EPROF_[A-Z]+)")
            write_macro_page(${CMAKE_MATCH_1} "${comment}" "${notes}")
        endif()
    endwhile()
endforeach()
