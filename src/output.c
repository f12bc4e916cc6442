#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

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
