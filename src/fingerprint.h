/*
 * fingerprint.h - texts that are known by 128 bits of them
 *
 * Of a million texts two have the same ones with a probability of 10^-27, so that nobody has to
 * keep the texts themselves.
 */
#ifndef EP_FINGERPRINT_H
#define EP_FINGERPRINT_H

#include <stddef.h>

#include "wide.h"

/* FNV-1a of 128 bits (Fowler, Noll and Vo, http://www.isthe.com/chongo/tech/comp/fnv/). */
struct ep_wide ep_fingerprint_begin(void);
struct ep_wide ep_fingerprint_add(struct ep_wide print, const void *bytes, size_t count);
/* A text as every report shows it, what is not UTF-8 as \xNN, and its end. */
struct ep_wide ep_fingerprint_add_text(struct ep_wide print, const char *text);

#endif /* EP_FINGERPRINT_H */
