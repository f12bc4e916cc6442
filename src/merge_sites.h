/*
 * merge_sites.h - the sites of several images, by file, line and label
 *
 * A function is none that a scope is. See merge_functions.h for those that have no name.
 */
#ifndef EP_MERGE_SITES_H
#define EP_MERGE_SITES_H

#include "merge_tables.h"

/* What the site numbers of one image are here. */
struct ep_merge_site_map {
    const struct ep_image *image;
    struct ep_merge_numbered_site *at; /* by number */
    uint32_t count;
};

/* 0, or -1 and ENOMEM; to be freed in any case. */
int ep_merge_sites_map(struct ep_merge_site_map *map, const struct ep_image *image);
/* The index of the site of a number. EP_MAP_NONE and ENOMEM. */
uint32_t ep_merge_sites_find(struct ep_merge *merge, struct ep_merge_site_map *map,
                             uint32_t number);
void ep_merge_sites_free(struct ep_merge_site_map *map);

/* The first site, EP_SITE_OTHER. 0, or -1 and ENOMEM. */
int ep_merge_sites_begin(struct ep_merge *merge);

#endif /* EP_MERGE_SITES_H */
