/*
 * extents.h - the functions of the loaded modules: where they begin and end
 *
 * x86-64 only. They are looked up in the unwind tables in memory, without a lock: also in a signal
 * handler.
 */
#ifndef EP_AUTO_EXTENTS_H
#define EP_AUTO_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

/* A contiguous part of a function: the function itself, or a part that the compiler moved away. */
struct ep_extent {
    uintptr_t begin, end;
    uintptr_t entry; /* the return address of its patched call; 0: it was not patched */
    const unsigned char *description; /* how to unwind it */
};

/* The function that an address lies in. false: it is not known. */
bool ep_extent_find(uintptr_t address, struct ep_extent *extent);

/* Whether the function calls nothing: none of its instructions is a call, or a jump to code that
 * may belong to it. A jump to another patched function ends it. false: not, or it is not known.
 * Reads the code the first time. */
bool ep_extent_is_leaf(const struct ep_extent *extent);

/* After a module was loaded: its functions may lie where others were. */
void ep_extent_forget_leaves(void);

#endif /* EP_AUTO_EXTENTS_H */
