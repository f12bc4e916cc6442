/*
 * fuzz_diff.h - checks the comparison of a sound image
 */
#ifndef FUZZ_DIFF_H
#define FUZZ_DIFF_H

#include "image/image.h"

/* Compares the image with itself: each region must be on both sides without a change, and it must
 * be possible to write each format. */
void fuzz_diff(const struct ep_image *image);

#endif /* FUZZ_DIFF_H */
