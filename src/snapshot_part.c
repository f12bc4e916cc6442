#include "snapshot_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t end_of(const struct eprof_snapshot *snapshot, size_t row)
{
    return snapshot->places[row - snapshot->scope_first].end;
}

/* A tree has its thread's name in a string of its own: so two threads of one name have two. */
bool ep_part_next(const struct eprof_snapshot *snapshot, struct ep_part *part)
{
    size_t row = part->end, top = part->top_end;
    if (row >= snapshot->trouble_first)
        return false;
    const char *thread = snapshot->rows[row].thread;
    part->first = row;
    part->top_first = top;
    while (row < snapshot->trouble_first && snapshot->rows[row].thread == thread)
        row = end_of(snapshot, row);
    while (top < snapshot->top_count && snapshot->tops[top].thread == thread)
        top++;
    part->end = row;
    part->top_end = top;
    part->number++;
    return true;
}

static struct ep_whole add_up(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    struct ep_whole whole = {.thread = snapshot->rows[part->first].thread,
                             .places = part->end - part->first,
                             .sites = part->top_end - part->top_first};
    for (size_t row = part->first; row < part->end; row = end_of(snapshot, row))
        whole.total_ns += snapshot->rows[row].total_ns;
    for (size_t top = part->top_first; top < part->top_end; top++) {
        whole.self_ns += snapshot->tops[top].self_ns;
        whole.functions += strcmp(snapshot->tops[top].kind, "function") == 0;
    }
    return whole;
}

struct ep_whole ep_part_whole(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    return snapshot->wholes ? snapshot->wholes[part->number - 1] : add_up(snapshot, part);
}

int ep_part_note_wholes(struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    size_t count = 0;
    while (ep_part_next(snapshot, &part))
        count = part.number;
    struct ep_whole *wholes = malloc((count + 1) * sizeof *wholes);
    if (!wholes) {
        errno = ENOMEM;
        return -1;
    }
    part = (struct ep_part){.end = snapshot->scope_first};
    while (ep_part_next(snapshot, &part))
        wholes[part.number - 1] = add_up(snapshot, &part);
    snapshot->wholes = wholes;
    return 0;
}

void ep_part_match_wholes(struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    struct ep_whole *whole = snapshot->wholes;
    while (ep_part_next(snapshot, &part)) {
        while (whole->thread != snapshot->rows[part.first].thread)
            whole++;
        snapshot->wholes[part.number - 1] = *whole++;
    }
}
