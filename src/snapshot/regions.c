#include "snapshot/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool ep_regions_are_one(const struct eprof_row *a, const struct eprof_row *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->kind, b->kind) == 0 &&
           strcmp(a->unit, b->unit) == 0;
}

static int add(struct ep_regions *regions, const struct eprof_row *row)
{
    for (size_t i = 0; i < regions->count; i++)
        if (ep_regions_are_one(regions->at[i], row))
            return 0;
    const struct eprof_row **grown =
        ep_memory_room(regions->at, regions->count, &regions->room, sizeof *grown);
    if (!grown) {
        errno = ENOMEM;
        return -1;
    }
    regions->at = grown;
    regions->at[regions->count++] = row;
    return 0;
}

int ep_regions_find(struct ep_regions *regions, const struct eprof_snapshot *snapshot,
                    const char *name, size_t first)
{
    *regions = (struct ep_regions){.at = NULL};
    for (size_t i = first; i < snapshot->diagnostic_first; i++)
        if (ep_rows_is_called(&snapshot->rows[i], name) && add(regions, &snapshot->rows[i]) != 0)
            return -1;
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (ep_rows_is_called(&snapshot->values[i], name) &&
            add(regions, &snapshot->values[i]) != 0)
            return -1;
    return 0;
}

void ep_regions_free(struct ep_regions *regions)
{
    free(regions->at);
}
