/*
 * rows.h - a row of a snapshot by its name
 */
#ifndef ROWS_H
#define ROWS_H

#include "eprof.h"
#include "test.h"

#include <string.h>

/*
 * The number of rows of `snapshot` that have this kind, name and thread; NULL matches any. The last
 * of them is copied to *row, whose strings are valid as long as the snapshot; if there is none,
 * *row is all zero. The function asserts nothing, so that threads and forked children may call it.
 */
size_t find_rows(const eprof_snapshot *snapshot, const char *kind, const char *name,
                 const char *thread, struct eprof_row *row);

/* The same for a snapshot that is taken and freed here: the strings are not valid. */
size_t take_rows(eprof_snapshot *(*take)(void), const char *kind, const char *name,
                 const char *thread, struct eprof_row *row);

/* The figures of an instance over all threads; it has one row. */
struct eprof_row instance_row(const char *name);

/* The figures of an instance on the thread of this name; it has one row. */
struct eprof_row thread_row(const char *name, const char *thread);

/* The number of rows of this kind; NULL: of any kind. */
size_t count_rows(const char *kind);

/* The number of rows per thread; NULL: of any instance, of any thread. */
size_t count_thread_rows(const char *name, const char *thread);

/* The count of these diagnostics. */
uint64_t diagnostic_count(const char *name);

/* Whether TREE_TEXT=counts is in the environment: a budget leaves most calls untimed (tree_text.h).
 */
bool has_counts_only(void);
/* Whether open scopes are among the calls: EPROF sets a period, so there is a budget, also with the
 * clock that is moved by hand. */
bool counts_open_calls(void);

/* Compares times, or numbers of timed calls, unless most calls are untimed. */
#define assert_ns(ns, expected)                                                                    \
    do {                                                                                           \
        if (!has_counts_only())                                                                    \
            assert_int_equal(ns, expected);                                                        \
    } while (0)

/* Asserts that the instance has `calls` calls, all of them timed, that take `total_ns`, and that
 * nothing is open or rejected. */
void assert_figures(struct eprof_row row, uint64_t calls, uint64_t total_ns);

#endif /* ROWS_H */
