/* Which time sources exist, and which arguments eprof_source_use() and _add() accept. */
#include "rows.h"
#include "work.h"

#include <stdio.h>

#if defined(__x86_64__) || defined(__i386__)
#define COUNTER_HERE "rdtsc"
#define COUNTER_ELSEWHERE "cntvct"
#elif defined(__aarch64__)
#define COUNTER_HERE "cntvct"
#define COUNTER_ELSEWHERE "rdtsc"
#else
#define COUNTER_ELSEWHERE "rdtsc"
#endif

static uint64_t ticks_before_anything; /* read before any other call of the library */

static uint64_t context_now(void *context)
{
    return *(const uint64_t *)context;
}

/* A source that may be added; each test changes one field to a wrong value. */
static struct eprof_source good_source(const char *name)
{
    static uint64_t ticks;
    return (struct eprof_source){.size = sizeof(struct eprof_source),
                                 .name = name,
                                 .now = context_now,
                                 .ticks_per_second = 1000000000,
                                 .context = &ticks};
}

/* -------------------------------------------------------------- built in -- */

static void assert_source_records(const char *name)
{
    errno = 0;
    if (eprof_source_use(name) != 0)
        fail_msg("%s: %s", name, strerror(errno));
    assert_string_equal(eprof_source_name(), name);
    uint64_t before = eprof_now();
    eprof_start(instance);
    eprof_stop(instance);
    if (eprof_now() < before)
        fail_msg("%s went back", name);
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.timed, 1);
    assert_int_equal(row.errors, 0);
}

TEST(now_works_before_anything_else)
{
    assert_int_not_equal(ticks_before_anything, 0);
    assert_return_code(eprof_source_use("auto"), errno);
    assert_true(eprof_now() >= ticks_before_anything);
}

TEST(clocks_that_are_built_in_record)
{
    assert_source_records("clock_gettime");
    assert_source_records("gettimeofday");
    assert_source_records("thread_cputime");
}

#ifdef COUNTER_HERE
TEST(counter_of_this_processor_records)
{
    assert_source_records(COUNTER_HERE);
}
#endif

TEST(counter_of_another_processor_is_enotsup)
{
    errno = 0;
    assert_int_equal(eprof_source_use(COUNTER_ELSEWHERE), -1);
    assert_int_equal(errno, ENOTSUP);
    assert_string_equal(eprof_source_name(), "hand");
}

TEST(auto_is_the_counter_or_the_monotonic_clock)
{
    assert_return_code(eprof_source_use("auto"), errno);
    const char *name = eprof_source_name();
#ifdef COUNTER_HERE
    if (strcmp(name, COUNTER_HERE) == 0)
        return;
#endif
    assert_string_equal(name, "clock_gettime");
}

TEST(source_that_is_unknown_is_einval_and_changes_nothing)
{
    static const char *const unknown[] = {NULL, "", "no such source", "hand ", "Auto"};
    record(5);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        errno = 0;
        assert_int_equal(eprof_source_use(unknown[i]), -1);
        assert_int_equal(errno, EINVAL);
    }
    assert_string_equal(eprof_source_name(), "hand");
    assert_figures(instance_row("work"), 1, 5);
}

/* ---------------------------------------------------------- a program's own -- */

TEST(source_that_is_added_is_asked_with_its_context)
{
    static uint64_t ticks = 1234;
    struct eprof_source source = good_source("with context");
    source.context = &ticks;
    assert_return_code(eprof_source_add(&source), errno);
    assert_string_equal(eprof_source_name(), "hand"); /* it is known, not in use */
    assert_return_code(eprof_source_use("with context"), errno);
    assert_int_equal(eprof_now(), 1234);
    eprof_start(instance);
    ticks += 77;
    eprof_stop(instance);
    assert_figures(instance_row("work"), 1, 77);
}

TEST(source_is_copied_with_its_name)
{
    char name[] = "copied";
    static uint64_t ticks;
    struct eprof_source source = good_source(name);
    source.context = &ticks;
    assert_return_code(eprof_source_add(&source), errno);
    memset(name, 'x', sizeof name - 1);
    memset(&source, 0xff, sizeof source);
    assert_return_code(eprof_source_use("copied"), errno);
    assert_string_equal(eprof_source_name(), "copied");
    eprof_start(instance);
    ticks += 8;
    eprof_stop(instance);
    assert_figures(instance_row("work"), 1, 8);
}

TEST(name_of_a_source_outlives_its_use)
{
    const char *name = eprof_source_name();
    assert_return_code(eprof_source_use("clock_gettime"), errno);
    eprof_init();
    assert_string_equal(name, "hand");
}

TEST(long_names_are_told_apart_to_the_last_byte)
{
    char one[300], other[300];
    memset(one, 'n', sizeof one - 1);
    one[sizeof one - 1] = '\0';
    memcpy(other, one, sizeof one);
    other[sizeof other - 2] = 'm';
    struct eprof_source source = good_source(one);
    assert_return_code(eprof_source_add(&source), errno);
    source.name = other;
    assert_return_code(eprof_source_add(&source), errno);
    assert_return_code(eprof_source_use(one), errno);
    assert_string_equal(eprof_source_name(), one);
    assert_return_code(eprof_source_use(other), errno);
    assert_string_equal(eprof_source_name(), other);
}

TEST(name_in_use_is_eexist)
{
    static const char *const taken[] = {"auto",           "clock_gettime", "gettimeofday",
                                        "thread_cputime", "rdtsc",         "hand"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct eprof_source source = good_source(taken[i]);
        errno = 0;
        if (eprof_source_add(&source) != -1)
            fail_msg("%s was added", taken[i]);
        assert_int_equal(errno, EEXIST);
    }
}

static void assert_not_added(const struct eprof_source *source, const char *why)
{
    errno = 0;
    if (eprof_source_add(source) != -1)
        fail_msg("%s: was added", why);
    assert_int_equal(errno, EINVAL);
    errno = 0;
    assert_int_equal(eprof_source_use("bad"), -1);
    assert_int_equal(errno, EINVAL);
}

TEST(source_that_is_not_whole_is_einval)
{
    struct eprof_source source = good_source(NULL);
    assert_not_added(NULL, "NULL");
    assert_not_added(&source, "no name");
    source = good_source("");
    assert_not_added(&source, "an empty name");
    source = good_source("bad");
    source.now = NULL;
    assert_not_added(&source, "no function");
    source = good_source("bad");
    source.bits = 65;
    assert_not_added(&source, "65 bits");
    source = good_source("bad");
    source.flags = EPROF_SOURCE_PER_THREAD << 1;
    assert_not_added(&source, "a flag that is not known");
}

TEST(source_of_another_size_is_einval)
{
    struct eprof_source source = good_source("bad");
    source.size = 0;
    assert_not_added(&source, "no size");
    source.size = sizeof source - 1;
    assert_not_added(&source, "too small");
    source.size = sizeof source + 8;
    assert_not_added(&source, "too large");
    source.size = sizeof source;
    assert_return_code(eprof_source_add(&source), errno);
}

/* ----------------------------------------------------------- a new epoch -- */

TEST(change_of_source_sets_all_to_zero)
{
    record(5);
    eprof_stop(instance);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
    assert_return_code(eprof_source_use("clock_gettime"), errno);
    assert_int_equal(count_rows(NULL), 0);
    assert_return_code(eprof_source_use("hand"), errno);
    assert_int_equal(count_rows(NULL), 0);
    record(6);
    assert_figures(instance_row("work"), 1, 6);
}

TEST(use_of_the_same_source_sets_all_to_zero_too)
{
    record(5);
    assert_return_code(eprof_source_use("hand"), errno);
    assert_int_equal(count_rows(NULL), 0);
}

TEST(pair_open_across_a_change_of_source_is_nothing)
{
    eprof_start(instance);
    eprof_start(instance);
    assert_return_code(eprof_source_use("clock_gettime"), errno);
    eprof_stop(instance);
    assert_return_code(eprof_source_use("hand"), errno);
    eprof_stop(instance);
    assert_int_equal(count_rows(NULL), 0); /* no diagnostic either */
    eprof_stop(instance);
    assert_int_equal(diagnostic_count("unbalanced"), 1);
}

TEST(change_of_source_keeps_instances_and_the_switch)
{
    eprof_enable(false);
    assert_return_code(eprof_source_use("clock_gettime"), errno);
    assert_return_code(eprof_source_use("hand"), errno);
    record(5);
    assert_int_equal(count_rows(NULL), 0);
    eprof_enable(true);
    record(6);
    assert_figures(instance_row("work"), 1, 6);
}

TEST_RUN()
{
    ticks_before_anything = eprof_now();
    return tests_run("source", begin_test, NULL);
}
