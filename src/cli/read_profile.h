/*
 * read_profile.h - one profile file, or a line on stderr that says what is wrong with it
 */
#ifndef EP_CLI_READ_PROFILE_H
#define EP_CLI_READ_PROFILE_H

#include "image.h"

/* Where it is still being written, that is said, and is no error. 0; -1: it was complained of. */
int ep_read_profile(const char *path, struct ep_image *image);
/* The same of a file that was read before: nothing is said twice. */
int ep_read_profile_again(const char *path, struct ep_image *image);

#endif /* EP_CLI_READ_PROFILE_H */
