# cmake -DIN=page.css -DOUT=page_css.c -DHEADER=x.h -DNAME=array -P embed_css.cmake: converts a
# style sheet to C source: an array of strings that ends with NULL, and NAME_sha256, the digest by
# which a content security policy allows the style sheet.
#
# Comments and indentation are removed. A paragraph, which ends at an empty line, becomes one line.
# Blanks around `+` stay, because calc() needs them.
file(READ ${IN} css)
string(ASCII 1 end)
string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/\n?" "" css "${css}")
string(STRIP "${css}" css)
string(REGEX REPLACE "\n[ \n]*\n" "${end}" css "${css}")
string(REGEX REPLACE "[ \n]+" " " css "${css}")
string(REGEX REPLACE " ?([{};,>]) ?" "\\1" css "${css}")
string(REGEX REPLACE " ?([!/]) ?" "\\1" css "${css}")
string(REPLACE ": " ":" css "${css}")
string(REPLACE "@media (" "@media(" css "${css}")
string(REPLACE ";}" "}" css "${css}")
string(REPLACE "${end}" "\n" css "${css}\n")

# Converts base 16 to base 64: three digits become two. Two zeros complete the last of 64 digits.
string(SHA256 digest "${css}")
set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
set(base64 "")
foreach(at RANGE 0 63 3)
    string(SUBSTRING "${digest}00" ${at} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING ${digits} ${high} 1 high)
    string(SUBSTRING ${digits} ${low} 1 low)
    string(APPEND base64 ${high}${low})
endforeach()
string(SUBSTRING ${base64} 0 43 base64)

# Splits the text, since compilers need not accept strings of more than 4,095 bytes (C11, 5.2.4.1).
set(parts "")
while(NOT css STREQUAL "")
    string(SUBSTRING "${css}" 0 4000 part)
    string(LENGTH "${part}" length)
    string(SUBSTRING "${css}" ${length} -1 css)
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" part "${part}")
    string(REPLACE "\n" "\\n\"\n    \"" part "${part}")
    string(APPEND parts "    \"${part}\",\n")
endwhile()
file(WRITE ${OUT} "#include \"${HEADER}\"\n
const char *const ${NAME}[] = {\n${parts}    0,\n};
const char ${NAME}_sha256[] = \"${base64}=\";\n")
