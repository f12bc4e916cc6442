/* Call trees of threads: of many at once, of many in turn, their names and their ends. */
#include "calls.h"
#include "sanitizer.h"
#include "thread_clock.h"
#include "threads.h"
#include "tree_text.h"

enum { TOGETHER = 100, IN_TURN = TAKES_LONG ? 1000 : 10000, ROUNDS = 10 };

/* The innermost scope takes `ticks`, and each of the `depth` others 1. */
static __attribute__((noinline)) void nest(int depth, uint64_t ticks)
{
    EPROF_SCOPE("outer");
    thread_ticks += 1;
    if (depth > 1)
        nest(depth - 1, ticks);
    else
        EPROF_BLOCK("inner") thread_ticks += ticks;
}

static const char *text_of_threads(const char *thread)
{
    return tree_text_of(eprof_snapshot_take_threads, thread);
}

/* The tree of `nest`, called `times` times with this depth, with so many ticks in total. */
static const char *nested_text(uint64_t times, uint64_t depth, uint64_t ticks)
{
    static char text[256];
    uint64_t calls = times * depth;
    snprintf(text, sizeof text,
             "outer %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
             "outer;inner %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
             calls, times, calls + ticks, calls, times, times, ticks, ticks);
    return text;
}

/* -------------------------------------------------------------- together -- */

static pthread_barrier_t gate;

static void *be_one_of_many(void *own_number)
{
    char name[16];
    snprintf(name, sizeof name, "%d", (int)(uintptr_t)own_number);
    eprof_thread_enter(name);
    pthread_barrier_wait(&gate);
    for (int i = 0; i < ROUNDS; i++)
        nest(3, (uint64_t)(uintptr_t)own_number);
    pthread_barrier_wait(&gate); /* all threads are alive until each has recorded */
    return NULL;
}

TEST(hundred_threads_at_once_are_each_exact)
{
    static pthread_t threads[TOGETHER];
    uint64_t ticks = 0;
    assert_int_equal(pthread_barrier_init(&gate, NULL, TOGETHER), 0);
    for (uintptr_t i = 0; i < TOGETHER; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, be_one_of_many, (void *)i), 0);
        ticks += ROUNDS * i;
    }
    for (int i = 0; i < TOGETHER; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&gate);
    assert_tree(nested_text(TOGETHER * ROUNDS, 3, ticks));
    for (uint64_t i = 0; i < TOGETHER; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", (int)i);
        assert_tree_text(text_of_threads(name), nested_text(ROUNDS, 3, ROUNDS * i));
    }
    assert_diagnostics("");
}

/* --------------------------------------------------------------- in turn -- */

static void *be_one_in_turn(void *number)
{
    nest(2, (uint64_t)(uintptr_t)number);
    return NULL;
}

TEST(ten_thousand_threads_in_turn_share_an_exact_tree)
{
    uint64_t ticks = 0;
    for (uintptr_t i = 0; i < IN_TURN; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, be_one_in_turn, (void *)i), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        ticks += i;
    }
    assert_tree(nested_text(IN_TURN, 2, ticks));
    struct eprof_row row;
    assert_int_equal(take_rows(eprof_snapshot_take_threads, "scope", NULL, NULL, &row), 2);
    assert_diagnostics("");
}

/* ----------------------------------------------------------------- names -- */

static void nest_once(void *ticks)
{
    nest(1, *(const uint64_t *)ticks);
}

static void rename_this_thread_and_nest(void *name)
{
    nest(1, 5);
    eprof_thread_enter(name);
    nest(1, 50);
}

static char worker_name[] = "worker";

TEST(tree_follows_the_name_of_its_thread)
{
    struct worker worker;
    uint64_t ticks = 5;
    worker_begin(&worker);
    worker_do(&worker, nest_once, &ticks);
    nest(1, 1000);
    assert_tree_text(text_of_threads("main"), nested_text(1, 1, 1000));
    worker_do(&worker, name_this_thread, worker_name);
    assert_tree_text(text_of_threads("worker"), nested_text(1, 1, 5));
    worker_end(&worker);
    assert_tree_text(text_of_threads("worker"), nested_text(1, 1, 5));
    assert_tree(nested_text(2, 1, 1005));
}

TEST(thread_that_takes_the_name_of_an_ended_one_goes_on_in_its_tree)
{
    for (int i = 0; i < 3; i++)
        on_a_thread(rename_this_thread_and_nest, worker_name);
    assert_tree_text(text_of_threads("worker"), nested_text(6, 1, 165));
    assert_tree(nested_text(6, 1, 165));
    assert_diagnostics("");
}

static void take_the_name_inside(void *name)
{
    EPROF_SCOPE("around");
    thread_ticks += 3;
    nest(1, 5);
    eprof_thread_enter(name);
    nest(1, 50);
}

/* Their scopes and its own are joined while one of them is open. */
TEST(thread_that_takes_a_name_inside_a_scope_keeps_its_place)
{
    for (int i = 0; i < 3; i++)
        on_a_thread(take_the_name_inside, worker_name);
    assert_tree_text(text_of_threads("worker"),
                     "around 3/3 180 9\naround;outer 6/6 171 6\naround;outer;inner 6/6 165 165\n");
    assert_diagnostics("");
}

/* ------------------------------------------------------------------ ends -- */

static void end_inside(void *unused)
{
    (void)unused;
    eprof_enter("left open");
    eprof_enter("and this");
    thread_ticks += 7;
}

TEST(scopes_that_are_open_at_a_threads_end_are_closed_there)
{
    uint64_t ticks = 5;
    on_a_thread(end_inside, NULL);
    on_a_thread(nest_once, &ticks); /* begins at the root */
    assert_tree("left open 1/1 7 0\nleft open;and this 1/1 7 7\n"
                "outer 1/1 6 1\nouter;inner 1/1 5 5\n");
    assert_diagnostics("forced_closes 2");
}

/* The leaves of its own scopes come after it has begun again. */
static void exit_inside(void *unused)
{
    (void)unused;
    EPROF_SCOPE("around");
    thread_ticks += 2;
    EPROF_BLOCK("inside")
    {
        thread_ticks += 3;
        eprof_thread_exit();
        thread_ticks += 100;
        nest(1, 5);
    }
    nest(1, 5);
}

TEST(exit_inside_a_scope_closes_it_and_begins_anew_at_the_root)
{
    on_a_thread(exit_inside, NULL);
    assert_tree("around 1/1 5 2\naround;inside 1/1 3 3\nouter 2/2 12 2\nouter;inner 2/2 10 10\n");
    assert_diagnostics("forced_closes 2");
}

static void exit_inside_by_hand(void *unused)
{
    (void)unused;
    eprof_enter("around");
    thread_ticks += 2;
    eprof_thread_exit();
    eprof_leave();
}

TEST(leave_by_hand_after_exit_is_unbalanced)
{
    on_a_thread(exit_inside_by_hand, NULL);
    assert_tree("around 1/1 2 2\n");
    assert_diagnostics("unbalanced 1, forced_closes 1");
}

static void exit_inside_recursion(void *unused)
{
    (void)unused;
    EPROF_SCOPE("outside");
    nest(1, 5);
    for (int i = 0; i < 3; i++)
        eprof_enter("deep");
    thread_ticks += 10;
    eprof_thread_exit();
}

TEST(exit_inside_recursion_counts_time_once)
{
    for (int i = 0; i < 2; i++)
        on_a_thread(exit_inside_recursion, NULL);
    assert_tree("outside 2/2 32 0\noutside;deep 6/2 20 20\n"
                "outside;outer 2/2 12 2\noutside;outer;inner 2/2 10 10\n");
    assert_diagnostics("forced_closes 8");
}

static void hold_and_end(void *unused)
{
    (void)unused;
    nest(1, 5);
    eprof_hold();
    nest(1, 500);
    eprof_enter("held");
}

TEST(what_is_held_at_a_threads_end_is_not_in_its_tree)
{
    for (int i = 0; i < 3; i++)
        on_a_thread(hold_and_end, NULL);
    assert_tree(nested_text(3, 1, 15));
}

TEST_EACH(thread_clock_begin, NULL)
