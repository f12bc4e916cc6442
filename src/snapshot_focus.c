#include "snapshot_focus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_focus_tops.h"
#include "snapshot_keep.h"

/* ---- the path that is asked for ---- */

/* Its names, from the root. */
struct wanted {
    char *text;
    const char **names;
    size_t count;
};

/* Takes the escapes away and puts a NUL for each ';'. What `\` stands before and does not
 * escape, it stands for itself. */
static void split(struct wanted *wanted)
{
    char *to = wanted->text;
    wanted->names[wanted->count++] = to;
    for (const char *from = to; *from; from++) {
        if (*from == ';') {
            *to++ = '\0';
            wanted->names[wanted->count++] = to;
            continue;
        }
        if (*from == '\\' && (from[1] == ';' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
    *to = '\0';
}

static int parse(struct wanted *wanted, const char *path)
{
    size_t bytes = strlen(path) + 1;
    wanted->text = malloc(bytes);
    wanted->names = malloc(bytes * sizeof *wanted->names);
    wanted->count = 0;
    if (!wanted->text || !wanted->names)
        return -1;
    memcpy(wanted->text, path, bytes);
    split(wanted);
    return 0;
}

static bool is_wanted(const struct wanted *wanted, const struct eprof_snapshot *snapshot,
                      size_t row)
{
    const struct ep_tree_place *places = snapshot->places;
    size_t left = wanted->count, first = snapshot->scope_first;
    if (left > 1 && places[row - first].depth + (size_t)1 != left)
        return false;
    for (; left > 0; row = places[row - first].parent)
        if (strcmp(snapshot->rows[row].name, wanted->names[--left]) != 0)
            return false;
    return true;
}

/* ---- the rows that stay ---- */

/* A root's path is made while its ancestors are there; those below find theirs from it. */
static int mark(struct eprof_snapshot *snapshot, const struct wanted *wanted, bool *is_kept)
{
    bool is_found = false;
    for (size_t row = snapshot->scope_first; row < snapshot->trouble_first;) {
        if (!is_wanted(wanted, snapshot, row)) {
            row++;
            continue;
        }
        size_t end = snapshot->places[row - snapshot->scope_first].end;
        if (!ep_snapshot_path(snapshot, row))
            return -1;
        memset(&is_kept[row], true, end - row);
        is_found = true;
        row = end;
    }
    errno = ENOENT;
    return is_found ? 0 : -1;
}

int ep_focus_on(struct eprof_snapshot *snapshot, const char *path)
{
    struct wanted wanted;
    bool *is_kept = calloc(snapshot->trouble_first + 1, sizeof *is_kept);
    errno = ENOMEM;
    int result = parse(&wanted, path) == 0 && is_kept ? 0 : -1;
    if (result == 0)
        result = mark(snapshot, &wanted, is_kept);
    if (result == 0)
        result = ep_keep_rows(snapshot, is_kept);
    if (result == 0)
        result = ep_focus_tops_add_up(snapshot);
    int error = errno;
    free(wanted.text);
    free(wanted.names);
    free(is_kept);
    errno = error;
    return result;
}
