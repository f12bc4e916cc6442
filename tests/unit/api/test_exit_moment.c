/* The moment that the reports at exit show. The clock advances at each reading. */
#include <errno.h>
#include <pthread.h>

#include "api/results.h"
#include "record/process.h"
#include "support/test.h"

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

static uint64_t moment_of_report(void)
{
    uint64_t cpu_ns;
    uint64_t ticks = ep_results_moment_of_report(&cpu_ns);
    assert_int_equal(cpu_ns, 0); /* it is not recorded */
    return ticks;
}

TEST(moment_of_a_report_is_now)
{
    assert_int_equal(moment_of_report(), 1);
    assert_int_equal(moment_of_report(), 2);
}

TEST(reports_at_the_end_are_of_its_moment)
{
    ep_results_moment_begin();
    look(NULL);
    assert_int_equal(moment_of_report(), 1);
    assert_int_equal(moment_of_report(), 1);
    ep_results_moment_end();
    assert_int_equal(moment_of_report(), 3);
}

static void *take_moment(void *moment)
{
    *(uint64_t *)moment = moment_of_report();
    return NULL;
}

TEST(other_threads_go_on)
{
    pthread_t thread;
    uint64_t moment = 0;
    ep_results_moment_begin();
    assert_int_equal(pthread_create(&thread, NULL, take_moment, &moment), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    ep_results_moment_end();
    assert_int_equal(moment, 2);
}

TEST(moment_of_another_source_is_none)
{
    ep_results_moment_begin();
    ep_process.source = &other;
    assert_int_equal(moment_of_report(), 2);
    ep_results_moment_end();
}

TEST_EACH(begin, NULL)
