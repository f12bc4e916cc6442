#include "scope_row.h"

struct eprof_row scope_row(const char *path)
{
    struct eprof_row found = {.size = sizeof found};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) == 0 && strcmp(row.kind, "scope") == 0 &&
            strcmp(row.path, path) == 0)
            found = row;
    }
    eprof_snapshot_free(snapshot);
    found.kind = found.name = found.path = found.thread = found.file = NULL;
    return found;
}
