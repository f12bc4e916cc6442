#include "thread.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pair.h"
#include "platform.h"

/* Head and table together are a page at first, and twice as much each time. */
enum { RECORD_BYTES_AT_FIRST = 4096 };

struct ep_thread ep_thread_nobody;
struct ep_thread ep_thread_entering = {.busy = 1};
EP_THREAD_LOCAL struct ep_thread *ep_self = &ep_thread_nobody;

/* ---- the present thread ---- */

struct ep_thread *ep_thread_current(void)
{
    struct ep_thread *thread = ep_self;
    if (EP_LIKELY(thread->cell != NULL))
        return thread;
    if (ep_process_lock() != 0)
        return NULL;
    thread = ep_thread_begin(NULL, 0);
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
    if (thread->busy) {
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
        return NULL;
    }
    thread->busy = 1;
    ep_signal_fence();
    return thread;
}

void ep_thread_end_cold(void)
{
    ep_signal_fence();
    ep_self->busy = 0;
}

void ep_thread_open_table(struct ep_thread *thread)
{
    bool is_counter = ep_load_acquire(&ep_process.source)->is_counter;
    uint32_t count = thread->is_off ? 0 : thread->pair_capacity;
    thread->counter_pairs = is_counter ? count : 0;
    thread->called_pairs = is_counter ? 0 : count;
}

void ep_thread_switch(struct ep_thread *thread, bool on)
{
    if (on == !thread->is_off)
        return;
    thread->is_off = !on;
    if (on)
        thread->salt += EP_STAMP_GENERATION + 1; /* all its cells are to be looked at */
    else
        thread->off_ticks = ep_source_now(ep_process.source);
    ep_thread_open_table(thread);
}

void ep_thread_trouble(struct ep_thread *thread, enum ep_trouble kind)
{
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
static void keep_spare(struct ep_thread *thread)
{
    while (thread->block_next < thread->block_end) {
        ep_ref cell = thread->block_next++;
        thread->cells[cell].refs[0] = thread->spare;
        thread->spare = cell;
    }
}

static ep_ref take_spare(struct ep_thread *thread)
{
    ep_ref cell = thread->spare;
    thread->spare = thread->cells[cell].refs[0];
    thread->cells[cell].refs[0] = 0;
    return cell;
}

ep_ref ep_thread_take(struct ep_thread *thread, uint32_t count)
{
    if (count == 1 && thread->spare)
        return take_spare(thread);
    if (thread->block_end - thread->block_next < count) {
        ep_process_mutex_lock();
        ep_ref block = ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
        ep_process_mutex_unlock();
        if (!block) {
            ep_thread_trouble(thread, EP_TROUBLE_OUT_OF_CELLS);
            return 0;
        }
        keep_spare(thread);
        thread->block_next = block;
        thread->block_end = block + EP_BLOCK_CELLS;
    }
    ep_ref cells = thread->block_next;
    thread->block_next += count;
    return cells;
}

void ep_thread_add_pair(struct ep_thread *thread, uint32_t slot, ep_ref ref)
{
    struct ep_pair_cell *pair = (struct ep_pair_cell *)&thread->cells[ref];
    pair->next = thread->cell->pairs;
    thread->pairs[slot] = pair;
    /* pairs with the readers' acquire: what they find there has been written */
    ep_store_release(&thread->cell->pairs, ref);
}

/* ---- the hot record ---- */

static uint32_t capacity_of(size_t record_bytes)
{
    return (uint32_t)((record_bytes - offsetof(struct ep_thread, pairs)) /
                      sizeof(struct ep_pair_cell *));
}

/* A record of the size of a table with `slot` in it, empty. Known to
 * ep_thread_wipe_all() and never given back: its own thread's handlers, or a next
 * thread, go on with it. */
static struct ep_thread *new_record(uint32_t slot)
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
    thread->none.pair_head.handle = UINT32_MAX;
    for (uint32_t i = 0; i < thread->pair_capacity; i++)
        thread->pairs[i] = (struct ep_pair_cell *)&thread->none;
    thread->made_before = ep_process.threads.made;
    ep_process.threads.made = thread;
    return thread;
}

struct ep_thread *ep_thread_room(struct ep_thread *thread, uint32_t slot)
{
    if (slot < thread->pair_capacity)
        return thread;
    ep_process_mutex_lock();
    struct ep_thread *larger = new_record(slot);
    ep_process_mutex_unlock();
    if (!larger)
        return NULL;
    size_t head_bytes = offsetof(struct ep_thread, none);
    struct ep_thread *made_before = larger->made_before;
    uint32_t capacity = larger->pair_capacity;
    memcpy(larger, thread, head_bytes);
    larger->made_before = made_before;
    larger->pair_capacity = capacity;
    for (uint32_t i = 0; i < thread->pair_capacity; i++)
        if (ep_thread_pair(thread, i))
            larger->pairs[i] = thread->pairs[i];
    ep_thread_open_table(larger);
    ep_self = larger;
    return larger;
}

/* ---- begin: with the cells of one that ended, or with new ones ---- */

static bool is_main(void)
{
    return (pid_t)syscall(SYS_gettid) == getpid();
}

static bool is_called(const struct ep_thread_cell *cell, const char *name, uint32_t name_bytes)
{
    if (!name || !cell->name)
        return !name && !cell->name && (cell->number == 0) == is_main();
    return cell->name_bytes == name_bytes &&
           memcmp(ep_image_string(&ep_process.image, cell->name), name, name_bytes) == 0;
}

static struct ep_thread *take_ended(const char *name, uint32_t name_bytes)
{
    for (struct ep_thread **link = &ep_process.threads.ended; *link; link = &(*link)->next_ended) {
        struct ep_thread *thread = *link;
        if (is_called(thread->cell, name, name_bytes)) {
            *link = thread->next_ended;
            return thread;
        }
    }
    return NULL;
}

/* A record for cells whose record was wiped: the table is found again from the cells. */
static struct ep_thread *rebuild(struct ep_thread_cell *cell)
{
    const union ep_cell *cells = ep_process.image.cells;
    uint32_t highest = 0;
    for (ep_ref ref = cell->pairs; ref; ref = ep_pair_at(cells, ref)->next) {
        uint32_t slot = ep_pair_slot((int)ep_pair_at(cells, ref)->handle);
        highest = slot > highest ? slot : highest;
    }
    struct ep_thread *thread = new_record(highest);
    if (!thread)
        return NULL;
    thread->cell = cell;
    for (ep_ref ref = cell->pairs; ref; ref = ep_pair_at(cells, ref)->next) {
        struct ep_pair_cell *pair = (struct ep_pair_cell *)&thread->cells[ref];
        thread->pairs[ep_pair_slot((int)pair->handle)] = pair;
    }
    return thread;
}

/* In a forked child: the parent's records of the name, or the forking thread's own. */
static struct ep_thread *take_orphan(const char *name, uint32_t name_bytes)
{
    uint64_t self = (uint64_t)pthread_self();
    struct ep_thread_cell *found = NULL;
    struct ep_thread_cell *cell;
    for (ep_ref ref = ep_image_root(&ep_process.image)->threads; ref; ref = cell->next) {
        cell = &ep_process.image.cells[ref].thread;
        if (cell->state == EP_THREAD_ORPHANED && cell->self == self) {
            found = cell; /* this thread forked: its name and its open pairs are its own */
            break;
        }
        if (cell->state == EP_THREAD_ORPHANED && cell->self == 0 &&
            is_called(cell, name, name_bytes))
            found = cell;
    }
    struct ep_thread *thread = found ? rebuild(found) : NULL;
    if (thread)
        ep_process.threads.orphans--;
    return thread;
}

static struct ep_thread *make_new(const char *name, uint32_t name_bytes)
{
    struct ep_image *image = &ep_process.image;
    uint32_t name_cells = 0;
    ep_ref text = name ? ep_image_text(image, name, name_bytes, &name_cells) : 0;
    ep_ref block = !name || text ? ep_image_take(image, EP_BLOCK_CELLS) : 0;
    struct ep_thread *thread = block ? new_record(0) : NULL;
    if (!thread) {
        if (text)
            ep_image_text_free(image, text, name_cells);
        return NULL; /* a block that nobody took is a page that was never touched */
    }
    struct ep_thread_cell *cell = &image->cells[block].thread;
    cell->trouble = block + 1;
    cell->name = text;
    cell->name_bytes = name_bytes;
    cell->name_cells = name_cells;
    cell->number = is_main() ? 0 : ++ep_image_root(image)->thread_count;
    cell->next = ep_image_root(image)->threads;
    thread->cell = cell;
    thread->block_next = block + 2;
    thread->block_end = block + EP_BLOCK_CELLS;
    ep_store_release(&ep_image_root(image)->threads, block);
    return thread;
}

struct ep_thread *ep_thread_begin(const char *name, uint32_t name_bytes)
{
    if (ep_process_watch_thread() != 0)
        return NULL;
    struct ep_thread *thread = NULL;
    if (ep_process.threads.orphans)
        thread = take_orphan(name, name_bytes);
    if (!thread)
        thread = take_ended(name, name_bytes);
    if (!thread)
        thread = make_new(name, name_bytes);
    if (!thread)
        return NULL;
    if (is_main() != (thread->cell->number == 0))
        thread->cell->number = is_main() ? 0 : ++ep_image_root(&ep_process.image)->thread_count;
    thread->cell->self = (uint64_t)pthread_self();
    ep_store(&thread->cell->state, EP_THREAD_LIVING);
    ep_thread_open_table(thread);
    thread->busy = 1; /* until the unlock */
    ep_self = thread;
    return thread;
}

/* ---- end, names, fork ---- */

/* A pair that is open when its thread ends stays open for ever: it is shown, but
 * the next thread of the name begins outside of it. */
static void abandon_pairs(struct ep_thread_cell *cell)
{
    union ep_cell *cells = ep_process.image.cells;
    uint64_t reset = ep_image_control(&ep_process.image)->reset_generation;
    struct ep_pair_cell *pair;
    for (ep_ref ref = cell->pairs; ref; ref = pair->next) {
        pair = (struct ep_pair_cell *)&cells[ref];
        if ((pair->stamp & EP_STAMP_GENERATION) >= reset)
            ep_store(&pair->abandoned, pair->abandoned + pair->depth);
        ep_store(&pair->depth, 0);
        pair->ignored = 0;
        pair->pardon_at_calls = UINT64_MAX;
    }
}

void ep_thread_end(void)
{
    struct ep_thread *thread = ep_self;
    if (!thread->cell)
        return;
    ep_self = &ep_thread_entering; /* until the unlock */
    abandon_pairs(thread->cell);
    ep_store(&thread->cell->state, EP_THREAD_ENDED);
    thread->cell->self = 0;
    thread->is_off = false;
    thread->busy = 0;
    thread->next_ended = ep_process.threads.ended;
    ep_process.threads.ended = thread;
}

static void set_name(struct ep_thread_cell *cell, ep_ref text, uint32_t bytes, uint32_t cells)
{
    if (cell->name)
        ep_image_text_free(&ep_process.image, cell->name, cell->name_cells);
    cell->name = text;
    cell->name_bytes = bytes;
    cell->name_cells = cells;
}

/* What ended under the name that `thread` takes now goes on in its row: threads
 * that live one after another under one name share one. The emptied record is
 * nobody's, and ready for the next that has no name. */
static void absorb_ended(struct ep_thread *ended)
{
    struct ep_pair_cell *from;
    for (ep_ref ref = ended->cell->pairs; ref; ref = from->next) {
        from = (struct ep_pair_cell *)&ended->cells[ref];
        struct ep_pair_cell *to = NULL;
        if ((from->stamp & EP_STAMP_GENERATION) >= ended->control->reset_generation)
            to = ep_pair_visit((int)from->handle);
        if (to)
            ep_pair_absorb(to, from);
        ep_store_release(&from->stamp, 0);
    }
    set_name(ended->cell, 0, 0, 0);
    if (ended->cell->number == 0)
        ended->cell->number = ++ep_image_root(&ep_process.image)->thread_count;
    ended->next_ended = ep_process.threads.ended;
    ep_process.threads.ended = ended;
}

int ep_thread_rename(const char *name, uint32_t name_bytes)
{
    uint32_t cells = 0;
    ep_ref text = name ? ep_image_text(&ep_process.image, name, name_bytes, &cells) : 0;
    if (name && !text)
        return -1;
    set_name(ep_self->cell, text, name_bytes, cells);
    struct ep_thread *ended = name ? take_ended(name, name_bytes) : NULL;
    if (ended)
        absorb_ended(ended);
    return 0;
}

void ep_thread_forget_all(void)
{
    uint64_t self = (uint64_t)pthread_self();
    struct ep_thread_cell *cell;
    ep_process.threads = (struct ep_thread_pool){.ended = NULL};
    for (ep_ref ref = ep_image_root(&ep_process.image)->threads; ref; ref = cell->next) {
        cell = &ep_process.image.cells[ref].thread;
        if (cell->state != EP_THREAD_LIVING || cell->self != self) {
            abandon_pairs(cell);
            cell->self = 0;
        }
        cell->state = EP_THREAD_ORPHANED;
        ep_process.threads.orphans++;
    }
    ep_self = &ep_thread_entering; /* until the unlock: the hot record was wiped */
}

void ep_thread_wipe_all(void)
{
    for (struct ep_thread *thread = ep_process.threads.made; thread; thread = thread->made_before)
        memset(thread, 0, offsetof(struct ep_thread, made_before));
}
