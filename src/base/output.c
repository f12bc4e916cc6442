#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts are printed to memory first; most are shorter. */
enum { PRINT_BYTES = 256 };

void ep_output_open(struct ep_output *out, FILE *stream)
{
    flockfile(stream);
    out->stream = stream;
    out->error = 0;
    out->errno_before = errno;
    out->is_terminal = out->is_ascii = false;
}

/* A stream that the program made itself (fopencookie) may fail without setting errno. */
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

static void put(struct ep_output *out, const char *bytes, size_t count)
{
    if (out->error)
        return;
    errno = 0;
    if (fwrite(bytes, 1, count, out->stream) != count)
        keep_error(out);
}

/* The text of a format may contain characters that are not ASCII, of one column each. */
static void put_ascii(struct ep_output *out, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_ascii = (unsigned char)bytes[i] < 0x80;
        bool is_first_of_character = (unsigned char)bytes[i] >= 0xC0;
        if (is_ascii || is_first_of_character)
            put(out, is_ascii ? &bytes[i] : "?", 1);
    }
}

void ep_output_bytes(struct ep_output *out, const char *bytes, size_t count)
{
    if (out->is_terminal && out->is_ascii)
        put_ascii(out, bytes, count);
    else
        put(out, bytes, count);
}

void ep_output_text(struct ep_output *out, const char *text)
{
    ep_output_bytes(out, text, strlen(text));
}

/* Not by vfprintf(): for a stream without a buffer, such as stderr, glibc takes more than 8 KiB of
 * the stack, half of a thread's smallest stack. */
void ep_output_print(struct ep_output *out, const char *format, ...)
{
    char text[PRINT_BYTES], *longer;
    va_list arguments;
    if (out->error)
        return;
    va_start(arguments, format);
    errno = 0;
    int bytes = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (bytes < 0) {
        keep_error(out);
    } else if ((size_t)bytes < sizeof text) {
        ep_output_bytes(out, text, (size_t)bytes);
    } else {
        va_start(arguments, format);
        bytes = vasprintf(&longer, format, arguments);
        va_end(arguments);
        if (bytes < 0) {
            ep_output_fail(out, ENOMEM);
            return;
        }
        ep_output_bytes(out, longer, (size_t)bytes);
        free(longer);
    }
}

void ep_output_count(struct ep_output *out, size_t count, const char *noun)
{
    ep_output_print(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
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
    /* a NaN fails this comparison; 2^64 is the first value that does not fit */
    double scaled = value > 0 ? value * (double)unit + 0.5 : 0;
    uint64_t parts = scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
    ep_output_print(out, "%" PRIu64, parts / unit);
    if (places)
        ep_output_print(out, ".%0*" PRIu64, (int)places, parts % unit);
}

/* ---- a text in memory ---- */

int ep_output_text_open(struct ep_text_output *output)
{
    FILE *stream = open_memstream(&output->text, &output->bytes);
    if (stream)
        ep_output_open(&output->out, stream);
    return stream ? 0 : -1;
}

char *ep_output_text_close(struct ep_text_output *output)
{
    int error = ep_output_close(&output->out) != 0 ? errno : 0;
    if (fclose(output->out.stream) != 0 && !error)
        error = errno;
    if (!error)
        return output->text;
    free(output->text);
    errno = error;
    return NULL;
}
