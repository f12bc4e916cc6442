/*
 * function.h - functions that are entered by the compiler's hooks: from their address to the
 * number of their site
 *
 * One table for the process: open addressing, linear probing, at most half full (Knuth, The Art of
 * Computer Programming 3, 6.4). It is read without a lock and written under it. One that is too
 * small is copied into a larger one and stays, since somebody may be looking at it: all of them
 * together are no larger than the last.
 */
#ifndef EP_FUNCTION_H
#define EP_FUNCTION_H

#include "process.h"

struct ep_function {
    uintptr_t address; /* 0: free; 1: of a function that was unloaded. Release, written last */
    uint32_t number;   /* of its site, with what stands beside it; 0: it is not recorded */
    uint32_t outliers; /* of a throttled one, of late: function_throttle.c */
};

struct ep_function_table {
    uint32_t shift; /* of the hash: the bits of an address less the logarithm of the places */
    uint32_t mask;  /* places - 1 */
    uint32_t count; /* of those that are not free */
    uint32_t unused;
    struct ep_function at[];
};

enum { EP_FUNCTION_FREE = 0, EP_FUNCTION_GONE = 1 };

/* Beside a number: above all that a thread has places for, so that the hot path sees no site. */
#define EP_FUNCTION_THROTTLED (UINT32_C(1) << 31)
#define EP_FUNCTION_ASK_AGAIN (UINT32_C(1) << 30) /* whether it is left out, at its next enter */
#define EP_FUNCTION_LEFT_OUT (UINT32_C(1) << 29)  /* since then: what is open will be left */
#define EP_FUNCTION_NUMBER (EP_FUNCTION_LEFT_OUT - 1)

/* Before the first: one place, which is free. */
extern union ep_function_none {
    struct ep_function_table table;
    struct ep_function places[sizeof(struct ep_function_table) / sizeof(struct ep_function) + 1];
} ep_function_none;

/* Fibonacci hashing (Knuth, 6.4): the upper bits of the product. */
EP_INLINE uintptr_t ep_function_hash(uintptr_t address)
{
    return address * (uintptr_t)UINT64_C(0x9E3779B97F4A7C15);
}

/* Its place; NULL: it is not known yet. */
EP_INLINE const struct ep_function *ep_function_find(uintptr_t address)
{
    /* pairs with the release of a new table */
    const struct ep_function_table *table = ep_load_acquire(&ep_process.functions);
    uintptr_t place = ep_function_hash(address) >> table->shift & table->mask;
    for (;;) {
        const struct ep_function *function = &table->at[place];
        uintptr_t found = ep_load_acquire(&function->address); /* its number is there then */
        if (EP_LIKELY(found == address))
            return function;
        if (found == EP_FUNCTION_FREE)
            return NULL;
        place = (place + 1) & table->mask;
    }
}

/* 0: it is not known yet, or not recorded. */
EP_INLINE uint32_t ep_function_number(uintptr_t address)
{
    const struct ep_function *function = ep_function_find(address);
    return EP_LIKELY(function != NULL) ? ep_load(&function->number) : 0;
}

/* Gives a function that is entered for the first time, or has to be looked at again, its number. 0:
 * no memory, or it is not to be recorded; *is_known tells which. The thread is busy, and has not
 * the lock. */
uint32_t ep_function_add(uintptr_t address, bool *is_known);

/* The patterns are others: all functions are looked at again when they are entered next. Lock. */
void ep_function_ask_again(void);

/* Gives an address a number, whatever it is of. Lock. false: no memory. */
bool ep_function_set(uintptr_t address, uint32_t number);

/* Marks a function, here and in the image, as one of whose calls only some are timed; or that all
 * are again, from here on. As ep_function_add(). */
void ep_function_throttle(uintptr_t address, bool on);

/* Takes note of a sample of a throttled function. true: too many of late were outliers. */
bool ep_function_note_sample(uintptr_t address, bool is_outlier);

/* After something was unloaded: its addresses may be other functions' now. As ep_function_add(). */
void ep_function_forget_unloaded(void);

#endif /* EP_FUNCTION_H */
