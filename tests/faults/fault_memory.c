/*
 * fault_memory.c - calls that ask for memory
 */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fault.h"

/* Functions that only glibc calls: atexit() and pthread_atfork() are implemented by these. */
int __cxa_atexit(void (*act)(void *), void *argument, void *object);
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
                      void *object);

FAILS(void *, NULL, malloc, (size_t bytes), (bytes))
FAILS(void *, NULL, calloc, (size_t count, size_t bytes), (count, bytes))
FAILS(void *, NULL, realloc, (void *old, size_t bytes), (old, bytes))
FAILS(char *, NULL, strdup, (const char *text), (text))
FAILS(char *, NULL, strndup, (const char *text, size_t bytes), (text, bytes))
FAILS(FILE *, NULL, open_memstream, (char **text, size_t *bytes), (text, bytes))
FAILS(int, -1, setenv, (const char *name, const char *value, int replaces), (name, value, replaces))
FAILS(int, -1, __cxa_atexit, (void (*act)(void *), void *argument, void *object),
      (act, argument, object))
FAILS(char *, NULL, setlocale, (int category, const char *locale), (category, locale))
FAILS(int, -1, mprotect, (void *start, size_t bytes, int protection), (start, bytes, protection))
FAILS(int, -1, madvise, (void *start, size_t bytes, int advice), (start, bytes, advice))
FAILS(int, GLOB_NOSPACE, glob,
      (const char *pattern, int flags, int (*complain)(const char *, int), glob_t *found),
      (pattern, flags, complain, found))
RETURNS_ERROR(__register_atfork,
              (void (*before)(void), void (*parent)(void), void (*child)(void), void *object),
              (before, parent, child, object))
RETURNS_ERROR(argp_parse,
              (const struct argp *parser, int argc, char **argv, unsigned flags, int *end,
               void *input),
              (parser, argc, argv, flags, end, input))

int vasprintf(char **text, const char *format, va_list arguments)
{
    return IS_DUE(vasprintf) ? -1 : REAL(vasprintf)(text, format, arguments);
}

int asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    if (IS_DUE(asprintf))
        return -1;
    va_start(arguments, format);
    int bytes = REAL(vasprintf)(text, format, arguments);
    va_end(arguments);
    return bytes;
}

/* ---- mappings, which are counted ---- */

void *mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (IS_DUE(mmap))
        return MAP_FAILED;
    void *at = REAL(mmap)(start, bytes, protection, flags, file, offset);
    if (at != MAP_FAILED && !(flags & MAP_FIXED))
        fault_count_mapping(__builtin_return_address(0), 1);
    return at;
}

int munmap(void *start, size_t bytes)
{
    if (IS_DUE(munmap))
        return -1;
    fault_count_mapping(__builtin_return_address(0), -1);
    return REAL(munmap)(start, bytes);
}

/* A mapping that replaces another one reduces the count by one. */
void *mremap(void *start, size_t bytes, size_t new_bytes, int flags, ...)
{
    va_list arguments;
    if (IS_DUE(mremap))
        return MAP_FAILED;
    va_start(arguments, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    void *at = REAL(mremap)(start, bytes, new_bytes, flags, to);
    if (at != MAP_FAILED && flags & MREMAP_FIXED)
        fault_count_mapping(__builtin_return_address(0), -1);
    return at;
}
