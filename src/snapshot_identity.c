#include "snapshot_identity.h"

#include "fingerprint.h"
#include "snapshot_series.h"

static struct ep_wide add_instance(struct ep_wide print, const struct eprof_snapshot *snapshot,
                                   size_t row)
{
    const struct ep_instance_place *place = &snapshot->instance_places[row];
    const struct eprof_row *at = &snapshot->rows[row];
    print = ep_fingerprint_add(print, &at->id, sizeof at->id);
    print = ep_fingerprint_add(print, &place->born, sizeof place->born);
    return ep_fingerprint_add(print, &place->thread, sizeof place->thread);
}

struct ep_wide ep_identity_of_row(const struct eprof_snapshot *snapshot, struct ep_wide *ways,
                                  size_t row)
{
    struct ep_wide print = ep_series_print_of_kind(snapshot, row);
    if (row >= snapshot->trouble_first)
        return ep_fingerprint_add_text(print, snapshot->rows[row].name);
    if (row < snapshot->scope_first)
        return add_instance(print, snapshot, row);
    const struct ep_tree_place *place = &snapshot->places[row - snapshot->scope_first];
    struct ep_wide above = place->parent == SIZE_MAX ? ep_fingerprint_begin() : ways[place->parent];
    ways[row] = ep_fingerprint_add(above, &place->site, sizeof place->site);
    print = ep_fingerprint_add(print, &ways[row], sizeof ways[row]);
    return ep_fingerprint_add(print, &place->thread, sizeof place->thread);
}

struct ep_wide ep_identity_of_top(const struct eprof_snapshot *snapshot, size_t top)
{
    const uint32_t site = snapshot->top_marks[top].site;
    struct ep_wide print = ep_fingerprint_add_text(ep_fingerprint_begin(), "top");
    return ep_fingerprint_add(print, &site, sizeof site);
}
