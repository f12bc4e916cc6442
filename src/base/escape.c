#include "base/escape.h"

#include <string.h>

#include "base/utf8.h"

/* ---- what each format escapes ---- */

static bool is_control(char byte)
{
    return (unsigned char)byte < 0x20 || byte == 0x7F;
}

/*
 * Characters that are invisible but change what is visible: some terminals obey U+0080 to U+009F
 * (U+009B is ESC [); others reverse the direction of writing or break the line, or make two
 * different names look the same.
 */
static bool is_invisible(const char *text, size_t length)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0080, 0x009F},   /* C1 controls */
        {0x061C, 0x061C},   /* Arabic letter mark */
        {0x200B, 0x200F},   /* zero width, left-to-right and right-to-left marks */
        {0x2028, 0x202E},   /* line and paragraph separators, embeddings and overrides */
        {0x2060, 0x206F},   /* word joiner, isolates */
        {0xFEFF, 0xFEFF},   /* zero width no-break space, the byte order mark */
        {0xE0000, 0xE0FFF}, /* tags */
    };
    uint32_t point = ep_utf8_code_point(text, length);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}

/* Some readers also end a line at U+0085, U+2028 and U+2029. Some remove a blank at the end of a
 * name, or take a number after its last blank as a figure. */
static bool breaks_folded(const char *text, size_t length)
{
    uint32_t point = ep_utf8_code_point(text, length);
    return point == 0x0085 || point == 0x2028 || point == 0x2029 ||
           (*text == ' ' && text[1 + strspn(text + 1, "0123456789.")] == '\0');
}

/* White_Space of the Unicode Character Database, PropList.txt, without the control characters of
 * ASCII. */
static bool is_space(const char *text, size_t length)
{
    uint32_t point = ep_utf8_code_point(text, length);
    return point == 0x0020 || point == 0x0085 || point == 0x00A0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

static bool is_last_space(const char *text, size_t length)
{
    return text[length] == '\0' && is_space(text, length);
}

/* Plain characters are written as they are; of all others each byte is escaped. */
struct escape {
    enum { AS_HEX, DOUBLED, AFTER_BACKSLASH, AS_ENTITY } form; /* of a special character */
    const char *special;                                       /* of ASCII */
    bool has_controls;                                         /* control characters are plain */
    bool (*is_escaped)(const char *text, size_t length);       /* further bytes; NULL: none */
};

static const struct escape name_escape = {AS_HEX, "", false, is_invisible};
static const struct escape csv_escape = {DOUBLED, "\"", true, NULL};
static const struct escape json_escape = {AFTER_BACKSLASH, "\"\\", false, NULL};
static const struct escape folded_escape = {AS_HEX, ";\\", false, breaks_folded};
static const struct escape callgrind_escape = {AS_HEX, "\\", false, is_last_space};
static const struct escape openmetrics_escape = {AFTER_BACKSLASH, "\"\\\n", true, NULL};
/* The five characters with a meaning in text or in an attribute (HTML Living Standard, 13.1.2). */
static const struct escape html_escape = {AS_ENTITY, "&<>\"'", false, is_invisible};

/* ---- text is written in runs of plain characters ---- */

/* The bytes of the plain character there; 0: it is escaped, or the end. */
static size_t plain_in(const struct escape *escape, const char *text)
{
    size_t length = ep_utf8_length(text);
    if (!length || (is_control(*text) && !escape->has_controls) || strchr(escape->special, *text) ||
        (escape->is_escaped && escape->is_escaped(text, length)))
        return 0;
    return length;
}

size_t ep_escape_name_plain(const char *text)
{
    return plain_in(&name_escape, text);
}

/* A terminal obeys some characters that a format takes unescaped. */
static size_t plain_length(const struct ep_output *out, const struct escape *escape,
                           const char *text)
{
    size_t length = plain_in(escape, text);
    return length && out->is_terminal && !ep_escape_name_plain(text) ? 0 : length;
}

static size_t plain_run(const struct ep_output *out, const struct escape *escape, const char *text,
                        size_t most)
{
    size_t run = 0;
    for (size_t length; run < most && (length = plain_length(out, escape, text + run)) != 0;) {
        if (length > 1 && out->is_ascii)
            break;
        run += length;
    }
    return run;
}

/* A format that escapes the backslash itself does so in the text \xNN too. */
static void write_escaped(struct ep_output *out, const struct escape *escape, char byte)
{
    bool is_special = byte && strchr(escape->special, byte);
    bool is_quoted = escape->form == AFTER_BACKSLASH;
    if (is_special && is_quoted)
        ep_output_print(out, "\\%c", byte == '\n' ? 'n' : byte);
    else if (is_special && escape->form == DOUBLED)
        ep_output_print(out, "%c%c", byte, byte);
    else if (is_special && escape->form == AS_ENTITY)
        ep_output_print(out, "&#%d;", byte);
    else if (is_quoted && is_control(byte) && !escape->has_controls)
        ep_output_print(out, "\\u%04x", (unsigned)byte);
    else
        ep_output_print(out, is_quoted ? "\\\\x%02x" : "\\x%02x", (unsigned)(unsigned char)byte);
}

/* Writes a plain character that is not ASCII, or else one escaped byte. */
static size_t write_one(struct ep_output *out, const struct escape *escape, const char *text)
{
    size_t length = plain_length(out, escape, text);
    if (length == 0) {
        write_escaped(out, escape, *text);
        return 1;
    }
    ep_output_repeat(out, '?', ep_utf8_width(ep_utf8_code_point(text, length)));
    return length;
}

/* Writes at most `most` bytes of the text; `most` does not cut a character. */
static void write_part(struct ep_output *out, const struct escape *escape, const char *text,
                       size_t most)
{
    for (;;) {
        size_t run = plain_run(out, escape, text, most);
        ep_output_bytes(out, text, run);
        text += run;
        most -= run;
        if (!*text || !most)
            return;
        size_t length = write_one(out, escape, text);
        text += length;
        most -= length;
    }
}

static void write_all(struct ep_output *out, const struct escape *escape, const char *text)
{
    write_part(out, escape, text, SIZE_MAX);
}

static void write_quoted(struct ep_output *out, const struct escape *escape, const char *text)
{
    ep_output_text(out, "\"");
    write_all(out, escape, text);
    ep_output_text(out, "\"");
}

/* ---- names on a terminal ---- */

/* The columns of the character or byte at `name`, which has *bytes bytes. */
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

void ep_escape_name(struct ep_output *out, const char *name)
{
    write_all(out, &name_escape, name);
}

/* The bytes at the beginning of `name` that take at most `width` columns, and how many they take.
 */
static size_t bytes_within(const char *name, size_t width, size_t *used)
{
    size_t end = 0, bytes;
    for (*used = 0; name[end]; end += bytes) {
        size_t more = width_of_one(name + end, &bytes);
        if (*used + more > width)
            break;
        *used += more;
    }
    return end;
}

/* The longest end of `name`, which is `whole` columns wide, that takes at most `width` columns. A
 * combining character whose base character is cut off is cut off too. */
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
    size_t kept = width > gap_width ? width - gap_width : 0, used;
    size_t first_bytes = bytes_within(name, kept - kept / 2, &used);
    const char *last = end_within(name, whole, kept / 2);
    used += gap_width + ep_escape_name_width(last);
    write_part(out, &name_escape, name, first_bytes);
    ep_output_text(out, gap);
    ep_escape_name(out, last);
    ep_output_repeat(out, ' ', used < width ? width - used : 0);
}

/* ---- formats ---- */

void ep_escape_csv(struct ep_output *out, const char *field)
{
    if (strpbrk(field, "\",\r\n"))
        write_quoted(out, &csv_escape, field);
    else
        write_all(out, &csv_escape, field);
}

void ep_escape_json(struct ep_output *out, const char *text)
{
    write_quoted(out, &json_escape, text);
}

void ep_escape_folded(struct ep_output *out, const char *name)
{
    if (*name == ' ' || *name == '\0')
        write_escaped(out, &folded_escape, *name);
    write_all(out, &folded_escape, name + (*name == ' '));
}

void ep_escape_callgrind(struct ep_output *out, const char *name)
{
    size_t first = ep_utf8_length(name);
    if (!*name)
        write_escaped(out, &callgrind_escape, '\0');
    if (is_space(name, first))
        for (; first > 0; first--)
            write_escaped(out, &callgrind_escape, *name++);
    write_all(out, &callgrind_escape, name);
}

void ep_escape_html(struct ep_output *out, const char *text)
{
    write_all(out, &html_escape, text);
}

void ep_escape_openmetrics(struct ep_output *out, const char *text)
{
    write_quoted(out, &openmetrics_escape, text);
}
