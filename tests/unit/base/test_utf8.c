#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "support/test.h"

enum { LARGEST = 0x10FFFF, FIRST_SURROGATE = 0xD800, LAST_SURROGATE = 0xDFFF };

/* The code point in `length` bytes, also if the bytes are not valid. */
static void encode(uint32_t point, size_t length, char text[5])
{
    static const unsigned char lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--, point >>= 6)
        text[i] = (char)(0x80 | (point & 0x3F));
    text[0] = (char)(lead[length] | point);
    text[length] = '\0';
}

static size_t shortest(uint32_t point)
{
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

TEST(length_of_every_character_is_found)
{
    for (uint32_t point = 1; point <= LARGEST; point++) {
        char text[5];
        if (point >= FIRST_SURROGATE && point <= LAST_SURROGATE)
            continue;
        encode(point, shortest(point), text);
        if (ep_utf8_length(text) != shortest(point))
            fail_msg("U+%04X: %zu bytes", (unsigned)point, ep_utf8_length(text));
    }
}

TEST(length_of_a_surrogate_is_zero)
{
    for (uint32_t point = FIRST_SURROGATE; point <= LAST_SURROGATE; point++) {
        char text[5];
        encode(point, 3, text);
        assert_int_equal(ep_utf8_length(text), 0);
    }
}

TEST(length_of_an_overlong_character_is_zero)
{
    for (uint32_t point = 0; point < 0x10000; point++)
        for (size_t length = shortest(point) + 1; length <= 4; length++) {
            char text[5];
            encode(point, length, text);
            if (ep_utf8_length(text) != 0)
                fail_msg("U+%04X in %zu bytes", (unsigned)point, length);
        }
}

TEST(length_beyond_the_last_code_point_is_zero)
{
    for (uint32_t point = LARGEST + 1; point < 0x200000; point++) {
        char text[5];
        encode(point, 4, text);
        if (ep_utf8_length(text) != 0)
            fail_msg("%X", (unsigned)point);
    }
}

TEST(length_of_a_byte_that_begins_nothing_is_zero)
{
    for (unsigned byte = 0x80; byte <= 0xFF; byte++) {
        char text[] = {(char)byte, 'a', 'b', 'c', '\0'};
        assert_int_equal(ep_utf8_length(text), 0);
    }
    assert_int_equal(ep_utf8_length("\xF8\x88\x80\x80\x80"), 0);
}

TEST(length_at_the_terminating_nul_is_zero)
{
    assert_int_equal(ep_utf8_length(""), 0);
}

/* The text ends at the end of its memory, so that a sanitizer reports a read of one byte too
 * many. */
TEST(length_of_a_character_cut_off_is_zero)
{
    static const char *const whole[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        for (size_t kept = 1; kept < strlen(whole[i]); kept++) {
            char *cut = malloc(kept + 1);
            assert_non_null(cut);
            memcpy(cut, whole[i], kept);
            cut[kept] = '\0';
            assert_int_equal(ep_utf8_length(cut), 0);
            free(cut);
        }
}

/* a, U+00E9, U+20AC, U+1F600, z: characters begin at 0, 1, 3, 6, 10; the end is 11. */
TEST(code_point_is_that_of_the_character)
{
    static const struct {
        const char *text;
        uint32_t point;
    } cases[] = {
        {"\x01", 0x01},
        {"a", 'a'},
        {"\x7F", 0x7F},
        {"\xC2\x80", 0x80},
        {"\xDF\xBF", 0x7FF},
        {"\xE0\xA0\x80", 0x800},
        {"\xE2\x82\xAC", 0x20AC},
        {"\xEF\xBF\xBF", 0xFFFF},
        {"\xF0\x90\x80\x80", 0x10000},
        {"\xF4\x8F\xBF\xBF", 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(ep_utf8_code_point(cases[i].text, ep_utf8_length(cases[i].text)),
                         cases[i].point);
}

static const char mixed[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";

TEST(cut_keeps_text_that_fits)
{
    assert_int_equal(ep_utf8_cut(mixed, 11, 11), 11);
    assert_int_equal(ep_utf8_cut(mixed, 11, 4095), 11);
    assert_int_equal(ep_utf8_cut("", 0, 0), 0);
}

TEST(cut_falls_between_characters)
{
    static const size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (size_t limit = 0; limit < 11; limit++)
        assert_int_equal(ep_utf8_cut(mixed, 11, limit), kept[limit]);
}

TEST(cut_of_invalid_utf8_keeps_the_limit)
{
    static const char stray[] = "\x80\x80\x80\x80\x80\x80\x80\x80";
    static const char broken[] = "\xF0\x9F\x98zzzzz";
    for (size_t limit = 0; limit <= 8; limit++) {
        assert_int_equal(ep_utf8_cut(stray, 8, limit), limit);
        assert_int_equal(ep_utf8_cut(broken, 8, limit), limit);
    }
}

TEST(cut_reads_no_byte_after_the_count)
{
    static const char quarters[] = {'\xF0', '\x9F', '\x98'}; /* three bytes, without a NUL */
    char *text = malloc(sizeof quarters);
    assert_non_null(text);
    memcpy(text, quarters, sizeof quarters);
    assert_int_equal(ep_utf8_cut(text, 3, 2), 2);
    assert_int_equal(ep_utf8_cut(text, 3, 1), 1);
    free(text);
}
