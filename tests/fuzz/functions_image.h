/*
 * functions_image.h - a small image with functions whose names must be looked up
 */
#ifndef FUNCTIONS_IMAGE_H
#define FUNCTIONS_IMAGE_H

#include "image/image.h"

/* The same image at each call; it is valid until the program ends. It has two modules, one of them
 * with a build-id. Each has a function with the name of a dynamic symbol, and one without a
 * name. */
const struct ep_image *functions_image(void);

#endif /* FUNCTIONS_IMAGE_H */
