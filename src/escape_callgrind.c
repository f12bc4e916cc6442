#include "escape_callgrind.h"

#include "escape.h"
#include "utf8.h"

/* White_Space of the Unicode Character Database, PropList.txt, but for the control characters of
 * ASCII. */
static bool is_space(uint32_t point)
{
    return point == 0x0020 || point == 0x0085 || point == 0x00A0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

/* The bytes of the white space there; 0: there is none. */
static size_t space_length(const char *text)
{
    size_t length = ep_utf8_length(text);
    return length && is_space(ep_utf8_code_point(text, length)) ? length : 0;
}

/* White space that ends the text. */
static bool is_last_space(const char *text)
{
    size_t length = space_length(text);
    return length && text[length] == '\0';
}

static size_t plain_in_callgrind(const char *text)
{
    if (*text == '\\' || ep_escape_is_control(*text) || is_last_space(text))
        return 0;
    return ep_utf8_length(text);
}

static const struct ep_escape callgrind_escape = {plain_in_callgrind, ep_escape_hex};

void ep_escape_callgrind(struct ep_output *out, const char *name)
{
    if (!*name)
        ep_escape_hex(out, '\0');
    for (size_t left = space_length(name); left > 0; left--)
        ep_escape_hex(out, *name++);
    ep_escape_write(out, &callgrind_escape, name, SIZE_MAX);
}
