/*
 * hostile_names.h - names that do harm where they are taken for more than names
 */
#ifndef HOSTILE_NAMES_H
#define HOSTILE_NAMES_H

#include <stddef.h>
#include <string.h>

enum { LONG_NAME = 4095, HOSTILE_NAMES = 40 }; /* the longest that is kept whole */

static const char *const short_hostile_names[HOSTILE_NAMES - 1] = {
    /* to a page */
    "</script><script>alert(1)</script>",
    "</style><svg onload=alert(2)>",
    "<img src=x onerror=alert(3)>",
    "<!--",
    "]]>",
    "&lt;&amp;&#60;",
    "\" onmouseover=\"alert(4)",
    "' onfocus='alert(5)",
    "javascript:alert(6)",
    /* to a table */
    "say \"hi\"",
    "one,two",
    "one;two\\;three\\",
    "two\nlines",
    "two\r\nlines\r",
    "\n# EOF\n",
    "=1+1",
    "@SUM(1+1)",
    "+1",
    "-1",
    "\ttab\t",
    /* to a format of lines */
    "",
    " ",
    " blanks around ",
    "ends in a figure 12",
    "fn=(1) main",
    "(1)",
    "(2) two",
    "calls=1 2",
    "{label=\"value\"} 1",
    "\\",
    "\\n\\x41\\u0041\\\"",
    "%s%n%p",
    /* to a terminal and to the eye */
    "\033[31mred\033[0m\033]0;title\007",
    "\xE2\x80\xAE.exe\xE2\x80\xAC", /* written from right to left */
    "\xE2\x80\xA8line\xE2\x80\xA9paragraph\xC2\x85",
    "\x01\x08\x7F",
    /* to who reads UTF-8 */
    "\xFF\xFE",
    "cut off \xE2\x82",
    "caf\xC3\xA9 \xF0\x9F\x98\x80 \xED\xA0\x80",
};

/* The last is the longest, all blanks and quotes but for its ends. */
static inline const char *hostile_name(size_t number)
{
    static char longest[LONG_NAME + 1];
    if (number < HOSTILE_NAMES - 1)
        return short_hostile_names[number];
    if (!*longest) {
        for (size_t i = 0; i < LONG_NAME; i++)
            longest[i] = "<\"&,; "[i % 6];
        longest[LONG_NAME - 1] = '.';
    }
    return longest;
}

#endif /* HOSTILE_NAMES_H */
