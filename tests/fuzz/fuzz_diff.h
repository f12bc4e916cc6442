/*
 * fuzz_diff.h - what must hold of the comparison of a sound image
 */
#ifndef FUZZ_DIFF_H
#define FUZZ_DIFF_H

#include "image/image.h"

/* Compares the image with itself: each region is on both sides and has not changed, and every
 * format can be written. */
void fuzz_diff(const struct ep_image *image);

#endif /* FUZZ_DIFF_H */
