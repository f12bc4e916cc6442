#include "merge_modules.h"

#include <string.h>

/* What tells modules of one path apart; kept among the names, as bytes. */
struct version {
    uint64_t modified_ns; /* 0 where there is a build-id, which tells more */
    uint32_t build_id_bytes;
    uint8_t build_id[EP_BUILD_ID_BYTES];
};

static struct version version_of(const struct ep_module_cell *cell)
{
    struct version version = {.build_id_bytes = cell->build_id_bytes};
    if (cell->build_id_bytes == 0)
        version.modified_ns = cell->modified_ns;
    memcpy(version.build_id, cell->build_id, cell->build_id_bytes);
    return version;
}

uint32_t ep_merge_modules_find(struct ep_merge *merge, const struct ep_image *image, ep_ref ref)
{
    const struct ep_module_cell *cell = &ep_image_cell(image, ref)->module;
    struct version version = version_of(cell);
    uint32_t path =
        ep_merge_names_find(&merge->names, ep_image_string(image, cell->path), cell->path_bytes);
    uint32_t build = ep_merge_names_find(&merge->names, (const char *)&version, sizeof version);
    if (path == EP_MAP_NONE || build == EP_MAP_NONE)
        return EP_MAP_NONE;
    uint32_t index = ep_merge_table_find(&merge->modules, sizeof(struct ep_merge_module),
                                         ep_merge_key(path, build));
    if (index == EP_MAP_NONE)
        return EP_MAP_NONE;
    struct ep_merge_module *module = ep_merge_module(merge, index);
    module->path = path;
    module->version = build;
    return index;
}

int ep_merge_modules_compare(const struct ep_merge *merge, uint32_t a, uint32_t b)
{
    const struct ep_merge_module *x = ep_merge_module(merge, a), *y = ep_merge_module(merge, b);
    int order =
        ep_merge_names_compare(ep_merge_name(merge, x->path), ep_merge_name(merge, y->path));
    return order ? order
                 : ep_merge_names_compare(ep_merge_name(merge, x->version),
                                          ep_merge_name(merge, y->version));
}

void ep_merge_modules_write(const struct ep_merge *merge, const struct ep_merge_module *from,
                            struct ep_module_cell *to)
{
    struct version version;
    memcpy(&version, ep_merge_name(merge, from->version)->text, sizeof version);
    to->build_id_bytes = version.build_id_bytes;
    memcpy(to->build_id, version.build_id, sizeof to->build_id);
    to->modified_ns = version.modified_ns;
}
