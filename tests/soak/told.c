#include "told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    const char *path = row->path[0] ? row->path : row->name; /* of trouble there is no path */
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

/* ---- csv, whose names here need no quotes ---- */

enum column {
    KIND,
    NAME,
    PATH,
    THREAD,
    PLACE,
    LINE,
    CALLS,
    TIMED,
    ERRORS,
    OPEN,
    TOTAL,
    SELF,
    MEAN,
    STDDEV,
    MIN,
    P50,
    P90,
    P99,
    P999,
    MAX,
    COLUMNS
};

static int read_line(char *line, struct rows *rows)
{
    char *fields[COLUMNS];
    size_t count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *field; count < COLUMNS && (field = strsep(&line, ",")) != NULL;)
        fields[count++] = field;
    if (count != COLUMNS || line)
        return -1;
    struct eprof_row row = {.kind = fields[KIND],
                            .name = fields[NAME],
                            .path = fields[PATH],
                            .thread = fields[THREAD],
                            .calls = strtoull(fields[CALLS], NULL, 10),
                            .timed = strtoull(fields[TIMED], NULL, 10),
                            .errors = strtoull(fields[ERRORS], NULL, 10),
                            .open = strtoull(fields[OPEN], NULL, 10),
                            .total_ns = strtoull(fields[TOTAL], NULL, 10),
                            .self_ns = strtoull(fields[SELF], NULL, 10),
                            .min_ns = strtoull(fields[MIN], NULL, 10),
                            .max_ns = strtoull(fields[MAX], NULL, 10)};
    add(rows, &row);
    return 0;
}

static int read_csv(FILE *csv, struct rows *rows)
{
    char line[1024];
    int result = fgets(line, sizeof line, csv) && strncmp(line, "kind,", 5) == 0 ? 0 : -1;
    rows_clear(rows);
    while (result == 0 && fgets(line, sizeof line, csv))
        result = read_line(line, rows);
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
