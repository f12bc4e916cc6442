#include "snapshot_path.h"

#include <stdlib.h>
#include <string.h>

static bool is_escaped(char c)
{
    return c == ';' || c == '\\';
}

static size_t escaped_bytes(const char *name)
{
    size_t bytes = 0;
    for (const char *c = name; *c; c++)
        bytes += is_escaped(*c) ? 2 : 1;
    return bytes;
}

/* Writes `name` so that it ends before `end`; returns where it begins. */
static char *write_before(char *end, const char *name)
{
    for (const char *c = name + strlen(name); c > name;) {
        *--end = *--c;
        if (is_escaped(*c))
            *--end = '\\';
    }
    return end;
}

const char *ep_snapshot_path_of_name(struct eprof_snapshot *snapshot, const char *name)
{
    if (!strpbrk(name, ";\\"))
        return name;
    size_t bytes = escaped_bytes(name);
    char *path = ep_arena_take(&snapshot->strings, bytes + 1);
    if (path) {
        path[bytes] = '\0';
        write_before(path + bytes, name);
    }
    return path;
}

/* ---- scopes: from the row up to its root, or to the first whose path is known ---- */

static size_t parent_of(const struct eprof_snapshot *snapshot, size_t row)
{
    return snapshot->places[row - snapshot->scope_first].parent;
}

static size_t path_bytes(const struct eprof_snapshot *snapshot, size_t row)
{
    size_t bytes = 0;
    for (; row != SIZE_MAX && !snapshot->rows[row].path; row = parent_of(snapshot, row))
        bytes += escaped_bytes(snapshot->rows[row].name) + 1;
    return row == SIZE_MAX ? bytes - 1 : bytes + strlen(snapshot->rows[row].path);
}

static void write_path(const struct eprof_snapshot *snapshot, size_t row, char *end)
{
    for (;; *--end = ';') {
        end = write_before(end, snapshot->rows[row].name);
        row = parent_of(snapshot, row);
        if (row == SIZE_MAX)
            return;
        const char *known = snapshot->rows[row].path;
        if (known) {
            *--end = ';';
            /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): more text follows */
            memcpy(end - strlen(known), known, strlen(known));
            return;
        }
    }
}

/* Into room for path_bytes() and a NUL. */
static void write_whole(const struct eprof_snapshot *snapshot, size_t row, char *path, size_t bytes)
{
    path[bytes] = '\0';
    write_path(snapshot, row, path + bytes);
}

const char *ep_snapshot_path(struct eprof_snapshot *snapshot, size_t row)
{
    if (snapshot->rows[row].path)
        return snapshot->rows[row].path;
    size_t bytes = path_bytes(snapshot, row);
    char *path = ep_arena_take(&snapshot->strings, bytes + 1);
    if (path)
        write_whole(snapshot, row, path, bytes);
    snapshot->rows[row].path = path;
    return path;
}

char *ep_snapshot_path_copy(const struct eprof_snapshot *snapshot, size_t row)
{
    if (snapshot->rows[row].path)
        return strdup(snapshot->rows[row].path);
    size_t bytes = path_bytes(snapshot, row);
    /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): a row adds a byte at least */
    char *path = malloc(bytes + 1);
    if (path)
        write_whole(snapshot, row, path, bytes);
    return path;
}
