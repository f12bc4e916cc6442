/* Functions that are throttled: each call is counted, and none stays open. */
#include "hooks_test.h"

#include <pthread.h>

enum { THREADS = 4, OFTEN = 10000 /* checked once in 4096 calls */ };

/* A clock that advances by one at each reading: with it each function is brief, however slow the
 * machine is. */
static uint64_t step(void *unused)
{
    static uint64_t now;
    (void)unused;
    return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED);
}

/* The number of throttled functions in the json report; if there are none, json has no such
 * field. */
static int throttled(void)
{
    static char text[1 << 20];
    int count = 0;
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_return_code(eprof_report(out, "json"), 0);
    fclose(out);
    const char *at = strstr(text, "\"throttled\":");
    if (at)
        sscanf(at, "\"throttled\":%d", &count);
    return count;
}

static void count_by_steps(void)
{
    struct eprof_source steps = {
        .size = sizeof steps, .name = "steps", .now = step, .ticks_per_second = 1000000000};
    assert_return_code(eprof_source_add(&steps), 0);
    assert_return_code(eprof_source_use("steps"), 0);
    assert_return_code(eprof_setup("throttle=1000"), 0);
}

TEST(each_call_of_a_throttled_function_counts)
{
    brief_often(OFTEN);
    assert_true(throttled() > 0);
    assert_tree("brief_often 1\nbrief_often;brief 10000\n");
    brief_often(OFTEN + 1);
    assert_tree("brief_often 2\nbrief_often;brief 20001\n");
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

TEST(what_a_throttled_function_calls_is_below_it)
{
    brief_around_often(OFTEN);
    assert_true(throttled() > 0);
    assert_tree("brief_around_often 1\n"
                "brief_around_often;brief_around 10000\n"
                "brief_around_often;brief_around;brief_inside 10000\n"
                "brief_around_often;brief_around;in brief 10000\n"
                "brief_around_often;brief_around;in brief;brief_inside 10000\n");
    assert_diagnostics("");
}

TEST(recursion_of_a_throttled_function_counts)
{
    assert_int_equal(brief_fib(18), 2584);
    assert_tree("brief_fib 8361\n"); /* 2 fib(19) - 1 */
    assert_diagnostics("");
}

TEST(throttled_function_that_was_split_counts)
{
    splits_often(OFTEN);
    assert_true(throttled() > 0);
    assert_tree("splits_often 1\n"
                "splits_often;split_around_brief 10000\n"
                "splits_often;split_around_brief;split_brief 20000\n"
                "splits_often;split_around_brief;split_leaf 10000\n");
    assert_diagnostics("");
}

TEST(throttled_function_left_by_a_jump_has_ended)
{
    brief_jump_often(OFTEN, 1000);
    assert_tree_of_jumps("brief_jump_often 1\n"
                         "brief_jump_often;brief_inside 1000\n"
                         "brief_jump_often;brief_jump 11000\n");
}

int test_throttle(void)
{
    count_by_steps();
    int failed = tests_run("throttle", hooks_begin, hooks_end);
    assert_return_code(eprof_source_use("auto"), 0); /* a throttled function stays throttled */
    return failed + tests_run("throttle by the counter", hooks_begin, hooks_end);
}
