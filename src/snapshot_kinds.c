#include "snapshot_kinds.h"

#include <errno.h>
#include <stdlib.h>

int ep_kinds_find(struct ep_site_kinds *kinds, const struct ep_image *image)
{
    const struct ep_tree_cell *tree = ep_image_tree(image);
    const struct ep_site_cell *cell;
    uint32_t count = ep_load(&tree->site_count) + 1;
    kinds->of = calloc(count, sizeof *kinds->of);
    if (!kinds->of) {
        errno = ENOMEM;
        return -1;
    }
    kinds->count = count;
    for (ep_ref ref = ep_load_acquire(&tree->sites); ref; ref = ep_load_acquire(&cell->next)) {
        cell = &ep_image_cell(image, ref)->site;
        if (cell->module && cell->number < count)
            kinds->of[cell->number] =
                (struct ep_site_kind){EP_PROBE_FUNCTION, ep_load(&cell->is_thinned) != 0};
    }
    return 0;
}

void ep_kinds_free(struct ep_site_kinds *kinds)
{
    free(kinds->of);
    *kinds = (struct ep_site_kinds){.of = NULL};
}
