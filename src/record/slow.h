/*
 * record/slow.h - the holds of EPROF_SLOW: how they begin, and how the end of their scope decides
 *
 * A server may hold each of its requests, and most are dropped. So a hold has a brief way, where it
 * was kept or dropped before and nothing unusual happened in it. The rest is as in hold.h.
 *
 * The scope's own call is always timed. In the brief way it has no figures in its scratch node,
 * which is not listed: its time is added to the node that the scratch node replaces, or to none.
 */
#ifndef EP_RECORD_SLOW_H
#define EP_RECORD_SLOW_H

#include "record/hold.h"

/* The state of a scope that may end in the brief way. */
enum { EP_SLOW_BRIEF = EP_SCOPE_OPEN | EP_SCOPE_TIMED | EP_SCOPE_SAMPLE | EP_SCOPE_SLOW };

/* A hold for the next scope. false: none could be made. */
bool ep_slow_begin(struct ep_thread *thread, uint64_t least_ns);

/* The same, for the scope of a path that is known (ep_light_known()). The thread is not busy. */
bool ep_slow_begin_briefly(struct ep_thread *thread, uint64_t least_ns);

/* The innermost scope is that of an EPROF_SLOW and is left: ends it, and keeps or drops its hold.
 * false: nothing is done, the general case is needed. */
bool ep_slow_leave(struct ep_thread *thread, uint64_t now_ticks);

/* The same in the general case, for a scope that has been closed. The thread is busy. */
void ep_slow_end(struct ep_thread *thread, uint32_t level, uint64_t difference_ticks);

/* Whether so many ticks are as many ns, by thread->scale. To ask for the scale takes 80 ns, one
 * more read of a clock, so an older one decides if the two differ by more than an eighth
 * (2026-11-28). The thread is busy. */
bool ep_slow_lasts(struct ep_thread *thread, uint64_t ticks, uint64_t least_ns);

#endif /* EP_RECORD_SLOW_H */
