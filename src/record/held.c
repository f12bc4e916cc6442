#include "record/held.h"

#include "base/platform.h"
#include "record/blocks.h"
#include "record/sampling.h"
#include "record/tree.h"

enum {
    IDLE_MOST = 8,    /* counts that stay in use without a call in a hold */
    NEVER = INT32_MAX /* until the next timed call of the node by itself */
};

void ep_held_begin(struct ep_thread *thread)
{
    if (thread->held || !ep_sampling_is_on())
        return;
    thread->held = ep_platform_allocate_wiped(sizeof *thread->held);
    if (!thread->held)
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
}

/* ---- found and made ---- */

/* The slot of a count, or the empty slot where it belongs. The table is never full. */
static uint16_t *slot_of(struct ep_held *held, ep_ref node, enum ep_held_kind kind)
{
    uint32_t slot = (node * UINT32_C(0x9E3779B1) + kind * UINT32_C(0x85EBCA6B)) >> 18;
    for (; held->slots[slot]; slot = (slot + 1) % EP_HELD_SLOTS) {
        const struct ep_held_count *count = &held->counts[held->slots[slot]];
        if (count->node == node && count->kind == kind)
            break;
    }
    return &held->slots[slot];
}

uint32_t ep_held_find(const struct ep_thread *thread, ep_ref node, enum ep_held_kind kind)
{
    return thread->held ? *slot_of(thread->held, node, kind) : 0;
}

/* A kept inner hold adds its calls to counts of the holds around it, so room for those counts is
 * reserved. */
static uint32_t make(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind,
                     bool is_reserved)
{
    struct ep_held *held = thread->held;
    uint32_t level = ep_tree_node(thread, node)->level;
    if (!is_reserved && held->made + held->reserved + level >= EP_HELD_COUNTS)
        return 0;
    held->reserved = is_reserved ? held->reserved - 1 : held->reserved + level - 1;
    uint32_t number = ++held->made;
    held->counts[number] = (struct ep_held_count){
        .calls = &held->groups[number / EP_HELD_GROUP].calls[number % EP_HELD_GROUP],
        .node = node,
        .kind = (uint8_t)kind,
        .target = &held->no_calls};
    *slot_of(held, node, kind) = (uint16_t)number;
    return number;
}

/* Brings a count up to date. After a reset its first calls are timed again. A new budget changes
 * its blocks only if they are too short for it. */
static void adopt(struct ep_thread *thread, struct ep_held *held, uint32_t number)
{
    struct ep_held_count *count = &held->counts[number];
    if (count->generation == held->generation)
        return;
    uint8_t shift = (uint8_t)ep_blocks_first_shift();
    if (!ep_thread_is_of_now(thread, count->generation) || shift > count->shift) {
        count->shift = count->next_shift = count->timed_shift = shift;
        count->rest = count->since = count->firsts = count->former_shift = 0;
        uint32_t until = count->kind == EP_HELD_OWN ? (uint32_t)NEVER
                                                    : ep_blocks_next(thread, shift, &count->rest);
        count->until = until;
        if (ep_load(ep_held_until(held, number)))
            ep_store(ep_held_until(held, number), until);
    }
    count->generation = held->generation;
}

static uint32_t need(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind,
                     bool is_reserved)
{
    struct ep_held *held = thread->held;
    if (!held)
        return 0;
    ep_held_renew(thread);
    uint32_t number = ep_held_find(thread, node, kind);
    if (!number)
        number = make(thread, node, kind, is_reserved);
    if (number)
        adopt(thread, held, number);
    return number;
}

uint32_t ep_held_need(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind)
{
    return need(thread, node, kind, false);
}

uint32_t ep_held_need_outer(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind)
{
    return need(thread, node, kind, true);
}

/* A signal handler that interrupts a cold path makes no count. */
static uint32_t need_unless_busy(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind)
{
    uint32_t number = ep_held_find(thread, node, kind);
    if (number && thread->held->generation == ep_thread_generation_number(thread) &&
        thread->held->counts[number].generation == thread->held->generation)
        return number;
    if (thread->busy || !ep_thread_begin_cold())
        return 0;
    number = ep_held_need(thread, node, kind);
    ep_thread_end_cold();
    return number;
}

/* ---- in use ---- */

static void set_used(struct ep_held *held, uint32_t level, uint32_t number)
{
    uint64_t *word = &held->used[level - 1][number / 64], bit = UINT64_C(1) << number % 64, before;
    do
        before = ep_load(word);
    while (!(before & bit) && !ep_swap64(word, before, before | bit));
}

void ep_held_use(struct ep_held *held, uint32_t level, uint32_t number)
{
    uint32_t *until = ep_held_until(held, number);
    if (EP_LIKELY(ep_load(until)))
        return;
    set_used(held, level, number);
    ep_signal_fence(); /* a signal handler may count from here on */
    if (!ep_load(until))
        ep_store(until, held->counts[number].until);
}

bool ep_held_next_used(const struct ep_held *held, uint32_t level, uint32_t *number)
{
    const uint64_t *used = held->used[level - 1];
    uint32_t next = *number + 1;
    for (uint32_t i = next / 64; i <= held->made / 64; i++) {
        uint64_t rest = ~UINT64_C(0) << (i == next / 64 ? next % 64 : 0);
        for (uint64_t word = used[i] & rest; word; word &= word - 1) {
            *number = 64 * i + (uint32_t)__builtin_ctzll(word);
            if (ep_load(held->counts[*number].calls))
                return true;
        }
    }
    return false;
}

void ep_held_renew(const struct ep_thread *thread)
{
    struct ep_held *held = thread->held;
    uint64_t generation = ep_thread_generation_number(thread);
    if (EP_LIKELY(held->generation == generation))
        return;
    if (!ep_thread_is_of_now(thread, held->generation))
        for (uint32_t number = 1; number <= held->made; number++)
            ep_store(ep_held_calls(held, number), 0);
    held->generation = generation;
}

static void put_out_of_use(struct ep_held *held, uint32_t level, uint32_t number)
{
    held->counts[number].until = ep_load(ep_held_until(held, number));
    ep_store(ep_held_until(held, number), 0);
    held->used[level - 1][number / 64] &= ~(UINT64_C(1) << number % 64);
}

uint64_t ep_held_take_next(struct ep_held *held, uint32_t level, uint32_t *number, uint32_t *idle)
{
    const uint64_t *used = held->used[level - 1];
    uint32_t next = *number + 1;
    for (uint32_t i = next / 64; i <= held->made / 64; i++) {
        uint64_t rest = ~UINT64_C(0) << (i == next / 64 ? next % 64 : 0);
        for (uint64_t word = used[i] & rest; word; word &= word - 1) {
            *number = 64 * i + (uint32_t)__builtin_ctzll(word);
            uint64_t calls = ep_load(held->counts[*number].calls);
            if (calls) {
                /* by one instruction: a signal handler may count too */
                ep_add64(held->counts[*number].calls, 0 - calls);
                return calls;
            }
            if (++*idle > IDLE_MOST)
                put_out_of_use(held, level, *number);
        }
    }
    return 0;
}

/* ---- all counts in use of a level ---- */

/* Those of some counts that have no calls: puts the ones above the first few out of use. */
EP_COLD static void put_idle_out(struct ep_held *held, uint32_t level, uint32_t base, uint64_t bits,
                                 uint32_t idle)
{
    for (; bits; bits &= bits - 1)
        if (++idle > IDLE_MOST)
            put_out_of_use(held, level, base + (uint32_t)__builtin_ctzll(bits));
}

/* Takes the calls by one instruction, since a signal handler may count too, and also where there
 * are none: which counts have calls differs from hold to hold, and the processor would mispredict a
 * branch. */
EP_INLINE void take_all(struct ep_held *held, uint32_t level, bool keep)
{
    const uint64_t *used = held->used[level - 1];
    uint32_t idle = 0, words = held->made / 64 + 1;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t idle_bits = 0;
        uint32_t idle_before = idle;
        for (uint64_t word = used[i]; word; word &= word - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(word);
            const struct ep_held_count *count = &held->counts[64 * i + bit];
            uint64_t calls = ep_load(count->calls);
            ep_add64(count->calls, 0 - calls);
            if (keep)
                ep_add64_release(count->target, calls); /* as in ep_sampling_choose() */
            idle_bits |= (uint64_t)!calls << bit;
            idle += !calls;
        }
        if (EP_UNLIKELY(idle > IDLE_MOST))
            put_idle_out(held, level, 64 * i, idle_bits, idle_before);
    }
}

void ep_held_discard(struct ep_held *held, uint32_t level)
{
    take_all(held, level, false);
}

void ep_held_add(struct ep_held *held, uint32_t level)
{
    take_all(held, level, true);
}

bool ep_held_has_targets(const struct ep_held *held, uint32_t level, uint64_t generation)
{
    const uint64_t *used = held->used[level - 1];
    uint32_t words = held->made / 64 + 1;
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t word = used[i]; word; word &= word - 1) {
            const struct ep_held_count *count =
                &held->counts[64 * i + (uint32_t)__builtin_ctzll(word)];
            if (EP_UNLIKELY(count->target_generation != generation) && ep_load(count->calls))
                return false;
        }
    return true;
}

void ep_held_forget(struct ep_held *held)
{
    for (uint32_t number = 1; number <= held->made; number++) {
        held->counts[number].target_generation = 0;
        ep_store(ep_held_calls(held, number), 0);
    }
}

/* ---- calls ---- */

uint32_t ep_held_choose(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind)
{
    struct ep_held *held = thread->held;
    bool is_slow = held && held->is_slow;
    uint32_t number = is_slow ? ep_held_find(thread, node, kind)
                      : held  ? need_unless_busy(thread, node, kind)
                              : 0;
    if (!number)
        return EP_SCOPE_SAMPLE;
    struct ep_held_count *count = &held->counts[number];
    if (is_slow) {
        count->timed_shift = 0;
        return EP_SCOPE_SAMPLE;
    }
    uint32_t level = ep_tree_node(thread, node)->level, *until = ep_held_until(held, number);
    ep_held_use(held, level, number);
    if (kind == EP_HELD_OWN) {
        ep_store(until, (uint32_t)NEVER);
    } else if ((int32_t)ep_load(until) <= 1) {
        count->timed_shift = count->shift;
        count->shift = count->next_shift;
        ep_store(until, ep_blocks_next(thread, count->shift, &count->rest));
        return EP_SCOPE_SAMPLE;
    }
    ep_add32(until, (uint32_t)-1);
    ep_add64(ep_held_calls(held, number), 1);
    return EP_SCOPE_UNTIMED;
}

uint32_t ep_held_weight(const struct ep_thread *thread, ep_ref node, enum ep_held_kind kind)
{
    uint32_t number = ep_held_find(thread, node, kind);
    return number ? UINT32_C(1) << thread->held->counts[number].timed_shift : 1;
}

void ep_held_next(struct ep_thread *thread, ep_ref node, enum ep_held_kind kind,
                  uint64_t difference_ticks, uint64_t now_ticks)
{
    uint32_t number = ep_held_find(thread, node, kind);
    if (!number)
        return;
    struct ep_held_count *count = &thread->held->counts[number];
    count->firsts += count->firsts < EP_BLOCKS_FIRST_CALLS;
    struct ep_blocks_course course = {&count->since, &count->former_shift,
                                      count->firsts < EP_BLOCKS_FIRST_CALLS};
    count->next_shift =
        (uint8_t)ep_blocks_adapt(thread, count->next_shift, course, difference_ticks, now_ticks);
}

bool ep_held_count_first(struct ep_thread *thread, uint64_t *calls, uint32_t level)
{
    struct ep_held *held = thread->held;
    uint32_t *until = (uint32_t *)(void *)((char *)calls + EP_UNTIL_TIMED);
    if (ep_load(until))
        return false;
    uint64_t offset = (uint64_t)((const char *)calls - (const char *)held->groups);
    uint32_t number = (uint32_t)(offset / sizeof held->groups[0] * EP_HELD_GROUP +
                                 offset % sizeof held->groups[0] / sizeof *calls);
    ep_held_use(held, level, number);
    if ((int32_t)ep_load(until) <= 1)
        return false;
    ep_add32(until, (uint32_t)-1);
    ep_add64(calls, 1);
    return true;
}
