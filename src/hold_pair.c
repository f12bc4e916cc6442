#include <errno.h>
#include <string.h>

#include "hold.h"
#include "pair.h"
#include "platform.h"
#include "statistics_move.h"

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

/* Stops to come that are nothing come to what is in the table. */
static void hand_over_ignored(struct ep_pair_cell *to, struct ep_pair_cell *from)
{
    ep_store(&to->ignored, to->ignored + from->ignored);
    to->former_handle = from->former_handle;
    ep_store(&to->former_open, from->former_open);
    ep_store(&from->ignored, 0);
    ep_store(&from->former_open, 0);
}

/* In the table a scratch pair is open once more than those that began before are: so that
 * none of their stops takes it for its own (instance_record.c). */
static void begin(struct ep_held_pair *held, uint64_t stamp)
{
    struct ep_pair_cell *scratch = held->scratch;
    scratch->handle = held->base->handle;
    ep_store(&scratch->depth, held->base_depth ? held->base_depth + 1 : 0);
    scratch->pardon_below_calls = held->base->pardon_below_calls ? 1 : 0;
    hand_over_ignored(scratch, held->base);
    ep_store_release(&scratch->stamp, stamp);
}

static struct ep_held_pair *find(const struct ep_hold *hold, const struct ep_pair_cell *scratch)
{
    uint32_t i = 0;
    while (i < hold->pair_count && hold->pairs[i].scratch != scratch)
        i++;
    return i < hold->pair_count ? &hold->pairs[i] : NULL;
}

/* How often a pair is open; it may stand for others in a hold itself. */
static uint32_t open_in(const struct ep_thread *thread, const struct ep_pair_cell *pair)
{
    uint32_t level = ep_hold_level(pair->stamp);
    const struct ep_held_pair *held =
        level && level <= thread->level ? find(ep_hold_at(thread, level), pair) : NULL;
    return held && held->base_depth ? pair->depth - 1 : pair->depth;
}

struct ep_pair_cell *ep_hold_pair(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    uint64_t stamp = ep_thread_stamp(thread);
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    struct ep_held_pair *held = next_held(hold);
    if (held && !held->scratch)
        held->scratch = ep_pair_make_scratch(thread);
    if (!held || !held->scratch)
        return NULL;
    held->base = pair;
    held->slot = ep_pair_slot((int)pair->handle);
    held->base_depth = ep_thread_is_of_now(thread, pair->stamp) ? open_in(thread, pair) : 0;
    ep_statistics_clear(thread->cells, &held->scratch->stats);
    begin(held, stamp);
    hold->pair_count++;
    thread->pairs[held->slot] = held->scratch;
    return held->scratch;
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
        /* what began before a change of source is nothing: it began since that, inside */
        bool is_of_before =
            hold->source == source &&
            ep_source_difference(source, hold->begin_ticks, start_ticks) > source->mask >> 1;
        if (!held || !is_of_before)
            break;
        pair = held->base;
    }
    return pair;
}

/* ---- what was dropped while it was open inside others ---- */

enum { DROPPED_ROOM = 4096 / sizeof(struct ep_dropped_pairs) };

static struct ep_dropped_pairs *find_dropped(struct ep_thread *thread,
                                             const struct ep_pair_cell *pair)
{
    for (uint32_t i = thread->dropped_count; i-- > 0;)
        if (thread->dropped[i].pair == pair)
            return &thread->dropped[i];
    return NULL;
}

/* The others keep their order: of one pair the last that was dropped comes first. */
static void remove_dropped(struct ep_thread *thread, struct ep_dropped_pairs *dropped)
{
    size_t behind = (size_t)(&thread->dropped[--thread->dropped_count] - dropped);
    memmove(dropped, dropped + 1, behind * sizeof *dropped);
}

/* Where there is no room for one more, its stops will end the others. */
static void add_dropped(struct ep_thread *thread, struct ep_pair_cell *pair, uint32_t count)
{
    if (!thread->dropped)
        thread->dropped = ep_platform_allocate_wiped(DROPPED_ROOM * sizeof *thread->dropped);
    if (!thread->dropped || thread->dropped_count == DROPPED_ROOM) {
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
        return;
    }
    thread->dropped[thread->dropped_count++] =
        (struct ep_dropped_pairs){.pair = pair, .below = pair->depth, .count = count};
    ep_store(&pair->depth, pair->depth + count);
    ep_store(&pair->stats.abandoned, pair->stats.abandoned - count);
}

bool ep_hold_pair_was_dropped(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    if (EP_LIKELY(!thread->dropped_count))
        return false;
    struct ep_dropped_pairs *dropped = find_dropped(thread, pair);
    if (!dropped || pair->depth > dropped->below + dropped->count)
        return false;
    ep_store(&pair->depth, pair->depth - 1);
    ep_store(&pair->stats.abandoned, pair->stats.abandoned + 1);
    if (--dropped->count == 0)
        remove_dropped(thread, dropped);
    return true;
}

static void forget_dropped(struct ep_thread *thread, const struct ep_pair_cell *pair)
{
    struct ep_dropped_pairs *dropped;
    while (thread->dropped_count && (dropped = find_dropped(thread, pair)) != NULL)
        remove_dropped(thread, dropped);
}

void ep_hold_pair_forget(struct ep_thread *thread, struct ep_pair_cell *pair)
{
    forget_dropped(thread, pair);
    uint32_t level = ep_hold_level(pair->stamp);
    struct ep_held_pair *held =
        level && level <= thread->level ? find(ep_hold_at(thread, level), pair) : NULL;
    if (!held || !held->base_depth)
        return;
    ep_store(&pair->depth, pair->depth - 1);
    ep_store(&held->base->depth, held->base->depth - held->base_depth);
    held->base_depth = 0;
}

/* ---- the end of a hold ---- */

/* In the scratch pair's own depth, the ones that began before the hold are one more. */
static uint32_t offset_of(const struct ep_held_pair *held)
{
    return held->base_depth ? held->base_depth + 1 : 0;
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

/* What an inner hold has dropped in it goes along. */
static void keep_open(struct ep_thread *thread, const struct ep_held_pair *held, uint32_t depth)
{
    struct ep_pair_cell *base = held->base;
    struct ep_dropped_pairs *dropped;
    while (thread->dropped_count && (dropped = find_dropped(thread, held->scratch)) != NULL) {
        dropped->pair = base;
        ep_store(&base->stats.abandoned, base->stats.abandoned - dropped->count);
        ep_store(&held->scratch->stats.abandoned, held->scratch->stats.abandoned + dropped->count);
        dropped->below += base->depth - offset_of(held);
    }
    if (depth && !base->depth)
        ep_store(&base->start_ticks, held->scratch->start_ticks);
    ep_store(&base->depth, base->depth + depth);
}

/* Their stops are to come, and nothing; those of what was open before come after them. */
static void drop_open(struct ep_thread *thread, const struct ep_held_pair *held, uint32_t depth)
{
    forget_dropped(thread, held->scratch);
    if (depth && held->base->depth)
        add_dropped(thread, held->base, depth);
    else
        ep_store(&held->base->ignored, held->base->ignored + depth);
}

static void end(struct ep_thread *thread, struct ep_held_pair *held, bool keep)
{
    struct ep_pair_cell *scratch = held->scratch, *base = held->base;
    uint32_t depth = scratch->depth - offset_of(held);
    thread->pairs[held->slot] = base;
    if (keep && scratch->stamp) {
        keep_open(thread, held, depth);
        ep_statistics_move(&base->stats, &scratch->stats);
    } else {
        drop_open(thread, held, depth);
    }
    hand_over_ignored(base, scratch);
    ep_store(&scratch->depth, 0);
    ep_store_release(&scratch->stamp, 0);
}

void ep_hold_pairs_end(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    for (uint32_t i = 0; i < hold->pair_count; i++)
        end(thread, &hold->pairs[i], keep);
    hold->pair_count = 0;
}
