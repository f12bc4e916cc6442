#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>

#include "platform.h"
#include "source.h"

#if defined(__x86_64__) || defined(__i386__)
#define COUNTER_HERE "rdtsc"
#define COUNTER_ELSEWHERE "cntvct"
#elif defined(__aarch64__)
#define COUNTER_HERE "cntvct"
#define COUNTER_ELSEWHERE "rdtsc"
#else
#define COUNTER_ELSEWHERE "rdtsc"
#endif

static uint64_t hand_moved_now(void *context)
{
    const uint64_t *ticks = context;
    return *ticks;
}

static void assert_not_found(const char *name, int expected_errno)
{
    errno = 0;
    assert_null(ep_source_find(name));
    assert_int_equal(errno, expected_errno);
}

/* ------------------------------------------------------------- built in -- */

static void built_in_sources_are_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(ep_source_find("clock_gettime"), &ep_source_clock_gettime);
    assert_ptr_equal(ep_source_find("thread_cputime"), &ep_source_thread_cputime);
    assert_ptr_equal(ep_source_find("gettimeofday"), &ep_source_gettimeofday);
    assert_string_equal(ep_source_clock_gettime.name, "clock_gettime");
    assert_string_equal(ep_source_thread_cputime.name, "thread_cputime");
    assert_string_equal(ep_source_gettimeofday.name, "gettimeofday");
}

static void unknown_source_is_einval(void **state)
{
    (void)state;
    assert_not_found("no such source", EINVAL);
    assert_not_found("", EINVAL);
    assert_not_found("RDTSC", EINVAL);
    assert_not_found("clock_gettime ", EINVAL);
}

static void counter_of_another_processor_is_enotsup(void **state)
{
    (void)state;
    assert_not_found(COUNTER_ELSEWHERE, ENOTSUP);
}

static void auto_is_the_counter_only_where_it_is_trusted(void **state)
{
    (void)state;
    assert_ptr_equal(ep_source_find("auto"),
                     ep_source_rdtsc_is_trusted() ? &ep_source_rdtsc : &ep_source_clock_gettime);
}

#ifdef COUNTER_HERE
static void counter_of_this_processor_is_found(void **state)
{
    (void)state;
    assert_ptr_equal(ep_source_find(COUNTER_HERE), &ep_source_rdtsc);
    assert_string_equal(ep_source_rdtsc.name, COUNTER_HERE);
}

static void counter_gives_the_same_inline_and_called(void **state)
{
    (void)state;
    uint64_t before = ep_counter_read();
    uint64_t called = ep_source_rdtsc.now(ep_source_rdtsc.context);
    uint64_t inlined = ep_source_now(&ep_source_rdtsc);
    uint64_t after = ep_counter_read();
    assert_true(ep_source_rdtsc.is_counter);
    assert_in_range(called, before, inlined);
    assert_in_range(inlined, called, after);
}
#endif

#if defined(__x86_64__) || defined(__i386__)
/* The kernel shows what CPUID tells of the counter as the flag nonstop_tsc. */
static bool kernel_says_nonstop(void)
{
    static char line[65536];
    bool found = false;
    FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
    assert_non_null(cpuinfo);
    while (!found && fgets(line, sizeof line, cpuinfo))
        found = strncmp(line, "flags", 5) == 0 && strstr(line, " nonstop_tsc ");
    fclose(cpuinfo);
    return found;
}

static void counter_is_trusted_if_it_never_stops_and_the_kernel_uses_it(void **state)
{
    (void)state;
    assert_int_equal(ep_source_rdtsc_is_trusted(),
                     kernel_says_nonstop() && ep_platform_keeps_time_by("tsc"));
}

/* No clock may be read in between: the C library reads it by the counter, too. */
static void counter_that_is_forbidden_is_enotsup_and_not_auto(void **state)
{
    (void)state;
    assert_return_code(prctl(PR_SET_TSC, PR_TSC_SIGSEGV), errno);
    errno = 0;
    const struct ep_source *by_name = ep_source_find("rdtsc");
    int by_name_errno = errno;
    errno = 0;
    const struct ep_source *ordered = ep_source_find("rdtsc_ordered");
    int ordered_errno = errno;
    const struct ep_source *by_auto = ep_source_find("auto");
    assert_return_code(prctl(PR_SET_TSC, PR_TSC_ENABLE), errno);

    assert_null(by_name);
    assert_int_equal(by_name_errno, ENOTSUP);
    assert_null(ordered);
    assert_int_equal(ordered_errno, ENOTSUP);
    assert_ptr_equal(by_auto, &ep_source_clock_gettime);
}
#endif

/* Hz and not kHz or MHz: from the slowest generic timer to more than any processor. */
static void told_rate_is_none_or_possible(void **state)
{
    (void)state;
    uint64_t ticks_per_second = ep_source_rdtsc_ticks_per_second();
    if (ticks_per_second)
        assert_in_range(ticks_per_second, 1000000, UINT64_C(100000000000));
}

static void counter_is_measured_and_the_clocks_have_their_units(void **state)
{
    (void)state;
    assert_int_equal(ep_source_rdtsc.ticks_per_second, 0);
    assert_int_equal(ep_source_clock_gettime.ticks_per_second, 1000000000);
    assert_int_equal(ep_source_thread_cputime.ticks_per_second, 1000000000);
    assert_int_equal(ep_source_gettimeofday.ticks_per_second, 1000000);
}

static void only_cputime_is_per_thread_and_only_time_of_day_steps(void **state)
{
    (void)state;
    assert_false(ep_source_rdtsc.per_thread);
    assert_false(ep_source_clock_gettime.per_thread);
    assert_true(ep_source_thread_cputime.per_thread);
    assert_false(ep_source_gettimeofday.per_thread);

    assert_false(ep_source_rdtsc.steps);
    assert_false(ep_source_clock_gettime.steps);
    assert_false(ep_source_thread_cputime.steps);
    assert_true(ep_source_gettimeofday.steps);
}

static uint64_t posix_ns(clockid_t clock)
{
    struct timespec now;
    assert_return_code(clock_gettime(clock, &now), errno);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void clock_gettime_is_the_monotonic_clock(void **state)
{
    (void)state;
    uint64_t before_ns = posix_ns(CLOCK_MONOTONIC);
    uint64_t now_ns = ep_source_now(&ep_source_clock_gettime);
    assert_in_range(now_ns, before_ns, posix_ns(CLOCK_MONOTONIC));
}

/* Works, by its own clock, for a millisecond. */
static void *work(void *unused)
{
    (void)unused;
    while (posix_ns(CLOCK_THREAD_CPUTIME_ID) < 1000000)
        ;
    return NULL;
}

static void thread_cputime_leaves_out_other_threads(void **state)
{
    pthread_t other;
    (void)state;
    assert_int_equal(pthread_create(&other, NULL, work, NULL), 0);
    assert_int_equal(pthread_join(other, NULL), 0);

    uint64_t before_ns = posix_ns(CLOCK_THREAD_CPUTIME_ID);
    uint64_t now_ns = ep_source_now(&ep_source_thread_cputime);
    assert_in_range(now_ns, before_ns, posix_ns(CLOCK_THREAD_CPUTIME_ID));
}

static void gettimeofday_is_in_microseconds(void **state)
{
    struct timeval before, after;
    (void)state;
    gettimeofday(&before, NULL);
    uint64_t now_us = ep_source_now(&ep_source_gettimeofday);
    gettimeofday(&after, NULL);
    assert_in_range(now_us, (uint64_t)before.tv_sec * 1000000 + (uint64_t)before.tv_usec,
                    (uint64_t)after.tv_sec * 1000000 + (uint64_t)after.tv_usec);
}

/* ----------------------------------------------------------- registered -- */

static void registered_source_is_found_and_read(void **state)
{
    static uint64_t ticks = 41;
    const struct ep_source source = {
        .now = hand_moved_now,
        .context = &ticks,
        .mask = UINT32_MAX,
        .ticks_per_second = 1000,
        .per_thread = true,
        .name = "read by hand",
    };
    (void)state;
    assert_int_equal(ep_source_register(&source), 0);
    const struct ep_source *found = ep_source_find("read by hand");
    assert_non_null(found);
    assert_int_equal(found->mask, UINT32_MAX);
    assert_int_equal(found->ticks_per_second, 1000);
    assert_true(found->per_thread);
    assert_int_equal(ep_source_now(found), 41);
    ticks = 42;
    assert_int_equal(ep_source_now(found), 42);
}

static void registered_source_is_a_copy(void **state)
{
    char name[] = "copied";
    struct ep_source source = {.now = hand_moved_now, .mask = 1, .name = name};
    (void)state;
    assert_int_equal(ep_source_register(&source), 0);
    memset(name, 'x', sizeof name - 1);
    memset(&source, 0, sizeof source);

    const struct ep_source *found = ep_source_find("copied");
    assert_non_null(found);
    assert_string_equal(found->name, "copied");
    assert_int_equal(found->mask, 1);
    assert_not_found("xxxxxx", EINVAL);
}

/* The hot path holds a pointer to it. */
static void registered_source_stays_where_it_is(void **state)
{
    char name[32];
    (void)state;
    struct ep_source source = {.now = hand_moved_now, .mask = UINT64_MAX, .name = "stays"};
    assert_int_equal(ep_source_register(&source), 0);
    const struct ep_source *first = ep_source_find("stays");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "one of many %d", i);
        source.name = name;
        assert_int_equal(ep_source_register(&source), 0);
    }
    assert_ptr_equal(ep_source_find("stays"), first);
    assert_string_equal(first->name, "stays");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "one of many %d", i);
        assert_non_null(ep_source_find(name));
        assert_string_equal(ep_source_find(name)->name, name);
    }
}

static void registered_name_may_be_long(void **state)
{
    char name[5000];
    (void)state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const struct ep_source source = {.now = hand_moved_now, .mask = UINT64_MAX, .name = name};
    assert_int_equal(ep_source_register(&source), 0);
    assert_non_null(ep_source_find(name));
    assert_string_equal(ep_source_find(name)->name, name);
}

static void name_in_use_is_eexist_and_changes_nothing(void **state)
{
    static const char *const names[] = {
        "auto", "rdtsc", "cntvct", "clock_gettime", "thread_cputime", "gettimeofday", "mine",
    };
    struct ep_source source = {.now = hand_moved_now, .mask = UINT64_MAX, .name = "mine"};
    (void)state;
    assert_int_equal(ep_source_register(&source), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct ep_source *before = ep_source_find(names[i]);
        source.name = names[i];
        errno = 0;
        assert_int_equal(ep_source_register(&source), -1);
        assert_int_equal(errno, EEXIST);
        assert_ptr_equal(ep_source_find(names[i]), before);
    }
}

/* ----------------------------------------------------------- difference -- */

static void difference_goes_on_over_a_wrap(void **state)
{
    const struct ep_source wraps = {.mask = UINT32_MAX};
    (void)state;
    assert_int_equal(ep_source_difference(&wraps, 10, 25), 15);
    assert_int_equal(ep_source_difference(&wraps, UINT32_MAX - 4, 10), 15);
    assert_int_equal(ep_source_difference(&ep_source_clock_gettime, UINT64_MAX - 4, 10), 15);
}

static void difference_of_a_step_back_is_huge(void **state)
{
    const struct ep_source wraps = {.mask = UINT32_MAX};
    (void)state;
    assert_int_equal(ep_source_difference(&wraps, 10, 9), UINT32_MAX);
    assert_int_equal(ep_source_difference(&ep_source_gettimeofday, 10, 9), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_sources_are_found_by_name),
        cmocka_unit_test(unknown_source_is_einval),
        cmocka_unit_test(counter_of_another_processor_is_enotsup),
        cmocka_unit_test(auto_is_the_counter_only_where_it_is_trusted),
#ifdef COUNTER_HERE
        cmocka_unit_test(counter_of_this_processor_is_found),
        cmocka_unit_test(counter_gives_the_same_inline_and_called),
#endif
#if defined(__x86_64__) || defined(__i386__)
        cmocka_unit_test(counter_is_trusted_if_it_never_stops_and_the_kernel_uses_it),
        cmocka_unit_test(counter_that_is_forbidden_is_enotsup_and_not_auto),
#endif
        cmocka_unit_test(told_rate_is_none_or_possible),
        cmocka_unit_test(counter_is_measured_and_the_clocks_have_their_units),
        cmocka_unit_test(only_cputime_is_per_thread_and_only_time_of_day_steps),
        cmocka_unit_test(clock_gettime_is_the_monotonic_clock),
        cmocka_unit_test(thread_cputime_leaves_out_other_threads),
        cmocka_unit_test(gettimeofday_is_in_microseconds),
        cmocka_unit_test(registered_source_is_found_and_read),
        cmocka_unit_test(registered_source_is_a_copy),
        cmocka_unit_test(registered_source_stays_where_it_is),
        cmocka_unit_test(registered_name_may_be_long),
        cmocka_unit_test(name_in_use_is_eexist_and_changes_nothing),
        cmocka_unit_test(difference_goes_on_over_a_wrap),
        cmocka_unit_test(difference_of_a_step_back_is_huge),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
