#include "image_check_threads.h"

enum {
    PAIR_CELLS = sizeof(struct ep_pair_cell) / EP_CELL_BYTES,
    NODE_CELLS = sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    REFS_IN_CELL = 16
};

static union ep_cell *cell_at(const struct ep_image_claims *claims, ep_ref ref)
{
    return ep_image_cell(claims->image, ref);
}

static struct ep_node_cell *node_at(const struct ep_image_claims *claims, ep_ref ref)
{
    return (struct ep_node_cell *)cell_at(claims, ref);
}

/* ---- figures ---- */

static void check_statistics(struct ep_image_claims *claims, struct ep_statistics *stats)
{
    for (unsigned i = 0; i < EP_NEAR_OCTAVES; i++)
        ep_image_claim(claims, &stats->octave[i], 1, EP_USE_OCTAVE);
    for (unsigned i = 0; i < EP_FAR_CELLS; i++) {
        if (!ep_image_claim(claims, &stats->far[i], 1, EP_USE_FAR))
            continue;
        struct ep_far_octaves_cell *far = &cell_at(claims, stats->far[i])->far;
        for (unsigned n = 0; n < REFS_IN_CELL; n++)
            ep_image_claim(claims, &far->octave[n], 1, EP_USE_OCTAVE);
    }
    if (stats->pending_bucket >= EP_BUCKETS)
        ep_image_claim_fault(claims, "damaged: a duration in a bucket that there is not");
}

static void check_pairs(struct ep_image_claims *claims, ep_ref *link)
{
    while (ep_image_claim(claims, link, PAIR_CELLS, EP_USE_PAIR)) {
        struct ep_pair_cell *pair = (struct ep_pair_cell *)cell_at(claims, *link);
        check_statistics(claims, &pair->stats);
        link = &pair->next;
    }
}

/* ---- the call tree ---- */

static bool is_own_node(const struct ep_image_claims *claims, ep_ref ref)
{
    return ref < claims->count && claims->use[ref] == EP_USE_OWN_NODE;
}

/* A reference that nothing is found by: to a node of the same thread. In a copy of what runs it
 * may be newer than the copy's list, and is none. */
static void check_own_node(struct ep_image_claims *claims, ep_ref *ref, const char *fault)
{
    bool is_there = *ref < claims->count;
    if (!*ref || is_own_node(claims, *ref))
        return;
    if (is_there ? claims->use[*ref] == EP_USE_NONE : ep_image_claim_may_lack(claims))
        *ref = 0;
    else
        ep_image_claim_fault(claims, fault);
}

/* The first is the root, and of no site. Of all others the parent stands before them in the list,
 * so that there is a way from each up to the root. */
static void check_place(struct ep_image_claims *claims, const struct ep_thread_cell *thread,
                        ep_ref ref)
{
    const struct ep_node_cell *node = node_at(claims, ref);
    bool has_parent = node->parent != ref && is_own_node(claims, node->parent);
    bool is_sound = ref == thread->nodes ? !node->parent && node->site == EP_SITE_NONE
                                         : has_parent && node->site != EP_SITE_NONE;
    if (!is_sound)
        ep_image_claim_fault(claims, "damaged: a call tree with a node that has no place in it");
}

static void check_nodes(struct ep_image_claims *claims, struct ep_thread_cell *thread)
{
    ep_ref *link = &thread->nodes;
    while (ep_image_claim(claims, link, NODE_CELLS, EP_USE_OWN_NODE)) {
        struct ep_node_cell *node = node_at(claims, *link);
        check_place(claims, thread, *link);
        check_statistics(claims, &node->stats);
        link = &node->next;
    }
}

/* What stands for a node in a hold goes to that if a kill came into the keep: so it is of a lower
 * level. Elsewhere `base` says nothing. */
static void check_bases(struct ep_image_claims *claims, const struct ep_thread_cell *thread)
{
    static const char fault[] = "damaged: a hold of what is in no call tree of its thread";
    struct ep_node_cell *node;
    for (ep_ref ref = thread->nodes; ref && !claims->fault; ref = node->next) {
        node = node_at(claims, ref);
        check_own_node(claims, &node->base, fault);
        if (!claims->fault && node->level && node->base &&
            node_at(claims, node->base)->level >= node->level)
            ep_image_claim_fault(claims, fault);
    }
}

/* The next thread's scopes must not be in them. */
static void disown_nodes(struct ep_image_claims *claims, const struct ep_thread_cell *thread)
{
    for (ep_ref ref = thread->nodes; ref; ref = node_at(claims, ref)->next)
        claims->use[ref] = EP_USE_NODE;
}

/* ---- open scopes ---- */

static void check_frames(struct ep_image_claims *claims, ep_ref *link)
{
    while (ep_image_claim(claims, link, 1, EP_USE_FRAME)) {
        struct ep_frame_cell *frame = &cell_at(claims, *link)->frame;
        check_own_node(claims, &frame->node,
                       "damaged: an open scope that is in no call tree of its thread");
        link = &frame->next;
    }
}

/* ---- threads ---- */

static void check_thread(struct ep_image_claims *claims, struct ep_thread_cell *thread)
{
    if (!ep_image_claim(claims, &thread->trouble, 1, EP_USE_TROUBLE))
        ep_image_claim_fault(claims, "damaged: a thread without its counts of trouble");
    if (!ep_image_claim(claims, &thread->move, 1, EP_USE_MOVE))
        ep_image_claim_fault(claims, "damaged: a thread without what it is moving");
    check_pairs(claims, &thread->pairs);
    check_pairs(claims, &thread->scratch_pairs);
    check_nodes(claims, thread);
    check_bases(claims, thread);
    check_frames(claims, &thread->frames);
    if (!claims->fault)
        disown_nodes(claims, thread);
}

void ep_image_check_threads(struct ep_image_claims *claims)
{
    ep_ref *link = &ep_image_root(claims->image)->threads;
    while (ep_image_claim(claims, link, 1, EP_USE_THREAD)) {
        struct ep_thread_cell *thread = &cell_at(claims, *link)->thread;
        check_thread(claims, thread);
        link = &thread->next;
    }
}
