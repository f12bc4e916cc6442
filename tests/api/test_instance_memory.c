/* An instance takes at most 1 KiB on a thread if its durations are within a factor of 1,000. */
#include "resident.h"
#include "rows.h"
#include "thread_clock.h"
#include "threads.h"

enum { INSTANCES = 2000, DURATIONS = 1001, BYTES_OF_ONE = 1024 };

/* A factor of 1,000 at its worst position: it touches eleven doublings. */
static const uint64_t shortest_ns = 1020, longest_ns = 1020000;

static int warm, ids[INSTANCES];

static int begin_test(void **state)
{
    (void)state;
    thread_clock_use();
    eprof_init();
    warm = eprof_alloc("warm");
    for (int i = 0; i < INSTANCES; i++)
        ids[i] = eprof_alloc("one");
    return 0;
}

static uint64_t duration_ns(int number)
{
    return shortest_ns + (longest_ns - shortest_ns) * (uint64_t)number / (DURATIONS - 1);
}

static void record(int which, int number)
{
    eprof_start(ids[which]);
    thread_ticks += duration_ns(number);
    eprof_stop(ids[which]);
}

/* All instances are recorded in turn, so their cells are made alternately, doubling by doubling. */
static void record_in_lockstep(void *unused)
{
    (void)unused;
    for (int number = 0; number < DURATIONS; number++)
        for (int which = 0; which < INSTANCES; which++)
            record(which, number);
}

/* Each instance is recorded completely before the next, so its cells are together. */
static void record_one_by_one(void *unused)
{
    (void)unused;
    for (int which = 0; which < INSTANCES; which++)
        for (int number = 0; number < DURATIONS; number++)
            record(which, number);
}

/* Before the measurement, the thread has a stack and a first block. It has a name, so that it does
 * not continue with the cells of another thread. */
static void warm_up(void *name)
{
    eprof_thread_enter(name);
    eprof_start(warm);
}

static void assert_memory_of_one(thread_act act, const char *thread)
{
    struct worker worker;
    char name[16];
    snprintf(name, sizeof name, "%s", thread);
    worker_begin(&worker);
    worker_do(&worker, warm_up, name);
    long before_bytes = resident_bytes();
    worker_do(&worker, act, NULL);
    long bytes_of_one = (resident_bytes() - before_bytes) / INSTANCES;
    assert_int_equal(count_rows("instance"), INSTANCES + 1);
    worker_end(&worker);
    if (bytes_of_one > BYTES_OF_ONE)
        fail_msg("an instance on a thread takes %ld bytes", bytes_of_one);
}

TEST(instance_recorded_in_lockstep_takes_a_kibibyte)
{
    assert_memory_of_one(record_in_lockstep, "in lockstep");
}

TEST(instance_recorded_on_its_own_takes_a_kibibyte)
{
    assert_memory_of_one(record_one_by_one, "one by one");
}

TEST_EACH(begin_test, NULL)
