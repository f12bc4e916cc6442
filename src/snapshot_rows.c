#include "snapshot_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const struct eprof_row ep_rows_empty = {
    .size = sizeof ep_rows_empty, .thread = "*", .file = "", .id = -1};

struct eprof_row *ep_rows_add(struct eprof_snapshot *snapshot, size_t count)
{
    if (snapshot->row_room - snapshot->row_count < count) {
        size_t least = snapshot->row_count + count, twice = snapshot->row_room * 2;
        size_t room = least < 64 ? 64 : least > twice ? least : twice;
        struct eprof_row *grown =
            room <= SIZE_MAX / sizeof *grown ? realloc(snapshot->rows, room * sizeof *grown) : NULL;
        if (!grown) {
            errno = ENOMEM;
            return NULL;
        }
        snapshot->rows = grown;
        snapshot->row_room = room;
    }
    struct eprof_row *first = &snapshot->rows[snapshot->row_count];
    for (size_t i = 0; i < count; i++)
        first[i] = ep_rows_empty;
    snapshot->row_count += count;
    return first;
}

const char *ep_rows_text(struct eprof_snapshot *snapshot, const char *text, size_t bytes)
{
    return ep_arena_text(&snapshot->strings, text, bytes);
}

/* Bytes without alignment, so that they may stand among the strings. */
_Static_assert(_Alignof(struct ep_outline) == 1, "an outline is kept as a text is");

bool ep_rows_outline(struct eprof_snapshot *snapshot, const struct ep_histogram *histogram,
                     const struct ep_outline **outline)
{
    *outline = NULL;
    if (!snapshot->options.outlines)
        return true;
    struct ep_outline made = ep_outline_of(histogram);
    *outline = (const struct ep_outline *)ep_rows_text(snapshot, (const char *)&made, sizeof made);
    return *outline != NULL;
}

const char *ep_rows_thread_name(struct eprof_snapshot *snapshot, const struct ep_image *image,
                                const struct ep_thread_cell *thread)
{
    if (thread->name)
        return ep_rows_text(snapshot, ep_image_string(image, thread->name), thread->name_bytes);
    if (thread->number == 0)
        return "main";
    char name[24];
    int bytes = snprintf(name, sizeof name, "thread %u", (unsigned)thread->number);
    return ep_rows_text(snapshot, name, (size_t)bytes);
}
