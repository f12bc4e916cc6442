/*
 * image_save.h - an image of one moment becomes a file
 */
#ifndef EP_IMAGE_SAVE_H
#define EP_IMAGE_SAVE_H

#include "image.h"

/*
 * Writes all cells that are in use, whole or not at all; image_file.h says what may be in the
 * file's place. Returns 0; or -1, errno, and in *why the end of a line that says what is in the
 * way.
 */
int ep_image_save(const struct ep_image *image, const char *path, const char **why);

#endif /* EP_IMAGE_SAVE_H */
