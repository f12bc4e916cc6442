/*
 * functions_image.h - a small image of functions whose names somebody has to look up
 */
#ifndef FUNCTIONS_IMAGE_H
#define FUNCTIONS_IMAGE_H

#include "image/image.h"

/* The same at each call; lives as long as the program. Of two modules, of which one has a
 * build-id: in each a function that has the name of a dynamic symbol, and one without a name. */
const struct ep_image *functions_image(void);

#endif /* FUNCTIONS_IMAGE_H */
