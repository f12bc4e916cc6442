#include "pair.h"

#include "hold.h"

/* ---- clearing: by the owner, when it finds what it holds to be of another time ---- */

/* One use of a handle. */
struct life {
    uint32_t handle;
    uint64_t begin; /* generation at which its figures begin; 0: it is not alive */
    uint64_t birth; /* its number in the order of all allocs */
};

/* Whether recording was switched since the last pair of this life began here, so
 * that a stop without a start may be the end of one that began while it was off. */
static bool was_switched(const struct ep_thread *thread, const struct ep_pair_cell *pair,
                         const struct life *life)
{
    uint64_t last_visit = pair->stamp & EP_STAMP_GENERATION;
    bool is_same = pair->handle == life->handle;
    uint64_t since = is_same && last_visit > life->begin ? last_visit : life->begin;
    bool by_itself = (pair->stamp & EP_STAMP_SWITCHES) != (thread->salt & EP_STAMP_SWITCHES) &&
                     life->birth <= thread->switch_birth;
    return since < ep_load(&thread->control->switch_generation) || by_itself ||
           (is_same && pair->stats.calls < pair->pardon_below_calls);
}

/* The stamp is 0 while the fields change, and the new one comes last: a reader
 * that finds the same stamp before and after has read one state. */
static void clear(const struct ep_thread *thread, struct ep_pair_cell *pair,
                  const struct life *life, uint64_t stamp)
{
    bool is_same = pair->handle == life->handle;
    uint64_t pardon = was_switched(thread, pair, life) ? 1 : 0;
    if (!is_same && pair->depth + pair->ignored &&
        (pair->stamp & EP_STAMP_GENERATION) < ep_load(&thread->control->init_generation)) {
        pair->former_handle = pair->handle;
        ep_store(&pair->former_open, pair->depth + pair->ignored);
    }
    ep_store(&pair->stamp, 0);
    /* what is open now began in another time: its stops are no error */
    ep_store(&pair->ignored, is_same ? pair->ignored + pair->depth : 0);
    pair->pardon_below_calls = pardon;
    ep_store_release(&pair->handle, life->handle);
    ep_store_release(&pair->depth, 0);
    ep_statistics_clear(thread->cells, &pair->stats);
    ep_store_release(&pair->stamp, stamp);
}

/* ---- visiting: off the hot path, after anything that raised the generation ---- */

static struct ep_pair_cell *make(struct ep_thread *thread, uint32_t slot)
{
    thread = ep_thread_room(thread, slot);
    if (!thread) {
        ep_thread_trouble(ep_self, EP_TROUBLE_OUT_OF_CELLS);
        return NULL;
    }
    ep_ref ref =
        ep_thread_take(thread, &thread->pair_cells, sizeof(struct ep_pair_cell) / EP_CELL_BYTES);
    if (!ref)
        return NULL;
    /* an owner's cell begins as what clear() will find: never stamped, of no
     * instance; the handle's slot is right, so that a forked child finds it */
    struct ep_pair_cell *pair = (struct ep_pair_cell *)&thread->cells[ref];
    pair->handle = (UINT32_MAX & ~(uint32_t)(EP_SLOTS - 1)) | slot;
    ep_thread_add_pair(thread, slot, ref);
    return pair;
}

struct ep_pair_cell *ep_pair_make_scratch(struct ep_thread *thread)
{
    ep_ref ref =
        ep_thread_take(thread, &thread->pair_cells, sizeof(struct ep_pair_cell) / EP_CELL_BYTES);
    if (!ref)
        return NULL;
    ep_thread_add_scratch(thread, ref);
    return (struct ep_pair_cell *)&thread->cells[ref];
}

static struct life life_of(int id)
{
    struct life life = {(uint32_t)id, 0, 0};
    const struct ep_instance_cell *instance =
        ep_image_instance(&ep_process.image, ep_pair_slot(id));
    if (id < 0 || !instance)
        return life;
    uint64_t begin = ep_load_acquire(&instance->born);
    life.birth = ep_load(&instance->birth);
    life.begin = ep_load(&instance->handle) == (uint32_t)id ? begin : 0;
    return life;
}

bool ep_pair_is_alive(int id)
{
    return life_of(id).begin != 0;
}

static bool is_stale(const struct ep_pair_cell *pair, int id, uint64_t oldest)
{
    return pair->handle != (uint32_t)id || (pair->stamp & EP_STAMP_GENERATION) < oldest;
}

static void renew(struct ep_thread *thread, struct ep_pair_cell *pair, const struct life *life,
                  uint64_t stamp)
{
    ep_hold_pair_forget(thread, pair);
    clear(thread, pair, life, stamp);
}

struct ep_pair_cell *ep_pair_visit(int id)
{
    struct ep_thread *thread = ep_self;
    /* first the generation, then what it is the generation of: whatever changes
     * afterwards has raised it again, and the next visit sees that */
    uint64_t stamp = ep_thread_stamp(thread);
    uint64_t oldest = ep_load(&thread->control->reset_generation);
    struct life life = life_of(id);
    ep_thread_open_tables(thread); /* the source may be another */
    if (!life.begin) {
        ep_thread_trouble(thread, EP_TROUBLE_BAD_HANDLES);
        return NULL;
    }
    oldest = life.begin > oldest ? life.begin : oldest;
    uint32_t slot = ep_pair_slot(id);
    struct ep_pair_cell *pair = ep_thread_pair(thread, slot);
    if (!pair)
        pair = make(thread, slot);
    thread = ep_self; /* it may have grown */
    if (pair && ep_hold_level(pair->stamp) < thread->level) {
        /* what a hold puts something in the place of is of this time itself */
        uint32_t levels = thread->level - ep_hold_level(pair->stamp);
        if (is_stale(pair, id, oldest))
            renew(thread, pair, &life, stamp - levels * EP_STAMP_LEVEL);
        pair = ep_hold_pair(thread, pair);
    }
    if (!pair) {
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
        return NULL;
    }
    if (is_stale(pair, id, oldest)) {
        renew(thread, pair, &life, stamp);
    } else if (pair->stamp != stamp) {
        if (was_switched(thread, pair, &life))
            pair->pardon_below_calls = pair->stats.calls + pair->depth + 1;
        ep_store_release(&pair->stamp, stamp);
    }
    return pair;
}
