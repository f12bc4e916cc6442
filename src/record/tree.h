/*
 * record/tree.h - the nodes of a thread's call tree: looked up, made, cleared
 *
 * One hash table per thread, in private memory, finds a child by its parent and its site: one
 * look-up per level, however many children a node has. The scopes that are open at present are in
 * stack.h; the rows that a report makes of the nodes are in snapshot/.
 */
#ifndef EP_RECORD_TREE_H
#define EP_RECORD_TREE_H

#include "record/thread.h"

/* Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4); at most half
 * full, so that most searches end at the first slot. One that is too small is copied and stays, as
 * in thread.h. */
struct ep_tree_table {
    uint32_t shift; /* of the hash: 32 - log2 of the number of slots */
    uint32_t mask;  /* number of slots - 1 */
    uint32_t count; /* nodes in it */
    uint32_t unused;
    ep_ref nodes[];
};

EP_INLINE struct ep_node_cell *ep_tree_node(const struct ep_thread *thread, ep_ref ref)
{
    return (struct ep_node_cell *)&thread->cells[ref];
}

/* Site and parent as one word, as they lie in a node. */
EP_INLINE uint64_t ep_tree_key(ep_ref parent, uint32_t site)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return site | (uint64_t)parent << 32;
#else
    return parent | (uint64_t)site << 32;
#endif
}

/* Fibonacci hashing (Knuth, 6.4) with two odd constants, so that neither the sites under one parent
 * nor the parents of one site collide. */
EP_INLINE uint32_t ep_tree_hash(ep_ref parent, uint32_t site)
{
    return parent * UINT32_C(0x9E3779B1) + site * UINT32_C(0x85EBCA6B);
}

/* The site of a node. A scratch node has the site of the node that it replaces. */
EP_INLINE uint32_t ep_tree_site(const struct ep_thread *thread, ep_ref ref)
{
    const struct ep_node_cell *node = ep_tree_node(thread, ref);
    while (node->site == EP_SITE_HOLD)
        node = ep_tree_node(thread, node->base);
    return node->site;
}

/* The child of `parent` for `site`; 0: none. */
EP_INLINE ep_ref ep_tree_find(const struct ep_thread *thread, ep_ref parent, uint32_t site)
{
    const struct ep_tree_table *table = thread->table;
    uint64_t key = ep_tree_key(parent, site);
    uint32_t slot = ep_tree_hash(parent, site) >> table->shift;
    ep_ref ref;
    while (EP_LIKELY((ref = table->nodes[slot]) != 0) &&
           EP_UNLIKELY(ep_tree_node(thread, ref)->key != key))
        slot = (slot + 1) & table->mask;
    return ref;
}

/* Makes the root and the table if the thread has none. 0, or -1: no memory; counted. The thread is
 * busy. */
int ep_tree_begin(struct ep_thread *thread);

/* The child, made if there is none; where there is no room, the parent's "(other)". 0: no room even
 * for that; counted. The thread is busy. */
ep_ref ep_tree_child(struct ep_thread *thread, ep_ref parent, uint32_t site);

/* Whether the limit leaves room for nodes other than "(other)". */
bool ep_tree_has_room(void);

/* The scratch node that replaces `node` in a hold, one level up. 0: no memory; counted. The thread
 * is busy. */
ep_ref ep_tree_scratch(struct ep_thread *thread, ep_ref node);

/* Gives a node the generation; clears its figures if they are older than the last reset. */
void ep_tree_visit(struct ep_thread *thread, struct ep_node_cell *node, uint64_t generation);

/* Clears a node's figures and gives it the generation. */
void ep_tree_clear(struct ep_thread *thread, struct ep_node_cell *node, uint64_t generation);

/* Adds what an ended record of this thread's name recorded, and sets the generations there to 0.
 * false: some figures were left for want of memory. The thread is busy. */
bool ep_tree_absorb(struct ep_thread *thread, struct ep_thread *ended);

/* In a forked child: makes the table of a zeroed record again from its cells. 0, or -1. Lock. */
int ep_tree_rebuild(struct ep_thread *thread);

#endif /* EP_RECORD_TREE_H */
