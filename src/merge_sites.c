#include "merge_sites.h"

#include <errno.h>
#include <stdlib.h>

#include "merge_functions.h"

struct ep_merge_numbered_site {
    const struct ep_site_cell *cell;
    uint32_t index; /* of its row + 1; 0: not looked for yet */
};

enum { OTHER_SITE = 0 };

int ep_merge_sites_begin(struct ep_merge *merge)
{
    uint32_t other = ep_merge_table_find(&merge->sites, sizeof(struct ep_merge_site),
                                         ep_merge_key(EP_MAP_NONE, 0));
    if (other == EP_MAP_NONE)
        return -1;
    *ep_merge_site(merge, OTHER_SITE) =
        (struct ep_merge_site){.number = EP_SITE_OTHER, .function = EP_MAP_NONE};
    return 0;
}

int ep_merge_sites_map(struct ep_merge_site_map *map, const struct ep_image *image)
{
    const struct ep_tree_cell *tree = ep_image_tree(image);
    const struct ep_site_cell *cell;
    map->image = image;
    map->count = tree->site_count + 1;
    map->at = calloc(map->count, sizeof *map->at);
    if (!map->at) {
        errno = ENOMEM;
        return -1;
    }
    for (ep_ref ref = tree->sites; ref; ref = cell->next) {
        cell = &ep_image_cell(image, ref)->site;
        if (cell->number < map->count)
            map->at[cell->number].cell = cell;
    }
    return 0;
}

/* What has not been named yet is in no file. */
static uint32_t find_line(struct ep_merge *merge, const struct ep_image *image,
                          const struct ep_site_cell *cell)
{
    bool is_nowhere = merge->ignores_places || (cell->module && !ep_merge_functions_is_named(cell));
    ep_ref text = is_nowhere ? 0 : cell->file;
    uint32_t number = is_nowhere ? 0 : cell->line;
    uint32_t file = ep_merge_names_find(&merge->names, ep_image_string(image, text),
                                        text ? cell->file_bytes : 0);
    if (file == EP_MAP_NONE)
        return EP_MAP_NONE;
    uint32_t line = ep_merge_table_find(&merge->lines, sizeof(struct ep_merge_line),
                                        ep_merge_key(file, number));
    if (line != EP_MAP_NONE)
        *ep_merge_line(merge, line) = (struct ep_merge_line){file, number};
    return line;
}

/* Its key is that of no line. */
static uint32_t find_function(struct ep_merge *merge, const struct ep_image *image,
                              const struct ep_site_cell *cell, uint32_t line)
{
    uint32_t function = ep_merge_functions_find(merge, image, cell, line);
    if (function == EP_MAP_NONE)
        return EP_MAP_NONE;
    uint32_t site = ep_merge_table_find(&merge->sites, sizeof(struct ep_merge_site),
                                        ep_merge_key(EP_MAP_NONE, function + 1));
    if (site != EP_MAP_NONE)
        *ep_merge_site(merge, site) = (struct ep_merge_site){
            .line = line, .label = ep_merge_function(merge, function)->label, .function = function};
    return site;
}

static uint32_t find_scope(struct ep_merge *merge, const struct ep_image *image,
                           const struct ep_site_cell *cell, uint32_t line)
{
    uint32_t label =
        ep_merge_names_find(&merge->names, ep_image_string(image, cell->label), cell->label_bytes);
    if (label == EP_MAP_NONE)
        return EP_MAP_NONE;
    uint32_t site =
        ep_merge_table_find(&merge->sites, sizeof(struct ep_merge_site), ep_merge_key(line, label));
    if (site != EP_MAP_NONE)
        *ep_merge_site(merge, site) =
            (struct ep_merge_site){.line = line, .label = label, .function = EP_MAP_NONE};
    return site;
}

static uint32_t find_site(struct ep_merge *merge, const struct ep_image *image,
                          const struct ep_site_cell *cell)
{
    uint32_t line = find_line(merge, image, cell);
    if (line == EP_MAP_NONE)
        return EP_MAP_NONE;
    return cell->module ? find_function(merge, image, cell, line)
                        : find_scope(merge, image, cell, line);
}

/* A number that no site has is a path that cannot be told either. */
uint32_t ep_merge_sites_find(struct ep_merge *merge, struct ep_merge_site_map *map, uint32_t number)
{
    struct ep_merge_numbered_site *site = number < map->count ? &map->at[number] : NULL;
    if (!site || !site->cell)
        return OTHER_SITE;
    if (site->index)
        return site->index - 1;
    uint32_t index = find_site(merge, map->image, site->cell);
    if (index != EP_MAP_NONE)
        site->index = index + 1;
    return index;
}

void ep_merge_sites_free(struct ep_merge_site_map *map)
{
    free(map->at);
}
