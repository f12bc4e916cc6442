/*
 * fuzz_merge.h - what must hold of the sum of sound images
 */
#ifndef FUZZ_MERGE_H
#define FUZZ_MERGE_H

#include "image.h"

/* Adds the image to itself; the sum can be written, is sound, and says the same when read. */
void fuzz_merge(const struct ep_image *image);

#endif /* FUZZ_MERGE_H */
