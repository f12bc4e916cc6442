#include "steps.h"

/* A clock with its own time on each thread: each reading advances it by one step. */
static uint64_t steps_now(void *context)
{
    static _Thread_local uint64_t ticks;
    (void)context;
    return ticks += STEP_TICKS;
}

int steps_use(void)
{
    static const struct eprof_source source = {.size = sizeof source,
                                               .name = "steps",
                                               .now = steps_now,
                                               .ticks_per_second = 1000000000,
                                               .flags = EPROF_SOURCE_PER_THREAD};
    return eprof_source_add(&source) == 0 ? eprof_source_use("steps") : -1;
}

/* ---- recording ---- */

static bool steps_are_over;

uint32_t steps_rounds; /* of all threads */

static int steps_instance;

static void steps_call(void)
{
    EPROF_BLOCK("outer")
    {
        EPROF_BLOCK("inner")
        {
        }
        eprof_start(steps_instance);
        eprof_stop(steps_instance);
    }
}

/* One round in four is in a hold, and every other hold is kept. */
static void *steps_record(void *seed)
{
    uint32_t turn = *(uint32_t *)seed;
    while (!__atomic_load_n(&steps_are_over, __ATOMIC_RELAXED)) {
        turn = turn * 1664525 + 1013904223; /* Knuth, 3.3.4 */
        bool is_held = turn >> 30 == 0;
        if (is_held)
            eprof_hold();
        for (int i = 0; i < 5; i++)
            steps_call();
        if (is_held)
            eprof_keep(turn >> 29 & 1);
        __atomic_fetch_add(&steps_rounds, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

void steps_begin(pthread_t threads[STEPS_THREADS])
{
    static uint32_t seeds[STEPS_THREADS] = {1, 2, 3};
    steps_instance = eprof_alloc("instance");
    for (int i = 0; i < STEPS_THREADS; i++)
        if (pthread_create(&threads[i], NULL, steps_record, &seeds[i]) != 0)
            abort();
}

void steps_end(pthread_t threads[STEPS_THREADS])
{
    __atomic_store_n(&steps_are_over, true, __ATOMIC_RELAXED);
    for (int i = 0; i < STEPS_THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- checking ---- */

/* The difference may be one call at most. */
static void steps_check_times(const char *what, uint64_t calls, uint64_t ticks, uint64_t each)
{
    uint64_t right = calls * each, apart = ticks > right ? ticks - right : right - ticks;
    if (apart > each)
        fail_msg("%s: %llu calls of %llu ticks are %llu ticks", what, (unsigned long long)calls,
                 (unsigned long long)each, (unsigned long long)ticks);
}

static uint64_t steps_counted(const struct ep_image *copy, const struct ep_statistics *stats)
{
    uint64_t sum = stats->pending != 0;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(copy->cells, stats, octave);
        for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++)
            sum += copy->cells[counts].octave.count[step];
    }
    return sum;
}

/* The histogram is read after the figures. */
static void steps_check_counts(const struct ep_image *copy, const struct ep_statistics *stats)
{
    uint64_t counted = steps_counted(copy, stats);
    if (counted + 1 < stats->calls)
        fail_msg("%llu calls, of which %llu are in the histogram", (unsigned long long)stats->calls,
                 (unsigned long long)counted);
}

/* The root has no calls, and calls in a hold do not count. */
static uint64_t steps_check_tree(const struct ep_image *copy, const struct ep_thread_cell *thread)
{
    uint64_t calls = 0;
    const struct ep_node_cell *node;
    for (ep_ref ref = thread->nodes; ref; ref = node->next) {
        node = (const struct ep_node_cell *)&copy->cells[ref];
        const struct ep_statistics *stats = &node->stats;
        if (!node->parent || node->level || !node->generation)
            continue;
        bool is_outer = node->parent == thread->nodes;
        steps_check_times("total", stats->calls, stats->total_ticks,
                          is_outer ? OUTER_TICKS : STEP_TICKS);
        steps_check_times("self", stats->calls, node->self_ticks,
                          is_outer ? OUTER_SELF_TICKS : STEP_TICKS);
        steps_check_counts(copy, stats);
        calls += stats->calls;
    }
    return calls;
}

static uint64_t steps_check_pairs(const struct ep_image *copy, const struct ep_thread_cell *thread)
{
    uint64_t calls = 0;
    const struct ep_instance_cells *pair;
    for (ep_ref ref = thread->pairs; ref; ref = pair->next) {
        pair = (const struct ep_instance_cells *)&copy->cells[ref];
        steps_check_times("instance", pair->stats.calls, pair->stats.total_ticks, STEP_TICKS);
        steps_check_counts(copy, &pair->stats);
        calls += pair->stats.calls;
    }
    return calls;
}

uint64_t steps_check(const struct ep_image *copy)
{
    uint64_t calls = 0;
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_image_root(copy)->threads; ref; ref = thread->next) {
        thread = &copy->cells[ref].thread;
        if (thread->keeps % 2)
            fail_msg("in the midst of keep %u", (unsigned)thread->keeps);
        calls += steps_check_tree(copy, thread) + steps_check_pairs(copy, thread);
    }
    return calls;
}
