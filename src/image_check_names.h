/*
 * image_check_names.h - whether what instances, sites and threads are called may be read
 */
#ifndef EP_IMAGE_CHECK_NAMES_H
#define EP_IMAGE_CHECK_NAMES_H

#include "image_claim.h"

/* Claims the instances and the sites. */
void ep_image_check_instances(struct ep_image_claims *claims);
void ep_image_check_sites(struct ep_image_claims *claims);

/* Then all texts, when everything else has its cells: a text that is half changed must not take
 * those of others. */
void ep_image_check_names(struct ep_image_claims *claims);

#endif /* EP_IMAGE_CHECK_NAMES_H */
