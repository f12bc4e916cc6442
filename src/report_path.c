#include "report_path.h"

#include <stdlib.h>
#include <string.h>

void ep_report_path_free(struct ep_report_path *path)
{
    free(path->text);
    free(path->ends);
    *path = (struct ep_report_path){.text = NULL};
}

/* Each time twice as much, so that a deep path is not copied at every step. */
static bool make_room(struct ep_report_path *path, size_t bytes)
{
    if (bytes <= path->room)
        return true;
    char *larger = realloc(path->text, 2 * bytes);
    if (!larger)
        return false;
    path->text = larger;
    path->room = 2 * bytes;
    return true;
}

static bool make_depth(struct ep_report_path *path, size_t depth)
{
    if (depth < path->depths)
        return true;
    size_t depths = 2 * (depth + 8);
    size_t *larger = realloc(path->ends, depths * sizeof *larger);
    if (!larger)
        return false;
    path->ends = larger;
    path->depths = depths;
    return true;
}

static bool is_escaped(char c)
{
    return c == ';' || c == '\\';
}

static void append(struct ep_report_path *path, const char *name)
{
    for (; *name; name++) {
        if (is_escaped(*name))
            path->text[path->bytes++] = '\\';
        path->text[path->bytes++] = *name;
    }
    path->text[path->bytes] = '\0';
}

/* Of a root: in a focus more than its name. */
static const char *begin_at_root(struct ep_report_path *path, const struct eprof_row *row)
{
    size_t bytes = strlen(row->path);
    if (!make_depth(path, 0) || !make_room(path, bytes + 1))
        return NULL;
    memcpy(path->text, row->path, bytes + 1);
    path->ends[0] = path->bytes = bytes;
    return path->text;
}

const char *ep_report_path_of(struct ep_report_path *path, const struct eprof_snapshot *snapshot,
                              size_t row)
{
    if (row < snapshot->scope_first || row >= snapshot->trouble_first)
        return snapshot->rows[row].path;
    const char *name = snapshot->rows[row].name;
    size_t depth = snapshot->places[row - snapshot->scope_first].depth;
    if (depth == 0 && snapshot->rows[row].path)
        return begin_at_root(path, &snapshot->rows[row]);
    path->bytes = depth > 0 ? path->ends[depth - 1] : 0;
    /* a separator, a name of escapes alone, and a NUL */
    if (!make_depth(path, depth) || !make_room(path, path->bytes + 2 * strlen(name) + 2))
        return NULL;
    if (depth > 0)
        path->text[path->bytes++] = ';';
    append(path, name);
    path->ends[depth] = path->bytes;
    return path->text;
}

bool ep_report_path_is_around(const struct eprof_snapshot *snapshot, size_t row)
{
    return row >= snapshot->scope_first && row < snapshot->trouble_first &&
           snapshot->places[row - snapshot->scope_first].is_around;
}
