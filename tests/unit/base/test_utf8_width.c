#include <stdint.h>

#include "base/utf8.h"
#include "support/test.h"

static void assert_all(const uint32_t *points, size_t count, unsigned width)
{
    for (size_t i = 0; i < count; i++)
        if (ep_utf8_width(points[i]) != width)
            fail_msg("U+%04X is %u columns wide, not %u", (unsigned)points[i],
                     ep_utf8_width(points[i]), width);
}

#define ASSERT_ALL(width, ...)                                                                     \
    do {                                                                                           \
        const uint32_t points[] = {__VA_ARGS__};                                                   \
        assert_all(points, sizeof points / sizeof points[0], width);                               \
    } while (0)

TEST(letters_and_signs_are_one_column)
{
    ASSERT_ALL(1, ' ', 'a', '~', 0xA0, 0xFC, 0x3B1, 0x416, 0x5D0, 0x20AC, 0x2500, 0x2026, 0x303F,
               0xFFFD, 0x1D400, 0x10FFFF);
}

TEST(wide_characters_are_two_columns)
{
    ASSERT_ALL(2, 0x1100, 0x115F, 0x231A, 0x2E80, 0x3042, 0x4E00, 0x9FFF, 0xA4C6, 0xAC00, 0xD7A3,
               0xF900, 0xFF01, 0xFF60, 0xFFE6, 0x1F600, 0x1F680, 0x20000, 0x3FFFD);
}

/* The characters right before and after a range. */
TEST(neighbours_of_wide_characters_are_one_column)
{
    ASSERT_ALL(1, 0x10FF, 0x2319, 0x231C, 0x2E7F, 0x303F, 0xD7A4, 0xF8FF, 0xFF00, 0xFF61, 0xFFE7,
               0x1FFFF, 0x3FFFE);
}

TEST(combining_characters_are_no_column)
{
    ASSERT_ALL(0, 0x300, 0x301, 0x36F, 0x483, 0x591, 0x64B, 0x93C, 0xE31, 0x1160, 0x11FF, 0x20D0,
               0x302A, 0x3099, 0xFE00, 0xFE0F, 0xFE20, 0xE0100, 0xE01EF);
    ASSERT_ALL(1, 0x2FF, 0x370, 0x482, 0xE01F0);
}
