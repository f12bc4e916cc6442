#include "escape_name.h"

#include <string.h>

#include "escape.h"
#include "utf8.h"
#include "utf8_width.h"

/*
 * What is not seen on a terminal, but changes what is: the characters that some terminals obey
 * (U+0080 to U+009F, of which U+009B is ESC [), those that turn the direction of writing or
 * break the line, and those that make two different names look the same.
 */
static bool is_unseen(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } unseen[] = {
        {0x0080, 0x009F},   /* C1 controls */
        {0x061C, 0x061C},   /* Arabic letter mark */
        {0x200B, 0x200F},   /* zero width, left-to-right and right-to-left marks */
        {0x2028, 0x202E},   /* line and paragraph separators, embeddings and overrides */
        {0x2060, 0x206F},   /* word joiner, isolates */
        {0xFEFF, 0xFEFF},   /* zero width no-break space, the byte order mark */
        {0xE0000, 0xE0FFF}, /* tags */
    };
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        if (point >= unseen[i].first && point <= unseen[i].last)
            return true;
    return false;
}

size_t ep_escape_name_plain(const char *text)
{
    size_t length = ep_utf8_length(text);
    if (ep_escape_is_control(*text) || is_unseen(ep_utf8_code_point(text, length)))
        return 0;
    return length;
}

static const struct ep_escape name_escape = {ep_escape_name_plain, ep_escape_hex};

/* The columns of the character or byte at `name`; *bytes tells how many bytes it is. */
static size_t width_of_one(const char *name, size_t *bytes)
{
    size_t length = ep_escape_name_plain(name);
    *bytes = length ? length : 1;
    return length ? ep_utf8_width(ep_utf8_code_point(name, length)) : strlen("\\xNN");
}

size_t ep_escape_name_width(const char *name)
{
    size_t width = 0;
    for (size_t bytes; *name; name += bytes)
        width += width_of_one(name, &bytes);
    return width;
}

/* At most so many bytes of a name; `most` does not part a character. */
static void write_name(struct ep_output *out, const char *name, size_t most)
{
    if (!out->is_ascii) {
        ep_escape_write(out, &name_escape, name, most);
        return;
    }
    for (size_t at = 0, bytes; at < most && name[at]; at += bytes) {
        size_t width = width_of_one(name + at, &bytes);
        if (bytes > 1)
            ep_output_repeat(out, '?', width);
        else
            ep_escape_write(out, &name_escape, name + at, 1);
    }
}

void ep_escape_name(struct ep_output *out, const char *name)
{
    write_name(out, name, SIZE_MAX);
}

/* The bytes of the beginning of `name` that takes at most `width` columns. */
static size_t bytes_within(const char *name, size_t width)
{
    size_t end = 0, used = 0;
    for (size_t bytes; name[end]; end += bytes) {
        used += width_of_one(name + end, &bytes);
        if (used > width)
            break;
    }
    return end;
}

/* Where the end of `name` begins that takes at most `width` of its `whole` columns. A
 * combining character stays with the one that it belongs to, which is gone. */
static const char *end_within(const char *name, size_t whole, size_t width)
{
    size_t bytes, left = whole;
    while (*name && (left > width || width_of_one(name, &bytes) == 0)) {
        left -= width_of_one(name, &bytes);
        name += bytes;
    }
    return name;
}

void ep_escape_name_cut(struct ep_output *out, const char *name, size_t width, const char *gap)
{
    size_t whole = ep_escape_name_width(name), gap_width = ep_escape_name_width(gap);
    if (whole <= width) {
        ep_escape_name(out, name);
        ep_output_repeat(out, ' ', width - whole);
        return;
    }
    size_t kept = width > gap_width ? width - gap_width : 0;
    size_t first_bytes = bytes_within(name, kept - kept / 2);
    const char *last = end_within(name, whole, kept / 2);
    size_t used = gap_width + ep_escape_name_width(last);
    for (size_t at = 0, bytes; at < first_bytes; at += bytes)
        used += width_of_one(name + at, &bytes);
    write_name(out, name, first_bytes);
    ep_output_text(out, gap);
    ep_escape_name(out, last);
    ep_output_repeat(out, ' ', used < width ? width - used : 0);
}
