/*
 * csv_field.h - fields of a csv table, found by the names of the columns
 *
 * It is for tables whose fields need no quotes. A line ends with a newline or at the end of the
 * text.
 */
#ifndef CSV_FIELD_H
#define CSV_FIELD_H

#include <stdbool.h>
#include <string.h>

/* The field with this number, counted from 0, up to the comma after it; NULL if the line has
 * none. */
static inline const char *csv_field(const char *line, int number)
{
    while (line && number-- > 0) {
        line += strcspn(line, ",\n");
        line = *line == ',' ? line + 1 : NULL;
    }
    return line;
}

static inline size_t csv_bytes(const char *field)
{
    return strcspn(field, ",\n");
}

static inline bool csv_is(const char *field, const char *text)
{
    return csv_bytes(field) == strlen(text) && strncmp(field, text, strlen(text)) == 0;
}

/* The field of a line in the column that has this name in `head`; NULL if there is none. */
static inline const char *csv_field_of(const char *head, const char *line, const char *name)
{
    const char *field;
    for (int number = 0; (field = csv_field(head, number)) != NULL; number++)
        if (csv_is(field, name))
            return csv_field(line, number);
    return NULL;
}

#endif /* CSV_FIELD_H */
