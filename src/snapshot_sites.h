/*
 * snapshot_sites.h - what the sites are called
 *
 * One copy of each name, however many rows it stands in.
 */
#ifndef EP_SNAPSHOT_SITES_H
#define EP_SNAPSHOT_SITES_H

#include "snapshot.h"

struct ep_named_site {
    const struct ep_site_cell *cell; /* NULL: of no line of the program */
    const char *name;                /* NULL: it is in no row */
    const char *file;                /* "" where it has none */
    uint32_t line;
    struct ep_site_mark mark;
};

/* By number. */
struct ep_named_sites {
    struct ep_named_site *at;
    uint32_t count;
    struct ep_named_site **sorted; /* those that are in a row, by name */
    uint32_t sorted_count;
};

/* Finds all sites of the image. 0, or -1 and ENOMEM. */
int ep_sites_find(struct ep_named_sites *sites, const struct ep_image *image);
/* Names a site that stands in a row. 0, or -1 and ENOMEM. */
int ep_sites_name(struct ep_named_sites *sites, uint32_t number, struct eprof_snapshot *snapshot,
                  const struct ep_image *image);
/* When all are named: which names stand for two. */
void ep_sites_compare(struct ep_named_sites *sites);
void ep_sites_free(struct ep_named_sites *sites);

#endif /* EP_SNAPSHOT_SITES_H */
