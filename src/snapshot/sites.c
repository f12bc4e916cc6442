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

/* NULL and ENOMEM. */
static const char *name_by_budget(struct eprof_snapshot *snapshot, uint64_t budget_ns)
{
    enum { BYTES = 40 };
    uint64_t us = budget_ns / 1000 + (budget_ns % 1000 >= 500);
    char *name = ep_memory_take(&snapshot->strings, BYTES);
    if (name)
        snprintf(name, BYTES, "over %" PRIu64 ".%03" PRIu64 " ms", us / 1000, us % 1000);
    return name;
}

static const char *name_of(struct eprof_snapshot *snapshot, const struct ep_site_cell *cell)
{
    bool has_name = ep_load_acquire(&cell->naming) != EP_NAMING_NONE && cell->label_bytes;
    if (cell->module && !has_name)
        return name_by_address(snapshot, cell);
    uint64_t budget_ns = ep_load(&cell->budget_ns);
    if (!cell->module && cell->kind == EP_SITE_OVER && budget_ns != EP_BUDGET_VARIES)
        return name_by_budget(snapshot, budget_ns);
    return ep_rows_image_text(snapshot, cell->label, cell->label_bytes);
}

int ep_sites_describe(struct eprof_snapshot *snapshot, const struct ep_site_cell *cell,
                      const char **name, const char **file)
{
    *name = name_of(snapshot, cell);
    *file = ep_rows_image_text(snapshot, cell->file, cell->file_bytes);
    return *name && *file ? 0 : -1;
}
