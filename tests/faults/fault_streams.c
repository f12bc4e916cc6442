/*
 * fault_streams.c - calls on streams: after a failure the stream has its error flag set
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>

#include "fault.h"

FAILS(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
FAILS(FILE *, NULL, fdopen, (int file, const char *mode), (file, mode))

/* The flag is defined in <bits/types/struct_FILE.h>, for the inline ferror(). */
static int has_failed(FILE *stream)
{
    stream->_flags |= _IO_ERR_SEEN;
    if (stream == stderr)
        fault_cut_stderr();
    return EOF;
}

/* The rest of the buffer is lost. The stream is closed, whatever the call returns. */
int fclose(FILE *stream)
{
    const struct call_way *way = IS_DUE(fclose);
    if (way && fileno(stream) >= 0)
        __fpurge(stream);
    int result = REAL(fclose)(stream);
    if (way)
        errno = way->error;
    return way ? EOF : result;
}

int fflush(FILE *stream)
{
    if (!IS_DUE(fflush))
        return REAL(fflush)(stream);
    return stream ? has_failed(stream) : EOF;
}

/* The first half is written. */
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    if (!IS_DUE(fwrite))
        return REAL(fwrite)(bytes, size, count, stream);
    int error = errno;
    size_t written = REAL(fwrite)(bytes, size, count / 2, stream);
    has_failed(stream);
    errno = error;
    return written;
}

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    return IS_DUE(vfprintf) ? has_failed(stream) : REAL(vfprintf)(stream, format, arguments);
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    if (IS_DUE(fprintf))
        return has_failed(stream);
    va_start(arguments, format);
    int bytes = REAL(vfprintf)(stream, format, arguments);
    va_end(arguments);
    return bytes;
}

#define FAILS_ON_A_STREAM(name, type)                                                              \
    int name(type what, FILE *stream)                                                              \
    {                                                                                              \
        return IS_DUE(name) ? has_failed(stream) : REAL(name)(what, stream);                       \
    }
FAILS_ON_A_STREAM(fputs, const char *)
FAILS_ON_A_STREAM(fputc, int)
#undef putc
FAILS_ON_A_STREAM(putc, int)

char *fgets(char *line, int bytes, FILE *stream)
{
    if (!IS_DUE(fgets))
        return REAL(fgets)(line, bytes, stream);
    has_failed(stream);
    return NULL;
}

ssize_t getdelim(char **line, size_t *bytes, int end, FILE *stream)
{
    return IS_DUE(getdelim) ? has_failed(stream) : REAL(getdelim)(line, bytes, end, stream);
}

/* getline() is implemented by this function. */
ssize_t __getdelim(char **line, size_t *bytes, int end, FILE *stream)
{
    return IS_DUE(__getdelim) ? has_failed(stream) : REAL(__getdelim)(line, bytes, end, stream);
}
