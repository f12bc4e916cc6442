#include "snapshot_sites.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_rows.h"

int ep_sites_find(struct ep_named_sites *sites, const struct ep_image *image)
{
    const struct ep_tree_cell *tree = ep_image_tree(image);
    const struct ep_site_cell *cell;
    sites->count = ep_load(&tree->site_count) + 1;
    sites->at = calloc(sites->count, sizeof *sites->at);
    sites->sorted = malloc(sites->count * sizeof *sites->sorted);
    if (!sites->at || !sites->sorted) {
        errno = ENOMEM;
        return -1;
    }
    for (ep_ref ref = ep_load_acquire(&tree->sites); ref; ref = ep_load_acquire(&cell->next)) {
        cell = &ep_image_cell(image, ref)->site;
        if (cell->number < sites->count)
            sites->at[cell->number].cell = cell;
    }
    return 0;
}

/* Of a function that has none yet: where it is. NULL and ENOMEM. */
static const char *name_by_address(const struct ep_site_cell *cell, struct eprof_snapshot *snapshot,
                                   const struct ep_image *image)
{
    const struct ep_module_cell *module = &ep_image_cell(image, cell->module)->module;
    const char *path = ep_image_string(image, module->path);
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *sign = *file ? "+" : "";
    size_t bytes = strlen(file) + sizeof "+0x" + 2 * sizeof cell->function;
    char *name = ep_arena_take(&snapshot->strings, bytes);
    if (name)
        snprintf(name, bytes, "%s%s0x%" PRIx64, file, sign, cell->function);
    return name;
}

static const char *name_of(const struct ep_site_cell *cell, struct eprof_snapshot *snapshot,
                           const struct ep_image *image)
{
    bool has_name = ep_load_acquire(&cell->naming) != EP_NAMING_NONE && cell->label_bytes;
    if (cell->module && !has_name)
        return name_by_address(cell, snapshot, image);
    return ep_rows_text(snapshot, ep_image_string(image, cell->label), cell->label_bytes);
}

int ep_sites_name(struct ep_named_sites *sites, uint32_t number, struct eprof_snapshot *snapshot,
                  const struct ep_image *image)
{
    struct ep_named_site *site = &sites->at[number];
    const struct ep_site_cell *cell = site->cell;
    if (site->name)
        return 0;
    site->file = "";
    site->name = "(other)";
    site->mark.site = number;
    if (cell) {
        site->line = cell->line;
        site->name = name_of(cell, snapshot, image);
        site->mark.is_thinned = cell->module && ep_load(&cell->is_thinned);
        snapshot->thinned_count += site->mark.is_thinned;
        if (cell->file)
            site->file =
                ep_rows_text(snapshot, ep_image_string(image, cell->file), cell->file_bytes);
    }
    sites->sorted[sites->sorted_count++] = site;
    return site->name && site->file ? 0 : -1;
}

static int by_name(const void *a, const void *b)
{
    const struct ep_named_site *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

void ep_sites_compare(struct ep_named_sites *sites)
{
    qsort(sites->sorted, sites->sorted_count, sizeof *sites->sorted, by_name);
    for (uint32_t i = 1; i < sites->sorted_count; i++)
        if (by_name(&sites->sorted[i - 1], &sites->sorted[i]) == 0)
            sites->sorted[i - 1]->mark.is_ambiguous = sites->sorted[i]->mark.is_ambiguous = true;
}

void ep_sites_free(struct ep_named_sites *sites)
{
    free(sites->at);
    free(sites->sorted);
}
