#include "record/instance_cells.h"

#include <string.h>

#include "base/platform.h"
#include "record/hold.h"

/* ---- clearing: by the owner, when it finds cells of an earlier time ---- */

/* One use of a handle. */
struct life {
    uint32_t handle;
    uint64_t begin; /* generation at which its figures begin; 0: not alive */
    uint64_t birth; /* its number in the order of all allocs */
};

/* Whether recording was switched since the last pair of this life began on this thread. A stop
 * without a start may then end a pair that began while recording was off. */
static bool was_switched(const struct ep_thread *thread, const struct ep_instance_cells *pair,
                         const struct life *life)
{
    uint64_t last_visit = pair->generation & EP_GENERATION_NUMBER;
    bool is_same = pair->handle == life->handle;
    uint64_t since = is_same && last_visit > life->begin ? last_visit : life->begin;
    bool by_itself = (pair->generation & EP_OWNER_TAG_SWITCHES) !=
                         (ep_load(&thread->generation) & EP_OWNER_TAG_SWITCHES) &&
                     life->birth <= thread->switch_birth;
    return since < ep_load(&thread->control->switch_generation) || by_itself ||
           (is_same && pair->stats.calls < pair->pardon_below_calls);
}

/* ---- made ---- */

static ep_ref take_cells(struct ep_thread *thread)
{
    return ep_thread_take(thread, &thread->instance_cells,
                          sizeof(struct ep_instance_cells) / EP_CELL_BYTES);
}

static struct ep_instance_cells *make(struct ep_thread *thread, uint32_t slot)
{
    if (!ep_thread_make_room(thread, slot)) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
        return NULL;
    }
    ep_ref ref = take_cells(thread);
    if (!ref)
        return NULL;
    /* new cells look to clear() as never marked and of no instance. The handle has the right slot,
     * by which a forked child finds them */
    struct ep_instance_cells *pair = ep_thread_instance_cells_at(thread, ref);
    pair->handle = (UINT32_MAX & ~(uint32_t)(EP_SLOTS - 1)) | slot;
    ep_thread_add_pair(thread, slot, ref);
    return pair;
}

static struct life life_of(int id)
{
    struct life life = {(uint32_t)id, 0, 0};
    const struct ep_instance_cell *instance =
        ep_image_instance(&ep_process.image, ep_instance_cells_slot(id));
    if (id < 0 || !instance)
        return life;
    uint64_t begin = ep_load_acquire(&instance->born);
    life.birth = ep_load(&instance->birth);
    life.begin = ep_load(&instance->handle) == (uint32_t)id ? begin : 0;
    return life;
}

/* ---- processor time ---- */

/* Makes the cell for it; without memory it will not be known. */
static void need_cpu(struct ep_thread *thread, struct ep_instance_cells *pair)
{
    if (!ep_cpu_is_on() || pair->stats.cpu)
        return;
    ep_ref ref = ep_thread_take(thread, &thread->instance_cells, 1);
    if (ref)
        ep_store_release(&pair->stats.cpu, ref); /* pairs with snapshot/instances.c */
}

static void clear_cpu(const struct ep_thread *thread, const struct ep_instance_cells *pair)
{
    if (pair->stats.cpu)
        ep_cpu_clear(ep_instance_cells_cpu(thread, pair));
}

bool ep_instance_cells_is_alive(int id)
{
    return life_of(id).begin != 0;
}

/* ---- scratch cells in the place of others ---- */

static struct ep_held_cells *next_held(struct ep_hold *hold)
{
    if (hold->pair_count == hold->pair_room) {
        uint32_t room = hold->pair_room ? hold->pair_room * 2 : 4096 / sizeof *hold->pairs;
        struct ep_held_cells *larger = ep_platform_allocate_wiped(room * sizeof *larger);
        if (!larger)
            return NULL;
        if (hold->pair_room) {
            memcpy(larger, hold->pairs, hold->pair_room * sizeof *larger);
            ep_platform_release_kept(hold->pairs, hold->pair_room * sizeof *larger);
        }
        hold->pairs = larger;
        hold->pair_room = room;
    }
    return &hold->pairs[hold->pair_count];
}

/* Moves the number of stops to ignore to the cells that are in the table, where the stops will find
 * it. */
static void move_ignored(struct ep_instance_cells *to, struct ep_instance_cells *from)
{
    ep_store(&to->ignored, to->ignored + from->ignored);
    to->former_handle = from->former_handle;
    ep_store(&to->former_open, from->former_open);
    ep_store(&from->ignored, 0);
    ep_store(&from->former_open, 0);
}

/* The part of the depth of scratch cells that stems from pairs begun before the hold. It is one
 * more than the number of these pairs, so that none of their stops is taken for the last stop in
 * the hold (instrument/instance.c). */
static uint32_t offset_of(const struct ep_held_cells *held)
{
    return held->base_depth ? held->base_depth + 1 : 0;
}

static struct ep_held_cells *find(const struct ep_hold *hold,
                                  const struct ep_instance_cells *scratch)
{
    uint32_t i = 0;
    while (i < hold->pair_count && hold->pairs[i].scratch != scratch)
        i++;
    return i < hold->pair_count ? &hold->pairs[i] : NULL;
}

/* The entry of scratch cells in their hold; NULL: they are none. */
static struct ep_held_cells *held_of(const struct ep_thread *thread,
                                     const struct ep_instance_cells *pair)
{
    uint32_t level = ep_hold_level(pair->generation);
    return level && level <= thread->level ? find(ep_hold_at(thread, level), pair) : NULL;
}

/* Puts scratch cells into the table, in the place of `pair`. NULL: no memory. The thread is busy.
 */
static struct ep_instance_cells *hold_cells(struct ep_thread *thread,
                                            struct ep_instance_cells *pair)
{
    uint64_t generation = ep_thread_generation(thread);
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    struct ep_held_cells *held = next_held(hold);
    if (held && !held->scratch) {
        ep_ref made = take_cells(thread);
        if (made)
            ep_thread_add_scratch(thread, made);
        held->scratch = made ? ep_thread_instance_cells_at(thread, made) : NULL;
    }
    if (!held || !held->scratch)
        return NULL;
    held->base = pair;
    held->slot = ep_instance_cells_slot((int)pair->handle);
    /* they may be scratch cells themselves, of an outer hold */
    const struct ep_held_cells *outer = held_of(thread, pair);
    uint32_t open = outer && outer->base_depth ? pair->depth - 1 : pair->depth;
    held->base_depth = ep_thread_is_of_now(thread, pair->generation) ? open : 0;
    struct ep_instance_cells *scratch = held->scratch;
    ep_statistics_clear(thread->cells, &scratch->stats);
    need_cpu(thread, scratch);
    clear_cpu(thread, scratch);
    scratch->handle = pair->handle;
    ep_store(&scratch->depth, offset_of(held));
    scratch->pardon_below_calls = pair->pardon_below_calls ? 1 : 0;
    move_ignored(scratch, pair);
    ep_store_release(&scratch->generation, generation);
    hold->pair_count++;
    ep_thread_set_instance_cells(thread, held->slot, scratch);
    return scratch;
}

struct ep_instance_cells *ep_instance_cells_hold_of_before(struct ep_thread *thread,
                                                           struct ep_instance_cells *pair)
{
    struct ep_held_cells *held = held_of(thread, pair);
    if (!held || !held->base_depth || pair->depth > held->base_depth + 1)
        return NULL;
    held->base_depth--;
    ep_store(&pair->depth, offset_of(held));
    return held->base;
}

struct ep_instance_cells *ep_instance_cells_hold_at(struct ep_thread *thread,
                                                    struct ep_instance_cells *pair,
                                                    uint64_t start_ticks)
{
    const struct ep_source *source = ep_process_source();
    uint32_t level;
    while ((level = ep_hold_level(pair->generation)) != 0 && level <= thread->level) {
        struct ep_hold *hold = ep_hold_at(thread, level);
        const struct ep_held_cells *held = find(hold, pair);
        /* a span from before a change of source was discarded: this one began later, inside the
         * hold */
        bool is_of_before =
            hold->is_beginning ||
            (hold->source == source &&
             ep_source_difference(source, hold->begin_ticks, start_ticks) > source->mask >> 1);
        if (!held || !is_of_before)
            break;
        pair = held->base;
    }
    return pair;
}

/* ---- dropped pairs inside others that are open ---- */

enum { DROPPED_ROOM = 4096 / sizeof(struct ep_dropped_pairs) };

static struct ep_dropped_pairs *find_dropped(struct ep_thread *thread,
                                             const struct ep_instance_cells *pair)
{
    for (uint32_t i = thread->dropped_count; i-- > 0;)
        if (thread->dropped[i].pair == pair)
            return &thread->dropped[i];
    return NULL;
}

/* The order is kept: of several entries for the same cells, the last one dropped comes first. */
static void remove_dropped(struct ep_thread *thread, struct ep_dropped_pairs *dropped)
{
    size_t later = (size_t)(&thread->dropped[--thread->dropped_count] - dropped);
    memmove(dropped, dropped + 1, later * sizeof *dropped);
}

/* Without room for another entry, the stops of these pairs will end other pairs. */
static void add_dropped(struct ep_thread *thread, struct ep_instance_cells *pair, uint32_t count)
{
    if (!thread->dropped)
        thread->dropped = ep_platform_allocate_wiped(DROPPED_ROOM * sizeof *thread->dropped);
    if (!thread->dropped || thread->dropped_count == DROPPED_ROOM) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        return;
    }
    thread->dropped[thread->dropped_count++] =
        (struct ep_dropped_pairs){.pair = pair, .below = pair->depth, .count = count};
    ep_store(&pair->depth, pair->depth + count);
    ep_store(&pair->stats.abandoned, pair->stats.abandoned - count);
}

bool ep_instance_cells_hold_was_dropped(struct ep_thread *thread, struct ep_instance_cells *pair)
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

static void forget_dropped(struct ep_thread *thread, const struct ep_instance_cells *pair)
{
    struct ep_dropped_pairs *dropped;
    while (thread->dropped_count && (dropped = find_dropped(thread, pair)) != NULL)
        remove_dropped(thread, dropped);
}

/* ---- visited: off the hot path, after anything that raised the generation ---- */

static bool is_stale(const struct ep_instance_cells *pair, int id, uint64_t oldest)
{
    return pair->handle != (uint32_t)id || (pair->generation & EP_GENERATION_NUMBER) < oldest;
}

/* The generation is 0 while the fields change, and the new one is stored last, by a release that
 * pairs with the acquires in snapshot/instances.c: a reader that finds the same generation before
 * and after has read one state. */
static void renew(struct ep_thread *thread, struct ep_instance_cells *pair, const struct life *life,
                  uint64_t generation)
{
    ep_thread_await_raise(generation);
    /* pairs that began before the hold stay with the cells below, and dropped pairs are forgotten
     */
    forget_dropped(thread, pair);
    struct ep_held_cells *held = held_of(thread, pair);
    if (held && held->base_depth) {
        ep_store(&pair->depth, pair->depth - 1);
        ep_store(&held->base->depth, held->base->depth - held->base_depth);
        held->base_depth = 0;
    }
    bool is_same = pair->handle == life->handle;
    uint64_t pardon = was_switched(thread, pair, life) ? 1 : 0;
    if (!is_same && pair->depth + pair->ignored &&
        (pair->generation & EP_GENERATION_NUMBER) < ep_load(&thread->control->init_generation)) {
        pair->former_handle = pair->handle;
        ep_store(&pair->former_open, pair->depth + pair->ignored);
    }
    ep_store(&pair->generation, 0);
    /* the open pairs began before this life or a reset: their stops are no error */
    ep_store(&pair->ignored, is_same ? pair->ignored + pair->depth : 0);
    pair->pardon_below_calls = pardon;
    ep_store_release(&pair->handle, life->handle);
    ep_store_release(&pair->depth, 0);
    ep_statistics_clear(thread->cells, &pair->stats);
    clear_cpu(thread, pair);
    ep_store_release(&pair->generation, generation);
}

struct ep_instance_cells *ep_instance_cells_visit(int id)
{
    struct ep_thread *thread = ep_thread_self;
    /* the generation is read first: any later change raises it again, and the next visit sees that
     */
    uint64_t generation = ep_thread_generation(thread);
    uint64_t oldest = ep_load(&thread->control->reset_generation);
    struct life life = life_of(id);
    ep_thread_open_tables(thread); /* the source may have changed */
    if (!life.begin) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_BAD_HANDLES);
        return NULL;
    }
    oldest = life.begin > oldest ? life.begin : oldest;
    uint32_t slot = ep_instance_cells_slot(id);
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, slot);
    if (!pair)
        pair = make(thread, slot);
    if (pair && ep_hold_level(pair->generation) < thread->level) {
        /* the cells that scratch cells replace must be up to date themselves */
        uint32_t levels = thread->level - ep_hold_level(pair->generation);
        need_cpu(thread, pair);
        if (is_stale(pair, id, oldest))
            renew(thread, pair, &life, generation - levels * EP_OWNER_TAG_LEVEL);
        pair = hold_cells(thread, pair);
    }
    if (!pair) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        return NULL;
    }
    need_cpu(thread, pair);
    if (is_stale(pair, id, oldest)) {
        renew(thread, pair, &life, generation);
    } else if (pair->generation != generation) {
        ep_thread_await_raise(generation);
        if (was_switched(thread, pair, &life))
            pair->pardon_below_calls = pair->stats.calls + pair->depth + 1;
        ep_store_release(&pair->generation, generation);
    }
    return pair;
}

/* ---- the end of a hold ---- */

/* Puts the cells below back into the table; where a hold is kept, brings them up to date, one level
 * down. */
void ep_instance_cells_holds_prepare(struct ep_thread *thread, struct ep_hold *hold)
{
    for (uint32_t i = 0; i < hold->pair_count; i++) {
        struct ep_held_cells *held = &hold->pairs[i];
        int id = (int)held->scratch->handle;
        ep_thread_set_instance_cells(thread, held->slot, held->base);
        bool is_of_use = ep_thread_is_of_now(thread, held->scratch->generation) &&
                         ep_instance_cells_is_alive(id);
        struct ep_instance_cells *base = is_of_use ? ep_instance_cells_visit(id) : NULL;
        if (base) {
            held->base = base;
            ep_statistics_reserve(&base->stats, &thread->instance_cells, &held->scratch->stats);
        } else {
            ep_store_release(&held->scratch->generation, 0);
        }
    }
}

/* Pairs that an inner hold dropped are moved too. */
static void keep_open(struct ep_thread *thread, const struct ep_held_cells *held, uint32_t depth)
{
    struct ep_instance_cells *base = held->base;
    struct ep_dropped_pairs *dropped;
    while (thread->dropped_count && (dropped = find_dropped(thread, held->scratch)) != NULL) {
        dropped->pair = base;
        ep_store(&base->stats.abandoned, base->stats.abandoned - dropped->count);
        ep_store(&held->scratch->stats.abandoned, held->scratch->stats.abandoned + dropped->count);
        dropped->below += base->depth - offset_of(held);
    }
    if (depth && !base->depth) {
        ep_store(&base->start_ticks, held->scratch->start_ticks);
        ep_cpu_move(ep_instance_cells_cpu(thread, base),
                    ep_instance_cells_cpu(thread, held->scratch));
    }
    ep_store(&base->depth, base->depth + depth);
}

static void end(struct ep_thread *thread, struct ep_held_cells *held, bool keep)
{
    struct ep_instance_cells *scratch = held->scratch, *base = held->base;
    uint32_t depth = scratch->depth - offset_of(held);
    ep_thread_set_instance_cells(thread, held->slot, base);
    if (keep && scratch->generation) {
        keep_open(thread, held, depth);
        ep_cpu_add(ep_instance_cells_cpu(thread, base), ep_instance_cells_cpu(thread, scratch));
        ep_statistics_add_all(&base->stats, &scratch->stats);
        ep_statistics_add_calls(&base->stats, &scratch->stats);
    } else {
        /* the stops of dropped pairs are still to come and are ignored; they come before the stops
         * of pairs that were open before */
        forget_dropped(thread, scratch);
        if (depth && base->depth)
            add_dropped(thread, base, depth);
        else
            ep_store(&base->ignored, base->ignored + depth);
    }
    move_ignored(base, scratch);
    ep_store(&scratch->depth, 0);
    ep_store_release(&scratch->generation, 0);
}

void ep_instance_cells_holds_end(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    for (uint32_t i = 0; i < hold->pair_count; i++)
        end(thread, &hold->pairs[i], keep);
    hold->pair_count = 0;
}
