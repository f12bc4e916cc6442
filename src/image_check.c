#include "image_check.h"

#include <errno.h>
#include <string.h>

#include "image_check_modules.h"
#include "image_check_names.h"
#include "image_check_threads.h"

/* ---- the header's cells ---- */

static void check_source(struct ep_image_claims *claims)
{
    const struct ep_source_cell *source = &ep_image_cell(claims->image, EP_CELL_SOURCE)->source;
    if (!memchr(source->name, '\0', sizeof source->name))
        ep_image_claim_fault(claims, "damaged: a source whose name does not end");
    const struct ep_scale_cell *scale = &ep_image_cell(claims->image, EP_CELL_SCALE)->scale;
    if (scale->current > 1)
        ep_image_claim_fault(claims, "damaged: a tick scale that there is not");
}

static void check_probe(struct ep_image_claims *claims)
{
    const uint64_t most = EP_PROBE_MOST_MILLITICKS;
    const struct ep_probe_cell *probe = &ep_image_cell(claims->image, EP_CELL_PROBE)->probe;
    if (probe->inside_milliticks > most || probe->pair_milliticks > most ||
        probe->scope_inside_milliticks > most || probe->scope_pair_milliticks > most ||
        probe->nested_pair_milliticks > most)
        ep_image_claim_fault(claims, "damaged: a cost of the probe that cannot be");
    const struct ep_function_probe_cell *function =
        &ep_image_cell(claims->image, EP_CELL_FUNCTION_PROBE)->function_probe;
    if (function->inside_milliticks > most || function->pair_milliticks > most ||
        function->nested_pair_milliticks > most || function->untimed_pair_milliticks > most)
        ep_image_claim_fault(claims, "damaged: a cost of a function's probe that cannot be");
}

/* How many cells there are to be looked at; 0: fewer than it says. */
static uint32_t settle_count(struct ep_image *copy, bool may_lack)
{
    struct ep_root_cell *root = ep_image_root(copy);
    if (root->cells_used > copy->committed && may_lack)
        root->cells_used = copy->committed;
    return root->cells_used <= copy->committed ? root->cells_used : 0;
}

/* ---- the whole ---- */

static void check_all(struct ep_image_claims *claims)
{
    check_source(claims);
    check_probe(claims);
    ep_image_check_instances(claims);
    ep_image_check_threads(claims);
    ep_image_check_modules(claims);
    ep_image_check_sites(claims);
    if (!claims->fault)
        ep_image_check_names(claims);
}

const char *ep_image_check(struct ep_image *copy, int *error)
{
    *error = 0;
    if (copy->committed < EP_HEADER_CELLS)
        return "too short for an eprof image";
    const char *fault = ep_image_check_header(copy->cells, sizeof *copy->cells * EP_HEADER_CELLS);
    if (fault)
        return fault;
    bool is_cut_short = ep_image_check_is_cut_short(copy->cells);
    bool is_torn = ep_image_cell(copy, EP_CELL_LOCK)->lock.changes % 2;
    uint32_t count = settle_count(copy, is_cut_short || is_torn);
    if (!count)
        return "cut off: it says that it has more than is there";
    struct ep_image_claims claims;
    if (ep_image_claim_begin(&claims, copy, count) != 0) {
        *error = ENOMEM;
        return NULL;
    }
    claims.is_cut_short = is_cut_short;
    claims.is_torn = is_torn;
    check_all(&claims);
    ep_image_claim_end(&claims);
    return claims.fault;
}
