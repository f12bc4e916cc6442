/* Snapshots while eight threads record: no call is counted that was not recorded. */
#include "hand_clock.h"
#include "rows.h"
#include "thread_clock.h"
#include "threads.h"

enum { THREADS = 8, PAIRS = 100000, SNAPSHOTS = 200, PAIR_TICKS = 7 };

static int instance;
static uint64_t begun, ended; /* pairs of all threads: counted before they begin, after they end */
static int is_over;

static int begin_test(void **state)
{
    (void)state;
    thread_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    begun = ended = 0;
    is_over = 0;
    return 0;
}

static uint64_t look(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_SEQ_CST);
}

static void *record_pairs(void *unused)
{
    (void)unused;
    for (int i = 0; i < PAIRS && !__atomic_load_n(&is_over, __ATOMIC_RELAXED); i++) {
        __atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
        eprof_start(instance);
        thread_ticks += PAIR_TICKS;
        eprof_stop(instance);
        __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static pthread_t threads[THREADS];

static void begin_threads(void *(*body)(void *))
{
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, NULL), 0);
}

static void end_threads(void)
{
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* The figures of one thread may be one call apart, so those of eight threads may be eight. */
static void assert_consistent(const struct eprof_row *row)
{
    assert_int_equal(row->errors, 0);
    assert_in_range(row->open, 0, THREADS);
    assert_in_range(row->timed + THREADS, row->calls, row->calls + THREADS);
    assert_in_range(row->total_ns, PAIR_TICKS * (row->calls > THREADS ? row->calls - THREADS : 0),
                    PAIR_TICKS * (row->calls + THREADS));
    if (row->timed == 0)
        return;
    assert_int_equal(row->min_ns, PAIR_TICKS);
    assert_int_equal(row->max_ns, PAIR_TICKS);
    assert_int_equal(row->p50_ns, PAIR_TICKS);
    assert_int_equal(row->p999_ns, PAIR_TICKS);
}

/* On a busy machine all snapshots might be taken before a thread runs at all. */
static void begin_to_record(void)
{
    begin_threads(record_pairs);
    while (look(&ended) == 0)
        sched_yield();
}

TEST(snapshot_is_bounded_by_what_was_recorded)
{
    struct eprof_row row;
    uint64_t calls_before = 0;
    begin_to_record();
    for (int i = 0; i < SNAPSHOTS; i++) {
        uint64_t least = look(&ended);
        take_rows(eprof_snapshot_take, "instance", "work", "*", &row);
        assert_in_range(row.calls, least, look(&begun));
        assert_in_range(row.calls, calls_before, UINT64_MAX);
        assert_consistent(&row);
        calls_before = row.calls;
    }
    end_threads();
    assert_figures(instance_row("work"), look(&ended), PAIR_TICKS * look(&ended));
    assert_int_equal(instance_row("work").stddev_ns, 0);
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST(rows_of_threads_add_up_to_the_merged_row)
{
    begin_to_record();
    for (int i = 0; i < SNAPSHOTS / 10; i++) {
        uint64_t least = look(&ended), calls = 0;
        eprof_snapshot *snapshot = eprof_snapshot_take_threads();
        assert_in_range(eprof_snapshot_rows(snapshot), 0, THREADS);
        for (size_t at = 0; at < eprof_snapshot_rows(snapshot); at++) {
            struct eprof_row row = {.size = sizeof row};
            assert_return_code(eprof_snapshot_row(snapshot, at, &row), errno);
            assert_consistent(&row);
            calls += row.calls;
        }
        eprof_snapshot_free(snapshot);
        assert_in_range(calls, least, look(&begun));
    }
    end_threads();
    assert_figures(instance_row("work"), look(&ended), PAIR_TICKS * look(&ended));
}

/* Each life of the instance has pairs of its own length, so a row with two lengths would mix two
 * lives. */
static uint64_t life;

static void *record_lives(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        int id = __atomic_load_n(&instance, __ATOMIC_ACQUIRE);
        uint64_t ticks = look(&life);
        if (id != __atomic_load_n(&instance, __ATOMIC_ACQUIRE))
            continue;
        eprof_start(id);
        thread_ticks += ticks;
        eprof_stop(id);
    }
    return NULL;
}

TEST(snapshot_never_shows_two_lives_of_a_slot_in_one_row)
{
    struct eprof_row row;
    life = 1;
    begin_threads(record_lives);
    for (uint64_t i = 1; i < 300; i++) {
        int freed = instance;
        __atomic_store_n(&instance, -1, __ATOMIC_RELEASE);
        assert_return_code(eprof_release(freed), errno);
        __atomic_store_n(&life, 1000 * i, __ATOMIC_SEQ_CST);
        __atomic_store_n(&instance, eprof_alloc("work"), __ATOMIC_RELEASE);
        if (take_rows(eprof_snapshot_take, "instance", "work", "*", &row) == 0 || row.timed == 0)
            continue;
        assert_int_equal(row.min_ns, 1000 * i);
        assert_int_equal(row.max_ns, 1000 * i);
        assert_int_equal(row.errors, 0);
    }
    end_threads();
}

TEST(snapshot_never_shows_what_was_before_a_reset)
{
    struct eprof_row row;
    begin_threads(record_pairs);
    for (int i = 0; i < SNAPSHOTS; i++) {
        uint64_t before = look(&ended);
        eprof_reset();
        take_rows(eprof_snapshot_take, "instance", "work", "*", &row);
        assert_in_range(row.calls, 0, look(&begun) - before);
        assert_consistent(&row);
    }
    end_threads();
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("clock"), 0);
}

TEST_EACH(begin_test, NULL)
