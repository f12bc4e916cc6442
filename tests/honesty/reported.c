#include "reported.h"

#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a line of csv without quotes: the field of this number. Its end is a comma, or the line's. */
static const char *field(const char *line, int number)
{
    while (number-- > 0)
        line += strcspn(line, ",\n") + 1;
    return line;
}

static bool is_field(const char *text, const char *name)
{
    size_t bytes = strlen(name);
    return strncmp(text, name, bytes) == 0 && strchr(",\n", text[bytes]);
}

/* The number of the column of this name; the table has it. */
static int column(const char *head, const char *name)
{
    int number = 0;
    while (!is_field(field(head, number), name))
        number++;
    return number;
}

static const char *row_of(const char *table, const char *name)
{
    const char *row = table;
    while ((row = strchr(row, '\n')) != NULL && *++row)
        if (is_field(field(row, column(table, "name")), name))
            return row;
    errno = ENOENT;
    return NULL;
}

static double number(const char *table, const char *row, const char *name)
{
    return strtod(field(row, column(table, name)), NULL);
}

bool reported_read(const char *name, bool is_raw, struct reported *reported)
{
    char *table = NULL;
    size_t bytes;
    FILE *out = open_memstream(&table, &bytes);
    if (!out)
        return false;
    bool is_written = eprof_report(out, is_raw ? "csv:raw" : "csv") == 0;
    bool is_whole = fclose(out) == 0 && is_written;
    const char *row = is_whole ? row_of(table, name) : NULL;
    if (row)
        *reported = (struct reported){.timed = number(table, row, "timed"),
                                      .total_ns = number(table, row, "total_ns"),
                                      .self_ns = number(table, row, "self_ns")};
    free(table);
    return row != NULL;
}
