#include "reported.h"

#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_field.h"

static const char *row_of(const char *table, const char *name)
{
    const char *row = table;
    while ((row = strchr(row, '\n')) != NULL && *++row)
        if (csv_is(csv_field_of(table, row, "name"), name))
            return row;
    errno = ENOENT;
    return NULL;
}

static double number(const char *table, const char *row, const char *name)
{
    return strtod(csv_field_of(table, row, name), NULL);
}

static bool read_row(const char *name, bool is_raw, struct reported *reported)
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
                                      .outermost = number(table, row, "outermost"),
                                      .total_ns = number(table, row, "total_ns"),
                                      .error_ns = number(table, row, "total_error_ns"),
                                      .self_ns = number(table, row, "self_ns")};
    free(table);
    return row != NULL;
}

struct reported reported_read(const char *name, bool is_raw)
{
    struct reported reported = {.timed = 0};
    if (!read_row(name, is_raw, &reported)) {
        fprintf(stderr, "honesty: no report of %s: %s\n", name, strerror(errno));
        exit(2);
    }
    return reported;
}
