#include "base/strings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_AT_FIRST = 4096 };

int ep_strings_need(struct ep_fields *fields, size_t bytes)
{
    size_t room = fields->room ? fields->room : ROOM_AT_FIRST;
    while (room - fields->count < bytes && room <= SIZE_MAX / 2)
        room *= 2;
    char *larger = fields->bytes;
    if (room - fields->count < bytes)
        larger = NULL;
    else if (room != fields->room)
        larger = realloc(fields->bytes, room);
    if (!larger) {
        fields->is_incomplete = true;
        errno = ENOMEM;
        return -1;
    }
    fields->bytes = larger;
    fields->room = room;
    return 0;
}

void ep_strings_add(struct ep_fields *fields, const char *text)
{
    size_t bytes = strlen(text) + 1;
    if (ep_strings_need(fields, bytes) != 0)
        return;
    memcpy(fields->bytes + fields->count, text, bytes);
    fields->count += bytes;
}

void ep_strings_print(struct ep_fields *fields, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    size_t bytes = (size_t)length + 1;
    if (length < 0 || ep_strings_need(fields, bytes) != 0)
        return;
    va_start(values, format);
    vsnprintf(fields->bytes + fields->count, bytes, format, values);
    va_end(values);
    fields->count += bytes;
}

void ep_strings_free(struct ep_fields *fields)
{
    free(fields->bytes);
    *fields = (struct ep_fields){.bytes = NULL};
}

/* Adding even 0 to NULL is undefined (C11, 6.5.6). */
struct ep_fields_reader ep_strings_read(const struct ep_fields *fields)
{
    if (fields->count == 0)
        return (struct ep_fields_reader){NULL, NULL};
    return (struct ep_fields_reader){fields->bytes, fields->bytes + fields->count};
}

const char *ep_strings_next(struct ep_fields_reader *reader)
{
    const char *field = reader->at;
    const char *nul =
        field < reader->end ? memchr(field, '\0', (size_t)(reader->end - field)) : NULL;
    if (!nul)
        return NULL;
    reader->at = nul + 1;
    return field;
}

bool ep_strings_next_is(struct ep_fields_reader *reader, const char *text)
{
    const char *field = ep_strings_next(reader);
    return field && strcmp(field, text) == 0;
}
