#include "record/thread_life.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "image/moves.h"
#include "record/control.h"
#include "record/hold.h"
#include "record/instance_cells.h"
#include "record/light.h"
#include "record/process_lock.h"
#include "record/stack.h"
#include "record/statistics.h"
#include "record/tree.h"

/* ---- begin: with the cells of an ended thread, or with new ones ---- */

static const ep_ref *threads(void)
{
    return &ep_image_root(&ep_process.image)->threads;
}

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

/* Gives a record its name; NULL: none. false: no memory, the old name stays. */
static bool set_name(struct ep_thread_cell *cell, const char *name, uint32_t name_bytes)
{
    uint32_t cells = 0;
    ep_ref text = name ? ep_image_text(&ep_process.image, name, name_bytes, &cells) : 0;
    if (name && !text)
        return false;
    ep_ref old = cell->name;
    uint32_t old_bytes = cell->name_bytes;
    /* a kill leaves one of the names, or none; pairs with the acquires of readers */
    ep_store_release(&cell->name, 0);
    ep_store_release(&cell->name_bytes, name_bytes);
    ep_store_release(&cell->name, text);
    if (old)
        ep_image_text_free(&ep_process.image, old, ep_image_text_cells(old_bytes));
    return true;
}

static struct ep_thread **ended_list(const char *name, uint32_t name_bytes)
{
    uint32_t list = name ? 1 + ep_image_label_hash(name, name_bytes) % (EP_THREAD_LISTS - 1) : 0;
    return &ep_thread_pool.ended[list];
}

static void link_ended(struct ep_thread **list, struct ep_thread *thread)
{
    thread->next_ended = *list;
    *list = thread;
}

static struct ep_thread *unlink_ended(struct ep_thread **link)
{
    struct ep_thread *thread = *link;
    *link = thread->next_ended;
    return thread;
}

static struct ep_thread *take_ended(const char *name, uint32_t name_bytes)
{
    struct ep_thread **link = ended_list(name, name_bytes);
    while (*link && !is_called((*link)->cell, name, name_bytes))
        link = &(*link)->next_ended;
    return *link ? unlink_ended(link) : NULL;
}

/* A record for cells whose record was zeroed by a fork: the table is made again from the cells. */
static struct ep_thread *rebuild(struct ep_thread_cell *cell)
{
    const union ep_cell *cells = ep_process.image.cells;
    struct ep_thread *thread = ep_thread_make_record();
    if (!thread)
        return NULL;
    thread->cell = cell;
    for (EP_EACH(ep_instance_cells, pair, cells, &cell->pairs)) {
        uint32_t slot = ep_instance_cells_slot((int)pair->handle);
        if (!ep_thread_make_room(thread, slot))
            return NULL;
        ep_thread_set_instance_cells(thread, slot, pair);
        thread->last_pair = ep_cell_ref(cells, pair);
        uint64_t owner_tag = pair->generation & EP_OWNER_TAG_SWITCHES;
        uint64_t present = ep_load(&thread->generation) & EP_OWNER_TAG_SWITCHES;
        if (owner_tag > present)
            ep_thread_add_tag(thread, owner_tag - present);
    }
    for (EP_EACH(ep_instance_cells, scratch, cells, &cell->scratch_cells))
        thread->last_scratch = ep_cell_ref(cells, scratch);
    thread->is_off = thread->switches.was_off = cell->is_off;
    thread->switch_birth = ep_process.births;
    thread->tree_cells.is_limited = true;
    thread->former_holds = cell->holds;
    return ep_tree_rebuild(thread) == 0 && ep_stack_rebuild(thread) == 0 ? thread : NULL;
}

/* In a forked child: takes over a record of the parent. With `self`, the record of this thread,
 * with its name and its open pairs; with 0, a record of that name. */
static struct ep_thread *take_orphan(uint64_t self, const char *name, uint32_t name_bytes)
{
    if (!ep_thread_pool.orphans)
        return NULL;
    for (EP_EACH(ep_thread_cell, cell, ep_process.image.cells, threads())) {
        if (cell->state != EP_THREAD_ORPHANED || cell->self != self ||
            (!self && !is_called(cell, name, name_bytes)))
            continue;
        struct ep_thread *thread = rebuild(cell);
        ep_thread_pool.orphans -= thread != NULL;
        if (thread && self)
            ep_light_inherit(thread);
        return thread;
    }
    return NULL;
}

/* A block that was taken before memory ran out is kept for the next try, since each call tries
 * again. */
static struct ep_thread *make_new(const char *name, uint32_t name_bytes)
{
    struct ep_image *image = &ep_process.image;
    ep_ref *block = &ep_thread_pool.block;
    if (!*block)
        *block = ep_image_take(image, EP_BLOCK_CELLS);
    struct ep_thread_cell *cell = &image->cells[*block].thread;
    if (!*block || !set_name(cell, name, name_bytes))
        return NULL;
    struct ep_thread *thread = ep_thread_make_record();
    if (!thread)
        return NULL;
    cell->diagnostics = *block + 1;
    cell->more = *block + 2;
    image->cells[cell->more].more.note = *block + 3;
    cell->number = is_main() ? 0 : ++ep_image_root(image)->thread_count;
    thread->cell = cell;
    thread->instance_cells =
        (struct ep_pool){.block_next = *block + 4, .block_end = *block + EP_BLOCK_CELLS};
    thread->tree_cells.is_limited = true;
    ep_thread_link(&ep_image_root(image)->threads, &ep_thread_pool.last,
                   &image->cells[ep_thread_pool.last].thread.next, *block);
    *block = 0;
    return thread;
}

/* ---- one row with ended threads of its name: image/moves.h ---- */

/* Moves the figures of an ended record to the cells of this thread. false: some were left for want
 * of memory. */
static bool absorb(struct ep_thread *ended, ep_ref pairs)
{
    bool is_whole = true;
    for (EP_EACH(ep_instance_cells, from, ended->cells, &pairs)) {
        bool is_of_use = ep_thread_is_of_now(ended, from->generation) &&
                         ep_instance_cells_is_alive((int)from->handle);
        struct ep_instance_cells *to =
            is_of_use ? ep_instance_cells_visit((int)from->handle) : NULL;
        if (is_of_use && !to) {
            is_whole = false;
            continue;
        }
        if (to) {
            ep_statistics_reserve(&to->stats, &ep_thread_self->instance_cells, &from->stats);
            ep_cpu_add(ep_instance_cells_cpu(ep_thread_self, to),
                       ep_instance_cells_cpu(ended, from));
            ep_statistics_add_all(&to->stats, &from->stats);
            ep_statistics_add_calls(&to->stats, &from->stats);
        }
        ep_store_release(&from->generation, 0);
    }
    return ep_tree_absorb(ep_thread_self, ended) && is_whole;
}

/* Whether so many records have joined others that they have to be moved. Each takes two blocks or
 * more, and is read even when it is blank later: with 1,024 of them, each read of a small image
 * took 12 ms instead of 0.2 (2026-11-23) and was overtaken by moves. */
static bool are_too_many_joined(void)
{
    enum { FEWEST = 128, BLOCKS_EACH = 4 };
    uint32_t blocks = ep_image_root(&ep_process.image)->cells_used / EP_BLOCK_CELLS;
    uint32_t most = blocks / BLOCKS_EACH > FEWEST ? blocks / BLOCKS_EACH : FEWEST;
    return ep_thread_pool.joined >= most;
}

/* Moves one record, and lets the records that had joined it join this thread. false: no memory. */
static bool absorb_one(struct ep_thread *ended)
{
    while (ended->joined) {
        struct ep_thread *further = unlink_ended(&ended->joined);
        ep_store(&further->cell->row, ep_cell_ref(further->cells, ep_thread_self->cell));
        link_ended(&ep_thread_self->joined, further);
    }
    struct ep_thread_cell *cell = ended->cell;
    const struct ep_thread_cell lists = *cell;
    /* if the program is killed during the move, the record has no lists, so that what was added
     * does not count twice (image/moves.h) */
    ep_store(&cell->frames, 0);
    ep_store(&cell->pairs, 0);
    ep_store_release(&cell->nodes, 0);
    ep_store_fence();
    bool is_done = absorb(ended, lists.pairs);
    ep_store_release(&cell->nodes, lists.nodes); /* pairs with the readers' acquires */
    ep_store_release(&cell->pairs, lists.pairs);
    ep_store_release(&cell->frames, lists.frames);
    if (!is_done)
        return false;
    /* the emptied record is for the next thread of any name */
    ep_store(&cell->state, EP_THREAD_BLANK);
    ep_store(&cell->row, 0);
    set_name(cell, NULL, 0);
    link_ended(&ep_thread_pool.blank, ended);
    ep_thread_pool.joined--;
    return true;
}

/* Moves records that have joined this thread. If a reader has delayed many moves, only some of them
 * are moved, so that the lock is not held for long. Each record is a move of its own, for which a
 * reader waits. Nothing is moved in a hold, which would get the figures and might be dropped. */
static void absorb_joined(void)
{
    enum { MOST_AT_ONCE = 64 };
    struct ep_thread *left = NULL;
    for (int i = 0; i < MOST_AT_ONCE && ep_thread_self->joined && !ep_thread_self->level; i++) {
        if (!ep_moves_begin(&ep_process.image, are_too_many_joined()))
            break;
        struct ep_thread *ended = unlink_ended(&ep_thread_self->joined);
        if (!absorb_one(ended))
            link_ended(&left, ended); /* for the next try */
        ep_moves_end(&ep_process.image);
    }
    while (left)
        link_ended(&ep_thread_self->joined, unlink_ended(&left));
}

/* ---- begin, end, names, fork ---- */

static pthread_key_t end_key;

int ep_thread_life_watch_ends(void (*end)(void *unused))
{
    if (pthread_key_create(&end_key, end) == 0)
        return 0;
    errno = ENOMEM;
    return -1;
}

void ep_thread_life_unwatch_ends(void)
{
    pthread_key_delete(end_key);
}

struct ep_thread *ep_thread_life_begin(const char *name, uint32_t name_bytes)
{
    if (pthread_setspecific(end_key, &ep_process) != 0) {
        errno = ENOMEM;
        return NULL;
    }
    struct ep_thread *thread = take_orphan((uint64_t)pthread_self(), NULL, 0);
    if (!thread)
        thread = take_ended(name, name_bytes);
    if (!thread)
        thread = take_orphan(0, name, name_bytes);
    struct ep_thread *blank = ep_thread_pool.blank;
    if (!thread && blank && set_name(blank->cell, name, name_bytes))
        thread = unlink_ended(&ep_thread_pool.blank);
    if (!thread)
        thread = make_new(name, name_bytes);
    if (!thread)
        return NULL;
    if (is_main() != (thread->cell->number == 0))
        thread->cell->number = is_main() ? 0 : ++ep_image_root(&ep_process.image)->thread_count;
    thread->cell->self = (uint64_t)pthread_self();
    ep_store(&thread->cell->state, EP_THREAD_LIVING);
    ep_thread_open_tables(thread);
    ep_thread_mark_busy(thread, EP_THREAD_IS_COLD); /* until the unlock */
    ep_thread_self = thread;
    absorb_joined();
    return thread;
}

/* A pair that is open when its thread ends stays open for ever: it is shown, but the next thread of
 * the name does not begin inside it. */
static void abandon_pairs(struct ep_thread_cell *cell)
{
    const struct ep_control_cell *control = ep_process_control();
    for (EP_EACH(ep_instance_cells, pair, ep_process.image.cells, &cell->pairs)) {
        if ((pair->generation & EP_GENERATION_NUMBER) >= control->reset_generation)
            ep_store(&pair->stats.abandoned, pair->stats.abandoned + pair->depth);
        ep_store(&pair->depth, 0);
        ep_store(&pair->ignored, 0);
        ep_store(&pair->former_open, 0);
        /* started while recording was off, by a thread that this process has not seen yet? */
        const struct ep_instance_cell *instance =
            ep_image_instance(&ep_process.image, ep_instance_cells_slot((int)pair->handle));
        bool may_be_started = instance && instance->born < control->switch_generation;
        pair->pardon_below_calls = may_be_started ? pair->stats.calls + 1 : 0;
    }
}

void ep_thread_life_end(void)
{
    struct ep_thread *thread = ep_thread_self;
    if (!thread->cell)
        return;
    ep_light_forget();
    ep_hold_forget(thread);
    absorb_joined();
    ep_stack_end(thread);
    ep_thread_self = &ep_thread_entering; /* until the unlock */
    abandon_pairs(thread->cell);
    ep_store(&thread->cell->state, EP_THREAD_ENDED);
    thread->cell->self = 0;
    thread->is_off = false;
    thread->cell->is_off = 0;
    thread->switches = (struct ep_switches){.count = 0};
    ep_thread_unmark_busy(thread);
    const char *name =
        thread->cell->name ? ep_image_string(&ep_process.image, thread->cell->name) : NULL;
    link_ended(ended_list(name, thread->cell->name_bytes), thread);
    ep_control_quiesce(); /* its open pairs are not waited for */
}

int ep_thread_life_rename(const char *name, uint32_t name_bytes)
{
    if (is_called(ep_thread_self->cell, name, name_bytes))
        return 0;
    if (!set_name(ep_thread_self->cell, name, name_bytes))
        return -1;
    struct ep_thread *ended = take_ended(name, name_bytes);
    if (ended) {
        ep_store(&ended->cell->row, ep_cell_ref(ended->cells, ep_thread_self->cell));
        ep_store_release(&ended->cell->state, EP_THREAD_JOINED); /* pairs with image/image.c */
        link_ended(&ep_thread_self->joined, ended);
        ep_thread_pool.joined++;
    }
    absorb_joined();
    return 0;
}

void ep_thread_life_forget_all(void)
{
    uint64_t self = (uint64_t)pthread_self();
    uint32_t *moves = &ep_process.image.cells[EP_CELL_LOCK].lock.moves;
    const union ep_cell *cells = ep_process.image.cells;
    ep_thread_pool = (struct ep_thread_pool){.last = 0};
    /* the parent's move does not end in this process: readers would wait for its end */
    *moves += *moves % 2;
    for (EP_EACH(ep_thread_cell, cell, cells, threads())) {
        /* no thread ends the parent's holds */
        for (EP_EACH(ep_instance_cells, scratch, cells, &cell->scratch_cells))
            scratch->depth = scratch->ignored = scratch->former_open = 0;
        if (cell->self != self) {
            abandon_pairs(cell);
            ep_stack_forget(ep_process.image.cells, cell);
            cell->holds = 0;
            cell->self = 0;
            cell->is_off = 0;
            cell->keeps += cell->keeps % 2; /* no thread ends the keep that it was in */
        }
        cell->state = EP_THREAD_ORPHANED;
        ep_thread_pool.last = ep_cell_ref(cells, cell);
        ep_thread_pool.orphans++;
    }
    ep_thread_self = &ep_thread_entering; /* until the unlock: the hot record was zeroed */
    ep_light_forget();
}
