/*
 * image_claim.h - what each cell of an image is used for, while the image is checked
 *
 * Who finds a reference claims its cells. A cell is claimed once: so no two objects overlap, and
 * no list comes back to itself.
 */
#ifndef EP_IMAGE_CLAIM_H
#define EP_IMAGE_CLAIM_H

#include "image.h"

enum ep_image_use {
    EP_USE_NONE,
    EP_USE_REST, /* not the first cell of its object */
    EP_USE_HEADER,
    EP_USE_DIRECTORY,
    EP_USE_INSTANCES, /* a run of them */
    EP_USE_THREAD,
    EP_USE_TROUBLE,
    EP_USE_MOVE,
    EP_USE_PAIR,
    EP_USE_NODE,
    EP_USE_OWN_NODE, /* of the thread that is being looked at */
    EP_USE_FRAME,
    EP_USE_FAR,
    EP_USE_OCTAVE,
    EP_USE_MODULE,
    EP_USE_SITE,
    EP_USE_SITE_TEXT, /* each cell of it; sites may share their texts */
    EP_USE_TEXT,
    EP_USES
};

struct ep_image_claims {
    struct ep_image *image;
    uint32_t count; /* cells that there are */
    uint8_t *use;   /* of each; enum ep_image_use */
    /* What may be missing or half done is left out, and is no fault: */
    bool is_cut_short; /* what came new at last */
    bool is_torn;      /* what the lock guards */
    const char *fault; /* the first that was found; NULL: none */
};

/* 0, or -1 and ENOMEM. */
int ep_image_claim_begin(struct ep_image_claims *claims, struct ep_image *image, uint32_t count);
void ep_image_claim_end(struct ep_image_claims *claims);

/*
 * Claims what *ref refers to, which is `cells` cells long. false: there is nothing, or it is a
 * fault. A reference beyond the end of what is not all there becomes 0.
 */
bool ep_image_claim(struct ep_image_claims *claims, ep_ref *ref, uint32_t cells,
                    enum ep_image_use use);

/* Whether cells from `ref` on are there, and free to be used so. */
bool ep_image_claim_is_free(const struct ep_image_claims *claims, ep_ref ref, uint32_t cells,
                            enum ep_image_use use);

/* Notes what is wrong, unless something is already. */
void ep_image_claim_fault(struct ep_image_claims *claims, const char *fault);

/* What is not all there may lack what came last. */
EP_INLINE bool ep_image_claim_may_lack(const struct ep_image_claims *claims)
{
    return claims->is_cut_short || claims->is_torn;
}

#endif /* EP_IMAGE_CLAIM_H */
