/*
 * rows.h - a row of a snapshot by its name
 */
#ifndef ROWS_H
#define ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "eprof.h"

/*
 * How many rows of `snapshot` are of this kind, name and thread; NULL stands
 * for any. The last of them is copied to *row, whose strings live as long as the
 * snapshot; where there is none, *row is all zero. Asserts nothing, so that
 * threads and forked children may ask.
 */
static inline size_t find_rows(const eprof_snapshot *snapshot, const char *kind, const char *name,
                               const char *thread, struct eprof_row *row)
{
    size_t found = 0;
    memset(row, 0, sizeof *row);
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row here = {.size = sizeof here};
        if (eprof_snapshot_row(snapshot, i, &here) != 0 || (kind && strcmp(here.kind, kind) != 0) ||
            (name && strcmp(here.name, name) != 0) || (thread && strcmp(here.thread, thread) != 0))
            continue;
        *row = here;
        found++;
    }
    return found;
}

/* The same of a snapshot that is taken and freed here: the strings are gone. */
static inline size_t take_rows(eprof_snapshot *(*take)(void), const char *kind, const char *name,
                               const char *thread, struct eprof_row *row)
{
    eprof_snapshot *snapshot = take();
    size_t found = find_rows(snapshot, kind, name, thread, row);
    eprof_snapshot_free(snapshot);
    row->kind = row->name = row->path = row->thread = row->file = NULL;
    return found;
}

/* The figures of an instance over all threads; it has one row. */
static inline struct eprof_row instance_row(const char *name)
{
    struct eprof_row row;
    size_t rows = take_rows(eprof_snapshot_take, "instance", name, "*", &row);
    if (rows != 1)
        fail_msg("the instance %s has %zu rows", name, rows);
    return row;
}

/* The figures of an instance on the thread of this name; it has one row. */
static inline struct eprof_row thread_row(const char *name, const char *thread)
{
    struct eprof_row row;
    size_t rows = take_rows(eprof_snapshot_take_threads, "instance", name, thread, &row);
    if (rows != 1)
        fail_msg("the instance %s has %zu rows for the thread %s", name, rows, thread);
    return row;
}

/* How many rows of this kind there are; NULL: of any. */
static inline size_t count_rows(const char *kind)
{
    struct eprof_row row;
    return take_rows(eprof_snapshot_take, kind, NULL, NULL, &row);
}

/* How many rows per thread there are; NULL: of any instance, of any thread. */
static inline size_t count_thread_rows(const char *name, const char *thread)
{
    struct eprof_row row;
    return take_rows(eprof_snapshot_take_threads, "instance", name, thread, &row);
}

/* How often this trouble was counted. */
static inline uint64_t trouble(const char *name)
{
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "trouble", name, NULL, &row);
    return row.calls;
}

/* Of the instance: so many calls that are all timed, so many ns, and nothing open or rejected. */
static inline void assert_figures(struct eprof_row row, uint64_t calls, uint64_t total_ns)
{
    assert_int_equal(row.calls, calls);
    assert_int_equal(row.timed, calls);
    assert_int_equal(row.total_ns, total_ns);
    assert_int_equal(row.errors, 0);
    assert_int_equal(row.open, 0);
}

#endif /* ROWS_H */
