/*
 * snapshot_kinds.h - which sites are functions, and which of those are throttled
 */
#ifndef EP_SNAPSHOT_KINDS_H
#define EP_SNAPSHOT_KINDS_H

#include "image.h"

/* Probes of scopes and of functions cost differently. */
enum ep_probe_kind { EP_PROBE_SCOPE, EP_PROBE_FUNCTION, EP_PROBE_KINDS };

struct ep_site_kind {
    uint8_t probe; /* enum ep_probe_kind */
    bool is_throttled;
};

/* By number. All zero: not looked for yet. */
struct ep_site_kinds {
    struct ep_site_kind *of;
    uint32_t count;
};

/* 0, or -1 and ENOMEM. */
int ep_kinds_find(struct ep_site_kinds *kinds, const struct ep_image *image);
void ep_kinds_free(struct ep_site_kinds *kinds);

/* A number that no site has is a scope's. */
EP_INLINE struct ep_site_kind ep_kind_of(const struct ep_site_kinds *kinds, uint32_t site)
{
    return site < kinds->count ? kinds->of[site] : (struct ep_site_kind){EP_PROBE_SCOPE, false};
}

#endif /* EP_SNAPSHOT_KINDS_H */
