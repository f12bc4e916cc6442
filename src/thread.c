#include "thread.h"

#include <stddef.h>
#include <string.h>

#include "pair.h"
#include "platform.h"
#include "thread_life.h"

/* Head and table together are a page at first, and twice as much each time. */
enum { RECORD_BYTES_AT_FIRST = 4096 };

struct ep_thread ep_thread_nobody;
struct ep_thread ep_thread_entering = {.busy = 1};
struct ep_thread ep_thread_lent = {.lent = 1}, ep_thread_lent_inner = {.lent = 1};
EP_THREAD_LOCAL struct ep_thread *ep_self = &ep_thread_nobody;

/* ---- the present thread ---- */

struct ep_thread *ep_thread_current(void)
{
    struct ep_thread *thread = ep_self;
    if (EP_UNLIKELY(thread->lent))
        return NULL;
    if (EP_LIKELY(thread->cell != NULL))
        return thread;
    if (ep_process_lock() != 0)
        return NULL;
    thread = ep_thread_life_begin(NULL, 0);
    ep_process_unlock();
    if (!thread) {
        ep_process_trouble(EP_TROUBLE_OUT_OF_CELLS);
        ep_process_trouble(EP_TROUBLE_LOST);
    }
    return thread;
}

struct ep_thread *ep_thread_begin_cold(void)
{
    struct ep_thread *thread = ep_self;
    int cancel_state, cancel_type;
    if (thread->busy) {
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
        return NULL;
    }
    ep_platform_hold_cancel(&cancel_state, &cancel_type);
    ep_thread_mark_busy(thread);
    thread->cancel_state = cancel_state;
    thread->cancel_type = cancel_type;
    ep_signal_fence();
    return thread;
}

void ep_thread_end_cold(void)
{
    struct ep_thread *thread = ep_self;
    int cancel_state = thread->cancel_state, cancel_type = thread->cancel_type;
    ep_signal_fence();
    thread->busy = 0;
    ep_platform_release_cancel(cancel_state, cancel_type);
}

void ep_thread_open_tables(struct ep_thread *thread)
{
    const struct ep_source *source = ep_process_source();
    bool is_closed = thread->is_off || thread->lent;
    uint32_t count = is_closed ? 0 : thread->pair_capacity;
    thread->counter_pairs = source->is_counter ? count : 0;
    thread->called_pairs = source->is_counter ? 0 : count;
    /* a number is of no use above the last place, and 0 is no number */
    uint32_t sites = is_closed || !thread->site_capacity ? 0 : thread->site_capacity - 1;
    thread->counter_sites = source->is_counter ? sites : 0;
    thread->called_sites = source->is_counter ? 0 : sites;
    if (thread->source != source)
        ep_switches_forget(&thread->switches);
    thread->source = source;
}

void ep_thread_switch(struct ep_thread *thread, bool on)
{
    if (on == !thread->is_off)
        return;
    thread->is_off = !on;
    ep_store(&thread->cell->is_off, !on);
    thread->switch_birth = ep_load(&ep_process.births);
    ep_switches_add(&thread->switches, ep_source_now(ep_process_source()));
    if (on)
        thread->salt = (thread->salt & ~EP_STAMP_SWITCHES) |
                       ((thread->salt + EP_STAMP_SWITCH) &
                        EP_STAMP_SWITCHES); /* all its cells are to be looked at */
    ep_thread_open_tables(thread);
}

void ep_thread_trouble(struct ep_thread *thread, enum ep_trouble kind)
{
    if (!thread->cell) /* no thread's, but that by which the probe is measured */
        return;
    struct ep_trouble_cell *trouble = &thread->cells[thread->cell->trouble].trouble;
    uint64_t generation = ep_load_acquire(&thread->control->generation);
    if (trouble->stamp < ep_load(&thread->control->reset_generation)) {
        ep_store_release(&trouble->stamp, 0);
        for (int i = 0; i < EP_TROUBLE_KINDS; i++)
            ep_store(&trouble->count[i], 0);
        ep_store_release(&trouble->stamp, generation);
    }
    ep_add64(&trouble->count[kind], 1);
}

/* ---- cells of its own ---- */

/* What is left of a block when more is asked for serves later as single cells,
 * each with the number of the next. */
static void keep_spare(struct ep_thread *thread, struct ep_pool *pool)
{
    while (pool->block_next < pool->block_end) {
        ep_ref cell = pool->block_next++;
        thread->cells[cell].refs[0] = pool->spare;
        pool->spare = cell;
    }
}

static ep_ref take_spare(struct ep_thread *thread, struct ep_pool *pool)
{
    ep_ref cell = pool->spare;
    pool->spare = thread->cells[cell].refs[0];
    thread->cells[cell].refs[0] = 0;
    return cell;
}

static ep_ref take_block(const struct ep_pool *pool)
{
    ep_process_mutex_lock();
    ep_ref block = pool->is_limited ? ep_image_take_limited(&ep_process.image)
                                    : ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
    ep_process_mutex_unlock();
    return block;
}

ep_ref ep_thread_take(struct ep_thread *thread, struct ep_pool *pool, uint32_t count)
{
    if (count == 1 && pool->spare)
        return take_spare(thread, pool);
    if (pool->block_end - pool->block_next < count) {
        ep_ref block = take_block(pool);
        if (!block) {
            ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
            return 0;
        }
        keep_spare(thread, pool);
        pool->block_next = block;
        pool->block_end = block + EP_BLOCK_CELLS;
    }
    ep_ref cells = pool->block_next;
    pool->block_next += count;
    return cells;
}

static struct ep_pair_cell *pair_at(const struct ep_thread *thread, ep_ref ref)
{
    return (struct ep_pair_cell *)&thread->cells[ref];
}

void ep_thread_add_pair(struct ep_thread *thread, uint32_t slot, ep_ref ref)
{
    thread->pairs[slot] = pair_at(thread, ref);
    ep_thread_link(&thread->cell->pairs, &thread->last_pair,
                   &pair_at(thread, thread->last_pair)->next, ref);
}

void ep_thread_add_scratch(struct ep_thread *thread, ep_ref ref)
{
    ep_thread_link(&thread->cell->scratch_pairs, &thread->last_scratch,
                   &pair_at(thread, thread->last_scratch)->next, ref);
}

/* ---- the hot record ---- */

static uint32_t capacity_of(size_t record_bytes)
{
    return (uint32_t)((record_bytes - offsetof(struct ep_thread, pairs)) /
                      sizeof(struct ep_pair_cell *));
}

struct ep_thread *ep_thread_make_record(uint32_t slot)
{
    size_t bytes = RECORD_BYTES_AT_FIRST;
    while (capacity_of(bytes) <= slot)
        bytes *= 2;
    struct ep_thread *thread = ep_platform_allocate_wiped(bytes);
    if (!thread)
        return NULL;
    thread->control = ep_image_control(&ep_process.image);
    thread->cells = ep_process.image.cells;
    thread->pair_capacity = capacity_of(bytes);
    thread->made_before = ep_process.threads.made;
    ep_process.threads.made = thread;
    return thread;
}

struct ep_thread *ep_thread_room(struct ep_thread *thread, uint32_t slot)
{
    if (slot < thread->pair_capacity)
        return thread;
    ep_process_mutex_lock();
    struct ep_thread *larger = ep_thread_make_record(slot);
    ep_process_mutex_unlock();
    if (!larger)
        return NULL;
    size_t head_bytes = offsetof(struct ep_thread, pairs);
    struct ep_thread *made_before = larger->made_before;
    uint32_t capacity = larger->pair_capacity;
    memcpy(larger, thread, head_bytes);
    larger->made_before = made_before;
    larger->pair_capacity = capacity;
    for (uint32_t i = 0; i < thread->pair_capacity; i++)
        if (thread->pairs[i])
            larger->pairs[i] = thread->pairs[i];
    ep_thread_open_tables(larger);
    ep_self = larger;
    return larger;
}

void ep_thread_wipe_all(void)
{
    for (struct ep_thread *thread = ep_process.threads.made; thread; thread = thread->made_before)
        memset(thread, 0, offsetof(struct ep_thread, made_before));
}
