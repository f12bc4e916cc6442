/*
 * Models of a writer and a reader of the file of an image: they try all orders of the steps of
 * both, and no reading that the reader accepts is wrong
 *
 * Each model runs the complete protocol, and then the protocol without one of its parts, in turn.
 * In the second case it must find a wrong reading: otherwise the model would prove nothing.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* ------------------------------------------------------- all orders of steps -- */

enum step { WAITS, GOES_ON, IS_WRONG }; /* WAITS: the process has ended, or cannot continue now */

enum { ACTORS = 4, STATE_BYTES = 64, MOST_STATES = 1 << 18 };

struct model {
    enum step (*actors[ACTORS])(void *state); /* NULL: no more processes */
    uint8_t (*seen)[STATE_BYTES];             /* a hash table of states; in use: first byte 1 */
    size_t states;
    bool is_wrong;
};

static bool is_new(struct model *model, const uint8_t *state)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < STATE_BYTES; i++)
        hash = (hash ^ state[i]) * UINT64_C(1099511628211);
    size_t place = hash % MOST_STATES;
    while (model->seen[place][0] && memcmp(model->seen[place], state, STATE_BYTES) != 0)
        place = (place + 1) % MOST_STATES;
    if (model->seen[place][0])
        return false;
    if (++model->states > MOST_STATES / 2)
        fail_msg("there are too many states");
    memcpy(model->seen[place], state, STATE_BYTES);
    return true;
}

static void explore(struct model *model, const uint8_t *state)
{
    if (model->is_wrong || !is_new(model, state))
        return;
    for (int i = 0; i < ACTORS && model->actors[i]; i++) {
        uint8_t next[STATE_BYTES];
        memcpy(next, state, STATE_BYTES);
        enum step step = model->actors[i](next);
        model->is_wrong |= step == IS_WRONG;
        if (step == GOES_ON)
            explore(model, next);
    }
}

/* Returns whether there is an order of steps with a wrong reading. */
static bool goes_wrong(struct model model, const void *state, size_t bytes, size_t *states)
{
    uint8_t first[STATE_BYTES] = {0};
    assert_in_range(bytes, 1, STATE_BYTES);
    memcpy(first, state, bytes);
    model.seen = calloc(MOST_STATES, STATE_BYTES);
    assert_non_null(model.seen);
    explore(&model, first);
    free(model.seen);
    *states = model.states;
    return model.is_wrong;
}

/* -------------------------------------------------- moves between threads -- */

/*
 * This models image/moves.h. Threads with one name live one after another. Each thread takes a
 * blank record, makes one call, and takes the name; so the record of the thread before is joined to
 * its own. It moves the figures of that record, and makes one more call. A figure leaves the old
 * record before it is added to the new one, so that a kill does not double it. Stores go through a
 * buffer, as on x86: they reach memory in their order at any time, or all at a fence.
 */
enum { RECORDS = 3, LIVES = 3, BUFFERED = 6, MOVES = RECORDS, PLACES };

struct parts {
    bool is_fenced, asks, compares, may_force;
    bool is_killed; /* the result of a kill is checked at each step */
    bool adds_first;
};

static struct parts parts;
static const uint8_t *reading_order;

struct moves {
    uint8_t is_used;
    uint8_t memory[PLACES]; /* the calls in each record, and `moves` */
    uint8_t buffer_place[BUFFERED], buffer_value[BUFFERED], buffered;
    uint8_t is_held_off;
    uint8_t begun, ended; /* calls */
    /* the writer */
    uint8_t own[PLACES]; /* memory as the writer sees it */
    uint8_t pc, lives, record, joined, taken;
    /* the reader */
    uint8_t reader_pc, least, moves_before;
    uint8_t read[RECORDS];
};

static void store(struct moves *m, uint8_t place, uint8_t value)
{
    m->own[place] = value;
    m->buffer_place[m->buffered] = place;
    m->buffer_value[m->buffered++] = value;
}

static enum step drain_one(void *state)
{
    struct moves *m = state;
    if (!m->buffered)
        return WAITS;
    m->memory[m->buffer_place[0]] = m->buffer_value[0];
    m->buffered--;
    memmove(m->buffer_place, m->buffer_place + 1, m->buffered);
    memmove(m->buffer_value, m->buffer_value + 1, m->buffered);
    m->buffer_place[m->buffered] = m->buffer_value[m->buffered] = 0;
    return GOES_ON;
}

static void drain(struct moves *m)
{
    while (drain_one(m) == GOES_ON)
        ;
}

static bool find_joined(const struct moves *m, uint8_t *record)
{
    for (*record = 0; *record < RECORDS; ++*record)
        if (m->joined >> *record & 1)
            return true;
    return false;
}

/* The next thread begins, with a blank record. */
static void begin_life(struct moves *m)
{
    uint8_t blank = 0;
    while (blank == m->record || m->joined >> blank & 1)
        blank++;
    if (m->lives)
        m->joined |= (uint8_t)(1 << m->record);
    m->record = blank;
    m->lives++;
}

static bool is_full(const struct moves *m)
{
    return __builtin_popcount(m->joined) >= RECORDS - 1;
}

enum writer_pc { BEGIN, CALL, COUNT_CALL, MAKE_ODD, FENCE, ASK, EMPTY, ADD, MAKE_EVEN };

/* A call is counted as ended when its figures can be seen. */
static enum step end_call(struct moves *m)
{
    drain(m);
    m->ended++;
    m->pc = MAKE_ODD;
    return GOES_ON;
}

static enum step begin_moves(struct moves *m)
{
    if (m->joined)
        store(m, MOVES, m->own[MOVES] | 1);
    m->pc = m->joined ? FENCE : BEGIN;
    return GOES_ON;
}

static enum step ask(struct moves *m)
{
    bool is_forced = is_full(m);
    m->pc = EMPTY;
    if (is_forced && !parts.may_force)
        return WAITS; /* in this model the reader is faster than that */
    if (parts.asks && !is_forced && m->is_held_off) {
        store(m, MOVES, m->own[MOVES] - 1);
        m->pc = BEGIN;
    }
    return GOES_ON;
}

static enum step write(void *state)
{
    struct moves *m = state;
    uint8_t from;
    if (m->buffered > BUFFERED - 2)
        return WAITS;
    switch (m->pc) {
    case BEGIN:
        if (m->lives == LIVES)
            return WAITS;
        begin_life(m);
        m->begun++;
        m->pc = CALL;
        return GOES_ON;
    case CALL:
        store(m, m->record, m->own[m->record] + 1);
        m->pc = COUNT_CALL;
        return GOES_ON;
    case COUNT_CALL:
        return end_call(m);
    case MAKE_ODD:
        return begin_moves(m);
    case FENCE:
        if (parts.is_fenced)
            drain(m);
        m->pc = ASK;
        return GOES_ON;
    case ASK:
        return ask(m);
    case EMPTY:
        m->pc = find_joined(m, &from) ? ADD : MAKE_EVEN;
        if (m->pc == ADD) {
            m->taken = m->own[from];
            store(m, parts.adds_first ? m->record : from,
                  parts.adds_first ? m->own[m->record] + m->taken : 0);
        }
        return GOES_ON;
    case ADD:
        find_joined(m, &from);
        store(m, parts.adds_first ? from : m->record,
              parts.adds_first ? 0 : m->own[m->record] + m->taken);
        m->joined &= (uint8_t) ~(1 << from);
        m->pc = EMPTY;
        return GOES_ON;
    default:
        store(m, MOVES, (m->own[MOVES] | 1) + 1);
        m->pc = BEGIN;
        return GOES_ON;
    }
}

enum reader_pc { HOLD_OFF, LOOK_AT_MOVES, READ, LOOK_AGAIN = READ + RECORDS, READ_ALL };

static enum step begin_anew(struct moves *m)
{
    m->is_held_off = 0;
    m->reader_pc = READ_ALL;
    return WAITS; /* the next reading */
}

static enum step judge(struct moves *m)
{
    if (parts.compares && m->memory[MOVES] != m->moves_before)
        return begin_anew(m);
    uint8_t sum = 0;
    for (int i = 0; i < RECORDS; i++)
        sum += m->read[i];
    m->reader_pc = READ_ALL;
    return sum < m->least || sum > m->begun ? IS_WRONG : GOES_ON;
}

static enum step read_step(void *state)
{
    struct moves *m = state;
    if (m->reader_pc == HOLD_OFF) {
        m->least = m->ended;
        m->is_held_off = 1;
        m->reader_pc = LOOK_AT_MOVES;
    } else if (m->reader_pc == LOOK_AT_MOVES) {
        m->moves_before = m->memory[MOVES];
        if (m->moves_before % 2)
            return WAITS;
        m->reader_pc = READ;
    } else if (m->reader_pc < LOOK_AGAIN) {
        uint8_t record = reading_order[m->reader_pc - READ];
        m->read[record] = m->memory[record];
        m->reader_pc++;
    } else if (m->reader_pc == LOOK_AGAIN) {
        return judge(m);
    } else {
        return WAITS;
    }
    return GOES_ON;
}

/* After a kill all stores reach memory. No figure is there twice; and if a figure is missing,
 * `moves` is odd. */
static enum step be_killed(void *state)
{
    const struct moves *m = state;
    uint8_t sum = 0;
    for (int i = 0; i < RECORDS; i++)
        sum += m->own[i];
    if (!parts.is_killed)
        return WAITS;
    return sum > m->begun || (sum < m->ended && m->own[MOVES] % 2 == 0) ? IS_WRONG : WAITS;
}

static size_t states_of_all;

static bool moves_go_wrong(struct parts with)
{
    static const uint8_t orders[][RECORDS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct moves first = {.is_used = 1, .record = RECORDS};
    bool is_wrong = false;
    parts = with;
    states_of_all = 0;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0] && !is_wrong; i++) {
        size_t states;
        reading_order = orders[i];
        is_wrong = goes_wrong((struct model){.actors = {write, drain_one, read_step, be_killed}},
                              &first, sizeof first, &states);
        states_of_all += states;
    }
    return is_wrong;
}

TEST(read_that_saw_no_move_is_right_in_every_order)
{
    assert_false(moves_go_wrong(
        (struct parts){.is_fenced = true, .asks = true, .compares = true, .may_force = true}));
    assert_in_range(states_of_all, 1000, SIZE_MAX);
    print_message("%zu states\n", states_of_all);
}

/* For example, on a file system without such locks. */
TEST(counter_alone_detects_a_wrong_read)
{
    assert_false(moves_go_wrong((struct parts){.compares = true, .may_force = true}));
}

/* So a read that holds off moves is good at the first attempt. */
TEST(move_that_is_held_off_overlaps_no_read)
{
    assert_false(moves_go_wrong((struct parts){.is_fenced = true, .asks = true}));
}

TEST(without_each_of_its_parts_a_read_goes_wrong)
{
    assert_true(moves_go_wrong((struct parts){.may_force = true}));
    assert_true(moves_go_wrong((struct parts){.is_fenced = true, .may_force = true}));
    assert_true(moves_go_wrong((struct parts){.asks = true}));
    assert_true(moves_go_wrong((struct parts){.is_fenced = true, .asks = true, .may_force = true}));
}

TEST(kill_in_a_move_doubles_no_call_and_is_visible)
{
    struct parts all = {.is_fenced = true, .asks = true, .may_force = true, .is_killed = true};
    all.compares = true;
    assert_false(moves_go_wrong(all));
    all.adds_first = true;
    assert_true(moves_go_wrong(all));
}

/* ------------------------------------------------------------------- keeps -- */

/*
 * This models image/reread.c: a region of a thread that keeps without pause. A keep adds several
 * calls at once, field by field; a call outside of holds comes in between. The reader reads the
 * fields twice, and `keeps` before and after.
 */
enum { KEPT = 3, WRITES = 12 };

static bool looks_at_keeps;
static bool is_total_read_first;

struct keeping {
    uint8_t is_used;
    uint8_t keeps, total, calls;
    uint8_t pc, reader_pc;
    uint8_t keeps_before, read_total, read_calls, later_calls;
};

static enum step keep_step(void *state)
{
    struct keeping *k = state;
    switch (k->pc % 6) {
    case 0:
    case 3:
        k->keeps++;
        break;
    case 1:
        k->total += KEPT;
        break;
    case 2:
        k->calls += KEPT;
        break;
    case 4:
        k->total++;
        break;
    default:
        k->calls++;
    }
    return k->pc++ == WRITES ? WAITS : GOES_ON;
}

static void look_at_fields(struct keeping *k, bool is_first)
{
    if (is_first == is_total_read_first)
        k->read_total = k->total;
    else
        k->read_calls = k->calls;
}

static enum step judge_keeping(struct keeping *k)
{
    uint8_t apart = k->read_total > k->read_calls ? (uint8_t)(k->read_total - k->read_calls)
                                                  : (uint8_t)(k->read_calls - k->read_total);
    bool is_between = k->keeps_before % 2 == 0 && k->keeps == k->keeps_before;
    if ((looks_at_keeps && !is_between) || k->later_calls - k->read_calls > 1)
        return WAITS;
    return apart > 1 ? IS_WRONG : WAITS;
}

static enum step read_keeping(void *state)
{
    struct keeping *k = state;
    switch (k->reader_pc++) {
    case 0:
        k->keeps_before = k->keeps;
        break;
    case 1:
        look_at_fields(k, true);
        break;
    case 2:
        look_at_fields(k, false);
        break;
    case 3:
        k->later_calls = k->calls;
        break;
    case 4:
        return judge_keeping(k);
    default:
        return WAITS;
    }
    return GOES_ON;
}

static bool keeps_go_wrong(bool with)
{
    bool is_wrong = false;
    looks_at_keeps = with;
    for (int order = 0; order < 2; order++) {
        struct keeping first = {.is_used = 1};
        size_t states;
        is_total_read_first = order;
        is_wrong |= goes_wrong((struct model){.actors = {keep_step, read_keeping}}, &first,
                               sizeof first, &states);
    }
    return is_wrong;
}

TEST(region_that_is_read_between_keeps_fits_together)
{
    assert_false(keeps_go_wrong(true));
    assert_true(keeps_go_wrong(false));
}

/* ------------------------------------------------------------------ resets -- */

/*
 * This models image/reread.c: two regions, which their owner clears when it finds a reset, and the
 * control cell with the number of the reset, which the reader reads last. A region has the number
 * of the epoch in which it was last counted.
 */
enum { REGIONS = 2, RESETS = 2, TURNS = 3 };

static bool is_control_read_last;

struct resetting {
    uint8_t is_used;
    uint8_t epoch, resets;
    uint8_t generation[REGIONS], counted[REGIONS], pc[REGIONS], turns[REGIONS];
    uint8_t reader_pc, read_epoch, read_stamp[REGIONS], read_counted[REGIONS];
};

static enum step reset_step(void *state)
{
    struct resetting *r = state;
    r->epoch++;
    return r->resets++ == RESETS ? WAITS : GOES_ON;
}

/* As in ep_tree_visit(): the generation is 0 while the region is cleared. */
static enum step record_in(struct resetting *r, int region)
{
    if (r->turns[region] == TURNS)
        return WAITS;
    switch (r->pc[region]++) {
    case 0:
        if (r->generation[region] == r->epoch)
            r->pc[region] = 4; /* the region is of this epoch: the call is counted at once */
        else
            r->generation[region] = 0;
        break;
    case 1:
        r->counted[region] = 0;
        break;
    case 2:
        r->generation[region] = r->epoch;
        break;
    case 3:
    case 4:
        r->counted[region] = r->generation[region];
        r->pc[region] = 0;
        r->turns[region]++;
    }
    return GOES_ON;
}

static enum step record(void *state)
{
    struct resetting *r = state;
    enum step step = record_in(r, 0);
    return step == GOES_ON ? step : record_in(r, 1);
}

static enum step judge_resetting(const struct resetting *r)
{
    for (int i = 0; i < REGIONS; i++)
        if (r->read_stamp[i] >= r->read_epoch && r->read_counted[i] &&
            r->read_counted[i] != r->read_epoch)
            return IS_WRONG;
    return WAITS;
}

/* The reader reads the generation of each region twice, and leaves out a region that changed in
 * between. */
static void read_region(struct resetting *r, int look)
{
    int region = look / 3;
    if (look % 3 == 0)
        r->read_stamp[region] = r->generation[region];
    else if (look % 3 == 1)
        r->read_counted[region] = r->counted[region];
    else if (r->generation[region] != r->read_stamp[region])
        r->read_stamp[region] = 0;
}

static enum step read_resetting(void *state)
{
    struct resetting *r = state;
    int looks = 3 * REGIONS, look = is_control_read_last ? r->reader_pc : r->reader_pc - 1;
    if (r->reader_pc == looks + 1)
        return judge_resetting(r);
    if (look >= 0 && look < looks)
        read_region(r, look);
    else
        r->read_epoch = r->epoch;
    r->reader_pc++;
    return GOES_ON;
}

static bool resets_go_wrong(bool is_last)
{
    struct resetting first = {.is_used = 1, .epoch = 1, .generation = {1, 1}};
    size_t states;
    is_control_read_last = is_last;
    return goes_wrong((struct model){.actors = {reset_step, record, read_resetting}}, &first,
                      sizeof first, &states);
}

TEST(read_has_figures_of_one_epoch)
{
    assert_false(resets_go_wrong(true));
    assert_true(resets_go_wrong(false));
}
