#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "utf8.h"

void ep_output_open(struct ep_output *out, FILE *stream)
{
    flockfile(stream);
    out->stream = stream;
    out->error = 0;
    out->errno_before = errno;
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

static size_t plain_run(const struct escape *escape, const char *text)
{
    size_t run = 0;
    for (size_t length; (length = escape->plain(text + run)) != 0;)
        run += length;
    return run;
}

static void write_escaped(struct ep_output *out, const struct escape *escape, const char *text)
{
    for (;;) {
        size_t run = plain_run(escape, text);
        ep_output_bytes(out, text, run);
        text += run;
        if (!*text)
            return;
        escape->write(out, *text++);
    }
}

static bool is_control(unsigned char byte)
{
    return byte < 0x20 || byte == 0x7F;
}

static size_t plain_in_name(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = ep_utf8_length(text);
    /* U+0080 to U+009F: some terminals obey them, U+009B as if it were ESC [ */
    bool is_c1 = length == 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0;
    return is_control(bytes[0]) || is_c1 ? 0 : length;
}

static void write_hex(struct ep_output *out, char byte)
{
    ep_output_print(out, "\\x%02x", (unsigned)(unsigned char)byte);
}

static const struct escape name_escape = {plain_in_name, write_hex};

void ep_output_name(struct ep_output *out, const char *name)
{
    write_escaped(out, &name_escape, name);
}

size_t ep_output_name_width(const char *name)
{
    size_t width = 0;
    while (*name) {
        size_t length = plain_in_name(name);
        width += length ? 1 : strlen("\\xNN");
        name += length ? length : 1;
    }
    return width;
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
    write_escaped(out, &csv_escape, field);
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
    write_escaped(out, &json_escape, text);
    ep_output_text(out, "\"");
}
