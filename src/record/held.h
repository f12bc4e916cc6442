/*
 * record/held.h - the calls in a hold that are only counted, under a budget
 *
 * A scope in a hold has a scratch node (record/hold.h). Its untimed calls are counted here, in
 * private memory that no report reads and that is zero in a forked child. A kept hold adds them to
 * the nodes that the scratch nodes replace. A dropped hold forgets them. Timed calls are in the
 * scratch nodes.
 *
 * A count belongs to a node and a kind of its calls. The count and its blocks stay as long as the
 * process. So the chance of a call to be timed does not depend on where holds begin and end, or on
 * whether they are kept.
 *
 * The end of a hold looks only at the counts in use. If a count is not in use, its next call is out
 * of line and brings it into use (ep_held_use()). A few counts without a call in the hold stay in
 * use, and the end of the hold puts the others out of use. So a count that is used in each hold
 * costs only its addition. The counts in use are a set of bits, since a signal handler may come
 * between any two instructions and may leave by a jump.
 */
#ifndef EP_RECORD_HELD_H
#define EP_RECORD_HELD_H

#include "record/thread.h"

enum ep_held_kind {
    EP_HELD_OUTERMOST,
    EP_HELD_NESTED, /* nested calls that other nodes make */
    EP_HELD_OWN     /* nested calls that the node itself makes, none of which is timed */
};

enum {
    EP_HELD_GROUP = 9,
    EP_HELD_GROUPS = 910,
    EP_HELD_COUNTS = EP_HELD_GROUP * EP_HELD_GROUPS, /* further calls are all timed */
    EP_HELD_WORDS = (EP_HELD_COUNTS + 63) / 64,
    EP_HELD_SLOTS = 16384
};

/* As an edge needs them (eprof/scopes.h): `until_timed` lies EP_UNTIL_TIMED bytes after `calls`. */
struct ep_held_group {
    uint64_t calls[EP_HELD_GROUP]; /* untimed, in the hold that is open */
    struct {
        uint32_t until_timed; /* calls until the next timed one; 0: not in use */
        uint32_t unused;
    } at[EP_HELD_GROUP];
};

struct ep_held_count {
    uint64_t *calls; /* in its group */
    ep_ref node;     /* 0: none */
    uint8_t kind;
    uint8_t shift;        /* the present block has 2^shift calls, */
    uint8_t next_shift;   /* and the next one */
    uint8_t timed_shift;  /* of the block of the last call that was chosen */
    uint32_t rest;        /* calls of the present block after its timed call */
    uint32_t until;       /* `until_timed` while it is not in use */
    uint16_t since;       /* timed calls since the length of blocks changed; saturates */
    uint8_t firsts;       /* timed calls; saturates */
    uint8_t former_shift; /* to return to after long calls; 0: none */
    ep_ref sampling; /* of kind EP_HELD_OUTERMOST: the node's struct ep_sampling_cells; 0: none */
    uint64_t generation; /* its blocks are of the budget of that time; 0: none yet */
    uint64_t *target;    /* the number of calls to which a kept hold adds it if it has any, */
    uint64_t target_generation; /* while that is the thread's, outside of holds; 0: not known */
};

struct ep_held {
    uint64_t generation; /* the counts began at that time, or later */
    uint32_t made;       /* counts, from 1 on */
    uint32_t reserved;   /* room for counts of outer holds */
    uint64_t no_calls;   /* the target of counts that have none yet */
    bool is_slow;        /* the scope of an EPROF_SLOW is being entered, which is always timed */
    uint64_t used[EP_LEVELS][EP_HELD_WORDS]; /* by level of holds, a bit for each count in use */
    uint16_t slots[EP_HELD_SLOTS];           /* by node and kind; 0: empty */
    struct ep_held_count counts[EP_HELD_COUNTS];
    struct ep_held_group groups[EP_HELD_GROUPS];
};

_Static_assert(offsetof(struct ep_held_group, at) == EP_UNTIL_TIMED &&
                   sizeof(struct ep_held_group) == 2 * EP_UNTIL_TIMED,
               "each number of calls has its number until the next timed one");

EP_INLINE uint64_t *ep_held_calls(const struct ep_held *held, uint32_t number)
{
    return held->counts[number].calls;
}

EP_INLINE uint32_t *ep_held_until(const struct ep_held *held, uint32_t number)
{
    struct ep_held_group *group = (struct ep_held_group *)(void *)held->counts[number].calls;
    return &group->at[0].until_timed;
}

/* Makes the thread's counts. Without memory each call in a hold is timed. Busy. */
void ep_held_begin(struct ep_thread *thread);

/* The number of a node's count; 0: none. */
uint32_t ep_held_find(const struct ep_thread *thread, ep_ref node, enum ep_held_kind kind);
/* The same, made if there is none, and up to date. 0: no room; or this is a signal handler. */
uint32_t ep_held_need(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind);
/* The same, for the hold around the one that ends: there is room. */
uint32_t ep_held_need_outer(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind);
/* Brings a count of a node at that level of holds into use. */
void ep_held_use(struct ep_held *held, uint32_t level, uint32_t number);

/* Before and after the scope of an EPROF_SLOW is entered. */
EP_INLINE void ep_held_is_slow(const struct ep_thread *thread, bool is_slow)
{
    if (thread->held)
        thread->held->is_slow = is_slow;
}

/* How a call that begins is recorded, with the results of ep_sampling_choose(). An untimed call
 * counts now. */
uint32_t ep_held_choose(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind);
/* The number of calls that the last timed call represents. */
uint32_t ep_held_weight(const struct ep_thread *thread, ep_ref node, enum ep_held_kind kind);

/* After a timed call: decides the length of the block after the present one. */
void ep_held_next(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind,
                  uint64_t difference_ticks, uint64_t now_ticks);

/* Counts a call by an edge to a count that is not in use yet. false: the count is in use, or the
 * call is timed. */
bool ep_held_count_first(struct ep_thread *thread, uint64_t *calls, uint32_t level);

/* Discards the calls of a level. Some counts without calls go out of use. */
void ep_held_discard(struct ep_held *held, uint32_t level);
/* Whether each count of the level that has calls has a target of this generation. */
bool ep_held_has_targets(const struct ep_held *held, uint32_t level, uint64_t generation);
/* Adds the calls of a level to their targets. As ep_held_discard(). */
void ep_held_add(struct ep_held *held, uint32_t level);

/* At the thread's end, for the next thread of this record: the figures of its nodes may be moved to
 * another thread, and if it was cancelled in the end of a hold, calls may be left. */
void ep_held_forget(struct ep_held *held);

/* Before a hold ends: forgets what began before a reset. */
void ep_held_renew(const struct ep_thread *thread);
/* Sets *number, which is 0 at first, to the next count in use of the level that has calls. false:
 * there is none. */
bool ep_held_next_used(const struct ep_held *held, uint32_t level, uint32_t *number);
/* The same at the end of a hold, and takes the calls. Some counts without calls go out of use;
 * *idle is 0 at first. Returns the calls; 0: there is no further count. */
uint64_t ep_held_take_next(struct ep_held *held, uint32_t level, uint32_t *number, uint32_t *idle);

#endif /* EP_RECORD_HELD_H */
