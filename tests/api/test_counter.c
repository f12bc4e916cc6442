/* The processor's own counter: its name, its documented and its measured rate, and that "auto"
 * selects it if the kernel keeps time by it. */
#include "figures.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#define CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define MS UINT64_C(1000000)

#if defined(__x86_64__) || defined(__i386__)
static const char *const counters[] = {"rdtsc", "rdtsc_ordered"};
static const char kernels_name[] = "tsc";
#elif defined(__aarch64__)
static const char *const counters[] = {"cntvct", "cntvct_ordered"};
static const char kernels_name[] = "arch_sys_counter";
#endif

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Waits until `ns` have passed by CLOCK_MONOTONIC, and returns how many ns the current source
 * shows. A busy machine may interrupt between reads of the two clocks, so the caller makes some
 * attempts. */
static uint64_t pass(uint64_t ns, uint64_t *passed_ns)
{
    uint64_t began_ns = monotonic_ns(), began = eprof_now();
    do
        *passed_ns = monotonic_ns() - began_ns;
    while (*passed_ns < ns);
    return eprof_ns(eprof_now() - began);
}

static void assert_agrees(const char *source, uint64_t ns)
{
    uint64_t by_counter_ns = 0, passed_ns = 0;
    for (int tries = 0; tries < 20; tries++) {
        by_counter_ns = pass(ns, &passed_ns);
        if (by_counter_ns > passed_ns - passed_ns / 100 &&
            by_counter_ns < passed_ns + passed_ns / 100)
            return;
    }
    fail_msg("%s: %" PRIu64 " ns are %" PRIu64, source, passed_ns, by_counter_ns);
}

/* If the processor reports its rate, that rate is used for the first 100 ms. */
TEST(counter_keeps_time_within_a_hundredth)
{
    for (int i = 0; i < 2; i++) {
        assert_return_code(eprof_source_use(counters[i]), errno);
        assert_string_equal(eprof_source_name(), counters[i]);
        assert_agrees(counters[i], 10 * MS);
        assert_agrees(counters[i], 150 * MS);
    }
}

TEST(counter_times_regions_as_the_monotonic_clock_does)
{
    for (int i = 0; i < 2; i++) {
        uint64_t passed_ns = 0;
        assert_return_code(eprof_source_use(counters[i]), errno);
        eprof_init();
        int instance = eprof_alloc("work");
        eprof_start(instance);
        pass(20 * MS, &passed_ns);
        eprof_stop(instance);
        struct eprof_row row = instance_row("work");
        if (row.total_ns < passed_ns - passed_ns / 100)
            fail_msg("%s: %" PRIu64 " ns are %" PRIu64, counters[i], passed_ns, row.total_ns);
        assert_diagnostics("");
    }
}

static bool kernel_keeps_time_by_it(void)
{
    char name[64] = "";
    FILE *file = fopen(CLOCK_SOURCE, "r");
    bool is_read = file && fgets(name, sizeof name, file);
    if (file)
        fclose(file);
    name[strcspn(name, "\n")] = '\0';
    return is_read && strcmp(name, kernels_name) == 0;
}

/* This does not hold under qemu-user, for example, where the kernel is that of another
 * processor. */
TEST(counter_is_not_taken_where_the_kernel_keeps_time_by_another)
{
    assert_return_code(eprof_source_use("auto"), errno);
    print_message("auto is %s\n", eprof_source_name());
    if (!kernel_keeps_time_by_it())
        assert_string_equal(eprof_source_name(), "clock_gettime");
}
