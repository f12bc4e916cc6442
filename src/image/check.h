/*
 * image/check.h - checks that an image is safe to read
 *
 * An image from a file is not trusted. A snapshot and a merge need no further checks of an image
 * that passes: each reference is to an existing cell with a single use, so no list is circular;
 * each count is bounded by the number of cells; each text ends. Takes one byte a cell, and no
 * recursion.
 */
#ifndef EP_IMAGE_CHECK_H
#define EP_IMAGE_CHECK_H

#include "image/image.h"

/*
 * Checks all of a private copy, which has `committed` cells. NULL: it is sound; else the fault, as
 * the end of a line ("damaged: a site beyond its end"). NULL with *error set to ENOMEM instead of
 * 0: no memory for the check.
 *
 * In a file that was cut short, or whose lock was held when it was left or copied, missing and half
 * written objects are removed, which is no fault.
 */
const char *ep_image_check(struct ep_image *copy, int *error);

/* Checks only the header, as far as these bytes reach, which are aligned as cells: NULL, or the
 * fault (not an image, another byte order, a newer version ...), valid until the next call. */
const char *ep_image_check_header(const union ep_cell *header, size_t bytes);

/* Whether cells may be missing at the end, because the file could not grow. */
bool ep_image_check_is_cut_short(const union ep_cell *header);

#endif /* EP_IMAGE_CHECK_H */
