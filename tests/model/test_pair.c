/*
 * Any calls in any order, on several threads, give the results of a model of the rules.
 *
 * Two cases are left out, since they cannot be distinguished from a stop alone: the stop of a pair
 * that began while recording was off, if another pair has begun inside it since, or if its handle
 * has become stale.
 */
#include "calls.h"
#include "random.h"
#include "rows.h"
#include "threads.h"

enum { THREADS = 3, INSTANCES = 3, DEPTH = 5, CALLS = 30000, HISTORY = 200 };

/* ----------------------------------------------------------------- the model -- */

struct pair {
    bool is_seen; /* it began while recording was on */
    bool counts;  /* and there was no reset since */
    uint64_t start_ticks;
    unsigned switches; /* the switches that its thread had seen when it began */
};

/* The pairs of one thread for one instance. */
struct seat {
    struct pair pairs[DEPTH];
    int open;
    int former_open;        /* open pairs of the earlier handle, which eprof_init() released */
    unsigned last_switches; /* the switches that its thread had seen when the last pair began */
    bool is_open_question;  /* it is not defined whether that pair came before the last switch */
};

struct instance {
    int id, former_id;
    struct eprof_row row;
};

static struct instance instances[INSTANCES];
static struct seat seats[THREADS][INSTANCES];
static bool is_off, is_thread_off[THREADS];
static unsigned switches[THREADS];
static uint64_t unbalanced, bad_handles;
static uint64_t least_ticks; /* the clock does not go back further than this */

static bool is_recording(int thread)
{
    return !is_off && !is_thread_off[thread];
}

static void model_forget(void)
{
    for (int i = 0; i < INSTANCES; i++) {
        instances[i].row = (struct eprof_row){.size = sizeof instances[i].row};
        for (int t = 0; t < THREADS; t++)
            for (int p = 0; p < seats[t][i].open; p++)
                seats[t][i].pairs[p].counts = false;
    }
    unbalanced = bad_handles = 0;
}

static void model_alloc(int i)
{
    for (int t = 0; t < THREADS; t++) {
        int former_open = seats[t][i].former_open;
        seats[t][i] = (struct seat){.last_switches = switches[t], .former_open = former_open};
    }
    instances[i].row = (struct eprof_row){.size = sizeof instances[i].row};
}

static void model_start(int thread, struct seat *seat)
{
    bool on = is_recording(thread);
    seat->pairs[seat->open++] = (struct pair){on, on, hand_ticks, switches[thread]};
}

static void model_finish(struct eprof_row *row, const struct pair *pair, bool is_outermost)
{
    row->calls++;
    if (!is_outermost)
        return;
    uint64_t ticks = hand_ticks - pair->start_ticks;
    if (ticks >> 63) {
        row->errors++;
        return;
    }
    row->min_ns = row->timed == 0 || ticks < row->min_ns ? ticks : row->min_ns;
    row->max_ns = ticks > row->max_ns ? ticks : row->max_ns;
    row->total_ns += ticks;
    row->timed++;
}

static void model_stop(int thread, int i)
{
    struct seat *seat = &seats[thread][i];
    if (seat->open == 0) {
        unbalanced += is_recording(thread) && seat->last_switches == switches[thread];
        return;
    }
    const struct pair *pair = &seat->pairs[--seat->open];
    bool is_outermost = true;
    for (int p = 0; p < seat->open; p++)
        is_outermost = is_outermost && !seat->pairs[p].counts;
    if (pair->counts)
        model_finish(&instances[i].row, pair, is_outermost);
    if (pair->counts && pair->switches == switches[thread])
        seat->last_switches = switches[thread];
    seat->is_open_question = seat->last_switches != switches[thread];
}

/* --------------------------------- calls of the library and of the model -- */

struct call {
    void (*act)(void *call);
    int thread, id;
};

static struct worker workers[THREADS]; /* [0]: the main thread */
static char history[HISTORY][64];
static unsigned calls_done;

static void act_start(void *call)
{
    eprof_start(((struct call *)call)->id);
}

static void act_stop(void *call)
{
    eprof_stop(((struct call *)call)->id);
}

static void act_thread_switch(void *call)
{
    eprof_thread_enable(is_thread_off[((struct call *)call)->thread]);
}

static void act_switch(void *unused)
{
    (void)unused;
    eprof_enable(is_off);
}

static void act_change_source(void *unused)
{
    (void)unused;
    clock_take(strcmp(eprof_source_name(), "hand") == 0 ? "other" : "hand", hand_clock_now,
               1000000000);
}

static void do_on(int thread, void (*act)(void *call), int id, const char *name)
{
    struct call call = {act, thread, id};
    snprintf(history[calls_done++ % HISTORY], sizeof history[0], "thread %d at %llu: %s %d", thread,
             (unsigned long long)hand_ticks, name, id);
    if (thread == 0)
        act(&call);
    else
        worker_do(&workers[thread], act, &call);
}

/* A pair that began before the last switch must end before another begins inside it; while
 * recording is off, only one begins. */
static bool may_start(int thread, const struct seat *seat)
{
    if (seat->open == DEPTH)
        return false;
    for (int p = 0; p < seat->open; p++)
        if (seat->pairs[p].switches != switches[thread])
            return false;
    return seat->open == 0 || is_recording(thread);
}

static void do_start(int thread, int i)
{
    if (!may_start(thread, &seats[thread][i]))
        return;
    model_start(thread, &seats[thread][i]);
    do_on(thread, act_start, instances[i].id, "start");
}

static void do_stop(int thread, int i)
{
    const struct seat *seat = &seats[thread][i];
    if (seat->open == 0 && (seat->is_open_question || random_next() % 4))
        return;
    model_stop(thread, i);
    do_on(thread, act_stop, instances[i].id, "stop");
}

/* A stop with a handle that eprof_init() made stale inside a pair, or with one that never
 * existed. */
static void do_bad_stop(int thread, int i)
{
    struct seat *seat = &seats[thread][i];
    int id = seat->former_open || random_next() % 2 ? instances[i].former_id : -1 - i;
    if (seat->former_open)
        seat->former_open--;
    else
        bad_handles += is_recording(thread);
    do_on(thread, act_stop, id, "stop of what is no handle,");
}

static void do_switch(int thread, int of_thread)
{
    for (int t = 0; t < THREADS; t++)
        switches[t] += !of_thread || t == thread;
    if (of_thread) {
        do_on(thread, act_thread_switch, 0, "switch of the thread");
        is_thread_off[thread] = !is_thread_off[thread];
    } else {
        do_on(thread, act_switch, 0, "switch");
        is_off = !is_off;
    }
}

static void do_forget(int thread, bool changes_source)
{
    model_forget();
    least_ticks = hand_ticks;
    do_on(thread, changes_source ? act_change_source : reset_here, 0,
          changes_source ? "change of source" : "reset");
}

static void do_init(int thread)
{
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < INSTANCES; i++)
            if (seats[t][i].former_open)
                return; /* the library does not remember more than one set of stale handles */
    model_forget();
    do_on(thread, reset_here, 0, "init and");
    eprof_init();
    for (int i = 0; i < INSTANCES; i++) {
        for (int t = 0; t < THREADS; t++)
            for (int p = 0; p < seats[t][i].open; p++)
                seats[t][i].former_open += seats[t][i].pairs[p].is_seen;
        instances[i].former_id = instances[i].id;
        model_alloc(i);
        instances[i].id = eprof_alloc((const char[]){(char)('a' + i), '\0'});
    }
}

static void do_anything(void)
{
    int thread = (int)(random_next() % THREADS), i = (int)(random_next() % INSTANCES);
    uint64_t dice = random_next() % 100;
    if (dice < 40)
        do_start(thread, i);
    else if (dice < 85)
        do_stop(thread, i);
    else if (dice < 88)
        do_bad_stop(thread, i);
    else if (dice < 93)
        do_switch(thread, dice % 2);
    else if (dice < 96)
        do_forget(thread, dice == 95);
    else if (dice < 97)
        do_init(thread);
    else if (hand_ticks - least_ticks > 50)
        hand_ticks -= random_next() % 50;
    hand_ticks += random_next() % 20;
}

/* ------------------------------------------------------------ comparison -- */

static void assert_same(const char *what, uint64_t library, uint64_t model)
{
    if (library == model)
        return;
    for (unsigned i = calls_done > HISTORY ? calls_done - HISTORY : 0; i < calls_done; i++)
        print_message("%s\n", history[i % HISTORY]);
    fail_msg("%s is %llu and not %llu after call %u", what, (unsigned long long)library,
             (unsigned long long)model, calls_done);
}

static void assert_agreement(void)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    struct eprof_row row;
    for (int i = 0; i < INSTANCES; i++) {
        const struct eprof_row *model = &instances[i].row;
        uint64_t open = 0;
        for (int t = 0; t < THREADS; t++)
            for (int p = 0; p < seats[t][i].open; p++)
                open += seats[t][i].pairs[p].counts;
        size_t rows =
            find_rows(snapshot, "instance", (const char[]){(char)('a' + i), '\0'}, "*", &row);
        assert_same("rows", rows, model->calls || open);
        assert_same("calls", row.calls, model->calls);
        assert_same("timed", row.timed, model->timed);
        assert_same("errors", row.errors, model->errors);
        assert_same("open", row.open, open);
        assert_same("total", row.total_ns, model->total_ns);
        assert_same("min", row.min_ns, model->min_ns);
        assert_same("max", row.max_ns, model->max_ns);
    }
    find_rows(snapshot, "diagnostic", "unbalanced", NULL, &row);
    assert_same("unbalanced", row.calls, unbalanced);
    find_rows(snapshot, "diagnostic", "bad_handles", NULL, &row);
    assert_same("bad_handles", row.calls, bad_handles);
    find_rows(snapshot, "diagnostic", "lost", NULL, &row);
    assert_same("lost", row.calls, 0);
    eprof_snapshot_free(snapshot);
}

TEST(any_calls_in_any_order_agree_with_the_rules)
{
    hand_clock_begin(state);
    least_ticks = hand_ticks;
    for (int t = 1; t < THREADS; t++)
        worker_begin(&workers[t]);
    for (int i = 0; i < INSTANCES; i++) {
        model_alloc(i);
        instances[i].former_id = -1;
        instances[i].id = eprof_alloc((const char[]){(char)('a' + i), '\0'});
    }
    while (calls_done < CALLS) {
        do_anything();
        assert_agreement();
    }
    for (int t = 1; t < THREADS; t++)
        worker_end(&workers[t]);
}
