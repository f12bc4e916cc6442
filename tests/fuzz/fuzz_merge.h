/*
 * fuzz_merge.h - what must hold of the sums of sound images
 */
#ifndef FUZZ_MERGE_H
#define FUZZ_MERGE_H

#include "image/image.h"

/*
 * Adds the image up: alone, with itself, and before and behind the image `other`. Each sum can be
 * written and is sound; read again, and added up again alone, it says the same, field by field; in
 * either order it is the same, byte by byte.
 */
void fuzz_merge(const struct ep_image *image, const struct ep_image *other);

#endif /* FUZZ_MERGE_H */
