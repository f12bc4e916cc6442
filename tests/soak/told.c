#include "told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csv_field.h"

static const char *thread_of(const char *thread)
{
    return strncmp(thread, "thread ", strlen("thread ")) == 0 ? "short" : thread;
}

static void add(struct rows *rows, const struct eprof_row *row)
{
    struct row figures = {.calls = row->calls,
                          .timed = row->timed,
                          .errors = row->errors,
                          .open = row->open,
                          .total_ns = row->total_ns,
                          .self_ns = row->self_ns,
                          .min_ns = row->min_ns,
                          .max_ns = row->max_ns};
    const char *path = row->path[0] ? row->path : row->name; /* diagnostics have no path */
    rows_add(rows, row->kind, path, thread_of(row->thread), &figures);
}

int told_by_snapshot(eprof_snapshot *(*take)(void), struct rows *rows)
{
    eprof_snapshot *snapshot = take();
    rows_clear(rows);
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) == 0)
            add(rows, &row);
    }
    rows_settle(rows);
    eprof_snapshot_free(snapshot);
    return snapshot ? 0 : -1;
}

/* ---- csv, in which the names of this test need no quotes ---- */

/* Copies a field of a line into `text`. false: there is none, or no room. */
static bool copy_text(const char *head, const char *line, const char *name, char *text,
                      size_t room_bytes)
{
    const char *field = csv_field_of(head, line, name);
    if (!field || csv_bytes(field) >= room_bytes)
        return false;
    memcpy(text, field, csv_bytes(field));
    text[csv_bytes(field)] = '\0';
    return true;
}

static uint64_t number(const char *head, const char *line, const char *name)
{
    return strtoull(csv_field_of(head, line, name), NULL, 10);
}

/* The last column of the line exists, and so all columns do. */
static int read_line(const char *head, const char *line, struct rows *rows)
{
    char kind[16], name[256], path[1024], thread[64];
    if (!csv_field_of(head, line, "max_ns") || !copy_text(head, line, "kind", kind, sizeof kind) ||
        !copy_text(head, line, "name", name, sizeof name) ||
        !copy_text(head, line, "path", path, sizeof path) ||
        !copy_text(head, line, "thread", thread, sizeof thread))
        return -1;
    struct eprof_row row = {.kind = kind,
                            .name = name,
                            .path = path,
                            .thread = thread,
                            .calls = number(head, line, "calls"),
                            .timed = number(head, line, "timed"),
                            .errors = number(head, line, "errors"),
                            .open = number(head, line, "open"),
                            .total_ns = number(head, line, "total_ns"),
                            .self_ns = number(head, line, "self_ns"),
                            .min_ns = number(head, line, "min_ns"),
                            .max_ns = number(head, line, "max_ns")};
    add(rows, &row);
    return 0;
}

static int read_csv(FILE *csv, struct rows *rows)
{
    char head[1024], line[1024];
    int result = fgets(head, sizeof head, csv) && strncmp(head, "kind,", 5) == 0 ? 0 : -1;
    rows_clear(rows);
    while (result == 0 && fgets(line, sizeof line, csv))
        result = read_line(head, line, rows);
    rows_settle(rows);
    return result;
}

int told_by_report(const char *format, struct rows *rows)
{
    FILE *file = tmpfile();
    if (!file)
        return -1;
    int result = eprof_report(file, format);
    rewind(file);
    if (result == 0)
        result = read_csv(file, rows);
    fclose(file);
    return result;
}

int told_by_file(const char *command, const char *path, const char *format, struct rows *rows)
{
    char line[512];
    snprintf(line, sizeof line, "'%s' report --format %s '%s'", command, format, path);
    FILE *csv = popen(line, "r");
    if (!csv)
        return -1;
    int result = read_csv(csv, rows);
    return pclose(csv) == 0 ? result : -1;
}
