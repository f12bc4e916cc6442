#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "support/test.h"
#include "support/written.h"

TEST(folded_leaves_a_usual_name_as_it_is)
{
    assert_written(ep_escape_folded, "parse", "parse");
    assert_written(ep_escape_folded, "operator new[](unsigned long)",
                   "operator new[](unsigned long)");
    assert_written(ep_escape_folded, "gr\xC3\xBC\xC3\x9F <\"'&,:=1+1>",
                   "gr\xC3\xBC\xC3\x9F <\"'&,:=1+1>");
}

TEST(folded_escapes_characters_that_divide_a_line)
{
    assert_written(ep_escape_folded, "a;b", "a\\x3bb");
    assert_written(ep_escape_folded, "two\nlines\r", "two\\x0alines\\x0d");
    assert_written(ep_escape_folded, "\xC2\x85\xE2\x80\xA8\xE2\x80\xA9",
                   "\\xc2\\x85\\xe2\\x80\\xa8\\xe2\\x80\\xa9");
    assert_written(ep_escape_folded, "\033[31m", "\\x1b[31m");
}

TEST(folded_distinguishes_an_escape_from_a_name_that_looks_like_one)
{
    assert_written(ep_escape_folded, "\\x3b", "\\x5cx3b");
    assert_written(ep_escape_folded, "\xFF", "\\xff");
    assert_written(ep_escape_folded, "\\xff", "\\x5cxff");
}

TEST(folded_escapes_a_blank_that_would_be_lost_or_divide_a_figure)
{
    assert_written(ep_escape_folded, "a b", "a b");
    assert_written(ep_escape_folded, " a ", "\\x20a\\x20");
    assert_written(ep_escape_folded, " ", "\\x20");
    assert_written(ep_escape_folded, "   ", "\\x20 \\x20");
    assert_written(ep_escape_folded, "step 12", "step\\x2012");
    assert_written(ep_escape_folded, "step 1.", "step\\x201.");
    assert_written(ep_escape_folded, "step 12 of 20", "step 12 of\\x2020");
    assert_written(ep_escape_folded, "50 %", "50 %");
}

TEST(folded_gives_an_empty_name_a_frame)
{
    assert_written(ep_escape_folded, "", "\\x00");
}

/* ------------------------------------------------- the format's own rule -- */

enum { NAMES = 4, LONGEST = 4 * ANY_PIECES + 1 };

/* Characters with a special meaning in the format, or the beginning of such a text. */
static void random_name(char name[LONGEST])
{
    static const char *const pieces[] = {"",
                                         " ",
                                         " ",
                                         "1",
                                         "20",
                                         "1.",
                                         ";",
                                         "\\",
                                         "x",
                                         "3b",
                                         "\n",
                                         "\r",
                                         "\t",
                                         "\v",
                                         "\f",
                                         "\x1C",
                                         "\x7F",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xA9",
                                         "\xE3\x80\x80",
                                         "\xFF",
                                         "\xE2\x80",
                                         "\xC3\xA9",
                                         "\xF0\x9F\x98\x80",
                                         "a",
                                         "<",
                                         "'",
                                         "\"",
                                         "#"};
    random_pieces(name, pieces, sizeof pieces / sizeof pieces[0]);
}

/* The position of the figure that readers find at the end of the `count` bytes of text: digits with
 * at most one point, after a blank. 0 if there is none. */
static size_t figure_at(const char *text, size_t count)
{
    size_t start = count;
    while (start > 0 && strchr("0123456789.", text[start - 1]))
        start--;
    return start > 0 && start < count && strchr(" \t\v\f\r", text[start - 1]) ? start : 0;
}

static bool has_line_end(const char *text)
{
    static const char *const ends[] = {"\n",   "\r",   "\v",       "\f",           "\x1C",
                                       "\x1D", "\x1E", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (strstr(text, ends[i]))
            return true;
    return false;
}

static void assert_frame(char *frame, const char *name)
{
    for (const char *at = frame; *at; at += ep_utf8_length(at))
        if (ep_utf8_length(at) == 0)
            fail_msg("not UTF-8: %s", frame);
    if (!*frame || *frame == ' ' || frame[strlen(frame) - 1] == ' ')
        fail_msg("empty, or trimmed by some: \"%s\"", frame);
    unescape(frame);
    assert_string_equal(frame, name);
}

/* Splits a line as flamegraph.pl and other readers do: at its last blank, then at each ';'. */
static void assert_line(char *line, char names[NAMES][LONGEST])
{
    if (has_line_end(line))
        fail_msg("more than one line: %s", line);
    size_t figure = figure_at(line, strlen(line));
    assert_string_equal(line + figure, "77");
    line[figure - 1] = '\0';
    if (figure_at(line, strlen(line)))
        fail_msg("a second figure: %s", line);
    char *rest = line;
    for (size_t i = 0; i < NAMES; i++)
        assert_frame(strsep(&rest, ";"), names[i]);
    assert_null(rest);
}

TEST(folded_of_any_names_reads_back_byte_by_byte)
{
    for (int round = 0; round < ANY_TEXTS; round++) {
        char names[NAMES][LONGEST];
        struct memory memory;
        memory_open(&memory);
        for (size_t i = 0; i < NAMES; i++) {
            random_name(names[i]);
            ep_output_text(&memory.out, i > 0 ? ";" : "");
            ep_escape_folded(&memory.out, names[i]);
        }
        ep_output_text(&memory.out, " 77");
        memory_close(&memory);
        assert_line(memory.text, names);
        test_release();
    }
}
