/*
 * instrument/function_table.h - the table of functions that the compiler's hooks enter: from an
 * address to the number of a site
 *
 * One table per process, with open addressing and linear probing, at most half full (Knuth, The Art
 * of Computer Programming 3, 6.4). It is read without a lock and written under it. A table that is
 * too small is copied into a larger one and stays, since a thread may be reading it; all old tables
 * together are no larger than the present one.
 */
#ifndef EP_INSTRUMENT_FUNCTION_TABLE_H
#define EP_INSTRUMENT_FUNCTION_TABLE_H

#include "record/process.h"

struct ep_function {
    uintptr_t address; /* 0: free; 1: of an unloaded function. Release, written last */
    uint32_t number;   /* of its site, with the flags below; 0: not recorded */
    uint32_t unused;
};

struct ep_function_table {
    uint32_t shift; /* of the hash: bits of an address - log2 of the number of slots */
    uint32_t mask;  /* number of slots - 1 */
    uint32_t count; /* slots that are not free */
    uint32_t unused;
    struct ep_function at[];
};

enum { EP_FUNCTION_FREE = 0, EP_FUNCTION_GONE = 1 };

/* Flags beside a number. They are above every number with a slot in a thread's table, so that the
 * hot path fails its one comparison. */
#define EP_FUNCTION_ASK_AGAIN (UINT32_C(1) << 30) /* decide again at its next enter */
#define EP_FUNCTION_LEFT_OUT (UINT32_C(1) << 29)  /* open calls will still be left */
#define EP_FUNCTION_NUMBER (EP_FUNCTION_LEFT_OUT - 1)

/* The table before the first function: one free slot. */
extern union ep_function_none {
    struct ep_function_table table;
    struct ep_function slots[sizeof(struct ep_function_table) / sizeof(struct ep_function) + 1];
} ep_function_none;

/* Release: pairs with the acquire in ep_function_find(). */
extern struct ep_function_table *ep_function_table;

/* Fibonacci hashing (Knuth, 6.4): the upper bits of the product. */
#define EP_FUNCTION_HASH(address) ((address) * (uintptr_t)UINT64_C(0x9E3779B97F4A7C15))

/* The slot of a function; NULL: not known yet. */
EP_INLINE const struct ep_function *ep_function_find(uintptr_t address)
{
    /* pairs with the release in has_room() */
    const struct ep_function_table *table = ep_load_acquire(&ep_function_table);
    uintptr_t slot = EP_FUNCTION_HASH(address) >> table->shift & table->mask;
    for (;;) {
        const struct ep_function *function = &table->at[slot];
        uintptr_t found = ep_load_acquire(&function->address); /* pairs with put() */
        if (EP_LIKELY(found == address))
            return function;
        if (found == EP_FUNCTION_FREE)
            return NULL;
        slot = (slot + 1) & table->mask;
    }
}

/* 0: not known yet, or not recorded. */
EP_INLINE uint32_t ep_function_number(uintptr_t address)
{
    const struct ep_function *function = ep_function_find(address);
    return EP_LIKELY(function != NULL) ? ep_load(&function->number) : 0;
}

/* Gives a number to a function that is entered for the first time or must be decided again. 0: no
 * memory, or it is not to be recorded; *is_known is true in the second case. The thread is busy and
 * does not hold the lock. */
uint32_t ep_function_add(uintptr_t address, bool *is_known);

/* The patterns have changed: each function is decided again at its next enter. Lock. */
void ep_function_ask_again(void);

/* Gives an address a number, also if it is no function's. Lock. false: no memory. */
bool ep_function_set(uintptr_t address, uint32_t number);

/* After a module was unloaded: its addresses may become those of other functions. Called as
 * ep_function_add() is. */
void ep_function_forget_unloaded(void);

/* The library is being unloaded: forgets all functions. */
void ep_function_release(void);

#endif /* EP_INSTRUMENT_FUNCTION_TABLE_H */
