#include "record/thread.h"

#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "base/platform.h"
#include "record/instance_cells.h"
#include "record/light.h"
#include "record/process_lock.h"
#include "record/sampling.h"

/* A record with its table takes 32 KiB of address space, 4,000 slots, of which pages are taken as
 * they are used. It never moves; only `far_pairs` grows. */
enum {
    RECORD_BYTES = 1 << 15,
    NEAR_SLOTS = (RECORD_BYTES - offsetof(struct ep_thread, pairs)) / sizeof(uint64_t)
};

_Static_assert(offsetof(struct ep_thread, generation) % sizeof(uint64_t) == 0,
               "the generation is added to atomically");

struct ep_thread_pool ep_thread_pool;
struct ep_thread ep_thread_nobody;
struct ep_thread ep_thread_entering = {.busy = 1};
struct ep_thread ep_thread_lent = {.lent = 1}, ep_thread_lent_inner = {.lent = 1};
EP_THREAD_LOCAL struct ep_thread *ep_thread_self = &ep_thread_nobody;

struct eprof_open ep_thread_no_scopes[EP_THREAD_NO_SCOPES] = {
    [EP_THREAD_NO_SCOPES - 1] = {.limit = EPROF_NO_OFFSET}};
struct eprof_open ep_thread_at_work = {.limit = EPROF_NO_OFFSET};
struct eprof_edge ep_thread_no_edges[EP_THREAD_EDGES];
EP_EXPORT EP_THREAD_LOCAL struct eprof_hot eprof_hot = {
    .top = &ep_thread_no_scopes[EP_THREAD_NO_SCOPES - 1],
    .edges = (const char *)ep_thread_no_edges};

struct ep_thread *ep_thread_begin_cold(void)
{
    struct ep_thread *thread = ep_thread_self;
    int cancel_state, cancel_type;
    if (thread->busy) {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        return NULL;
    }
    ep_platform_hold_cancel(&cancel_state, &cancel_type);
    ep_thread_mark_busy(thread, EP_THREAD_IS_COLD);
    thread->cancel_state = cancel_state;
    thread->cancel_type = cancel_type;
    ep_signal_fence();
    return thread;
}

void ep_thread_end_cold(void)
{
    struct ep_thread *thread = ep_thread_self;
    int cancel_state = thread->cancel_state, cancel_type = thread->cancel_type;
    ep_signal_fence();
    ep_thread_unmark_busy(thread);
    ep_platform_release_cancel(cancel_state, cancel_type);
}

void ep_thread_open_tables(struct ep_thread *thread)
{
    const struct ep_source *source = ep_process_source();
    bool is_closed = thread->is_off || thread->lent;
    uint32_t count = is_closed ? 0 : thread->near_capacity;
    /* the straight paths read nothing but the counter */
    bool is_counter = source->is_counter && !ep_cpu_is_on();
    thread->counter_pairs = is_counter ? count : 0;
    thread->called_pairs = is_counter ? 0 : count;
    uint32_t sites = is_closed ? 0 : thread->site_capacity;
    /* the straight paths time each call */
    bool is_straight = is_counter && !ep_sampling_is_on();
    thread->counter_sites = is_straight ? sites : 0;
    thread->called_sites = is_straight ? 0 : sites;
    thread->straight = is_straight && sites ? EP_THREAD_STRAIGHT : 0;
    if (is_closed)
        ep_store(&eprof_hot.edges, (const char *)ep_thread_no_edges);
    if (thread->source != source)
        ep_rate_switches_forget(&thread->switches);
    thread->source = source;
}

/* Before the number of switches in the owner tag wraps to 1, all cells get 0, which the tag never
 * has again. So no cell carries the number of a future switch. */
static void forget_switches(const struct ep_thread *thread, const ep_ref *pairs)
{
    for (EP_EACH(ep_instance_cells, pair, thread->cells, pairs))
        ep_store_release(&pair->generation, pair->generation & ~EP_OWNER_TAG_SWITCHES);
}

void ep_thread_switch(struct ep_thread *thread, bool on)
{
    if (on == !thread->is_off)
        return;
    thread->is_off = !on;
    ep_store(&thread->cell->is_off, !on);
    thread->switch_birth = ep_load(&ep_process.births);
    ep_rate_switches_add(&thread->switches, ep_source_now(ep_process_source()));
    /* Every cell of the thread is visited once after a switch. Nodes of the call tree keep their
     * number, since it is never read there */
    if (on && (ep_load(&thread->generation) & EP_OWNER_TAG_SWITCHES) == EP_OWNER_TAG_SWITCHES) {
        forget_switches(thread, &thread->cell->pairs);
        forget_switches(thread, &thread->cell->scratch_cells);
        struct ep_open_scope_cell *entry = thread->top;
        for (; entry && entry->below; entry = &thread->cells[entry->below].frame)
            ep_store(&entry->generation, entry->generation & ~EP_OWNER_TAG_SWITCHES);
        ep_thread_add_tag(thread, 0 - EP_OWNER_TAG_SWITCHES);
    }
    if (on)
        ep_thread_add_tag(thread, EP_OWNER_TAG_SWITCH);
    ep_thread_open_tables(thread);
}

void ep_thread_diagnose(struct ep_thread *thread, enum ep_diagnostic kind)
{
    if (!thread->cell) /* the record by which the probe is measured */
        return;
    struct ep_diagnostics_cell *diagnostics = &thread->cells[thread->cell->diagnostics].diagnostics;
    /* pairs with ep_horizon_raise() */
    uint64_t generation = ep_load_acquire(&thread->control->generation);
    if (diagnostics->generation < ep_load(&thread->control->reset_generation)) {
        ep_store_release(&diagnostics->generation, 0);
        for (int i = 0; i < EP_DIAGNOSTIC_KINDS; i++)
            ep_store(&diagnostics->count[i], 0);
        ep_store_release(&diagnostics->generation, generation); /* pairs with snapshot/snapshot.c */
    }
    ep_add64(&diagnostics->count[kind], 1);
}

struct ep_note_cell *ep_thread_note(struct ep_thread *thread)
{
    if (!thread->cell)
        return NULL;
    ep_ref ref = thread->cells[thread->cell->more].more.note;
    struct ep_note_cell *note = &thread->cells[ref].note;
    /* pairs with ep_horizon_raise() */
    uint64_t generation = ep_load_acquire(&thread->control->generation);
    if (note->generation < ep_load(&thread->control->reset_generation)) {
        ep_store_release(&note->generation, 0);
        ep_store(&note->holds_kept, 0);
        ep_store(&note->holds_ended, 0);
        for (int i = 0; i < EP_UNENDED_SITES; i++)
            ep_store(&note->unended[i], 0);
        ep_store(&note->flags, 0);
        ep_store_release(&note->generation, generation); /* pairs with snapshot/notes.c */
    }
    return note;
}

void ep_thread_unended(struct ep_thread *thread, uint32_t site)
{
    ep_thread_diagnose(thread, EP_DIAGNOSTIC_FORCED_CLOSES);
    struct ep_note_cell *note = ep_thread_note(thread);
    if (!note || site < EP_SITE_FIRST) /* "(other)" cannot be named */
        return;
    for (int i = 0; i < EP_UNENDED_SITES; i++) {
        if (!note->unended[i])
            ep_store(&note->unended[i], site);
        if (note->unended[i] == site)
            return;
    }
    ep_store(&note->flags, note->flags | EP_NOTE_MORE_UNENDED);
}

ep_ref ep_thread_take(struct ep_thread *thread, struct ep_pool *pool, uint32_t count)
{
    if (count == 1 && pool->spare) {
        ep_ref cell = pool->spare;
        pool->spare = thread->cells[cell].refs[0];
        thread->cells[cell].refs[0] = 0;
        return cell;
    }
    if (pool->block_end - pool->block_next < count) {
        ep_process_mutex_lock();
        ep_ref block = pool->is_limited ? ep_image_take_limited(&ep_process.image)
                                        : ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
        ep_process_mutex_unlock();
        if (!block) {
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
            return 0;
        }
        /* the rest of the former block becomes a list of single cells */
        while (pool->block_next < pool->block_end) {
            ep_ref cell = pool->block_next++;
            thread->cells[cell].refs[0] = pool->spare;
            pool->spare = cell;
        }
        pool->block_next = block;
        pool->block_end = block + EP_BLOCK_CELLS;
    }
    ep_ref cells = pool->block_next;
    pool->block_next += count;
    return cells;
}

void ep_thread_add_pair(struct ep_thread *thread, uint32_t slot, ep_ref ref)
{
    ep_thread_set_instance_cells(thread, slot, ep_thread_instance_cells_at(thread, ref));
    ep_thread_link(&thread->cell->pairs, &thread->last_pair,
                   &ep_thread_instance_cells_at(thread, thread->last_pair)->next, ref);
}

void ep_thread_add_scratch(struct ep_thread *thread, ep_ref ref)
{
    ep_thread_link(&thread->cell->scratch_cells, &thread->last_scratch,
                   &ep_thread_instance_cells_at(thread, thread->last_scratch)->next, ref);
}

struct ep_thread *ep_thread_make_record(void)
{
    struct ep_thread *thread = ep_platform_allocate_wiped(RECORD_BYTES);
    if (!thread)
        return NULL;
    thread->control = ep_process_control();
    thread->generation = thread->control->generation;
    ep_store_release(&ep_thread_pool.raised, thread->generation);
    thread->cells = ep_process.image.cells;
    thread->near_capacity = NEAR_SLOTS;
    thread->made_before = ep_thread_pool.made;
    ep_thread_pool.made = thread;
    return thread;
}

/* The former table is never freed: a signal handler may do this while a hot path uses it. */
bool ep_thread_make_room(struct ep_thread *thread, uint32_t slot)
{
    if (slot < thread->near_capacity || slot < thread->far_capacity)
        return true;
    uint32_t capacity = thread->far_capacity ? thread->far_capacity : NEAR_SLOTS;
    while (capacity <= slot)
        capacity *= 2;
    uint64_t *larger = ep_platform_allocate_wiped(capacity * sizeof *larger);
    if (!larger)
        return false;
    for (uint32_t i = thread->near_capacity; i < thread->far_capacity; i++)
        if (thread->far_pairs[i])
            larger[i] = thread->far_pairs[i];
    thread->far_pairs = larger;
    ep_signal_fence(); /* a handler that sees the new length uses the new table */
    thread->far_capacity = capacity;
    return true;
}

void ep_thread_wipe_all(void)
{
    for (struct ep_thread *thread = ep_thread_pool.made; thread; thread = thread->made_before)
        memset(thread, 0, offsetof(struct ep_thread, made_before));
}

/* Each thread has a generation of its own, so that its hot paths read one word for number and tag.
 * The record by which the probe is measured has another control, and no resets. The fence orders
 * the raise before the reads of `light`; pairs with arm() in record/light.c. */
void ep_thread_raise_all(void)
{
    for (struct ep_thread *thread = ep_thread_pool.made; thread; thread = thread->made_before)
        if (thread->control == ep_process_control())
            __atomic_fetch_add(EP_ALIGNED(&thread->generation), 1, __ATOMIC_RELEASE);
    ep_store_release(&ep_thread_pool.raised, ep_process_control()->generation);
    ep_full_fence();
    for (struct ep_thread *thread = ep_thread_pool.made; thread; thread = thread->made_before) {
        const struct ep_light *light = ep_load_acquire(&thread->light);
        struct eprof_hot *hot = light ? ep_load(&light->hot) : NULL;
        if (hot)
            ep_store(&hot->edges, (const char *)ep_thread_no_edges);
    }
}

/* The raise is a loop without a call, so it ends soon. It is not waited for without end, since a
 * child made by a system call of the program may have no thread to continue it. */
void ep_thread_await_raise_cold(uint64_t number)
{
    enum { MOST_TRIES = 1000 };
    for (int tries = 0; tries < MOST_TRIES && ep_load_acquire(&ep_thread_pool.raised) < number;
         tries++)
        sched_yield();
}

bool ep_thread_any_is_inside(void)
{
    for (struct ep_thread *thread = ep_thread_pool.made; thread; thread = thread->made_before) {
        const struct ep_light *light = ep_load_acquire(&thread->light);
        const struct eprof_hot *hot = light ? ep_load(&light->hot) : NULL;
        const struct eprof_open *top = hot ? ep_load(&hot->top) : NULL;
        uint32_t cell = top ? ep_load(&top->cell) : 0;
        if (top && !ep_thread_is_no_scope(top) && ep_load(&top->state) &&
            (!cell || cell == EP_LIGHT_TIMED || cell == EP_LIGHT_MANUAL))
            return true;
    }
    return false;
}
