/*
 * merge_functions.h - the functions of several images
 *
 * One that has been named is the same by file, line and name, wherever it lies; one that has not,
 * by its module and address, so that it can still be named in the sum.
 */
#ifndef EP_MERGE_FUNCTIONS_H
#define EP_MERGE_FUNCTIONS_H

#include "merge_tables.h"

/* Whether its name and place are those that it has in the source. */
bool ep_merge_functions_is_named(const struct ep_site_cell *cell);

/* The index of a function of an image. `line` is its own, or where it is not named that of no
 * file. EP_MAP_NONE and ENOMEM. */
uint32_t ep_merge_functions_find(struct ep_merge *merge, const struct ep_image *image,
                                 const struct ep_site_cell *cell, uint32_t line);

#endif /* EP_MERGE_FUNCTIONS_H */
