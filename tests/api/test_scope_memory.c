/*
 * Call trees of threads that run one after another take constant memory.
 *
 * test_scope_memory [LIVES] - of this many threads; without it, a short form of the test
 */
#include "resident.h"
#include "thread_clock.h"
#include "tree_text.h"

#include <pthread.h>

enum { SHORT_LIVES = 10000, GROWTH_BYTES = 1 << 20, PATHS = 20 };

static int lives = SHORT_LIVES;

/* The labels are nested, one in another; so one life enters twenty paths. */
static void record(void)
{
    for (int i = 0; i < PATHS; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        eprof_enter(label);
        thread_ticks += 1;
    }
    for (int i = 0; i < PATHS; i++)
        eprof_leave();
}

static void *live_nameless(void *unused)
{
    record();
    return unused;
}

static void *live_with_names(void *number)
{
    eprof_thread_enter((uintptr_t)number % 2 ? "odd" : "even");
    record();
    eprof_thread_enter("last");
    record();
    return NULL;
}

static void *live_with_a_hold(void *number)
{
    eprof_hold();
    record();
    eprof_keep((uintptr_t)number % 2);
    eprof_hold();
    eprof_enter("open at the end");
    return NULL;
}

static void run(void *(*body)(void *), int first, int end)
{
    for (int i = first; i < end; i++) {
        pthread_t life;
        assert_int_equal(pthread_create(&life, NULL, body, (void *)(uintptr_t)i), 0);
        assert_int_equal(pthread_join(life, NULL), 0);
    }
}

/* After a fifth of the lives and after all of them. A block that each thread left would be 4
 * KiB. */
static void assert_memory_stays(void *(*body)(void *), uint64_t calls)
{
    run(body, 0, lives / 5);
    long settled_bytes = resident_bytes();
    run(body, lives / 5, lives);
    long growth_bytes = resident_bytes() - settled_bytes;
    if (growth_bytes > GROWTH_BYTES)
        fail_msg("%d threads more took %ld KiB more", lives - lives / 5, growth_bytes / 1024);
    struct eprof_row row;
    assert_int_equal(take_rows(eprof_snapshot_take, "scope", "19", "*", &row), 1);
    assert_figures(row, calls, calls);
}

TEST(nameless_threads_in_turn_take_constant_memory)
{
    assert_memory_stays(live_nameless, (uint64_t)lives);
    assert_diagnostics("");
}

TEST(threads_that_rename_themselves_take_constant_memory)
{
    assert_memory_stays(live_with_names, 2 * (uint64_t)lives);
    assert_diagnostics("");
}

TEST(threads_with_holds_take_constant_memory)
{
    assert_memory_stays(live_with_a_hold, (uint64_t)lives / 2);
}

TEST_RUN()
{
    if (test_argument)
        lives = atoi(test_argument);
    return tests_run("scope_memory", thread_clock_begin, NULL);
}
