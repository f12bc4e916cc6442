#include "utf8.h"

#include <stdbool.h>

enum { LONGEST = 4 };

static bool is_continuation(unsigned char byte)
{
    return byte >= 0x80 && byte <= 0xBF;
}

/* Table 3-7 of the Unicode standard, the same set as the grammar of RFC 3629,
 * section 4: the first byte alone tells the length; a narrower range for the
 * second one keeps out the overlong, the surrogates and what is too large. */
static size_t told_length(unsigned char first, unsigned char second)
{
    if (first >= 0xC2 && first <= 0xDF)
        return is_continuation(second) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        unsigned char lowest = first == 0xE0 ? 0xA0 : 0x80;
        unsigned char highest = first == 0xED ? 0x9F : 0xBF;
        return second >= lowest && second <= highest ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        unsigned char lowest = first == 0xF0 ? 0x90 : 0x80;
        unsigned char highest = first == 0xF4 ? 0x8F : 0xBF;
        return second >= lowest && second <= highest ? 4 : 0;
    }
    return 0;
}

/* No byte is read unless the one before it belongs to the character, so that
 * neither a NUL nor the end of what is `available` is passed. */
static size_t length_within(const char *text, size_t available)
{
    unsigned char first = available ? (unsigned char)text[0] : 0;
    if (first < 0x80)
        return first != 0;
    size_t length = told_length(first, available > 1 ? (unsigned char)text[1] : 0);
    if (length > available)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_continuation((unsigned char)text[i]))
            return 0;
    return length;
}

size_t ep_utf8_length(const char *text)
{
    return length_within(text, LONGEST);
}

uint32_t ep_utf8_code_point(const char *text, size_t length)
{
    /* bits of the first byte that belong to the number: 7, 5, 4, 3 */
    static const unsigned char mask[LONGEST + 1] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t point = (unsigned char)text[0] & mask[length];
    for (size_t i = 1; i < length; i++)
        point = point << 6 | ((unsigned char)text[i] & 0x3F);
    return point;
}

size_t ep_utf8_cut(const char *text, size_t count, size_t limit)
{
    if (count <= limit)
        return count;
    for (size_t back = 1; back < LONGEST && back <= limit; back++) {
        size_t start = limit - back;
        if (length_within(text + start, count - start) > back)
            return start;
    }
    return limit;
}
