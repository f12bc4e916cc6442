#include "bench_cases.h"

#include <stddef.h>

#include "bench_loops.h"
#include "bench_threads.h"

enum { RUNS_ON_TWO_THREADS = 5 };

static int begin_rotation_1(void)
{
    return bench_rotation_begin(1);
}

static int begin_rotation_10(void)
{
    return bench_rotation_begin(10);
}

static int begin_rotation_100(void)
{
    return bench_rotation_begin(100);
}

static int begin_rotation_1000(void)
{
    return bench_rotation_begin(1000);
}

static int begin_rotation_10000(void)
{
    return bench_rotation_begin(10000);
}

static int begin_flat_8(void)
{
    return bench_flat_begin(8);
}

static int begin_flat_1000(void)
{
    return bench_flat_begin(1000);
}

static int begin_flat_100000(void)
{
    return bench_flat_begin(100000);
}

static int begin_tree_1000(void)
{
    return bench_tree_begin(3);
}

static int begin_tree_1000_sampled(void)
{
    return begin_tree_1000() == 0 ? bench_scope_sampled_begin() : -1;
}

static int begin_tree_100000(void)
{
    return bench_tree_begin(5);
}

#define AGAINST_COUNTER(ours_) .loops = {.ours = (ours_), .raw = bench_raw_pairs}
#define ON_INSTANCE .begin = bench_instance_begin, .end = bench_instance_end
#define ON_SCOPES .begin = bench_scope_begin, .end = bench_scope_end
#define SAMPLED .begin = bench_scope_sampled_begin, .end = bench_scope_end
#define SCOPES_OFF .begin = bench_scope_disabled_begin, .end = bench_scope_disabled_end
#define SWITCHED_OFF .begin = bench_disabled_begin, .end = bench_disabled_end

const struct bench_case bench_cases[] = {
    {.name = "instance",
     .what = "eprof_start, eprof_stop: the inline calls of the header",
     AGAINST_COUNTER(bench_instance_pairs),
     ON_INSTANCE,
     .target = 1.05},
    {.name = "pointer",
     .what = "the same as exported functions through a pointer, as another language calls them",
     AGAINST_COUNTER(bench_pointer_pairs),
     ON_INSTANCE,
     .target = 1.05},
    {.name = "work",
     .what = "around work, in a caller that works; taken off: two raw reads around the same work",
     .loops = {bench_instance_work_pairs, bench_raw_pairs, bench_raw_work_pairs},
     ON_INSTANCE},
    {.name = "reference",
     .what = "the instructions of start and stop on the thread's own memory, without the library",
     AGAINST_COUNTER(bench_reference_pairs)},
    {.name = "instance_2_threads",
     .what = "one instance on two threads at once, to raw reads on two threads at once",
     AGAINST_COUNTER(bench_instance_pairs),
     ON_INSTANCE,
     .on_two_threads = true,
     .target = 1.10},
    {.name = "reference_2_threads",
     .what = "the reference on two threads at once: nothing is shared, so what it costs more than "
             "on one thread is the machine's",
     AGAINST_COUNTER(bench_reference_pairs),
     .on_two_threads = true},
    {.name = "disabled",
     .what = "eprof_enable(false); taken off: the same loop with an empty barrier for each call",
     .loops = {bench_instance_pairs, bench_raw_pairs, bench_empty_pairs},
     SWITCHED_OFF,
     .target = 0.05},
    {.name = "disabled_less_calls",
     .what = "the same; taken off: the same loop with calls of an empty function",
     .loops = {bench_instance_pairs, bench_raw_pairs, bench_empty_call_pairs},
     SWITCHED_OFF,
     .target = 0.05},
    {.name = "disabled_pointer",
     .what = "off, through pointers; taken off: calls of an empty function through pointers",
     .loops = {bench_pointer_pairs, bench_raw_pairs, bench_empty_pointer_pairs},
     SWITCHED_OFF},
    {.name = "in_turn_1",
     .what = "each pair the next instance of an array of 1",
     AGAINST_COUNTER(bench_rotating_pairs),
     .begin = begin_rotation_1,
     .end = bench_instance_end},
    {.name = "in_turn_10",
     .what = "of 10",
     AGAINST_COUNTER(bench_rotating_pairs),
     .begin = begin_rotation_10,
     .end = bench_instance_end},
    {.name = "in_turn_100",
     .what = "of 100",
     AGAINST_COUNTER(bench_rotating_pairs),
     .begin = begin_rotation_100,
     .end = bench_instance_end,
     .target = 1.10},
    {.name = "in_turn_1000",
     .what = "of 1,000",
     AGAINST_COUNTER(bench_rotating_pairs),
     .begin = begin_rotation_1000,
     .end = bench_instance_end},
    {.name = "in_turn_10000",
     .what = "of 10,000: more than the second level of cache holds",
     AGAINST_COUNTER(bench_rotating_pairs),
     .begin = begin_rotation_10000,
     .end = bench_instance_end},
    {.name = "clock_gettime",
     .what = "source clock_gettime, to two calls of clock_gettime(CLOCK_MONOTONIC)",
     .loops = {.ours = bench_instance_pairs, .raw = bench_raw_clock_gettime_pairs},
     .begin = bench_clock_gettime_begin,
     .end = bench_instance_end,
     .target = 1.15},
    {.name = "gettimeofday",
     .what = "source gettimeofday, to two calls of gettimeofday()",
     .loops = {.ours = bench_instance_pairs, .raw = bench_raw_gettimeofday_pairs},
     .begin = bench_gettimeofday_begin,
     .end = bench_instance_end,
     .target = 1.15},
    {.name = "span",
     .what = "eprof_now, eprof_now, eprof_record",
     AGAINST_COUNTER(bench_span_pairs),
     ON_INSTANCE},
    {.name = "recursion",
     .what = "start, start, stop, stop: the mean of the two pairs",
     AGAINST_COUNTER(bench_recursive_pairs),
     ON_INSTANCE},
    {.name = "scope",
     .what = "EPROF_SCOPE, one site in a loop",
     AGAINST_COUNTER(bench_scope_pairs),
     ON_SCOPES},
    {.name = "scope_sampled",
     .what = "the same under the default budget: each call counted, a part timed",
     AGAINST_COUNTER(bench_scope_pairs),
     SAMPLED,
     .target = 0.15},
    {.name = "scope_work",
     .what = "around work, in a caller that works; taken off: two raw reads around the same work",
     .loops = {bench_scope_work_pairs, bench_raw_pairs, bench_raw_work_pairs},
     ON_SCOPES},
    {.name = "scope_nested_8",
     .what = "eight inside each other, in one function: the mean of the eight pairs",
     AGAINST_COUNTER(bench_scope_nested_pairs),
     ON_SCOPES},
    {.name = "scope_functions_8",
     .what = "EPROF_FUNC in eight functions that call each other, to two raw reads in each",
     .loops = {.ours = bench_scope_functions_pairs, .raw = bench_raw_functions_pairs},
     ON_SCOPES},
    {.name = "scope_functions_8_sampled",
     .what = "the same under the default budget",
     .loops = {.ours = bench_scope_functions_pairs, .raw = bench_raw_functions_pairs},
     SAMPLED},
    {.name = "scope_siblings_8",
     .what = "eight in turn",
     AGAINST_COUNTER(bench_scope_siblings_pairs),
     ON_SCOPES},
    {.name = "scope_recursion",
     .what = "EPROF_FUNC in a function that calls itself, to two raw reads in it",
     .loops = {.ours = bench_scope_recursive_pairs, .raw = bench_raw_recursive_pairs},
     ON_SCOPES},
    {.name = "scope_enter",
     .what = "eprof_enter, eprof_leave",
     AGAINST_COUNTER(bench_scope_enter_pairs),
     ON_SCOPES},
    {.name = "scope_2_threads",
     .what = "one site on two threads at once, to raw reads on two threads at once",
     AGAINST_COUNTER(bench_scope_pairs),
     ON_SCOPES,
     .on_two_threads = true},
    {.name = "scope_disabled",
     .what = "eprof_enable(false); taken off: the same loop with an empty barrier for each call",
     .loops = {bench_scope_pairs, bench_raw_pairs, bench_empty_pairs},
     SCOPES_OFF},
    {.name = "scope_disabled_less_calls",
     .what = "the same; taken off: the same loop with calls of an empty function",
     .loops = {bench_scope_pairs, bench_raw_pairs, bench_empty_call_pairs},
     SCOPES_OFF},
    {.name = "scope_random_8",
     .what = "a random one of 8 sites, to raw reads that draw one too",
     .loops = {bench_scope_flat_pairs, bench_raw_flat_pairs, NULL},
     .begin = begin_flat_8,
     .end = bench_scope_end},
    {.name = "scope_random_1000",
     .what = "of 1,000: as many paths",
     .loops = {bench_scope_flat_pairs, bench_raw_flat_pairs, NULL},
     .begin = begin_flat_1000,
     .end = bench_scope_end},
    {.name = "scope_tree_1000",
     .what = "a random one of 1,000 paths of three levels, the mean of the three pairs",
     .loops = {bench_scope_tree_pairs, bench_raw_tree_pairs, NULL},
     .begin = begin_tree_1000,
     .end = bench_scope_end},
    {.name = "scope_tree_1000_sampled",
     .what = "the same under the default budget",
     .loops = {bench_scope_tree_pairs, bench_raw_tree_pairs, NULL},
     .begin = begin_tree_1000_sampled,
     .end = bench_scope_end},
    {.name = "scope_random_100000",
     .what = "a random one of 100,000 sites: more than the second level of cache holds",
     .loops = {bench_scope_flat_pairs, bench_raw_flat_pairs, NULL},
     .begin = begin_flat_100000,
     .end = bench_scope_end},
    {.name = "scope_tree_100000",
     .what = "a random one of 100,000 paths of five levels, the mean of the five pairs",
     .loops = {bench_scope_tree_pairs, bench_raw_tree_pairs, NULL},
     .begin = begin_tree_100000,
     .end = bench_scope_end},
    {.name = "hook",
     .what = "a function with the compiler's hooks, each call timed; to two raw reads between two "
             "hooks that are empty",
     .loops = {.ours = bench_hook_pairs, .raw = bench_raw_hook_pairs},
     .begin = bench_hook_begin,
     .end = bench_hook_end,
     .target = 1.10},
    {.name = "hook_sampled",
     .what = "the same with budget=1/64: each call counted, one in 64 timed",
     .loops = {.ours = bench_hook_pairs, .raw = bench_raw_hook_pairs},
     .begin = bench_hook_sampled_begin,
     .end = bench_hook_end},
    {.name = "hook_empty",
     .what = "hooks that are empty, to two raw reads",
     AGAINST_COUNTER(bench_empty_hook_pairs)},
    {.name = "hook_off",
     .what = "eprof_enable(false), work in the function and in its caller; to the same with hooks "
             "that are empty",
     .loops = {.ours = bench_hook_work_pairs, .raw = bench_empty_hook_work_pairs},
     .begin = bench_hook_disabled_begin,
     .end = bench_hook_disabled_end,
     .target = 1.05},
    {.name = "hook_off_no_work",
     .what = "the same without work",
     .loops = {.ours = bench_hook_pairs, .raw = bench_empty_hook_pairs},
     .begin = bench_hook_disabled_begin,
     .end = bench_hook_disabled_end},
    {.name = NULL}};

const struct bench_figure bench_figures[] = {
    {.name = "first_stamp",
     .what = "the process's first call, an eprof_now() at its start",
     .unit = "us",
     .measure = bench_first_stamp},
    {.name = "told_rate",
     .what = "eprof_ns() off CLOCK_MONOTONIC over the first second, by the rate known at the start",
     .unit = "ppm",
     .measure = bench_told_rate},
    {.name = "measured_rate",
     .what = "the same by the rate known after that second",
     .unit = "ppm",
     .measure = bench_measured_rate},
    {.name = "empty_region",
     .what = "what 1,000,000 empty regions read in a snapshot, each",
     .unit = "ns",
     .measure = bench_empty_region,
     .target = 2},
    {.name = NULL}};

const struct bench_figure bench_reports[] = {
    {.name = "snapshot_100000",
     .what = "eprof_snapshot_take() and _free() of 111,110 nodes",
     .unit = "ms",
     .measure = bench_report_snapshot},
    {.name = "report_tree_100000",
     .what = "the tree of them, to /dev/null",
     .unit = "ms",
     .measure = bench_report_tree},
    {.name = "report_csv_100000",
     .what = "their rows as csv, to /dev/null",
     .unit = "ms",
     .measure = bench_report_csv},
    {.name = NULL}};

static int measure_on_two(const struct bench_case *one, unsigned rounds,
                          struct bench_result *result)
{
    for (int i = 0; i < RUNS_ON_TWO_THREADS; i++) {
        struct bench_result run;
        if (bench_compare_on_two(one->loops, rounds, &run) != 0)
            return -1;
        if (i == 0 || run.ratio < result->ratio)
            *result = run;
    }
    return 0;
}

int bench_case_measure(const struct bench_case *one, unsigned rounds, struct bench_result *result)
{
    int status = 0;
    if (one->begin && one->begin() != 0)
        return -1;
    if (one->on_two_threads)
        status = measure_on_two(one, rounds, result);
    else
        *result = bench_compare(one->loops, rounds);
    if (one->end)
        one->end();
    return status;
}
