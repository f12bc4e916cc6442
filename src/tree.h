/*
 * tree.h - the call tree of a thread: its nodes, found and made
 *
 * A child is found by its parent and its site, in one table for the whole tree of the
 * thread, in private memory. A path is found by one look-up a level however many children
 * a node has.
 */
#ifndef EP_TREE_H
#define EP_TREE_H

#include "thread.h"

/* Open addressing, linear probing (Knuth, The Art of Computer Programming 3, 6.4); at most
 * half full, so that most are found at the first look. One that is too small is copied into a
 * larger one and stays: a signal handler may have made the larger one while the hot path that it
 * interrupted looks at the old one. */
struct ep_tree_table {
    uint32_t shift; /* of the hash: 32 less the logarithm of the places */
    uint32_t mask;  /* places - 1 */
    uint32_t count; /* of nodes in it */
    uint32_t unused;
    ep_ref nodes[];
};

EP_INLINE struct ep_node_cell *ep_tree_node(const struct ep_thread *thread, ep_ref ref)
{
    return &((struct ep_node_cell *)&thread->cells[ref])[0];
}

/* Site and parent as they lie in a node, in one word. */
EP_INLINE uint64_t ep_tree_key(ep_ref parent, uint32_t site)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return site | (uint64_t)parent << 32;
#else
    return parent | (uint64_t)site << 32;
#endif
}

/* Fibonacci hashing (Knuth, 6.4); two odd constants, so that the sites of one parent and
 * the parents of one site lie apart. */
EP_INLINE uint32_t ep_tree_hash(ep_ref parent, uint32_t site)
{
    return parent * UINT32_C(0x9E3779B1) + site * UINT32_C(0x85EBCA6B);
}

/* The site that a node is of; of one that stands for another in a hold, the other's. */
EP_INLINE uint32_t ep_tree_site(const struct ep_thread *thread, ep_ref ref)
{
    const struct ep_node_cell *node = ep_tree_node(thread, ref);
    while (node->site == EP_SITE_HOLD)
        node = ep_tree_node(thread, node->base);
    return node->site;
}

/* 0: there is none. */
EP_INLINE ep_ref ep_tree_find(const struct ep_thread *thread, ep_ref parent, uint32_t site)
{
    const struct ep_tree_table *table = thread->table;
    uint64_t key = ep_tree_key(parent, site);
    uint32_t place = ep_tree_hash(parent, site) >> table->shift;
    ep_ref ref;
    while (EP_LIKELY((ref = table->nodes[place]) != 0) &&
           EP_UNLIKELY(ep_tree_node(thread, ref)->key != key))
        place = (place + 1) & table->mask;
    return ref;
}

/* The root and the table of a thread that has none yet. 0, or -1: no memory; counted.
 * The thread is busy. */
int ep_tree_begin(struct ep_thread *thread);

/* The child, made if there is none; its parent's "(other)" where there is no room. 0: not
 * even for that; counted. The thread is busy. */
ep_ref ep_tree_child(struct ep_thread *thread, ep_ref parent, uint32_t site);

/* Whether the limit leaves room for more than "(other)". */
bool ep_tree_has_room(const struct ep_thread *thread);

/* What stands for a node in a hold, one level up. 0: no memory; counted. The thread is busy. */
ep_ref ep_tree_scratch(struct ep_thread *thread, ep_ref node);

/* Brings a node up to date, cleared if what it holds is of another time. */
void ep_tree_visit(struct ep_thread *thread, struct ep_node_cell *node, uint64_t stamp);

/* Sets a node's figures to nothing and stamps it. */
void ep_tree_clear(struct ep_thread *thread, struct ep_node_cell *node, uint64_t stamp);

/* Adds what an ended record of this name recorded, whose stamps are 0 then. false: some was
 * left for want of memory. The thread is busy. */
bool ep_tree_absorb(struct ep_thread *thread, struct ep_thread *ended);

/* In a forked child: the table of a record that was wiped, from its cells. 0, or -1. Lock. */
int ep_tree_rebuild(struct ep_thread *thread);

#endif /* EP_TREE_H */
