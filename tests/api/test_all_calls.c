/*
 * Every call of the header on eight threads at once, at random. Every snapshot is consistent, and
 * afterwards the library counts as exactly as before.
 */
#include "hand_clock.h"
#include "random.h"
#include "rows.h"
#include "sanitizer.h"

#include <pthread.h>

enum { THREADS = 8, CALLS = TAKES_LONG ? 3000 : 20000, IDS = 20 };

static int ids[IDS]; /* of instances that are alive or were freed */
static uint64_t seeds[THREADS];
static const char *violation; /* an impossible result that a thread found */

static void see(bool is_so, const char *what)
{
    if (!is_so)
        __atomic_store_n(&violation, what, __ATOMIC_RELAXED);
}

/* random.h can be used by one thread only. */
static uint64_t roll(uint64_t *seed, uint64_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u; /* Knuth's MMIX */
    return (*seed >> 33) % below;
}

static int *any_id(uint64_t *seed)
{
    return &ids[roll(seed, IDS)];
}

static const char *any_name(uint64_t *seed)
{
    static const char *const names[] = {NULL, "", "red", "green", "blue", "caf\xe9", ";\\"};
    return names[roll(seed, sizeof names / sizeof *names)];
}

/* ---------------------------------------------------------------- the calls -- */

static void call_alloc(uint64_t *seed)
{
    const char *label = any_name(seed);
    int id = eprof_alloc(label);
    see((id >= 0) == (label != NULL), "alloc");
    __atomic_store_n(any_id(seed), id, __ATOMIC_RELAXED);
}

static void call_start(uint64_t *seed)
{
    eprof_start(__atomic_load_n(any_id(seed), __ATOMIC_RELAXED));
}

static void call_stop(uint64_t *seed)
{
    eprof_stop(__atomic_load_n(any_id(seed), __ATOMIC_RELAXED));
}

static void call_pair(uint64_t *seed)
{
    int id = __atomic_load_n(any_id(seed), __ATOMIC_RELAXED);
    eprof_start(id);
    hand_ticks += roll(seed, 1000);
    eprof_stop(id);
}

static void call_record(uint64_t *seed)
{
    uint64_t start = eprof_now();
    eprof_record(__atomic_load_n(any_id(seed), __ATOMIC_RELAXED), start, eprof_now());
}

static void call_instance_for(uint64_t *seed)
{
    const char *label = any_name(seed);
    int id = eprof_instance_for(label);
    see((id >= 0) == (label != NULL), "instance_for");
    eprof_start(id);
    eprof_stop(id);
}

static void call_release(uint64_t *seed)
{
    int result = eprof_release(__atomic_load_n(any_id(seed), __ATOMIC_RELAXED));
    see(result == 0 || errno == EINVAL, "release");
}

static void call_free(uint64_t *seed)
{
    eprof_free(any_name(seed));
}

static void call_thread_enter(uint64_t *seed)
{
    if (roll(seed, 2))
        eprof_thread_enter(any_name(seed));
    else
        eprof_thread_name(any_name(seed));
}

static void call_thread_exit(uint64_t *seed)
{
    (void)seed;
    eprof_thread_exit();
}

static void call_site(uint64_t *seed)
{
    const char *name = any_name(seed);
    struct eprof_site *site = eprof_site_for(name);
    see(site != NULL && site == eprof_site_for(name), "site_for");
    eprof_enter_site(site);
    eprof_leave();
}

static void call_enable(uint64_t *seed)
{
    eprof_enable(roll(seed, 4) > 0);
}

static void call_thread_enable(uint64_t *seed)
{
    eprof_thread_enable(roll(seed, 4) > 0);
}

static void call_reset(uint64_t *seed)
{
    (void)seed;
    eprof_reset();
}

static void call_init(uint64_t *seed)
{
    if (roll(seed, 10) == 0)
        eprof_init();
}

static void call_source(uint64_t *seed)
{
    static const char *const names[] = {"hand", "clock_gettime", "thread_cputime", "auto"};
    see(eprof_source_use(names[roll(seed, 4)]) == 0, "source_use");
    see(*eprof_source_name() != '\0', "source_name");
    see(eprof_ns(0) == 0, "ns");
}

static void call_setup(uint64_t *seed)
{
    (void)seed;
    see(eprof_setup(",,") == 0, "setup");
}

static void call_report(uint64_t *seed)
{
    static const char *const formats[] = {"table", "csv:threads", "json:raw"};
    FILE *nowhere = fopen("/dev/null", "w");
    see(nowhere && eprof_report(nowhere, formats[roll(seed, 3)]) == 0, "report");
    if (nowhere)
        fclose(nowhere);
}

static void see_row(const struct eprof_row *row)
{
    if (strcmp(row->kind, "scope") == 0) {
        see(row->calls + row->open > 0, "a scope without calls");
        return;
    }
    if (strcmp(row->kind, "instance") != 0) {
        see(strcmp(row->kind, "diagnostic") == 0, "kind");
        see(strcmp(row->name, "lost") != 0, "a lost call");
        return;
    }
    see(row->calls + row->open > 0, "a row without calls");
    see(row->timed + row->errors <= row->calls, "timed and errors beyond calls");
    see(row->min_ns <= row->p50_ns && row->p50_ns <= row->p999_ns && row->p999_ns <= row->max_ns,
        "the order of min, percentiles and max");
}

static void call_snapshot(uint64_t *seed)
{
    eprof_snapshot *snapshot =
        roll(seed, 2) ? eprof_snapshot_take() : eprof_snapshot_take_threads();
    see(snapshot != NULL, "snapshot");
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        see(eprof_snapshot_row(snapshot, i, &row) == 0, "snapshot_row");
        see_row(&row);
    }
    eprof_snapshot_free(snapshot);
}

/* How often each call is made, in percent. */
static const struct {
    unsigned weight;
    void (*call)(uint64_t *seed);
} calls[] = {
    {4, call_alloc},        {15, call_start},        {15, call_stop},  {25, call_pair},
    {10, call_record},      {3, call_release},       {2, call_free},   {2, call_instance_for},
    {4, call_thread_enter}, {2, call_thread_exit},   {3, call_enable}, {3, call_reset},
    {1, call_init},         {3, call_thread_enable}, {2, call_source}, {1, call_setup},
    {1, call_report},       {3, call_snapshot},      {3, call_site},
};

static void *call_at_random(void *own_seed)
{
    uint64_t *seed = own_seed;
    for (int i = 0; i < CALLS; i++) {
        uint64_t rest = roll(seed, 100);
        size_t at = 0;
        while (rest >= calls[at].weight)
            rest -= calls[at++].weight;
        calls[at].call(seed);
    }
    return NULL;
}

static void on_threads_at_once(void *(*body)(void *), void *(*argument)(int))
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, argument(i)), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void *seed_of(int thread)
{
    seeds[thread] = random_next();
    return &seeds[thread];
}

static void *id_of(int unused)
{
    (void)unused;
    return &ids[0];
}

static void *record_exactly(void *id)
{
    for (int i = 0; i < CALLS; i++) {
        eprof_start(*(const int *)id);
        eprof_start(*(const int *)id);
        eprof_stop(*(const int *)id);
        eprof_stop(*(const int *)id);
    }
    return NULL;
}

TEST(any_calls_at_once_leave_the_library_exact)
{
    hand_clock_use();
    on_threads_at_once(call_at_random, seed_of);
    if (violation)
        fail_msg("a thread saw what cannot be: %s", violation);
    eprof_enable(true);
    eprof_init();
    hand_clock_use();
    ids[0] = eprof_alloc("exact");
    on_threads_at_once(record_exactly, id_of);
    struct eprof_row row = instance_row("exact");
    assert_int_equal(row.calls, 2 * THREADS * CALLS);
    assert_int_equal(row.timed, THREADS * CALLS);
    assert_int_equal(row.open, 0);
    assert_int_equal(count_rows(NULL), 1);
}
