#include "rows.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rows_add(struct rows *rows, const char *kind, const char *path, const char *thread,
              const struct row *figures)
{
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 1024;
        rows->at = realloc(rows->at, rows->room * sizeof *rows->at);
        if (!rows->at)
            abort();
    }
    struct row *row = &rows->at[rows->count++];
    *row = *figures;
    snprintf(row->key, sizeof row->key, "%s %s of %s", kind, path, thread);
}

static int by_key(const void *one, const void *other)
{
    return strcmp(((const struct row *)one)->key, ((const struct row *)other)->key);
}

static void merge(struct row *into, const struct row *row)
{
    if (!into->timed || (row->timed && row->min_ns < into->min_ns))
        into->min_ns = row->min_ns;
    if (row->max_ns > into->max_ns)
        into->max_ns = row->max_ns;
    into->calls += row->calls;
    into->timed += row->timed;
    into->errors += row->errors;
    into->open += row->open;
    into->total_ns += row->total_ns;
    into->self_ns += row->self_ns;
}

void rows_settle(struct rows *rows)
{
    size_t kept = 0;
    if (rows->count)
        qsort(rows->at, rows->count, sizeof *rows->at, by_key);
    for (size_t i = 0; i < rows->count; i++) {
        if (kept && strcmp(rows->at[kept - 1].key, rows->at[i].key) == 0)
            merge(&rows->at[kept - 1], &rows->at[i]);
        else
            rows->at[kept++] = rows->at[i];
    }
    rows->count = kept;
}

/* ---- comparison ---- */

static bool has_same_counts(const struct row *one, const struct row *other)
{
    return one->calls == other->calls && one->timed == other->timed &&
           one->errors == other->errors && one->open == other->open;
}

static bool has_same_times(const struct row *one, const struct row *other)
{
    return one->total_ns == other->total_ns && one->self_ns == other->self_ns &&
           one->min_ns == other->min_ns && one->max_ns == other->max_ns;
}

/* The scale of a measured clock has an error of some parts in a million, and CLOCK_MONOTONIC is
 * slewed by up to 500 parts in a million. */
static bool is_as_long(uint64_t library_ns, uint64_t known_ns)
{
    return library_ns + library_ns / 1000 + 1 >= known_ns;
}

static bool agree(const struct row *library, const struct row *ledger, enum rows_measure measure)
{
    switch (measure) {
    case ROWS_EXACT:
        return has_same_counts(library, ledger) && has_same_times(library, ledger);
    case ROWS_COUNTS:
        return has_same_counts(library, ledger);
    case ROWS_AT_LEAST:
        return has_same_counts(library, ledger) &&
               is_as_long(library->total_ns, ledger->total_ns) &&
               is_as_long(library->self_ns, ledger->self_ns);
    case ROWS_AT_MOST:
        return library->calls <= ledger->calls && library->open <= ledger->open &&
               library->timed <= library->calls && !library->errors;
    }
    return false;
}

static int print(char *text, size_t bytes, const char *whose, const struct row *row)
{
    int length =
        snprintf(text, bytes,
                 "\n%s: calls %" PRIu64 ", timed %" PRIu64 ", errors %" PRIu64 ", open %" PRIu64
                 ", total %" PRIu64 ", self %" PRIu64 ", min %" PRIu64 ", max %" PRIu64,
                 whose, row->calls, row->timed, row->errors, row->open, row->total_ns, row->self_ns,
                 row->min_ns, row->max_ns);
    return length < (int)bytes ? length : (int)bytes;
}

static int differ(const struct row *library, const struct row *ledger, char *why, size_t bytes)
{
    static const struct row none;
    const struct row *either = library ? library : ledger;
    int length = snprintf(why, bytes, "%s", either->key);
    length += print(why + length, bytes - (size_t)length, "library", library ? library : &none);
    print(why + length, bytes - (size_t)length, " ledger", ledger ? ledger : &none);
    return -1;
}

int rows_compare(const struct rows *library, const struct rows *ledger, enum rows_measure measure,
                 char *why, size_t bytes)
{
    size_t at = 0;
    for (size_t i = 0; i < ledger->count; i++) {
        const struct row *expected = &ledger->at[i];
        int order = at < library->count ? strcmp(library->at[at].key, expected->key) : 1;
        if (order < 0)
            return differ(&library->at[at], NULL, why, bytes);
        if (order > 0 && measure == ROWS_AT_MOST)
            continue;
        if (order > 0)
            return differ(NULL, expected, why, bytes);
        if (!agree(&library->at[at], expected, measure))
            return differ(&library->at[at], expected, why, bytes);
        at++;
    }
    return at < library->count ? differ(&library->at[at], NULL, why, bytes) : 0;
}

void rows_clear(struct rows *rows)
{
    rows->count = 0;
}

void rows_free(struct rows *rows)
{
    free(rows->at);
    *rows = (struct rows){.at = NULL};
}
