#include "pair.h"

#include <errno.h>

/* ---- clearing: by the owner, when it finds what it holds to be of another time ---- */

static void clear_octave(union ep_cell *cells, ep_ref octave)
{
    for (int i = 0; octave && i < EP_OCTAVE_BUCKETS; i++)
        ep_store_release(&cells[octave].octave.count[i], 0);
}

static void clear_octaves(union ep_cell *cells, const struct ep_pair_cell *pair)
{
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        clear_octave(cells, ep_cell_octave(cells, pair, octave));
}

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
    bool by_itself =
        (pair->stamp & ~EP_STAMP_GENERATION) != thread->salt && life->birth <= thread->switch_birth;
    return since < ep_load(&thread->control->switch_generation) || by_itself ||
           (is_same && pair->calls < pair->pardon_below_calls);
}

/* The stamp is 0 while the fields change, and the new one comes last: a reader
 * that finds the same stamp before and after has read one state. Each release
 * keeps the 0 before its field; pairs with the acquires in snapshot_figures.c. */
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
    ep_store_release(&pair->calls, 0);
    ep_store_release(&pair->total_ticks, 0);
    ep_store_release(&pair->min_ticks, UINT64_MAX);
    ep_store_release(&pair->max_ticks, 0);
    ep_store_release(&pair->pending, 0);
    ep_store_release(&pair->square_low, 0);
    ep_store_release(&pair->square_high, 0);
    ep_store_release(&pair->nested, 0);
    ep_store_release(&pair->errors, 0);
    ep_store_release(&pair->abandoned, 0);
    clear_octaves(thread->cells, pair);
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
    ep_ref ref = ep_thread_take(thread, sizeof(struct ep_pair_cell) / EP_CELL_BYTES);
    if (!ref)
        return NULL;
    /* an owner's cell begins as what clear() will find: never stamped, of no
     * instance; the handle's slot is right, so that a forked child finds it */
    struct ep_pair_cell *pair = (struct ep_pair_cell *)&thread->cells[ref];
    pair->handle = (UINT32_MAX & ~(uint32_t)(EP_SLOTS - 1)) | slot;
    ep_thread_add_pair(thread, slot, ref);
    return pair;
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

struct ep_pair_cell *ep_pair_visit(int id)
{
    struct ep_thread *thread = ep_self;
    /* first the generation, then what it is the generation of: whatever changes
     * afterwards has raised it again, and the next visit sees that */
    uint64_t stamp = ep_pair_stamp(thread);
    uint64_t oldest = ep_load(&thread->control->reset_generation);
    struct life life = life_of(id);
    ep_thread_open_table(thread); /* the source may be another */
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
    if (!pair) {
        ep_thread_trouble(thread, EP_TROUBLE_LOST);
        return NULL;
    }
    if (pair->handle != (uint32_t)id || (pair->stamp & EP_STAMP_GENERATION) < oldest) {
        clear(thread, pair, &life, stamp);
    } else if (pair->stamp != stamp) {
        if (was_switched(thread, pair, &life))
            pair->pardon_below_calls = pair->calls + pair->depth + 1;
        ep_store_release(&pair->stamp, stamp);
    }
    return pair;
}

/* ---- the histogram's cells, made at first use ---- */

/* The reference at `place`, made if it is 0. */
static ep_ref need(ep_ref *place)
{
    if (!*place) {
        ep_ref made = ep_thread_take(ep_self, 1);
        if (made)
            ep_store_release(place, made);
    }
    return *place;
}

static ep_ref need_octave(struct ep_pair_cell *pair, unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return need(&pair->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = need(&pair->far[far / 16]);
    return cell ? need(&ep_self->cells[cell].far.octave[far % 16]) : 0;
}

/* Without a cell the calls count all the same; their percentiles do without them. */
static void add_counts(struct ep_pair_cell *pair, unsigned octave, unsigned step, uint64_t times)
{
    ep_ref counts = need_octave(pair, octave);
    if (counts)
        ep_add64(&ep_self->cells[counts].octave.count[step], times);
}

static void spread(struct ep_pair_cell *pair, uint64_t difference)
{
    uint32_t bucket = ep_histogram_bucket(difference);
    struct ep_wide square = ep_wide_square(difference);
    ep_add_wide(&pair->square_low, &pair->square_high, square.low, square.high);
    add_counts(pair, bucket / EP_OCTAVE_BUCKETS, bucket % EP_OCTAVE_BUCKETS, 1);
}

EP_COLD void ep_pair_spread(struct ep_pair_cell *pair, uint64_t difference)
{
    int saved_errno = errno;
    if (ep_thread_begin_cold()) {
        spread(pair, difference);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

EP_COLD void ep_pair_spread_pending_cold(struct ep_pair_cell *pair)
{
    if (pair->pending) {
        ep_pair_spread(pair, pair->pending - 1);
        ep_store(&pair->pending, 0);
    }
}

/* ---- absorbing: an ended thread's into a living one of its name ---- */

static void absorb_octave(struct ep_pair_cell *to, unsigned octave, ep_ref counts)
{
    for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++) {
        uint64_t times = ep_self->cells[counts].octave.count[step];
        if (times)
            add_counts(to, octave, step, times);
    }
}

void ep_pair_absorb(struct ep_pair_cell *to, const struct ep_pair_cell *from)
{
    ep_add64(&to->total_ticks, from->total_ticks);
    if (from->min_ticks < to->min_ticks)
        ep_store(&to->min_ticks, from->min_ticks);
    if (from->max_ticks > to->max_ticks)
        ep_store(&to->max_ticks, from->max_ticks);
    ep_add_wide(&to->square_low, &to->square_high, from->square_low, from->square_high);
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        absorb_octave(to, octave, ep_cell_octave(ep_self->cells, from, octave));
    if (from->pending)
        spread(to, from->pending - 1);
    ep_add64(&to->nested, from->nested);
    ep_add64(&to->errors, from->errors);
    ep_add32(&to->abandoned, from->abandoned);
    ep_add64_release(&to->calls, from->calls);
}
