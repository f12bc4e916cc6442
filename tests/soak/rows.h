/*
 * rows.h - rows of figures, from the library or from the ledger, and their comparison
 */
#ifndef SOAK_ROWS_H
#define SOAK_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { ROW_KEY_BYTES = 160 };

struct row {
    char key[ROW_KEY_BYTES]; /* kind, path and thread of the row */
    uint64_t calls, timed, errors, open, total_ns, self_ns, min_ns, max_ns;
};

/* If all fields are zero, there are no rows yet. */
struct rows {
    struct row *at;
    size_t count, room;
};

/* The figures that must be equal. */
enum rows_measure {
    ROWS_EXACT,
    ROWS_COUNTS,   /* counts, but no times */
    ROWS_AT_LEAST, /* counts; the ledger knows only a part of the times */
    ROWS_AT_MOST,  /* the ledger also has calls that resets removed */
};

/* kind, path and thread are strings; "*" means all threads. Aborts if there is no memory. */
void rows_add(struct rows *rows, const char *kind, const char *path, const char *thread,
              const struct row *figures);

/* Sorts the rows by their keys, and joins rows with the same key. */
void rows_settle(struct rows *rows);

/*
 * Compares settled rows. Returns 0; or -1, with the reason in `why`, which has `bytes` bytes.
 */
int rows_compare(const struct rows *library, const struct rows *ledger, enum rows_measure measure,
                 char *why, size_t bytes);

/* Removes all rows; the memory is kept for the next ones. */
void rows_clear(struct rows *rows);
void rows_free(struct rows *rows);

#endif /* SOAK_ROWS_H */
