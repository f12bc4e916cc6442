#include <errno.h>
#include <string.h>

#include "hold.h"
#include "pair.h"
#include "platform.h"

/* ---- what stands for a pair ---- */

static struct ep_held_pair *next_held(struct ep_hold *hold)
{
    if (hold->pair_count == hold->pair_room) {
        uint32_t room = hold->pair_room ? hold->pair_room * 2 : 4096 / sizeof *hold->pairs;
        struct ep_held_pair *larger = ep_platform_allocate_wiped(room * sizeof *larger);
        if (!larger)
            return NULL;
        if (hold->pair_room) {
            memcpy(larger, hold->pairs, hold->pair_room * sizeof *larger);
            ep_platform_release(hold->pairs, hold->pair_room * sizeof *larger);
        }
        hold->pairs = larger;
        hold->pair_room = room;
    }
    return &hold->pairs[hold->pair_count];
}

/* In the table a scratch pair is open once more than those that began before are: so that
 * none of their stops takes it for its own (instance_record.c). */
static void begin(struct ep_held_pair *held, uint64_t stamp)
{
    struct ep_pair_cell *scratch = held->scratch;
    scratch->handle = held->base->handle;
    ep_store(&scratch->depth, held->base_depth ? held->base_depth + 1 : 0);
    scratch->pardon_below_calls = held->base->pardon_below_calls ? 1 : 0;
    ep_store_release(&scratch->stamp, stamp);
}

struct ep_pair_cell *ep_hold_pair(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    uint64_t stamp = ep_thread_stamp(thread);
    if (!thread->level || ep_hold_level(pair->stamp) == thread->level)
        return pair;
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    struct ep_held_pair *held = next_held(hold);
    if (held && !held->scratch)
        held->scratch = ep_pair_make_scratch(thread);
    if (!held || !held->scratch)
        return NULL;
    held->base = pair;
    held->slot = ep_pair_slot((int)pair->handle);
    held->base_depth = ep_thread_is_of_now(thread, pair->stamp) ? pair->depth : 0;
    ep_statistics_clear(thread->cells, &held->scratch->stats);
    begin(held, stamp);
    hold->pair_count++;
    thread->pairs[held->slot] = held->scratch;
    return held->scratch;
}

static struct ep_held_pair *find(const struct ep_hold *hold, const struct ep_pair_cell *scratch)
{
    for (uint32_t i = 0; i < hold->pair_count; i++)
        if (hold->pairs[i].scratch == scratch)
            return &hold->pairs[i];
    return NULL;
}

struct ep_pair_cell *ep_hold_pair_of_before(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    uint32_t level = ep_hold_level(pair->stamp);
    if (!level || level > thread->level)
        return NULL;
    struct ep_held_pair *held = find(ep_hold_at(thread, level), pair);
    if (!held || !held->base_depth || pair->depth > held->base_depth + 1)
        return NULL;
    held->base_depth--;
    ep_store(&pair->depth, held->base_depth ? held->base_depth + 1 : 0);
    return held->base;
}

struct ep_pair_cell *ep_hold_pair_at(struct ep_thread *thread, struct ep_pair_cell *pair,
                                     uint64_t start_ticks)
{
    const struct ep_source *source = ep_process_source();
    uint32_t level;
    while ((level = ep_hold_level(pair->stamp)) != 0 && level <= thread->level) {
        struct ep_hold *hold = ep_hold_at(thread, level);
        const struct ep_held_pair *held = find(hold, pair);
        bool is_of_before =
            ep_source_difference(source, hold->begin_ticks, start_ticks) > source->mask >> 1;
        if (!held || !is_of_before)
            break;
        pair = held->base;
    }
    return pair;
}

/* ---- the end of a hold ---- */

/* Pairs that began in it. */
static uint32_t own_depth(const struct ep_held_pair *held)
{
    return held->scratch->depth - (held->base_depth ? held->base_depth + 1 : 0);
}

void ep_hold_pair_forget_before(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    uint32_t level = ep_hold_level(pair->stamp);
    struct ep_held_pair *held =
        level && level <= thread->level ? find(ep_hold_at(thread, level), pair) : NULL;
    if (!held || !held->base_depth)
        return;
    ep_store(&pair->depth, pair->depth - 1);
    ep_store(&held->base->depth, held->base->depth - held->base_depth);
    held->base_depth = 0;
}

/* Back into the table, and, where it is kept, brought up to date one level down. */
void ep_hold_pairs_prepare(struct ep_thread *thread, struct ep_hold *hold)
{
    for (uint32_t i = 0; i < hold->pair_count; i++) {
        struct ep_held_pair *held = &hold->pairs[i];
        int id = (int)held->scratch->handle;
        thread->pairs[held->slot] = held->base;
        bool is_of_use = ep_thread_is_of_now(thread, held->scratch->stamp) && ep_pair_is_alive(id);
        struct ep_pair_cell *base = is_of_use ? ep_pair_visit(id) : NULL;
        if (base) {
            held->base = base;
            ep_statistics_reserve(&base->stats, &thread->pair_cells, &held->scratch->stats);
        } else {
            ep_store_release(&held->scratch->stamp, 0);
        }
    }
}

static void keep_open(const struct ep_held_pair *held, uint32_t depth)
{
    struct ep_pair_cell *base = held->base;
    if (depth && !base->depth)
        ep_store(&base->start_ticks, held->scratch->start_ticks);
    ep_store(&base->depth, base->depth + depth);
}

static void end(struct ep_thread *thread, struct ep_held_pair *held, bool keep)
{
    struct ep_pair_cell *scratch = held->scratch, *base = held->base;
    uint32_t depth = own_depth(held);
    thread->pairs[held->slot] = base;
    if (keep && scratch->stamp) {
        keep_open(held, depth);
        ep_statistics_absorb(&base->stats, &thread->pair_cells, &scratch->stats);
    } else {
        ep_store(&base->ignored, base->ignored + depth);
    }
    ep_store(&base->ignored, base->ignored + scratch->ignored);
    ep_store(&scratch->ignored, 0);
    ep_store(&scratch->depth, 0);
    ep_store_release(&scratch->stamp, 0);
}

void ep_hold_pairs_end(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    for (uint32_t i = 0; i < hold->pair_count; i++)
        end(thread, &hold->pairs[i], keep);
    hold->pair_count = 0;
}
