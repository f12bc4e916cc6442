/* Forks of a process with several threads, and children with several threads. */
#include "calls.h"
#include "child.h"
#include "rows.h"
#include "sanitizer.h"
#include "thread_clock.h"
#include "threads.h"

#include <stdio.h>

enum { THREADS = 4, FORKS = TAKES_VERY_LONG ? 20 : 200, PAIRS = 10, PAIR_TICKS = 7 };

static int instance;

static int begin_test(void **state)
{
    thread_clock_begin(state);
    instance = eprof_alloc("work");
    return 0;
}

static void record_one(void)
{
    eprof_start(instance);
    thread_ticks += PAIR_TICKS;
    eprof_stop(instance);
}

static void record(void *times)
{
    for (int i = 0; i < *(const int *)times; i++)
        record_one();
}

/* The part of its own profile that the child sees. */
struct sight {
    struct eprof_row work;
    size_t rows, thread_rows;
    char thread[32];
    int was_possible; /* whether the further calls had the expected result */
};

static void look_around(struct sight *sight)
{
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "instance", "work", "*", &sight->work);
    sight->rows = count_rows(NULL);
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    sight->thread_rows = find_rows(snapshot, "instance", "work", NULL, &row);
    snprintf(sight->thread, sizeof sight->thread, "%s", row.thread ? row.thread : "");
    eprof_snapshot_free(snapshot);
}

static void record_and_look(void *sight)
{
    int times = PAIRS;
    record(&times);
    look_around(sight);
}

static struct sight in_child(child_fork fork_by, void (*act)(void *sight))
{
    struct sight sight = {.rows = 0};
    child_do(fork_by, act, &sight, sizeof sight);
    return sight;
}

/* ----------------------------------------------------------- before first use -- */

static void use_for_the_first_time(void *seen)
{
    struct sight *sight = seen;
    sight->was_possible = eprof_alloc("first");
}

TEST_BETWEEN(child_may_use_the_library_before_the_parent_does, NULL, NULL)
{
    assert_int_equal(in_child(fork, use_for_the_first_time).was_possible, 0);
    assert_int_equal(eprof_alloc("first"), 0);
}

/* ------------------------------------------- forked while other threads work -- */

static int is_over;
static uint64_t pairs; /* of all of them */

static bool goes_on(void)
{
    return !__atomic_load_n(&is_over, __ATOMIC_RELAXED);
}

static void *record_till_the_end(void *unused)
{
    uint64_t own_pairs = 0;
    (void)unused;
    for (; goes_on(); own_pairs++)
        record_one();
    __atomic_fetch_add(&pairs, own_pairs, __ATOMIC_RELAXED);
    return NULL;
}

static void assert_forks_while(void *(*body)(void *), child_fork fork_by, void (*act)(void *sight))
{
    pthread_t threads[THREADS];
    is_over = 0;
    pairs = 0;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, NULL), 0);
    for (int i = 0; i < FORKS; i++) {
        struct sight sight = in_child(fork_by, act);
        assert_figures(sight.work, PAIRS, PAIRS * PAIR_TICKS);
        assert_int_equal(sight.rows, 1);
        assert_int_equal(sight.thread_rows, 1);
        assert_string_equal(sight.thread, "main");
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* This is the first test: the parent has not called the library yet. */
TEST(children_have_none_of_what_other_threads_record)
{
    int times = 3;
    record(&times);
    assert_forks_while(record_till_the_end, fork, record_and_look);
    assert_figures(instance_row("work"), pairs + 3, (pairs + 3) * PAIR_TICKS);
    assert_figures(thread_row("work", "main"), 3, 3 * PAIR_TICKS);
    assert_int_equal(count_rows("diagnostic"), 0);
}

#if BARE_FORKS_ARE_SAFE
TEST(children_of_the_bare_fork_have_none_of_it_either)
{
    assert_forks_while(record_till_the_end, _Fork, record_and_look);
    assert_figures(instance_row("work"), pairs, pairs * PAIR_TICKS);
    assert_int_equal(count_rows("diagnostic"), 0);
}
#endif

/* Makes all kinds of changes to the image that are made under the lock. */
static void *change_till_the_end(void *unused)
{
    (void)unused;
    while (goes_on()) {
        int id = eprof_alloc("a label of more than a cell, which is longer than sixty-four bytes");
        eprof_start(id);
        eprof_thread_enter("busy");
        eprof_stop(id);
        eprof_release(id);
        eprof_thread_exit();
        eprof_free("nobody");
#if CHILDREN_CAN_ALLOCATE
        eprof_snapshot_free(eprof_snapshot_take());
#endif
    }
    return NULL;
}

static void change_and_look(void *seen)
{
    enum { LABELS = 100 };
    struct sight *sight = seen;
    int ids[LABELS];
    for (int i = 0; i < LABELS; i++)
        ids[i] = eprof_alloc(i % 2 ? "odd" : "even");
    for (int i = 0; i < LABELS; i++)
        eprof_free(i % 2 ? "odd" : "even");
    sight->was_possible = 1;
    for (int i = 0; i < LABELS; i++)
        sight->was_possible &= ids[i] >= 0 && eprof_release(ids[i]) == -1;
    record_and_look(sight);
}

TEST(children_can_change_what_other_threads_were_changing)
{
    assert_forks_while(change_till_the_end, fork, change_and_look);
    int times = 1;
    eprof_reset(); /* of the unknown labels */
    record(&times);
    assert_figures(instance_row("work"), 1, PAIR_TICKS);
    assert_int_equal(count_rows(NULL), 1);
}

TEST(changes_in_a_child_are_possible)
{
    assert_int_equal(in_child(fork, change_and_look).was_possible, 1);
}

static void open_once(void *unused)
{
    (void)unused;
    eprof_start(instance);
}

static void close_once(void *unused)
{
    (void)unused;
    eprof_stop(instance);
}

TEST(pairs_open_on_other_threads_are_not_open_in_the_child)
{
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, open_once, NULL);
    assert_int_equal(in_child(fork, record_and_look).work.open, 0);
    assert_int_equal(instance_row("work").open, 1);
    worker_do(&worker, close_once, NULL);
    assert_figures(instance_row("work"), 1, 0);
    worker_end(&worker);
}

/* ------------------------------------------------ who forks, and under what name -- */

static void fork_here(void *sight)
{
    child_do(fork, record_and_look, sight, sizeof(struct sight));
}

TEST(name_of_the_forking_thread_is_its_name_in_the_child)
{
    struct worker worker;
    struct sight sight = {.rows = 0};
    char name[] = "forker";
    int times = 5;
    worker_begin(&worker);
    worker_do(&worker, name_this_thread, name);
    worker_do(&worker, record, &times);
    worker_do(&worker, fork_here, &sight);
    assert_figures(sight.work, PAIRS, PAIRS * PAIR_TICKS);
    assert_string_equal(sight.thread, "forker");
    assert_int_equal(sight.thread_rows, 1);
    worker_end(&worker);
    assert_figures(thread_row("work", "forker"), 5, 5 * PAIR_TICKS);
}

static void record_as_the_others(void *seen)
{
    struct sight *sight = seen;
    eprof_thread_enter("other");
    record_and_look(sight);
}

TEST(name_of_a_thread_of_the_parent_is_free_in_the_child)
{
    struct worker worker;
    char name[] = "other";
    int times = 5;
    worker_begin(&worker);
    worker_do(&worker, name_this_thread, name);
    worker_do(&worker, record, &times);
    struct sight sight = in_child(fork, record_as_the_others);
    assert_figures(sight.work, PAIRS, PAIRS * PAIR_TICKS);
    assert_string_equal(sight.thread, "other");
    assert_int_equal(sight.thread_rows, 1);
    assert_figures(thread_row("work", "other"), 5, 5 * PAIR_TICKS);
    worker_end(&worker);
}

static void record_ten(void *unused)
{
    int times = PAIRS;
    (void)unused;
    record(&times);
}

static void record_on_threads(void *seen)
{
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++)
        worker_begin(&workers[i]);
    for (int i = 0; i < THREADS; i++)
        worker_do(&workers[i], record_ten, NULL);
    for (int i = 0; i < THREADS; i++)
        worker_end(&workers[i]);
    for (int i = 0; i < 20; i++)
        on_a_thread(record_ten, NULL); /* each in the place of one that ended */
    look_around(seen);
}

TEST(threads_of_a_child_are_exact)
{
    int times = 5;
    record(&times);
    for (int i = 0; i < THREADS; i++)
        on_a_thread(record, &times);
    struct sight sight = in_child(fork, record_on_threads);
    assert_figures(sight.work, (THREADS + 20) * PAIRS, (THREADS + 20) * PAIRS * PAIR_TICKS);
    assert_int_equal(sight.rows, 1);
    assert_int_equal(sight.thread_rows, THREADS);
    assert_figures(instance_row("work"), 5 * (1 + THREADS), 5 * (1 + THREADS) * PAIR_TICKS);
}

static void record_on_threads_in_turn(void *seen)
{
    for (int i = 0; i < 20; i++)
        on_a_thread(record_ten, NULL);
    look_around(seen);
}

/* The number of threads that the parent had at once does not matter. */
TEST(threads_of_a_child_in_turn_share_a_row)
{
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        worker_begin(&workers[i]);
        worker_do(&workers[i], record_ten, NULL);
    }
    for (int i = 0; i < THREADS; i++)
        worker_end(&workers[i]);
    struct sight sight = in_child(fork, record_on_threads_in_turn);
    assert_figures(sight.work, 20 * PAIRS, 20 * PAIRS * PAIR_TICKS);
    assert_int_equal(sight.thread_rows, 1);
}

static void name_and_record(void *unused)
{
    eprof_thread_enter("namesake");
    record_ten(unused);
}

static void record_on_namesakes_in_turn(void *seen)
{
    for (int i = 0; i < 20; i++)
        on_a_thread(name_and_record, NULL);
    look_around(seen);
}

TEST(threads_of_one_name_in_turn_share_a_row_of_a_child)
{
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        worker_begin(&workers[i]);
        worker_do(&workers[i], name_and_record, NULL);
    }
    for (int i = 0; i < THREADS; i++)
        worker_end(&workers[i]);
    struct sight sight = in_child(fork, record_on_namesakes_in_turn);
    assert_figures(sight.work, 20 * PAIRS, 20 * PAIRS * PAIR_TICKS);
    assert_string_equal(sight.thread, "namesake");
    assert_int_equal(sight.thread_rows, 1);
}

TEST_EACH(begin_test, NULL)
