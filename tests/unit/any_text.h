/*
 * any_text.h - whatever bytes there are go through an escaper and back
 *
 * Include it after <cmocka.h>.
 */
#ifndef EP_TEST_ANY_TEXT_H
#define EP_TEST_ANY_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "utf8.h"
#include "written.h"

enum { ROUNDS = 20000, LONGEST = 24 };

/* Bytes that mean something are as likely as all others together. */
static inline void random_text(char text[LONGEST + 1])
{
    static const char special[] = "\",\\;\n\r\t\033\x7F ax\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xFF";
    size_t length = random_next() % (LONGEST + 1);
    for (size_t i = 0; i < length; i++) {
        uint64_t value = random_next();
        unsigned char byte = (unsigned char)(value % 255 + 1);
        text[i] = value >> 63 ? (char)byte : special[byte % (sizeof special - 1)];
    }
    text[length] = '\0';
}

static inline bool is_utf8(const char *text)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

/* What must come out of a reader: \xNN in place of each byte that is not UTF-8. */
static inline void show_bad_bytes(const char *text, char *shown)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length == 0)
            shown += sprintf(shown, "\\x%02x", (unsigned)(unsigned char)*text++);
        for (; length > 0; length--)
            *shown++ = *text++;
    }
    *shown = '\0';
}

static inline void assert_reads_back(text_writer write, bool (*read)(const char *text, char *value))
{
    for (int i = 0; i < ROUNDS; i++) {
        char text[LONGEST + 1] = "", value[8 * LONGEST], expected[8 * LONGEST];
        random_text(text);
        show_bad_bytes(text, expected);
        char *result = written(write, text);
        if (!is_utf8(result) || !read(result, value))
            fail_msg("not well formed: %s", result);
        assert_string_equal(value, expected);
        free(result);
    }
}

#endif /* EP_TEST_ANY_TEXT_H */
