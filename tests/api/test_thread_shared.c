/* One instance on many threads at once. */
#include "hand_clock.h"
#include "rows.h"
#include "thread_clock.h"
#include "threads.h"

enum { THREADS = 8, ROUNDS = 20000 };

static int instance;
static pthread_barrier_t gate; /* all threads pass it together */

static int begin_test(void **state)
{
    thread_clock_begin(state);
    instance = eprof_alloc("shared");
    return 0;
}

static void on_threads_at_once(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    assert_int_equal(pthread_barrier_init(&gate, NULL, THREADS), 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&gate);
}

/* ---------------------------------------------------------- exact figures -- */

/* Thread n: pairs of 1, 2 ... 100 ns, and n of those again at the end. */
static uint64_t pair_ns(uint64_t round)
{
    return round % 100 + 1;
}

static void *record_pairs(void *number)
{
    char name[] = {'0' + (char)(uintptr_t)number, '\0'};
    eprof_thread_enter(name);
    pthread_barrier_wait(&gate);
    for (uint64_t i = 0; i < ROUNDS + (uint64_t)(uintptr_t)number; i++) {
        eprof_start(instance);
        thread_ticks += pair_ns(i);
        eprof_stop(instance);
    }
    return NULL;
}

static uint64_t total_of_rounds(uint64_t rounds)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < rounds; i++)
        total += pair_ns(i);
    return total;
}

TEST(instance_on_threads_at_once_is_exact)
{
    uint64_t calls = 0, total_ns = 0;
    on_threads_at_once(record_pairs);
    for (uint64_t i = 0; i < THREADS; i++) {
        char name[] = {'0' + (char)i, '\0'};
        assert_figures(thread_row("shared", name), ROUNDS + i, total_of_rounds(ROUNDS + i));
        calls += ROUNDS + i;
        total_ns += total_of_rounds(ROUNDS + i);
    }
    struct eprof_row row = instance_row("shared");
    assert_figures(row, calls, total_ns);
    assert_int_equal(row.min_ns, 1);
    assert_int_equal(row.max_ns, 100);
    assert_in_range(row.p50_ns, 47, 53);
    assert_in_range(row.p90_ns, 84, 96);
    assert_in_range(row.stddev_ns, 28, 30); /* of 1 ... 100: 28.87 */
}

static void *record_recursion(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&gate);
    for (int i = 0; i < ROUNDS; i++) {
        eprof_start(instance);
        eprof_start(instance);
        thread_ticks += 3;
        eprof_stop(instance);
        thread_ticks += 4;
        eprof_stop(instance);
    }
    return NULL;
}

TEST(recursion_on_threads_at_once_counts_time_once_for_each)
{
    on_threads_at_once(record_recursion);
    struct eprof_row row = instance_row("shared");
    assert_int_equal(row.calls, 2 * ROUNDS * THREADS);
    assert_int_equal(row.timed, ROUNDS * THREADS);
    assert_int_equal(row.total_ns, 7 * ROUNDS * THREADS);
    assert_int_equal(row.open, 0);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
}

static void *record_spans(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&gate);
    for (uint64_t i = 0; i < ROUNDS; i++)
        eprof_record(instance, hand_ticks - pair_ns(i), hand_ticks);
    return NULL;
}

TEST(spans_on_threads_at_once_are_exact)
{
    hand_clock_use();
    hand_ticks += 1000;
    on_threads_at_once(record_spans);
    assert_figures(instance_row("shared"), ROUNDS * THREADS, THREADS * total_of_rounds(ROUNDS));
}

/* The gate keeps all of them inside until the last one has come. */
static void *be_inside_together(void *unused)
{
    (void)unused;
    eprof_start(instance);
    /* NOLINTNEXTLINE(bugprone-posix-return): that is -1 here */
    if (pthread_barrier_wait(&gate) == PTHREAD_BARRIER_SERIAL_THREAD)
        hand_ticks += 1000;
    pthread_barrier_wait(&gate);
    eprof_stop(instance);
    return NULL;
}

TEST(time_of_threads_that_are_inside_together_adds_up)
{
    hand_clock_use();
    on_threads_at_once(be_inside_together);
    assert_figures(instance_row("shared"), THREADS, 1000 * THREADS);
}

/* -------------------------------------------- begun here, ended elsewhere -- */

static void start(void *unused)
{
    (void)unused;
    eprof_start(instance);
}

static void stop(void *unused)
{
    (void)unused;
    eprof_stop(instance);
}

TEST(stop_on_another_thread_is_unbalanced)
{
    struct worker worker;
    hand_clock_use();
    worker_begin(&worker);
    worker_do(&worker, start, NULL);
    hand_ticks += 10;
    eprof_stop(instance);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
    assert_int_equal(instance_row("shared").calls, 0);
    assert_int_equal(instance_row("shared").open, 1);
    worker_do(&worker, stop, NULL);
    assert_figures(instance_row("shared"), 1, 10);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
    worker_end(&worker);
}

static uint64_t began;

static void begin_span(void *unused)
{
    (void)unused;
    began = eprof_now();
}

TEST(span_begins_and_ends_on_two_threads)
{
    hand_clock_use();
    on_a_thread(begin_span, NULL);
    hand_ticks += 25;
    eprof_record(instance, began, eprof_now());
    assert_figures(thread_row("shared", "main"), 1, 25);
    assert_int_equal(count_thread_rows(NULL, NULL), 1);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
}

static void *stop_what_nobody_started(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&gate);
    for (int i = 0; i < 1000; i++)
        eprof_stop(instance);
    return NULL;
}

TEST(diagnostic_of_threads_at_once_is_exact)
{
    on_threads_at_once(stop_what_nobody_started);
    assert_int_equal(diagnostic_count("unbalanced"), 1000 * THREADS);
}

/* ----------------------------------------------------- freed and reset -- */

TEST(release_while_threads_are_inside_counts_their_stops_as_bad)
{
    struct worker workers[THREADS];
    hand_clock_use();
    for (int i = 0; i < THREADS; i++) {
        worker_begin(&workers[i]);
        worker_do(&workers[i], start, NULL);
    }
    assert_int_equal(instance_row("shared").open, THREADS);
    int freed = instance;
    assert_return_code(eprof_release(freed), errno);
    int next = eprof_alloc("next"); /* in the slot of the freed one */
    assert_int_not_equal(next, freed);
    for (int i = 0; i < THREADS; i++) {
        worker_do(&workers[i], stop, NULL);
        worker_end(&workers[i]);
    }
    assert_int_equal(diagnostic_count("bad_handles"), THREADS);
    assert_int_equal(count_thread_rows("next", NULL), 0);
}

TEST(reset_while_threads_are_inside_forgets_their_pairs)
{
    struct worker workers[THREADS];
    hand_clock_use();
    for (int i = 0; i < THREADS; i++) {
        worker_begin(&workers[i]);
        worker_do(&workers[i], start, NULL);
    }
    hand_ticks += 5;
    eprof_reset();
    hand_ticks += 5;
    for (int i = 0; i < THREADS; i++) {
        worker_do(&workers[i], stop, NULL);
        worker_do(&workers[i], start, NULL);
    }
    hand_ticks += 3;
    for (int i = 0; i < THREADS; i++) {
        worker_do(&workers[i], stop, NULL);
        worker_end(&workers[i]);
    }
    assert_figures(instance_row("shared"), THREADS, 3 * THREADS);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
}

TEST_EACH(begin_test, NULL)
