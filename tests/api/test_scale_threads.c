/* Very many threads: alive together, and one after another. */
#include "lives.h"
#include "sanitizer.h"

#include <stdio.h>

enum {
    TOGETHER = 1000,
    /* the emulator keeps memory for each thread (tests/CMakeLists.txt) */
    IN_TURN = EMULATED     ? 2000
              : TAKES_LONG ? 10000
                           : 100000,
    RENAMED_IN_TURN = EMULATED ? 2000 : 10000,
    STACK_BYTES = 256 * 1024 /* so that a thousand stacks fit into a 32-bit address space */
};

/* ----------------------------------------------------- one after another -- */

TEST(threads_by_the_hundred_thousand_in_turn_are_exact)
{
    lives_run(live_nameless, 0, IN_TURN);
    assert_lives(IN_TURN, NULL);
}

TEST(threads_in_turn_that_rename_themselves_are_exact)
{
    lives_run(live_with_many_names, 0, RENAMED_IN_TURN);
    assert_lives(RENAMED_IN_TURN, "last");
}

/* -------------------------------------------------------------- together -- */

static pthread_barrier_t gate;

/* Thread n: pairs of n + 1 ns, 3 while all threads are alive, and one around them. */
static void *be_one_of_many(void *own_number)
{
    uint64_t ticks = (uint64_t)(uintptr_t)own_number + 1;
    char name[16];
    snprintf(name, sizeof name, "%d", (int)(uintptr_t)own_number);
    eprof_thread_enter(name);
    pthread_barrier_wait(&gate);
    for (int i = 0; i < 3; i++) {
        eprof_start(lives_instance);
        thread_ticks += ticks;
        eprof_stop(lives_instance);
    }
    eprof_start(lives_instance);
    pthread_barrier_wait(&gate);
    thread_ticks += ticks;
    eprof_stop(lives_instance);
    return NULL;
}

TEST(thousand_threads_at_once_are_each_exact)
{
    static pthread_t threads[TOGETHER];
    pthread_attr_t small_stack;
    uint64_t total_ns = 0;
    assert_int_equal(pthread_barrier_init(&gate, NULL, TOGETHER), 0);
    assert_int_equal(pthread_attr_init(&small_stack), 0);
    assert_int_equal(pthread_attr_setstacksize(&small_stack, STACK_BYTES), 0);
    for (uintptr_t i = 0; i < TOGETHER; i++) {
        int error = pthread_create(&threads[i], &small_stack, be_one_of_many, (void *)i);
        if (error)
            fail_msg("thread %d: %s", (int)i, strerror(error));
        total_ns += 4 * (i + 1);
    }
    for (int i = 0; i < TOGETHER; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&gate);
    pthread_attr_destroy(&small_stack);
    assert_figures(instance_row("work"), 4 * TOGETHER, total_ns);
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    assert_int_equal(eprof_snapshot_rows(snapshot), TOGETHER);
    for (size_t at = 0; at < TOGETHER; at++) {
        struct eprof_row row = {.size = sizeof row};
        int number = -1;
        assert_return_code(eprof_snapshot_row(snapshot, at, &row), errno);
        assert_int_equal(sscanf(row.thread, "%d", &number), 1);
        assert_figures(row, 4, 4 * ((uint64_t)number + 1));
        assert_int_equal(row.min_ns, number + 1);
        assert_int_equal(row.max_ns, number + 1);
    }
    eprof_snapshot_free(snapshot);
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST_EACH(lives_begin, NULL)
