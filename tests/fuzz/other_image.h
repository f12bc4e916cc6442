/*
 * other_image.h - a sound image to which others are added: it has something in common with each
 * image of the corpus, and something that none of them has
 */
#ifndef OTHER_IMAGE_H
#define OTHER_IMAGE_H

#include "image/image.h"

/* The same image at each call; it is valid until the program ends. */
const struct ep_image *other_image(void);

#endif /* OTHER_IMAGE_H */
