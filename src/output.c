#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "utf8.h"
#include "utf8_width.h"

void ep_output_open(struct ep_output *out, FILE *stream)
{
    flockfile(stream);
    out->stream = stream;
    out->error = 0;
    out->errno_before = errno;
    out->is_ascii = false;
}

/* A stream of the program's own making (fopencookie) may fail without a word. */
static void keep_error(struct ep_output *out)
{
    out->error = errno ? errno : EIO;
}

int ep_output_close(struct ep_output *out)
{
    errno = 0;
    if (!out->error && fflush(out->stream) != 0)
        keep_error(out);
    funlockfile(out->stream);
    errno = out->error ? out->error : out->errno_before;
    return out->error ? -1 : 0;
}

void ep_output_fail(struct ep_output *out, int error)
{
    if (!out->error)
        out->error = error;
}

void ep_output_bytes(struct ep_output *out, const char *bytes, size_t count)
{
    if (out->error)
        return;
    errno = 0;
    if (fwrite(bytes, 1, count, out->stream) != count)
        keep_error(out);
}

void ep_output_text(struct ep_output *out, const char *text)
{
    ep_output_bytes(out, text, strlen(text));
}

void ep_output_print(struct ep_output *out, const char *format, ...)
{
    if (out->error)
        return;
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(out->stream, format, arguments) < 0)
        keep_error(out);
    va_end(arguments);
}

void ep_output_repeat(struct ep_output *out, char byte, size_t count)
{
    char chunk[64];
    memset(chunk, byte, sizeof chunk);
    for (; count > sizeof chunk; count -= sizeof chunk)
        ep_output_bytes(out, chunk, sizeof chunk);
    ep_output_bytes(out, chunk, count);
}

void ep_output_decimal(struct ep_output *out, double value, unsigned places)
{
    uint64_t unit = 1;
    for (unsigned i = 0; i < places; i++)
        unit *= 10;
    /* written as a test that a NaN fails; 2^64 is the first that does not fit */
    double scaled = value > 0 ? value * (double)unit + 0.5 : 0;
    uint64_t parts = scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
    ep_output_print(out, "%" PRIu64, parts / unit);
    if (places)
        ep_output_print(out, ".%0*" PRIu64, (int)places, parts % unit);
}

/* ---------------------------------------------------------------- escapes -- */

/* Text goes out in runs of plain characters; between them, byte by byte, what
 * has to be escaped. `plain` gives the bytes of the character there, or 0. */
struct escape {
    size_t (*plain)(const char *text);
    void (*write)(struct ep_output *out, char byte);
};

static size_t plain_run(const struct escape *escape, const char *text, size_t most)
{
    size_t run = 0;
    for (size_t length; run < most && (length = escape->plain(text + run)) != 0;)
        run += length;
    return run;
}

/* At most so many bytes of the text; `most` does not part a character. */
static void write_escaped(struct ep_output *out, const struct escape *escape, const char *text,
                          size_t most)
{
    for (;;) {
        size_t run = plain_run(escape, text, most);
        ep_output_bytes(out, text, run);
        text += run;
        most -= run;
        if (!*text || !most)
            return;
        escape->write(out, *text++);
        most--;
    }
}

static bool is_control(unsigned char byte)
{
    return byte < 0x20 || byte == 0x7F;
}

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

static size_t plain_in_name(const char *text)
{
    size_t length = ep_utf8_length(text);
    if (is_control((unsigned char)*text) || is_unseen(ep_utf8_code_point(text, length)))
        return 0;
    return length;
}

static void write_hex(struct ep_output *out, char byte)
{
    ep_output_print(out, "\\x%02x", (unsigned)(unsigned char)byte);
}

static const struct escape name_escape = {plain_in_name, write_hex};

/* The columns of the character or byte at `name`; *bytes tells how many bytes it is. */
static size_t width_of_one(const char *name, size_t *bytes)
{
    size_t length = plain_in_name(name);
    *bytes = length ? length : 1;
    return length ? ep_utf8_width(ep_utf8_code_point(name, length)) : strlen("\\xNN");
}

size_t ep_output_name_width(const char *name)
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
        write_escaped(out, &name_escape, name, most);
        return;
    }
    for (size_t at = 0, bytes; at < most && name[at]; at += bytes) {
        size_t width = width_of_one(name + at, &bytes);
        if (bytes > 1)
            ep_output_repeat(out, '?', width);
        else
            write_escaped(out, &name_escape, name + at, 1);
    }
}

void ep_output_name(struct ep_output *out, const char *name)
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

void ep_output_name_cut(struct ep_output *out, const char *name, size_t width, const char *gap)
{
    size_t whole = ep_output_name_width(name), gap_width = ep_output_name_width(gap);
    if (whole <= width) {
        ep_output_name(out, name);
        ep_output_repeat(out, ' ', width - whole);
        return;
    }
    size_t kept = width > gap_width ? width - gap_width : 0;
    size_t first_bytes = bytes_within(name, kept - kept / 2);
    const char *last = end_within(name, whole, kept / 2);
    size_t used = gap_width + ep_output_name_width(last);
    for (size_t at = 0, bytes; at < first_bytes; at += bytes)
        used += width_of_one(name + at, &bytes);
    write_name(out, name, first_bytes);
    ep_output_text(out, gap);
    ep_output_name(out, last);
    ep_output_repeat(out, ' ', used < width ? width - used : 0);
}

static size_t plain_in_csv(const char *text)
{
    return *text == '"' ? 0 : ep_utf8_length(text);
}

static void write_csv(struct ep_output *out, char byte)
{
    if (byte == '"')
        ep_output_text(out, "\"\"");
    else
        write_hex(out, byte);
}

static const struct escape csv_escape = {plain_in_csv, write_csv};

void ep_output_csv(struct ep_output *out, const char *field)
{
    const char *quote = strpbrk(field, "\",\r\n") ? "\"" : "";
    ep_output_text(out, quote);
    write_escaped(out, &csv_escape, field, SIZE_MAX);
    ep_output_text(out, quote);
}

static size_t plain_in_json(const char *text)
{
    unsigned char byte = (unsigned char)*text;
    return is_control(byte) || byte == '"' || byte == '\\' ? 0 : ep_utf8_length(text);
}

static void write_json(struct ep_output *out, char byte)
{
    if (byte == '"' || byte == '\\')
        ep_output_print(out, "\\%c", byte);
    else if (is_control((unsigned char)byte))
        ep_output_print(out, "\\u%04x", (unsigned)byte);
    else
        ep_output_print(out, "\\\\x%02x", (unsigned)(unsigned char)byte);
}

static const struct escape json_escape = {plain_in_json, write_json};

void ep_output_json(struct ep_output *out, const char *text)
{
    ep_output_text(out, "\"");
    write_escaped(out, &json_escape, text, SIZE_MAX);
    ep_output_text(out, "\"");
}
