/*
 * Processor time and waiting of calls under a budget, of which only a part is timed
 */
#include "child.h"
#include "hand_cpu.h"

#include "record/light.h"

/* ---- before it is switched on ---- */

/* A call that represents others begins by its edge, without a cell (record/light_timed.c). */
struct switching {
    struct eprof_row row;
    uint64_t by_edge, by_edge_before; /* calls in all, and until the switch */
    uint64_t readings_of_it;          /* by the call in which it was switched on */
};

static bool is_timed_by_edge(void)
{
    return eprof_hot.top->cell == EP_LIGHT_TIMED;
}

static void switching_scope(struct switching *seen, bool is_to_switch)
{
    EPROF_SCOPE("switching");
    compute(3);
    pass(4);
    seen->by_edge += is_timed_by_edge();
    if (is_to_switch && is_timed_by_edge() && !ep_cpu_is_on()) {
        seen->by_edge_before = seen->by_edge;
        hand_cpu_switch_on();
    }
}

static void switch_in_a_timed_call(void *to)
{
    struct switching *seen = to;
    eprof_setup("budget=1/4");
    for (int i = 0; i < 400; i++) {
        uint64_t before = cpu_readings;
        bool was_on = ep_cpu_is_on();
        switching_scope(seen, i >= 200);
        if (ep_cpu_is_on() && !was_on)
            seen->readings_of_it = cpu_readings - before;
    }
    eprof_setup("budget=off");
    take_rows(eprof_snapshot_take, NULL, "switching", "*", &seen->row);
}

TEST_BETWEEN(cpu_that_is_switched_on_in_a_call_timed_by_its_edge, hand_clock_begin, NULL)
{
    struct switching seen = {.by_edge = 0};
    child_do(fork, switch_in_a_timed_call, &seen, sizeof seen);
#ifdef EPROF_IS_INLINE
    assert_in_range(seen.by_edge, 40, 60);
    assert_int_equal(seen.by_edge, seen.by_edge_before); /* none after the switch */
    assert_in_range(seen.readings_of_it, 0, 1);
    assert_int_equal(seen.row.cpu_ns, EPROF_UNKNOWN);
    assert_int_equal(seen.row.wait_ns, EPROF_UNKNOWN);
#endif
    assert_int_equal(seen.row.calls, 400);
    assert_int_equal(seen.row.timed, 100);
    assert_int_equal(seen.row.total_ns, 400 * 7);
}

/* ---- while it is on ---- */

TEST_BETWEEN(cpu_of_sampled_calls_is_that_of_all, hand_cpu_begin, NULL)
{
    eprof_setup("budget=1/64");
    for (int i = 0; i < 6400; i++)
        work_by_macro(3, 4);
    eprof_setup("budget=off");
    assert_int_equal(row_of("macro").timed, 100);
    assert_cpu("macro", 3 * 6400, 4 * 6400);
}

TEST_BETWEEN(cpu_of_a_part_of_a_block_is_scaled, hand_cpu_begin, NULL)
{
    eprof_setup("budget=1/4");
    for (int i = 0; i < 403; i++)
        work_by_macro(3, 4);
    eprof_setup("budget=off");
    assert_cpu("macro", 3 * 403, 4 * 403);
}

/* The value of a counter, a duration in ns. */
static uint64_t scraped(const char *counter)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    eprof_report(out, "openmetrics");
    fclose(out);
    const char *line = strstr(text, counter);
    if (!line)
        fail_msg("no %s in %s", counter, text);
    unsigned long long whole = 0, ns = 0;
    bool is_duration = sscanf(strchr(line, ' '), " %llu.%llu", &whole, &ns) == 2;
    free(text);
    return is_duration ? whole * 1000000000 + ns : whole;
}

#define MACRO "{kind=\"scope\",name=\"macro\",path=\"macro\"}"

TEST_BETWEEN(cpu_counters_of_sampled_calls_are_those_of_the_timed_ones, hand_cpu_begin, NULL)
{
    eprof_setup("budget=1/64");
    for (int i = 0; i < 1000; i++) {
        work_by_macro(3, 4);
        uint64_t count = scraped("eprof_scope_seconds_count" MACRO);
        if (count == 0) /* then there is no processor time either */
            continue;
        assert_int_equal(scraped("eprof_scope_cpu_seconds_total" MACRO), 3 * count);
        assert_int_equal(scraped("eprof_scope_wait_seconds_total" MACRO), 4 * count);
    }
    eprof_setup("budget=off");
}

/* An estimate for all calls would fall after short ones. */
TEST_BETWEEN(cpu_counters_never_fall_while_calls_are_sampled, hand_cpu_begin, NULL)
{
    uint64_t cpu_ns = 0, wait_ns = 0;
    eprof_setup("budget=1/8");
    for (unsigned i = 1; i < 2000; i++) {
        work_by_macro(i % 7 ? 1 : 5000, i % 11 ? 2 : 7000);
        if (i < 8 || i % 5) /* the first 8 are a block, of which one is timed */
            continue;
        uint64_t cpu_before_ns = cpu_ns, wait_before_ns = wait_ns;
        cpu_ns = scraped("eprof_scope_cpu_seconds_total" MACRO);
        wait_ns = scraped("eprof_scope_wait_seconds_total" MACRO);
        if (cpu_ns < cpu_before_ns || wait_ns < wait_before_ns)
            fail_msg("%u calls: cpu %" PRIu64 ", %" PRIu64 " before; wait %" PRIu64 ", %" PRIu64, i,
                     cpu_ns, cpu_before_ns, wait_ns, wait_before_ns);
    }
    eprof_setup("budget=off");
    assert_in_range(cpu_ns, 285 * 1000, 285 * 12000); /* of 285 long calls some 36 are timed */
}

TEST_BETWEEN(cpu_is_not_read_in_untimed_calls, hand_cpu_begin, NULL)
{
    eprof_setup("budget=1/64");
    work_by_macro(1, 1);
    uint64_t before = cpu_readings;
    for (int i = 0; i < 6400; i++)
        work_by_macro(1, 1);
    uint64_t read = cpu_readings - before;
    eprof_setup("budget=off");
    assert_in_range(read, 2 * 99, 2 * 101);
}

struct spending {
    uint64_t passed_ns, read_ns;
};

/* The hand clock passes for a source of the library: the calls of others are all timed. */
static void spend(void *to)
{
    struct spending *seen = to;
    ((struct ep_source *)(uintptr_t)ep_process_source())->is_own = false;
    cpu_reading_ns = 1000;
    eprof_setup("budget=2");
    uint64_t begin_ns = hand_ticks, readings_before = cpu_readings;
    for (int i = 0; i < 1000000; i++)
        work_by_macro(100, 0);
    seen->passed_ns = hand_ticks - begin_ns;
    seen->read_ns = (cpu_readings - readings_before) * cpu_reading_ns;
}

/* 1 ms at first, and 8 calls of the path, each with two readings. */
TEST_BETWEEN(cpu_is_read_within_the_budget, hand_cpu_begin, NULL)
{
    struct spending seen = {.passed_ns = 0};
    child_do(fork, spend, &seen, sizeof seen);
    uint64_t most_ns = seen.passed_ns / 50 + 1000000 + 8 * 2 * 1000;
    if (seen.read_ns < seen.passed_ns / 100 || seen.read_ns > most_ns)
        fail_msg("readings took %" PRIu64 " ns of %" PRIu64 ", at most %" PRIu64, seen.read_ns,
                 seen.passed_ns, most_ns);
}
