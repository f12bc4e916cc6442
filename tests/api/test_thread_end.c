/* The end of a thread: by itself, by eprof_thread_exit(), inside a pair. */
#include "rows.h"
#include "sanitizer.h"
#include "work.h"

#include <limits.h>

static void leave(void *unused)
{
    (void)unused;
    eprof_thread_exit();
}

/* ------------------------------------------------------------ open pairs -- */

TEST(thread_that_ends_inside_a_pair_shows_it_open)
{
    int once = 1;
    on_a_thread(start_times, &once);
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.open, 1);
    assert_int_equal(row.calls, 0);
    assert_int_equal(row.total_ns, 0);
}

TEST(thread_that_ends_inside_recursion_shows_each_pair_open)
{
    int three_times = 3;
    on_a_thread(start_times, &three_times);
    assert_int_equal(instance_row("work").open, 3);
}

TEST(next_thread_begins_outside_of_what_the_last_left_open)
{
    uint64_t ns = 70;
    int once = 1;
    on_a_thread(start_times, &once);
    on_a_thread(record_ns, &ns);
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.open, 1);
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.timed, 1);
    assert_int_equal(row.total_ns, 70);
    assert_int_equal(count_thread_rows("work", NULL), 1);
}

TEST(next_thread_cannot_stop_what_the_last_left_open)
{
    int once = 1;
    on_a_thread(start_times, &once);
    on_a_thread(stop_times, &once);
    assert_int_equal(instance_row("work").open, 1);
    assert_int_equal(instance_row("work").calls, 0);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
}

TEST(what_ended_threads_left_open_adds_up)
{
    int once = 1, twice = 2;
    on_a_thread(start_times, &once);
    on_a_thread(start_times, &twice);
    assert_int_equal(instance_row("work").open, 3);
}

TEST(what_ended_threads_left_open_goes_with_a_reset)
{
    uint64_t ns = 6;
    int once = 1;
    on_a_thread(start_times, &once);
    eprof_reset();
    on_a_thread(record_ns, &ns);
    assert_figures(instance_row("work"), 1, 6);
}

TEST(living_thread_shows_its_open_pairs_in_its_own_row)
{
    struct worker worker;
    char name[] = "inside";
    int twice = 2;
    worker_begin(&worker);
    worker_do(&worker, name_this_thread, name);
    worker_do(&worker, start_times, &twice);
    assert_int_equal(thread_row("work", "inside").open, 2);
    hand_ticks += 30;
    worker_do(&worker, stop_times, &twice);
    assert_int_equal(thread_row("work", "inside").open, 0);
    assert_int_equal(thread_row("work", "inside").calls, 2);
    assert_int_equal(thread_row("work", "inside").timed, 1);
    assert_int_equal(thread_row("work", "inside").total_ns, 30);
    worker_end(&worker);
}

/* ----------------------------------------------------- eprof_thread_exit -- */

TEST(exit_makes_room_for_the_next_thread_of_the_name)
{
    struct worker worker;
    uint64_t ns = 4;
    worker_begin(&worker);
    worker_do(&worker, record_named, &ns);
    worker_do(&worker, leave, NULL);
    on_a_thread(record_named, &ns); /* the first one still exists, but no longer as "worker" */
    assert_figures(thread_row("work", "worker"), 2, 8);
    worker_end(&worker);
    assert_figures(thread_row("work", "worker"), 2, 8);
}

TEST(thread_that_records_after_exit_begins_anew_without_a_name)
{
    struct worker worker;
    uint64_t named_ns = 4, nameless_ns = 50;
    worker_begin(&worker);
    worker_do(&worker, record_named, &named_ns);
    worker_do(&worker, leave, NULL);
    worker_do(&worker, record_ns, &nameless_ns);
    assert_figures(thread_row("work", "worker"), 1, 4);
    assert_int_equal(count_thread_rows("work", NULL), 2);
    assert_figures(instance_row("work"), 2, 54);
    worker_end(&worker);
    assert_figures(instance_row("work"), 2, 54);
}

TEST(exit_inside_a_pair_shows_it_open)
{
    struct worker worker;
    int once = 1;
    worker_begin(&worker);
    worker_do(&worker, start_times, &once);
    worker_do(&worker, leave, NULL);
    assert_int_equal(instance_row("work").open, 1);
    worker_do(&worker, stop_times, &once);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
    worker_end(&worker);
    assert_int_equal(instance_row("work").open, 1);
}

TEST(exit_twice_or_of_a_thread_that_did_nothing_is_nothing)
{
    struct worker worker;
    uint64_t ns = 4;
    on_a_thread(leave, NULL);
    worker_begin(&worker);
    worker_do(&worker, record_ns, &ns);
    worker_do(&worker, leave, NULL);
    worker_do(&worker, leave, NULL);
    worker_end(&worker);
    assert_figures(instance_row("work"), 1, 4);
    assert_int_equal(count_thread_rows(NULL, NULL), 1);
}

TEST(exit_of_the_main_thread_keeps_its_row)
{
    uint64_t ns = 4;
    record_ns(&ns);
    eprof_thread_exit();
    assert_figures(thread_row("work", "main"), 1, 4);
    record_ns(&ns);
    assert_figures(thread_row("work", "main"), 2, 8);
}

TEST(row_of_the_main_thread_is_no_other_threads)
{
    uint64_t main_ns = 4, other_ns = 50;
    record_ns(&main_ns);
    eprof_thread_exit();
    on_a_thread(record_ns, &other_ns);
    assert_figures(thread_row("work", "main"), 1, 4);
    assert_int_equal(count_thread_rows("work", NULL), 2);
}

TEST(thread_that_switched_itself_off_leaves_the_next_on)
{
    struct worker worker;
    uint64_t ns = 4;
    worker_begin(&worker);
    worker_do(&worker, record_named, &ns);
    worker_do(&worker, switch_thread_off, NULL);
    worker_do(&worker, record_ns, &ns);
    assert_figures(thread_row("work", "worker"), 1, 4);
    worker_end(&worker);
    on_a_thread(record_named, &ns);
    assert_figures(thread_row("work", "worker"), 2, 8);
}

/* ------------------------------------------- destructors of other keys -- */

static pthread_key_t key;
static int rounds;

/* Records at the thread's end, and asks to be called again as long as the system allows it. */
static void record_at_the_end(void *left)
{
    uint64_t ns = 1;
    record_ns(&ns);
    rounds++;
    uintptr_t times = (uintptr_t)left - 1;
    if (times)
        pthread_setspecific(key, (void *)times);
}

static void record_and_set_key(void *times)
{
    uint64_t ns = 100;
    record_named(&ns);
    pthread_setspecific(key, (void *)(uintptr_t) * (const int *)times);
}

static void assert_destructors_record(int times)
{
    rounds = 0;
    assert_int_equal(pthread_key_create(&key, record_at_the_end), 0);
    for (int i = 0; i < 10; i++)
        on_a_thread(record_and_set_key, &times);
    assert_int_equal(pthread_key_delete(key), 0);
    assert_int_equal(rounds, 10 * times);
    assert_figures(instance_row("work"), 10 + (uint64_t)rounds, 1000 + (uint64_t)rounds);
    assert_int_equal(diagnostic_count("lost"), 0);
}

/* The library's own key is older than this one, so its destructor comes first. */
TEST(destructor_that_records_after_the_library_is_counted)
{
    assert_destructors_record(1);
    assert_int_equal(thread_row("work", "worker").calls, 10);
    assert_int_equal(count_thread_rows("work", NULL), 2); /* "worker", and without a name */
}

/* After the last round but one the thread sanitizer has no thread any more. */
enum { ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS - (THREAD_SANITIZER ? 2 : 0) };

TEST(destructor_that_records_in_every_round_is_counted)
{
    assert_destructors_record(ROUNDS);
}

TEST_EACH(begin_test, NULL)
