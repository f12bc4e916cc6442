/*
 * fuzz_merge.h - checks the sums of sound images
 */
#ifndef FUZZ_MERGE_H
#define FUZZ_MERGE_H

#include "image/image.h"

/*
 * Adds the image up: alone, with itself, and before and after the image `other`. Each sum must be
 * sound, and it must be possible to write it. Read again, and added up alone, it must be equal
 * field by field; in either order it must be equal byte by byte.
 */
void fuzz_merge(const struct ep_image *image, const struct ep_image *other);

#endif /* FUZZ_MERGE_H */
