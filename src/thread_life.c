#include "thread_life.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "control.h"
#include "hold.h"
#include "instance_index.h"
#include "pair.h"
#include "stack.h"
#include "statistics_move.h"
#include "tree.h"

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

/* Gives a record its name, NULL for none. false: no memory, the old one stays. */
static bool set_name(struct ep_thread_cell *cell, const char *name, uint32_t name_bytes)
{
    uint32_t cells = 0;
    ep_ref text = name ? ep_image_text(&ep_process.image, name, name_bytes, &cells) : 0;
    if (name && !text)
        return false;
    ep_ref old = cell->name;
    uint32_t old_bytes = cell->name_bytes;
    /* a kill leaves one name, or none */
    ep_store_release(&cell->name, 0);
    ep_store_release(&cell->name_bytes, name_bytes);
    ep_store_release(&cell->name, text);
    if (old)
        ep_image_text_free(&ep_process.image, old, ep_image_text_cells(old_bytes));
    return true;
}

static struct ep_thread **ended_list(const char *name, uint32_t name_bytes)
{
    uint32_t list = name ? 1 + ep_instance_index_hash(name, name_bytes) % (EP_THREAD_LISTS - 1) : 0;
    return &ep_process.threads.ended[list];
}

static struct ep_thread **own_list(const struct ep_thread_cell *cell)
{
    const char *name = cell->name ? ep_image_string(&ep_process.image, cell->name) : NULL;
    return ended_list(name, cell->name_bytes);
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

static struct ep_thread *take_blank(const char *name, uint32_t name_bytes)
{
    struct ep_thread **link = &ep_process.threads.blank;
    return *link && set_name((*link)->cell, name, name_bytes) ? unlink_ended(link) : NULL;
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
    struct ep_thread *thread = ep_thread_make_record(highest);
    if (!thread)
        return NULL;
    thread->cell = cell;
    for (ep_ref ref = cell->pairs; ref; ref = ep_pair_at(cells, ref)->next) {
        struct ep_pair_cell *pair = (struct ep_pair_cell *)&thread->cells[ref];
        thread->pairs[ep_pair_slot((int)pair->handle)] = pair;
        thread->last_pair = ref;
        uint64_t salt = pair->stamp & EP_STAMP_SWITCHES;
        thread->salt = salt > thread->salt ? salt : thread->salt;
    }
    for (ep_ref ref = cell->scratch_pairs; ref; ref = ep_pair_at(cells, ref)->next)
        thread->last_scratch = ref;
    thread->is_off = thread->switches.was_off = cell->is_off;
    thread->switch_birth = ep_process.births;
    thread->tree_cells.is_limited = true;
    thread->former_holds = cell->holds;
    return ep_tree_rebuild(thread) == 0 && ep_stack_rebuild(thread) == 0 ? thread : NULL;
}

/* In a forked child, a record that was the parent's: where `self` is not 0, this
 * very thread's, whose name and open pairs are its own; else one of the name. */
static struct ep_thread *take_orphan(uint64_t self, const char *name, uint32_t name_bytes)
{
    struct ep_thread_cell *cell = NULL;
    ep_ref ref = ep_process.threads.orphans ? ep_image_root(&ep_process.image)->threads : 0;
    for (; ref; ref = cell->next) {
        cell = &ep_process.image.cells[ref].thread;
        if (cell->state == EP_THREAD_ORPHANED && cell->self == self &&
            (self || is_called(cell, name, name_bytes)))
            break;
    }
    struct ep_thread *thread = ref ? rebuild(cell) : NULL;
    if (thread)
        ep_process.threads.orphans--;
    return thread;
}

/* What was taken and then could not be used, for want of the rest, is kept for the
 * next try: without memory each call tries anew. */
static struct ep_thread *make_new(const char *name, uint32_t name_bytes)
{
    struct ep_image *image = &ep_process.image;
    ep_ref *block = &ep_process.threads.block;
    if (!*block)
        *block = ep_image_take(image, EP_BLOCK_CELLS);
    struct ep_thread_cell *cell = &image->cells[*block].thread;
    if (!*block || !set_name(cell, name, name_bytes))
        return NULL;
    struct ep_thread *thread = ep_thread_make_record(0);
    if (!thread)
        return NULL;
    cell->trouble = *block + 1;
    cell->move = *block + 2;
    cell->number = is_main() ? 0 : ++ep_image_root(image)->thread_count;
    thread->cell = cell;
    thread->pair_cells =
        (struct ep_pool){.block_next = *block + 3, .block_end = *block + EP_BLOCK_CELLS};
    thread->tree_cells.is_limited = true;
    ep_thread_link(&ep_image_root(image)->threads, &ep_process.threads.last,
                   &image->cells[ep_process.threads.last].thread.next, *block);
    *block = 0;
    return thread;
}

struct ep_thread *ep_thread_life_begin(const char *name, uint32_t name_bytes)
{
    if (ep_process_watch_thread() != 0)
        return NULL;
    struct ep_thread *thread = take_orphan((uint64_t)pthread_self(), NULL, 0);
    if (!thread)
        thread = take_ended(name, name_bytes);
    if (!thread)
        thread = take_orphan(0, name, name_bytes);
    if (!thread)
        thread = take_blank(name, name_bytes);
    if (!thread)
        thread = make_new(name, name_bytes);
    if (!thread)
        return NULL;
    if (is_main() != (thread->cell->number == 0))
        thread->cell->number = is_main() ? 0 : ++ep_image_root(&ep_process.image)->thread_count;
    thread->cell->self = (uint64_t)pthread_self();
    ep_store(&thread->cell->state, EP_THREAD_LIVING);
    ep_thread_open_tables(thread);
    ep_thread_mark_busy(thread); /* until the unlock */
    ep_self = thread;
    return thread;
}

/* ---- end, names, fork ---- */

/* Whether the instance of a pair may have been started in vain, while recording was
 * off, by a thread that this process has not seen yet. */
static bool may_be_started(const struct ep_pair_cell *pair)
{
    const struct ep_image *image = &ep_process.image;
    const struct ep_instance_cell *instance =
        ep_image_instance(image, ep_pair_slot((int)pair->handle));
    return instance && instance->born < ep_image_control(image)->switch_generation;
}

/* A pair that is open when its thread ends stays open for ever: it is shown, but
 * the next thread of the name begins outside of it. */
static void abandon_pairs(struct ep_thread_cell *cell)
{
    union ep_cell *cells = ep_process.image.cells;
    const struct ep_control_cell *control = ep_image_control(&ep_process.image);
    struct ep_pair_cell *pair;
    for (ep_ref ref = cell->pairs; ref; ref = pair->next) {
        pair = (struct ep_pair_cell *)&cells[ref];
        if ((pair->stamp & EP_STAMP_GENERATION) >= control->reset_generation)
            ep_store(&pair->stats.abandoned, pair->stats.abandoned + pair->depth);
        ep_store(&pair->depth, 0);
        ep_store(&pair->ignored, 0);
        ep_store(&pair->former_open, 0);
        pair->pardon_below_calls = may_be_started(pair) ? pair->stats.calls + 1 : 0;
    }
}

void ep_thread_life_end(void)
{
    struct ep_thread *thread = ep_self;
    if (!thread->cell)
        return;
    ep_hold_forget(thread);
    ep_stack_end(thread);
    ep_self = &ep_thread_entering; /* until the unlock */
    abandon_pairs(thread->cell);
    ep_store(&thread->cell->state, EP_THREAD_ENDED);
    thread->cell->self = 0;
    thread->is_off = false;
    thread->cell->is_off = 0;
    thread->switches = (struct ep_switches){.count = 0};
    thread->busy = 0;
    link_ended(own_list(thread->cell), thread);
    ep_control_drain(); /* what it left open is not waited for */
}

/* What ended under the name that this thread takes now goes on in its row: threads
 * that live one after another under one name, or none, share one. The emptied
 * record is blank: the next thread's, whatever its name. */
static void absorb_ended(struct ep_thread *ended)
{
    struct ep_pair_cell *from;
    bool is_left = false;
    for (ep_ref ref = ended->cell->pairs; ref; ref = from->next) {
        from = (struct ep_pair_cell *)&ended->cells[ref];
        bool is_of_use = (from->stamp & EP_STAMP_GENERATION) >= ended->control->reset_generation &&
                         ep_pair_is_alive((int)from->handle);
        struct ep_pair_cell *to = is_of_use ? ep_pair_visit((int)from->handle) : NULL;
        if (is_of_use && !to) {
            is_left = true; /* no memory: it stays where it is */
            continue;
        }
        if (to) {
            ep_statistics_reserve(&to->stats, &ep_self->pair_cells, &from->stats);
            ep_statistics_move(&to->stats, &from->stats);
        }
        ep_store_release(&from->stamp, 0);
    }
    is_left = !ep_tree_absorb(ep_self, ended) || is_left;
    if (!is_left)
        set_name(ended->cell, NULL, 0);
    link_ended(is_left ? own_list(ended->cell) : &ep_process.threads.blank, ended);
}

int ep_thread_life_rename(const char *name, uint32_t name_bytes)
{
    if (is_called(ep_self->cell, name, name_bytes))
        return 0;
    if (!set_name(ep_self->cell, name, name_bytes))
        return -1;
    struct ep_thread *ended = take_ended(name, name_bytes);
    if (ended)
        absorb_ended(ended);
    return 0;
}

/* Of the parent's holds nobody knows any more. */
static void forget_scratch(const struct ep_thread_cell *cell)
{
    struct ep_pair_cell *pair;
    for (ep_ref ref = cell->scratch_pairs; ref; ref = pair->next) {
        pair = (struct ep_pair_cell *)&ep_process.image.cells[ref];
        pair->depth = pair->ignored = pair->former_open = 0;
    }
}

/* What it was in the midst of keeping, or of moving, nobody ends. */
static void forget_move(struct ep_thread_cell *cell)
{
    cell->keeps += cell->keeps % 2;
    ep_process.image.cells[cell->move].move.from = 0;
}

void ep_thread_life_forget_all(void)
{
    uint64_t self = (uint64_t)pthread_self();
    struct ep_thread_cell *cell;
    ep_process.threads = (struct ep_thread_pool){.last = 0};
    for (ep_ref ref = ep_image_root(&ep_process.image)->threads; ref; ref = cell->next) {
        cell = &ep_process.image.cells[ref].thread;
        forget_scratch(cell);
        if (cell->self != self) {
            abandon_pairs(cell);
            ep_stack_forget(ep_process.image.cells, cell);
            cell->holds = 0;
            cell->self = 0;
            cell->is_off = 0;
            forget_move(cell);
        }
        cell->state = EP_THREAD_ORPHANED;
        ep_process.threads.last = ref;
        ep_process.threads.orphans++;
    }
    ep_self = &ep_thread_entering; /* until the unlock: the hot record was wiped */
}
