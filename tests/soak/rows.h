/*
 * rows.h - rows of figures, of the library or of the ledger, and whether they are the same
 */
#ifndef SOAK_ROWS_H
#define SOAK_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { ROW_KEY_BYTES = 160 };

struct row {
    char key[ROW_KEY_BYTES]; /* kind, path and thread: what the row is of */
    uint64_t calls, timed, errors, open, total_ns, self_ns, min_ns, max_ns;
};

/* All zero: none yet. */
struct rows {
    struct row *at;
    size_t count, room;
};

/* How much of them has to be the same. */
enum rows_measure {
    ROWS_EXACT,
    ROWS_COUNTS,   /* not the times */
    ROWS_AT_LEAST, /* counts; of the times the ledger knows a part */
    ROWS_AT_MOST,  /* the ledger has what was forgotten meanwhile, too */
};

/* kind, path and thread: strings; "*" is all threads. Aborts without memory. */
void rows_add(struct rows *rows, const char *kind, const char *path, const char *thread,
              const struct row *figures);

/* Into the order of their keys; those of one key become one. */
void rows_settle(struct rows *rows);

/*
 * Compares settled rows. 0; or -1, and why in `why` of `bytes`.
 */
int rows_compare(const struct rows *library, const struct rows *ledger, enum rows_measure measure,
                 char *why, size_t bytes);

/* None any more; the memory is kept for the next. */
void rows_clear(struct rows *rows);
void rows_free(struct rows *rows);

#endif /* SOAK_ROWS_H */
