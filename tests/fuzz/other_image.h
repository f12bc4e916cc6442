/*
 * other_image.h - a sound image that others are added to: it has something in common with each of
 * the corpus, and something that none of them has
 */
#ifndef OTHER_IMAGE_H
#define OTHER_IMAGE_H

#include "image/image.h"

/* The same at each call; lives as long as the program. */
const struct ep_image *other_image(void);

#endif /* OTHER_IMAGE_H */
