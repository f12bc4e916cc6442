#include "base/escape.h"
#include "support/test.h"
#include "support/written.h"

TEST(name_of_plain_text_is_itself)
{
    assert_written(ep_escape_name, "", "");
    assert_written(ep_escape_name, "parse \"x\", \\y; ~", "parse \"x\", \\y; ~");
    assert_written(ep_escape_name, "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80",
                   "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(name_shows_control_characters_as_hex)
{
    assert_written(ep_escape_name, "a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd");
    assert_written(ep_escape_name, "\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m");
    assert_written(ep_escape_name, "\x7F", "\\x7f");
    assert_written(ep_escape_name, "\xC2\x9Bm", "\\xc2\\x9bm");
    assert_written(ep_escape_name, "\xC2\xA0", "\xC2\xA0");
}

TEST(name_shows_invalid_utf8_as_hex)
{
    assert_written(ep_escape_name, "\xFF", "\\xff");
    assert_written(ep_escape_name, "a\xC3", "a\\xc3");
    assert_written(ep_escape_name, "\xC0\xAF", "\\xc0\\xaf");
    assert_written(ep_escape_name, "\xED\xA0\x80z", "\\xed\\xa0\\x80z");
}

/* Characters that change the direction, separate lines, or have no width. */
TEST(name_shows_invisible_characters_as_hex)
{
    static const struct {
        const char *first, *last; /* characters in a range, with its neighbours */
        const char *before, *after;
    } ranges[] = {
        {"\xC2\x80", "\xC2\x9F", "~", "\xC2\xA0"},
        {"\xD8\x9C", "\xD8\x9C", "\xD8\x9B", "\xD8\x9D"},
        {"\xE2\x80\x8B", "\xE2\x80\x8F", "\xE2\x80\x8A", "\xE2\x80\x90"},
        {"\xE2\x80\xA8", "\xE2\x80\xAE", "\xE2\x80\xA7", "\xE2\x80\xAF"},
        {"\xE2\x81\xA0", "\xE2\x81\xAF", "\xE2\x81\x9F", "\xE2\x81\xB0"},
        {"\xEF\xBB\xBF", "\xEF\xBB\xBF", "\xEF\xBB\xBE", "\xEF\xBC\x80"},
        {"\xF3\xA0\x80\x80", "\xF3\xA0\xBF\xBF", "\xF3\x9F\xBF\xBF", "\xF3\xA1\x80\x80"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char *first = written(ep_escape_name, ranges[i].first);
        char *last = written(ep_escape_name, ranges[i].last);
        assert_int_equal(strlen(first), 4 * strlen(ranges[i].first));
        assert_int_equal(strlen(last), 4 * strlen(ranges[i].last));
        assert_written(ep_escape_name, ranges[i].before, ranges[i].before);
        assert_written(ep_escape_name, ranges[i].after, ranges[i].after);
    }
}

static void assert_cut(const char *name, size_t width, const char *gap, const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    ep_escape_name_cut(&memory.out, name, width, gap);
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
    assert_int_equal(ep_escape_name_width(memory.text), width);
}

TEST(name_cut_is_exactly_as_wide_as_asked_for)
{
    assert_cut("", 0, "~", "");
    assert_cut("", 2, "~", "  ");
    assert_cut("abc", 3, "~", "abc");
    assert_cut("abc", 5, "~", "abc  ");
    assert_cut("abcdef", 5, "~", "ab~ef");
    assert_cut("abcdef", 4, "~", "ab~f");
    assert_cut("abcdef", 1, "~", "~");
    assert_cut("abcdefgh", 7, "...", "ab...gh");
    assert_cut("abcdef", 5, "\xE2\x80\xA6",
               "ab\xE2\x80\xA6"
               "ef");
}

TEST(name_cut_does_not_part_a_character)
{
    /* two columns each, so that one column is free on either side */
    assert_cut("\xE6\x96\x87\xE5\xAD\x97\xE5\x88\x97", 4, "~", "\xE6\x96\x87~ ");
    assert_cut("\xE6\x96\x87\xE5\xAD\x97\xE5\x88\x97", 5, "~", "\xE6\x96\x87~\xE5\x88\x97");
    /* a combining character stays with its base character, before and after the gap */
    assert_cut("e\xCC\x81"
               "bcde\xCC\x81",
               3, "~", "e\xCC\x81~e\xCC\x81");
    assert_cut("abcd\xCC\x81"
               "e",
               3, "~", "a~e");
    /* and a text in hex is cut between its bytes */
    assert_cut("\001\002\003", 9, "~", "\\x01~\\x03");
}

/* For a terminal without UTF-8: it would take the second byte of U+00DB for ESC [. */
static void write_ascii_name(struct ep_output *out, const char *name)
{
    out->is_ascii = true;
    ep_escape_name(out, name);
}

TEST(name_is_ascii_on_a_terminal_without_utf8)
{
    assert_written(write_ascii_name, "plain", "plain");
    assert_written(write_ascii_name, "\u00db31m", "?31m");
    assert_written(write_ascii_name, "a\u65e5b\u0301c", "a??bc");
    assert_written(write_ascii_name,
                   "\x9b"
                   "1m\n",
                   "\\x9b1m\\x0a");
}

TEST(name_width_is_that_of_the_written_text)
{
    assert_int_equal(ep_escape_name_width(""), 0);
    assert_int_equal(ep_escape_name_width("func1"), 5);
    assert_int_equal(ep_escape_name_width("gr\xC3\xBC\xC3\x9F"), 4);
    assert_int_equal(ep_escape_name_width("\xF0\x9F\x98\x80"), 2);
    assert_int_equal(ep_escape_name_width("\xE6\x96\x87\xE5\xAD\x97"), 4);
    assert_int_equal(ep_escape_name_width("e\xCC\x81"), 1);
    assert_int_equal(ep_escape_name_width("\xE2\x80\xAE"), 12);
    assert_int_equal(ep_escape_name_width("\xFF\n"), 8);
    assert_int_equal(ep_escape_name_width("\xC2\x9B"), 8);
}

TEST(name_of_any_bytes_has_the_computed_width)
{
    for (int i = 0; i < ANY_TEXTS; i++) {
        char text[ANY_TEXT_BYTES + 1];
        random_text(text);
        char *result = written(ep_escape_name, text);
        assert_true(is_utf8(result));
        for (const char *at = result; *at; at += ep_utf8_length(at))
            assert_false((unsigned char)*at < 0x20 || *at == 0x7F);
        /* nothing in the result needs escaping, so this is the width of each character */
        assert_written(ep_escape_name, result, result);
        assert_int_equal(ep_escape_name_width(text), ep_escape_name_width(result));
    }
}
