/*
 * image_check_threads.h - whether what threads recorded may be walked
 */
#ifndef EP_IMAGE_CHECK_THREADS_H
#define EP_IMAGE_CHECK_THREADS_H

#include "image_claim.h"

/* Claims all threads with their trees, pairs and stacks. */
void ep_image_check_threads(struct ep_image_claims *claims);

#endif /* EP_IMAGE_CHECK_THREADS_H */
