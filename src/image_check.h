/*
 * image_check.h - whether an image may be walked
 *
 * Who opens an image trusts nothing in it. What passes here can be read by the snapshot and by
 * a merge without a further look: every reference is to a cell that is there and is used for
 * one thing only, so that no list has an end in itself; every count is bounded by the cells
 * there are; every text ends. Takes a byte a cell, and no recursion.
 */
#ifndef EP_IMAGE_CHECK_H
#define EP_IMAGE_CHECK_H

#include "image.h"

/*
 * Looks at the whole of a private copy, of which `committed` cells are there. NULL: it is sound;
 * else what is wrong with it, as the end of a line ("damaged: a site beyond its end"); NULL with
 * *error set to ENOMEM instead of 0 where there is no memory to look.
 *
 * In a file that was cut short, and where the lock was held when it was left or copied, what is
 * missing or half done is taken out, and is no fault.
 */
const char *ep_image_check(struct ep_image *copy, int *error);

/* The header alone, as far as it can be told from these bytes, which are aligned as cells: NULL,
 * or what is wrong with it (not an image, of another byte order, of a newer version ...), which
 * lives until the next call. */
const char *ep_image_check_header(const union ep_cell *header, size_t bytes);

/* Whether cells may be missing at the end: its file could not grow. */
bool ep_image_check_is_cut_short(const union ep_cell *header);

#endif /* EP_IMAGE_CHECK_H */
