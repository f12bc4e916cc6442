/* Functions under a budget: each call is counted, a part of them is timed, and none stays open. */
#include "hooks_test.h"

#include "threads.h"

enum { THREADS = 4, OFTEN = 10000, PERIOD = 64 };

static bool is_by_steps; /* the source is step() */
static _Thread_local struct worker *switching; /* switches recording off at the next step */

static void switch_off(void *unused)
{
    (void)unused;
    eprof_enable(false);
}

/* A clock that advances by one at each reading. */
static uint64_t step(void *unused)
{
    static uint64_t now;
    struct worker *worker = switching;
    (void)unused;
    switching = NULL;
    if (worker)
        worker_do(worker, switch_off, NULL);
    return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED);
}

/* Asserts that the times in the row of this name are estimates, from about one call in PERIOD. */
static void assert_sampled(const char *name, uint64_t outermost)
{
    struct eprof_row row;
    assert_int_equal(take_rows(eprof_snapshot_take, NULL, name, NULL, &row), 1);
    assert_int_equal(row.estimated, 1);
    assert_int_equal(row.outermost, outermost);
    assert_in_range(row.timed, outermost / PERIOD, outermost / PERIOD + 1);
}

/* A timed call without calls inside takes one step, so the total of all calls is known. */
static void assert_total(const char *path, unsigned long long steps)
{
    static char text[1 << 20];
    unsigned long long total;
    if (!is_by_steps)
        return;
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_return_code(eprof_report(out, "csv:raw"), 0);
    fclose(out);
    const char *at = strstr(text, path);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(path), ",*,,0,%*u,%*u,%*u,%*u,%llu,", &total), 1);
    assert_int_equal(total, steps);
}

TEST(each_call_of_a_sampled_function_counts)
{
    brief_often(OFTEN);
    assert_sampled("brief", OFTEN);
    assert_tree("brief_often 1\nbrief_often;brief 10000\n");
    assert_total("brief_often;brief", OFTEN);
    brief_often(OFTEN + 1);
    assert_sampled("brief", 2 * OFTEN + 1);
    assert_tree("brief_often 2\nbrief_often;brief 20001\n");
    assert_total("brief_often;brief", 2 * OFTEN + 1);
    assert_diagnostics("");
}
TEST(each_call_counts_on_many_threads)
{
    pthread_t threads[THREADS];
    int times = OFTEN;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, brief_on_thread, &times), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_tree("brief_on_thread 4\nbrief_on_thread;brief_often 4\n"
                "brief_on_thread;brief_often;brief 40000\n");
    assert_diagnostics("");
}

TEST(depth_bounds_sampled_functions)
{
    brief_often(OFTEN);
    assert_return_code(eprof_setup("depth=1"), 0);
    brief_often(OFTEN);
    assert_return_code(eprof_setup("depth=65535"), 0);
    assert_tree("brief_often 2\nbrief_often;brief 10000\n");
    assert_diagnostics("");
}

TEST(what_a_sampled_function_calls_is_below_it)
{
    brief_around_often(OFTEN);
    assert_sampled("brief_around", OFTEN);
    assert_sampled("in brief", OFTEN);
    assert_tree("brief_around_often 1\n"
                "brief_around_often;brief_around 10000\n"
                "brief_around_often;brief_around;brief_inside 10000\n"
                "brief_around_often;brief_around;in brief 10000\n"
                "brief_around_often;brief_around;in brief;brief_inside 10000\n");
    assert_diagnostics("");
}

TEST(recursion_of_a_sampled_function_counts)
{
    assert_int_equal(brief_fib(18), 2584);
    assert_tree("brief_fib 8361\n"); /* 2 fib(19) - 1 */
    assert_diagnostics("");
}

TEST(sampled_function_that_was_split_counts)
{
    splits_often(OFTEN);
    assert_sampled("split_around_brief", OFTEN);
    assert_tree("splits_often 1\n"
                "splits_often;split_around_brief 10000\n"
                "splits_often;split_around_brief;split_brief 20000\n"
                "splits_often;split_around_brief;split_leaf 10000\n");
    assert_diagnostics("");
}

TEST(sampled_function_left_by_a_jump_has_ended)
{
    brief_jump_often(OFTEN, 1000);
    assert_tree_of_jumps("brief_jump_often 1\n"
                         "brief_jump_often;brief_inside 1000\n"
                         "brief_jump_often;brief_jump 11000\n");
}

/* This file is built without hooks. */
static void outside(void (*call)(void), int depth)
{
    if (depth > 0)
        outside(call, depth - 1);
    else
        call();
    __asm__ volatile("");
}

TEST(function_that_other_code_calls_is_below_the_function_around)
{
    via_often(outside, OFTEN);
    assert_tree("via_often 1\n"
                "via_often;via_around 10000\n"
                "via_often;via_around;via_back 10000\n"
                "via_often;via_around;via_once 30000\n"
                "via_often;via_around;via_once;via_back 30000\n"
                "via_often;via_around;via_twice 30000\n"
                "via_often;via_around;via_twice;via_back 60000\n");
    assert_diagnostics("");
}

TEST(function_that_begins_while_another_thread_switches_off_is_left)
{
    enum { TIMES = 50, CALLS = 4 * PERIOD };
    struct worker worker;
    if (!is_by_steps)
        return;
    worker_begin(&worker);
    for (int i = 0; i < TIMES; i++) {
        brief_inside();
        brief_inside();
        switching = &worker;
        for (int call = 0; call < CALLS; call++)
            brief_inside();
        eprof_enable(true);
    }
    worker_end(&worker);
    assert_diagnostics("");
}

int test_sampled(void)
{
    struct eprof_source steps = {
        .size = sizeof steps, .name = "steps", .now = step, .ticks_per_second = 1000000000};
    assert_return_code(eprof_source_add(&steps), 0);
    assert_return_code(eprof_source_use("steps"), 0);
    assert_return_code(eprof_setup("budget=1/64"), 0);
    is_by_steps = true;
    int failed = tests_run("sampled", hooks_begin, hooks_end);
    is_by_steps = false;
    assert_return_code(eprof_source_use("auto"), 0);
    failed += tests_run("sampled by the counter", hooks_begin, hooks_end);
    assert_return_code(eprof_setup("budget=off"), 0);
    return failed;
}
