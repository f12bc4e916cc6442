# cmake -DHEADER=calls.h -DOVERVIEW=eprof.3 -DOUT=folder -P man_pages.cmake: writes a manual page for
# each call that the overview lists. Its prototype and text are those of the header, so the two
# cannot differ; its short description and its date are those of the overview.
cmake_minimum_required(VERSION 3.18)
file(READ ${HEADER} header)
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

# Each comment, with the declaration that follows it.
set(declaration "^\n(struct [a-z_]+;\n)?(EPROF_INLINE )?([a-z0-9_ ]+[ *]+)(eprof_[a-z0-9_]+)\\(([^)]*)\\)")
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
    if(header MATCHES "${declaration}")
        write_page(${CMAKE_MATCH_4} "${CMAKE_MATCH_3}" "${CMAKE_MATCH_5}" "${comment}")
    endif()
endwhile()
