#include "escape_folded.h"

#include <string.h>

#include "escape.h"
#include "utf8.h"

/* Beyond the control characters of ASCII: what some readers end a line at. */
static bool ends_line(uint32_t point)
{
    return point == 0x0085 || point == 0x2028 || point == 0x2029;
}

/* With nothing behind it in the name, or nothing but a number. */
static bool is_last_blank(const char *text)
{
    return *text == ' ' && text[1 + strspn(text + 1, "0123456789.")] == '\0';
}

static size_t plain_in_folded(const char *text)
{
    size_t length = ep_utf8_length(text);
    if (*text == ';' || *text == '\\' || ep_escape_is_control(*text) || is_last_blank(text) ||
        ends_line(ep_utf8_code_point(text, length)))
        return 0;
    return length;
}

static const struct ep_escape folded_escape = {plain_in_folded, ep_escape_hex};

void ep_escape_folded(struct ep_output *out, const char *name)
{
    if (*name == ' ' || *name == '\0')
        ep_escape_hex(out, *name);
    if (*name == ' ')
        name++;
    ep_escape_write(out, &folded_escape, name, SIZE_MAX);
}
