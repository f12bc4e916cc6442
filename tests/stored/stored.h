/*
 * stored.h - the content of an image file
 *
 * The file is read as by another process. A test that uses these functions must not use the library
 * itself: its child processes record.
 */
#ifndef STORED_H
#define STORED_H

#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "image/read.h"
#include "snapshot/snapshot.h"

struct stored {
    struct ep_image image;
    struct ep_image_file_state state;
    struct eprof_snapshot *snapshot;
};

/* Returns NULL, or the reason why the file cannot be read. It asserts nothing about the file. */
static inline const char *stored_try(struct stored *stored, const char *path,
                                     struct ep_snapshot_options options)
{
    const char *why = NULL;
    memset(stored, 0, sizeof *stored);
    if (ep_image_read(path, &stored->image, &stored->state, &why) != 0)
        return why ? why : "(no reason was given)";
    stored->snapshot = ep_snapshot_take_stored(&stored->image, options);
    assert_non_null(stored->snapshot);
    return NULL;
}

static inline void stored_open_with(struct stored *stored, const char *path,
                                    struct ep_snapshot_options options)
{
    const char *why = stored_try(stored, path, options);
    if (why)
        fail_msg("%s: %s", path, why);
}

static inline void stored_open(struct stored *stored, const char *path)
{
    stored_open_with(stored, path, (struct ep_snapshot_options){.threads = false});
}

static inline void stored_close(struct stored *stored)
{
    ep_snapshot_free(stored->snapshot);
    ep_image_destroy(&stored->image);
}

static inline const struct ep_identity_cell *stored_identity(const struct stored *stored)
{
    return &ep_image_cell(&stored->image, EP_CELL_IDENTITY)->identity;
}

/* Row number `index`, with its path. */
static inline struct eprof_row stored_row_at(const struct stored *stored, size_t index)
{
    const struct eprof_snapshot *snapshot = stored->snapshot;
    struct eprof_row row = snapshot->rows[index];
    if (index >= snapshot->scope_first && index < snapshot->diagnostic_first)
        row.path = ep_rows_path(stored->snapshot, index);
    assert_non_null(row.path);
    return row;
}

/* The only row with this kind, path and thread ("*": over all threads); all zero if there is
 * none. */
static inline struct eprof_row stored_row(const struct stored *stored, const char *kind,
                                          const char *path, const char *thread)
{
    struct eprof_row found = {.calls = 0};
    size_t count = 0;
    for (size_t i = 0; i < stored->snapshot->row_count; i++) {
        struct eprof_row row = stored_row_at(stored, i);
        if (strcmp(row.kind, kind) != 0 || strcmp(row.path, path) != 0 ||
            (row.thread && strcmp(row.thread, thread) != 0))
            continue;
        found = row;
        count++;
    }
    if (count > 1)
        fail_msg("there are %zu rows of %s", count, path);
    return found;
}

/*
 * All rows, one on each line: kind, path, calls/timed and the total in ns, followed by open and
 * errors if they are not zero. For diagnostics only the count is printed.
 *
 *     instance a 2/2 20
 *     scope s;t 1/1 10 open 1
 *     diagnostics not_closed 1
 *
 * The text is valid until the next call.
 */
static inline const char *stored_text(const char *path)
{
    static char text[4096];
    struct stored stored;
    stored_open(&stored, path);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    for (size_t i = 0; i < stored.snapshot->row_count; i++) {
        struct eprof_row row = stored_row_at(&stored, i);
        fprintf(out, "%s %s %" PRIu64, row.kind, row.path, row.calls);
        if (i < stored.snapshot->diagnostic_first)
            fprintf(out, "/%" PRIu64 " %" PRIu64, row.timed, row.total_ns);
        if (row.open)
            fprintf(out, " open %" PRIu64, row.open);
        if (row.errors)
            fprintf(out, " errors %" PRIu64, row.errors);
        fputc('\n', out);
    }
    fputc('\0', out);
    assert_int_equal(fclose(out), 0);
    stored_close(&stored);
    return text;
}

/* assert_stored("kill.eprof", "scope s 1/1 10\n" "diagnostic not_closed 1\n"), or "" */
#define assert_stored(path, rows) assert_string_equal(stored_text(path), rows)

/* The state in which the process left the file: enum ep_image_state. */
static inline uint32_t stored_state(const char *path)
{
    struct stored stored;
    stored_open(&stored, path);
    uint32_t state = stored_identity(&stored)->state;
    stored_close(&stored);
    return state;
}

#endif /* STORED_H */
