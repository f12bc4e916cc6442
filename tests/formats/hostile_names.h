/*
 * hostile_names.h - names that do harm if they are taken for anything else than names
 */
#ifndef HOSTILE_NAMES_H
#define HOSTILE_NAMES_H

#include <stddef.h>
#include <string.h>

enum { LONG_NAME = 4095, HOSTILE_NAMES = 40 }; /* the longest name that is kept complete */

static const char *const short_hostile_names[HOSTILE_NAMES - 1] = {
    /* for a page */
    "</script><script>alert(1)</script>",
    "</style><svg onload=alert(2)>",
    "<img src=x onerror=alert(3)>",
    "<!--",
    "]]>",
    "&lt;&amp;&#60;",
    "\" onmouseover=\"alert(4)",
    "' onfocus='alert(5)",
    "javascript:alert(6)",
    /* for a table */
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
    /* for a format of lines */
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
    /* for a terminal and for the eye */
    "\033[31mred\033[0m\033]0;title\007",
    "\xE2\x80\xAE.exe\xE2\x80\xAC", /* written from right to left */
    "\xE2\x80\xA8line\xE2\x80\xA9paragraph\xC2\x85",
    "\x01\x08\x7F",
    /* for a reader of UTF-8 */
    "\xFF\xFE",
    "cut off \xE2\x82",
    "caf\xC3\xA9 \xF0\x9F\x98\x80 \xED\xA0\x80",
};

/* The last is the longest, with only blanks and quotes except at its ends. */
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
