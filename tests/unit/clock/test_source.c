#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>

#include "base/platform.h"
#include "clock/source.h"
#include "support/test.h"

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

TEST(built_in_sources_are_found_by_name)
{
    assert_ptr_equal(ep_source_find("clock_gettime"), &ep_source_clock_gettime);
    assert_ptr_equal(ep_source_find("thread_cputime"), &ep_source_thread_cputime);
    assert_ptr_equal(ep_source_find("gettimeofday"), &ep_source_gettimeofday);
    assert_string_equal(ep_source_clock_gettime.name, "clock_gettime");
    assert_string_equal(ep_source_thread_cputime.name, "thread_cputime");
    assert_string_equal(ep_source_gettimeofday.name, "gettimeofday");
}

TEST(unknown_source_is_einval)
{
    assert_not_found("no such source", EINVAL);
    assert_not_found("", EINVAL);
    assert_not_found("RDTSC", EINVAL);
    assert_not_found("clock_gettime ", EINVAL);
}

TEST(counter_of_another_processor_is_enotsup)
{
    assert_not_found(COUNTER_ELSEWHERE, ENOTSUP);
}

TEST(auto_is_the_counter_only_where_it_is_trusted)
{
    assert_ptr_equal(ep_source_find("auto"),
                     ep_counter_is_trusted() ? &ep_counter_source : &ep_source_clock_gettime);
}

#ifdef COUNTER_HERE
TEST(counter_of_this_processor_is_found)
{
    assert_ptr_equal(ep_source_find(COUNTER_HERE), &ep_counter_source);
    assert_string_equal(ep_counter_source.name, COUNTER_HERE);
}

TEST(counter_gives_the_same_inline_and_called)
{
    uint64_t before = ep_counter_read();
    uint64_t called = ep_counter_source.now(ep_counter_source.context);
    uint64_t inlined = ep_source_now(&ep_counter_source);
    uint64_t after = ep_counter_read();
    assert_true(ep_counter_source.is_counter);
    assert_in_range(called, before, inlined);
    assert_in_range(inlined, called, after);
}
#endif

#if defined(__x86_64__) || defined(__i386__)
/* The kernel reports the same property of the counter, which CPUID shows, as the flag
 * nonstop_tsc. */
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

TEST(counter_is_trusted_if_it_never_stops_and_the_kernel_uses_it)
{
    assert_int_equal(ep_counter_is_trusted(),
                     kernel_says_nonstop() && ep_platform_keeps_time_by("tsc"));
}

/* No clock may be read in between, since the C library reads its clock by the same counter. */
TEST(counter_that_is_forbidden_is_enotsup_and_not_auto)
{
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

/* The unit is Hz, and not kHz or MHz: the range is from the slowest generic timer to above any
 * processor. */
TEST(nominal_rate_is_unknown_or_plausible)
{
    uint64_t ticks_per_second = ep_counter_ticks_per_second();
    if (ticks_per_second)
        assert_in_range(ticks_per_second, 1000000, UINT64_C(100000000000));
}

TEST(counter_is_measured_and_the_clocks_have_their_units)
{
    assert_int_equal(ep_counter_source.ticks_per_second, 0);
    assert_int_equal(ep_source_clock_gettime.ticks_per_second, 1000000000);
    assert_int_equal(ep_source_thread_cputime.ticks_per_second, 1000000000);
    assert_int_equal(ep_source_gettimeofday.ticks_per_second, 1000000);
}

TEST(only_cputime_is_per_thread_and_only_time_of_day_steps)
{
    assert_false(ep_counter_source.per_thread);
    assert_false(ep_source_clock_gettime.per_thread);
    assert_true(ep_source_thread_cputime.per_thread);
    assert_false(ep_source_gettimeofday.per_thread);

    assert_false(ep_counter_source.steps);
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

TEST(clock_gettime_is_the_monotonic_clock)
{
    uint64_t before_ns = posix_ns(CLOCK_MONOTONIC);
    uint64_t now_ns = ep_source_now(&ep_source_clock_gettime);
    assert_in_range(now_ns, before_ns, posix_ns(CLOCK_MONOTONIC));
}

/* Works for a millisecond, measured by its own clock. */
static void *work(void *unused)
{
    (void)unused;
    while (posix_ns(CLOCK_THREAD_CPUTIME_ID) < 1000000)
        ;
    return NULL;
}

TEST(thread_cputime_leaves_out_other_threads)
{
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, work, NULL), 0);
    assert_int_equal(pthread_join(other, NULL), 0);

    uint64_t before_ns = posix_ns(CLOCK_THREAD_CPUTIME_ID);
    uint64_t now_ns = ep_source_now(&ep_source_thread_cputime);
    assert_in_range(now_ns, before_ns, posix_ns(CLOCK_THREAD_CPUTIME_ID));
}

TEST(gettimeofday_is_in_microseconds)
{
    struct timeval before, after;
    gettimeofday(&before, NULL);
    uint64_t now_us = ep_source_now(&ep_source_gettimeofday);
    gettimeofday(&after, NULL);
    assert_in_range(now_us, (uint64_t)before.tv_sec * 1000000 + (uint64_t)before.tv_usec,
                    (uint64_t)after.tv_sec * 1000000 + (uint64_t)after.tv_usec);
}

/* ----------------------------------------------------------- registered -- */

TEST(registered_source_is_found_and_read)
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

TEST(registered_source_is_a_copy)
{
    char name[] = "copied";
    struct ep_source source = {.now = hand_moved_now, .mask = 1, .name = name};
    assert_int_equal(ep_source_register(&source), 0);
    memset(name, 'x', sizeof name - 1);
    memset(&source, 0, sizeof source);

    const struct ep_source *found = ep_source_find("copied");
    assert_non_null(found);
    assert_string_equal(found->name, "copied");
    assert_int_equal(found->mask, 1);
    assert_not_found("xxxxxx", EINVAL);
}

/* The hot path holds a pointer to the source. */
TEST(registered_source_stays_where_it_is)
{
    char name[32];
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

TEST(registered_name_may_be_long)
{
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const struct ep_source source = {.now = hand_moved_now, .mask = UINT64_MAX, .name = name};
    assert_int_equal(ep_source_register(&source), 0);
    assert_non_null(ep_source_find(name));
    assert_string_equal(ep_source_find(name)->name, name);
}

TEST(name_in_use_is_eexist_and_changes_nothing)
{
    static const char *const names[] = {
        "auto", "rdtsc", "cntvct", "clock_gettime", "thread_cputime", "gettimeofday", "mine",
    };
    struct ep_source source = {.now = hand_moved_now, .mask = UINT64_MAX, .name = "mine"};
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

TEST(difference_goes_on_over_a_wrap)
{
    const struct ep_source wraps = {.mask = UINT32_MAX};
    assert_int_equal(ep_source_difference(&wraps, 10, 25), 15);
    assert_int_equal(ep_source_difference(&wraps, UINT32_MAX - 4, 10), 15);
    assert_int_equal(ep_source_difference(&ep_source_clock_gettime, UINT64_MAX - 4, 10), 15);
}

TEST(difference_of_a_step_back_is_huge)
{
    const struct ep_source wraps = {.mask = UINT32_MAX};
    assert_int_equal(ep_source_difference(&wraps, 10, 9), UINT32_MAX);
    assert_int_equal(ep_source_difference(&ep_source_gettimeofday, 10, 9), UINT64_MAX);
}
