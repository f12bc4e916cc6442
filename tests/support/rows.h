/*
 * rows.h - a row of a snapshot by its name
 */
#ifndef ROWS_H
#define ROWS_H

#include "eprof.h"
#include "test.h"

#include <string.h>

/*
 * How many rows of `snapshot` are of this kind, name and thread; NULL stands
 * for any. The last of them is copied to *row, whose strings live as long as the
 * snapshot; where there is none, *row is all zero. Asserts nothing, so that
 * threads and forked children may ask.
 */
size_t find_rows(const eprof_snapshot *snapshot, const char *kind, const char *name,
                 const char *thread, struct eprof_row *row);

/* The same of a snapshot that is taken and freed here: the strings are gone. */
size_t take_rows(eprof_snapshot *(*take)(void), const char *kind, const char *name,
                 const char *thread, struct eprof_row *row);

/* The figures of an instance over all threads; it has one row. */
struct eprof_row instance_row(const char *name);

/* The figures of an instance on the thread of this name; it has one row. */
struct eprof_row thread_row(const char *name, const char *thread);

/* How many rows of this kind there are; NULL: of any. */
size_t count_rows(const char *kind);

/* How many rows per thread there are; NULL: of any instance, of any thread. */
size_t count_thread_rows(const char *name, const char *thread);

/* How often this diagnostics were counted. */
uint64_t diagnostic_count(const char *name);

/* Of the instance: so many calls that are all timed, so many ns, and nothing open or rejected. */
void assert_figures(struct eprof_row row, uint64_t calls, uint64_t total_ns);

#endif /* ROWS_H */
