/*
 * switches.h - when recording was switched: was it on at a moment of the past?
 *
 * For spans, which may begin long before they are recorded. The last switches
 * are kept; of what lies before them, nothing is known.
 */
#ifndef EP_SWITCHES_H
#define EP_SWITCHES_H

#include "source.h"

enum { EP_SWITCHES_KEPT = 32 };

/* All zero: never switched, and on. */
struct ep_switches {
    uint32_t count;                   /* of all; each was the opposite of the one before */
    bool was_off;                     /* before the first of them */
    uint64_t ticks[EP_SWITCHES_KEPT]; /* of the last, as a ring */
};

void ep_switches_add(struct ep_switches *switches, uint64_t ticks);
/* Forgets when, and keeps only what is now: the ticks are another source's from here on. */
void ep_switches_forget(struct ep_switches *switches);
/* Whether it was on at `ticks`; false where that is not known any more. */
bool ep_switches_was_on(const struct ep_switches *switches, const struct ep_source *source,
                        uint64_t ticks);

/* Whether all of them were before `ticks`. */
EP_INLINE bool ep_switches_are_before(const struct ep_switches *switches,
                                      const struct ep_source *source, uint64_t ticks)
{
    if (switches->count == 0)
        return true;
    uint64_t last = switches->ticks[(switches->count - 1) % EP_SWITCHES_KEPT];
    return ep_source_difference(source, last, ticks) <= source->mask >> 1;
}

#endif /* EP_SWITCHES_H */
