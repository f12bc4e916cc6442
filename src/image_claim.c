#include "image_claim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct faults {
    const char *beyond, *shared;
};

#define FAULTS_OF(name)                                                                            \
    {                                                                                              \
        "damaged: " name " beyond its end", "damaged: " name " in cells that are in use already"   \
    }

static const struct faults faults_of[EP_USES] = {
    [EP_USE_DIRECTORY] = FAULTS_OF("the directory of instances"),
    [EP_USE_INSTANCES] = FAULTS_OF("a run of instances"),
    [EP_USE_THREAD] = FAULTS_OF("a thread"),
    [EP_USE_TROUBLE] = FAULTS_OF("a thread's counts of trouble"),
    [EP_USE_MOVE] = FAULTS_OF("what a thread is moving"),
    [EP_USE_PAIR] = FAULTS_OF("an instance's figures"),
    [EP_USE_OWN_NODE] = FAULTS_OF("a node of a call tree"),
    [EP_USE_FRAME] = FAULTS_OF("an open scope"),
    [EP_USE_FAR] = FAULTS_OF("a histogram's list of octaves"),
    [EP_USE_OCTAVE] = FAULTS_OF("a histogram's octave"),
    [EP_USE_MODULE] = FAULTS_OF("a module"),
    [EP_USE_SITE] = FAULTS_OF("a site"),
};

int ep_image_claim_begin(struct ep_image_claims *claims, struct ep_image *image, uint32_t count)
{
    *claims = (struct ep_image_claims){.image = image, .count = count, .use = calloc(count, 1)};
    if (!claims->use) {
        errno = ENOMEM;
        return -1;
    }
    memset(claims->use, EP_USE_HEADER, EP_HEADER_CELLS);
    return 0;
}

void ep_image_claim_end(struct ep_image_claims *claims)
{
    free(claims->use);
    claims->use = NULL;
}

void ep_image_claim_fault(struct ep_image_claims *claims, const char *fault)
{
    if (!claims->fault)
        claims->fault = fault;
}

static bool is_there(const struct ep_image_claims *claims, ep_ref ref, uint32_t cells)
{
    return ref < claims->count && cells <= claims->count - ref;
}

bool ep_image_claim_is_free(const struct ep_image_claims *claims, ep_ref ref, uint32_t cells,
                            enum ep_image_use use)
{
    if (!is_there(claims, ref, cells))
        return false;
    for (uint32_t i = 0; i < cells; i++) {
        uint8_t used = claims->use[ref + i];
        if (used != EP_USE_NONE && !(used == EP_USE_SITE_TEXT && use == EP_USE_SITE_TEXT))
            return false;
    }
    return true;
}

bool ep_image_claim(struct ep_image_claims *claims, ep_ref *ref, uint32_t cells,
                    enum ep_image_use use)
{
    if (!*ref || claims->fault)
        return false;
    if (!is_there(claims, *ref, cells)) {
        if (ep_image_claim_may_lack(claims))
            *ref = 0;
        else
            ep_image_claim_fault(claims, faults_of[use].beyond);
        return false;
    }
    if (!ep_image_claim_is_free(claims, *ref, cells, use)) {
        ep_image_claim_fault(claims, faults_of[use].shared);
        return false;
    }
    memset(&claims->use[*ref], EP_USE_REST, cells);
    claims->use[*ref] = (uint8_t)use;
    return true;
}
