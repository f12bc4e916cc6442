/*
 * item_acts.h - records the actions of the items of EPROF=, instead of doing them
 *
 * The linker replaces the functions that carry out items (--wrap): no file is made, no report is
 * written, and the clock does not change.
 */
#ifndef ITEM_ACTS_H
#define ITEM_ACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"

/* The last item of a kind counts; an item that was not carried out does not change these. */
struct item_numbers {
    uint64_t limit_bytes;       /* 0: not given */
    uint64_t budget_millionths; /* UINT64_MAX: not given */
    uint64_t period;            /* of the budget, 1/N; UINT64_MAX: not given */
    uint32_t depth;             /* 0: not given */
};
#define ITEM_NUMBERS_NONE ((struct item_numbers){0, UINT64_MAX, UINT64_MAX, 0})

/* Each act, written as its item in the normal form, except for numbers; and the items about which
 * there was a message. */
struct item_acts {
    struct ep_fields done, refused;
    struct item_numbers numbers;
};

/* Carries out the items, as eprof_setup() does. Returns 0, or -1 and errno. */
int item_acts_of(struct item_acts *acts, const char *items);

/* Returns whether both have the same acts in the same order. */
bool item_acts_are(const struct item_acts *acts, const struct item_acts *others);

void item_acts_free(struct item_acts *acts);

#endif /* ITEM_ACTS_H */
