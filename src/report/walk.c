#include "report/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "snapshot/part.h"

size_t ep_report_walk_trees(const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_rows_part_next(snapshot, &part))
        continue;
    return part.number;
}

/* ---- paths ---- */

void ep_report_walk_path_free(struct ep_report_path *path)
{
    free(path->text);
    free(path->ends);
    *path = (struct ep_report_path){.text = NULL};
}

/* Makes room for the end of a name at this depth, which is at most one below the deepest so far,
 * and for `bytes` of text. The text grows to twice its size, so that a deep path is not copied at
 * every step. */
static bool reserve(struct ep_report_path *path, size_t depth, size_t bytes)
{
    size_t *ends = ep_memory_room(path->ends, depth, &path->depths, sizeof *ends);
    if (!ends)
        return false;
    path->ends = ends;
    if (bytes <= path->room)
        return true;
    char *text = realloc(path->text, 2 * bytes);
    if (!text) {
        errno = ENOMEM;
        return false;
    }
    path->text = text;
    path->room = 2 * bytes;
    return true;
}

static void append(struct ep_report_path *path, const char *name)
{
    for (; *name; name++) {
        if (*name == ';' || *name == '\\')
            path->text[path->bytes++] = '\\';
        path->text[path->bytes++] = *name;
    }
    path->text[path->bytes] = '\0';
}

/* If a view has a focus, the path of a root has more names than its own. */
static const char *begin_at_root(struct ep_report_path *path, const struct eprof_row *row)
{
    size_t bytes = strlen(row->path);
    if (!reserve(path, 0, bytes + 1))
        return NULL;
    memcpy(path->text, row->path, bytes + 1);
    path->ends[0] = path->bytes = bytes;
    return path->text;
}

const char *ep_report_walk_path_of(struct ep_report_path *path,
                                   const struct eprof_snapshot *snapshot, size_t row)
{
    if (row < snapshot->scope_first || row >= snapshot->diagnostic_first)
        return snapshot->rows[row].path;
    const char *name = snapshot->rows[row].name;
    size_t depth = ep_rows_position(snapshot, row)->depth;
    if (depth == 0 && snapshot->rows[row].path)
        return begin_at_root(path, &snapshot->rows[row]);
    path->bytes = depth > 0 ? path->ends[depth - 1] : 0;
    /* a separator, a name whose bytes are all escaped, and a NUL */
    if (!reserve(path, depth, path->bytes + 2 * strlen(name) + 2))
        return NULL;
    if (depth > 0)
        path->text[path->bytes++] = ';';
    append(path, name);
    path->ends[depth] = path->bytes;
    return path->text;
}

bool ep_report_walk_path_is_around(const struct eprof_snapshot *snapshot, size_t row)
{
    return row >= snapshot->scope_first && row < snapshot->diagnostic_first &&
           ep_rows_position(snapshot, row)->is_around;
}

bool ep_report_walk_path_next(struct ep_report_path *path, struct ep_output *out,
                              const struct eprof_snapshot *snapshot)
{
    path->row += path->is_begun;
    path->is_begun = true;
    for (; path->row < path->end && !out->error; path->row++) {
        path->path = ep_report_walk_path_of(path, snapshot, path->row);
        if (!path->path)
            ep_output_fail(out, errno);
        else if (!ep_report_walk_path_is_around(snapshot, path->row))
            return true;
    }
    ep_report_walk_path_free(path);
    return false;
}

/* ---- stacks ---- */

void ep_report_walk_stack_free(struct ep_report_stack *stack)
{
    free(stack->rows);
    *stack = (struct ep_report_stack){.rows = NULL};
}

bool ep_report_walk_stack_enter(struct ep_report_stack *stack,
                                const struct eprof_snapshot *snapshot, size_t row)
{
    size_t depth = ep_rows_position(snapshot, row)->depth;
    size_t *rows = ep_memory_room(stack->rows, depth, &stack->room, sizeof *rows);
    if (!rows)
        return false;
    stack->rows = rows;
    stack->rows[depth] = row;
    stack->count = depth + 1;
    return true;
}

/* ---- frames ---- */

#define NONE UINT32_MAX

static size_t count_sites(const struct eprof_snapshot *snapshot)
{
    size_t count = 0;
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first; row++) {
        uint32_t site = ep_rows_position(snapshot, row)->site;
        if (site >= count)
            count = (size_t)site + 1;
    }
    return count;
}

int ep_report_walk_frames_find(struct ep_report_frames *frames,
                               const struct eprof_snapshot *snapshot)
{
    size_t sites = count_sites(snapshot);
    *frames = (struct ep_report_frames){
        .numbers = malloc((sites + 1) * sizeof *frames->numbers),
        .rows = malloc((sites + 1) * sizeof *frames->rows),
    };
    if (!frames->numbers || !frames->rows) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t site = 0; site < sites; site++)
        frames->numbers[site] = NONE;
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first; row++) {
        uint32_t *number = &frames->numbers[ep_rows_position(snapshot, row)->site];
        if (*number != NONE)
            continue;
        *number = frames->count;
        frames->rows[frames->count++] = row;
    }
    return 0;
}

void ep_report_walk_frames_free(struct ep_report_frames *frames)
{
    free(frames->numbers);
    free(frames->rows);
    *frames = (struct ep_report_frames){.numbers = NULL};
}

uint32_t ep_report_walk_frames_number(const struct ep_report_frames *frames,
                                      const struct eprof_snapshot *snapshot, size_t row)
{
    return frames->numbers[ep_rows_position(snapshot, row)->site];
}
