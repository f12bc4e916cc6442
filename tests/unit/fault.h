/*
 * fault.h - what the check of an image says of the one that was made by hand
 */
#ifndef FAULT_H
#define FAULT_H

#include "fake_profile.h"

#include "image_check.h"

static struct fake_profile made;

static inline int fault_begin(void **state)
{
    int result = fake_begin(state);
    made = fake_profile();
    return result;
}

static inline const char *fault_find(void)
{
    int error;
    const char *found = ep_image_check(&fake, &error);
    assert_int_equal(error, 0);
    return found;
}

static inline void check_sound(void)
{
    const char *found = fault_find();
    if (found)
        fail_msg("refused: %s", found);
}

/* `part` is in what is found. */
static inline void check_fault(const char *part)
{
    const char *found = fault_find();
    if (!found)
        fail_msg("not found: %s", part);
    else if (!strstr(found, part))
        fail_msg("found: %s, and not: %s", found, part);
}

/* The cell behind the last. */
static inline ep_ref end(void)
{
    return ep_image_root(&fake)->cells_used;
}

#endif /* FAULT_H */
