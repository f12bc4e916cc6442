/*
 * item_acts.h - what the items of EPROF= come to, noted instead of done
 *
 * The linker puts these in the place of what items are carried out by (--wrap): no file is made, no
 * report is written, the clock stays as it is.
 */
#ifndef ITEM_ACTS_H
#define ITEM_ACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"

/* Of which the last one counts; an item that was not carried out leaves them as they were. */
struct item_numbers {
    uint64_t limit_bytes;    /* 0: not said */
    uint64_t throttle_calls; /* UINT64_MAX: not said, or that */
    uint32_t depth;          /* 0: not said */
};
#define ITEM_NUMBERS_NONE ((struct item_numbers){0, UINT64_MAX, 0})

/* Each act as the item that it was, in the one way that there is to write it, but for numbers; and
 * the items that there was a line about. */
struct item_acts {
    struct ep_fields done, refused;
    struct item_numbers numbers;
};

/* Has the items carried out, as eprof_setup() does. 0, or -1 and errno. */
int item_acts_of(struct item_acts *acts, const char *items);

/* Whether they are the same in the same order. */
bool item_acts_are(const struct item_acts *acts, const struct item_acts *others);

void item_acts_free(struct item_acts *acts);

#endif /* ITEM_ACTS_H */
