/* The moment that reports at the end are of, by a clock that steps at each look. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>

#include "exit_moment.h"
#include "process.h"

static uint64_t looks;

static uint64_t look(void *context)
{
    (void)context;
    return ++looks;
}

static const struct ep_source stepping = {.now = look, .mask = UINT64_MAX, .name = "stepping"};
static const struct ep_source other = {.now = look, .mask = UINT64_MAX, .name = "other"};

static int begin(void **state)
{
    (void)state;
    looks = 0;
    ep_process.source = &stepping;
    return 0;
}

static void moment_of_a_report_is_now(void **state)
{
    (void)state;
    assert_int_equal(ep_exit_moment_of_report(), 1);
    assert_int_equal(ep_exit_moment_of_report(), 2);
}

static void reports_at_the_end_are_of_its_moment(void **state)
{
    (void)state;
    ep_exit_moment_begin();
    look(NULL);
    assert_int_equal(ep_exit_moment_of_report(), 1);
    assert_int_equal(ep_exit_moment_of_report(), 1);
    ep_exit_moment_end();
    assert_int_equal(ep_exit_moment_of_report(), 3);
}

static void *take_moment(void *moment)
{
    *(uint64_t *)moment = ep_exit_moment_of_report();
    return NULL;
}

static void other_threads_go_on(void **state)
{
    (void)state;
    pthread_t thread;
    uint64_t moment = 0;
    ep_exit_moment_begin();
    assert_int_equal(pthread_create(&thread, NULL, take_moment, &moment), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    ep_exit_moment_end();
    assert_int_equal(moment, 2);
}

static void moment_of_another_source_is_none(void **state)
{
    (void)state;
    ep_exit_moment_begin();
    ep_process.source = &other;
    assert_int_equal(ep_exit_moment_of_report(), 2);
    ep_exit_moment_end();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(moment_of_a_report_is_now),
        TEST(reports_at_the_end_are_of_its_moment),
        TEST(other_threads_go_on),
        TEST(moment_of_another_source_is_none),
    };
    return cmocka_run_group_tests_name("exit_moment", tests, NULL, NULL);
}
