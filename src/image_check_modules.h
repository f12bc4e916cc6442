/*
 * image_check_modules.h - whether the functions of an image, and what they lie in, may be read
 */
#ifndef EP_IMAGE_CHECK_MODULES_H
#define EP_IMAGE_CHECK_MODULES_H

#include "image_claim.h"

/* Claims the modules, before the sites are looked at. */
void ep_image_check_modules(struct ep_image_claims *claims);

/* What a site says of itself as a function, where it is one. false: its module is missing, as what
 * came last may be. */
bool ep_image_check_function(struct ep_image_claims *claims, const struct ep_site_cell *site);

#endif /* EP_IMAGE_CHECK_MODULES_H */
