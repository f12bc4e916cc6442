#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/making.h"

int ep_sites_read(struct ep_sites *sites, const struct ep_image *image)
{
    const struct ep_tree_cell *tree = ep_image_tree(image);
    const struct ep_site_cell *cell;
    sites->count = ep_load(&tree->site_count) + 1;
    sites->at = calloc(sites->count, sizeof *sites->at);
    if (!sites->at)
        return -1;
    for (ep_ref ref = ep_load_acquire(&tree->sites); ref; ref = ep_load_acquire(&cell->next)) {
        cell = &ep_image_cell(image, ref)->site;
        if (cell->number < sites->count)
            sites->at[cell->number] = cell;
    }
    return 0;
}

/* A function without a name is shown by its address. NULL and ENOMEM. */
static const char *name_by_address(struct eprof_snapshot *snapshot, const struct ep_site_cell *cell)
{
    const struct ep_module_cell *module = &ep_image_cell(snapshot->image, cell->module)->module;
    const char *path = ep_image_string(snapshot->image, module->path);
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *sign = *file ? "+" : "";
    size_t bytes = strlen(file) + sizeof "+0x" + 2 * sizeof cell->function;
    char *name = ep_memory_take(&snapshot->strings, bytes);
    if (name)
        snprintf(name, bytes, "%s%s0x%" PRIx64, file, sign, cell->function);
    return name;
}

int ep_sites_describe(struct eprof_snapshot *snapshot, const struct ep_site_cell *cell,
                      const char **name, const char **file)
{
    bool has_name = ep_load_acquire(&cell->naming) != EP_NAMING_NONE && cell->label_bytes;
    *name = cell->module && !has_name
                ? name_by_address(snapshot, cell)
                : ep_rows_image_text(snapshot, cell->label, cell->label_bytes);
    *file = ep_rows_image_text(snapshot, cell->file, cell->file_bytes);
    return *name && *file ? 0 : -1;
}
