#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "support/test.h"
#include "support/written.h"

TEST(callgrind_leaves_a_usual_name_as_it_is)
{
    assert_written(ep_escape_callgrind, "parse", "parse");
    assert_written(ep_escape_callgrind, "operator()(int, char const*)",
                   "operator()(int, char const*)");
    assert_written(ep_escape_callgrind, "gr\xC3\xBC\xC3\x9F; 1,2 \"(1)\"",
                   "gr\xC3\xBC\xC3\x9F; 1,2 \"(1)\"");
}

TEST(callgrind_escapes_characters_that_end_a_line)
{
    assert_written(ep_escape_callgrind, "two\nlines\r", "two\\x0alines\\x0d");
    assert_written(ep_escape_callgrind, "\033[31m\x7F", "\\x1b[31m\\x7f");
}

TEST(callgrind_distinguishes_an_escape_from_a_name_that_looks_like_one)
{
    assert_written(ep_escape_callgrind, "\\x0a", "\\x5cx0a");
    assert_written(ep_escape_callgrind, "\xFF", "\\xff");
}

TEST(callgrind_escapes_white_space_that_would_be_trimmed)
{
    assert_written(ep_escape_callgrind, "a b", "a b");
    assert_written(ep_escape_callgrind, " a ", "\\x20a\\x20");
    assert_written(ep_escape_callgrind, "  a  ", "\\x20 a \\x20");
    assert_written(ep_escape_callgrind, " ", "\\x20");
    assert_written(ep_escape_callgrind,
                   "\xC2\xA0"
                   "a\xE3\x80\x80",
                   "\\xc2\\xa0"
                   "a\\xe3\\x80\\x80");
    assert_written(ep_escape_callgrind, "a\xC2\xA0z", "a\xC2\xA0z");
}

TEST(callgrind_of_an_empty_name_is_a_name)
{
    assert_written(ep_escape_callgrind, "", "\\x00");
}

/* ------------------------------------------------- the format's own rule -- */

enum { LONGEST = 4 * ANY_PIECES + 1 };

/* Characters with a special meaning in the format, or the beginning of such a text. */
static void random_name(char name[LONGEST])
{
    static const char *const pieces[] = {" ",
                                         "  ",
                                         "\n",
                                         "\r",
                                         "\t",
                                         "\v",
                                         "\\",
                                         "x",
                                         "0a",
                                         "(",
                                         "1",
                                         ")",
                                         "(1)",
                                         "=",
                                         "#",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE1\x9A\x80",
                                         "\xE2\x80\x83",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xAF",
                                         "\xE2\x81\x9F",
                                         "\xE3\x80\x80",
                                         "\xFF",
                                         "\xE2\x80",
                                         "\xC3\xA9",
                                         "a",
                                         "\x7F",
                                         "\x1C"};
    random_pieces(name, pieces, sizeof pieces / sizeof pieces[0]);
}

static bool is_space(const char *text)
{
    static const char *const spaces[] = {" ",
                                         "\t",
                                         "\n",
                                         "\v",
                                         "\f",
                                         "\r",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE1\x9A\x80",
                                         "\xE2\x80\x83",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xAF",
                                         "\xE2\x81\x9F",
                                         "\xE3\x80\x80"};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strncmp(text, spaces[i], strlen(spaces[i])) == 0)
            return true;
    return false;
}

/* The line is not empty, and trimming does not change it. */
static void assert_is_whole_line(const char *text)
{
    const char *last = text;
    if (!*text || strchr(text, '\n'))
        fail_msg("no line: \"%s\"", text);
    for (const char *at = text; *at; at += ep_utf8_length(at)) {
        if (ep_utf8_length(at) == 0)
            fail_msg("not UTF-8: %s", text);
        last = at;
    }
    if (is_space(text) || is_space(last))
        fail_msg("trimmed by some: \"%s\"", text);
}

TEST(callgrind_of_any_name_reads_back_byte_by_byte)
{
    for (int round = 0; round < ANY_TEXTS; round++) {
        char name[LONGEST];
        random_name(name);
        char *text = written(ep_escape_callgrind, name);
        assert_is_whole_line(text);
        unescape(text);
        assert_string_equal(text, name);
        test_release();
    }
}
