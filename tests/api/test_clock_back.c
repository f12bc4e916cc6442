/* A clock that goes back, by one tick, a second or ten years: at every position of the step the
 * counts are exact, no time is absurd, and every report mentions the step. */
#include "clock_report.h"
#include "hand_clock.h"
#include "scope_row.h"
#include "tree_text.h"

#define SECOND UINT64_C(1000000000)
#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * SECOND)
#define WENT_BACK "the clock went back or jumped"

static const uint64_t steps[] = {1, SECOND, TEN_YEARS};

enum { STEPS = sizeof steps / sizeof steps[0] };

static int instance;

static int begin_test(void **state)
{
    hand_ticks = 2 * TEN_YEARS;
    eprof_source_use("clock_gettime"); /* times that the clock showed in earlier tests are
                                        * forgotten */
    hand_clock_begin(state);
    instance = eprof_alloc("work");
    return 0;
}

static void begin_again(void)
{
    void *state = NULL;
    begin_test(&state);
}

static void record(uint64_t ticks)
{
    eprof_start(instance);
    hand_ticks += ticks;
    eprof_stop(instance);
}

static void assert_pairs_told(uint64_t count)
{
    char words[96];
    snprintf(words, sizeof words,
             "%" PRIu64 " pair%s with an impossible length (clock): " WENT_BACK, count,
             count == 1 ? "" : "s");
    assert_told("clock", count, words);
}

/* ---- instances and spans ---- */

TEST(pair_that_goes_back_is_rejected_and_told)
{
    for (int i = 0; i < STEPS; i++) {
        begin_again();
        record(10);
        record((uint64_t)-steps[i]);
        record(20);
        assert_row("work", "calls 3, timed 2, errors 1, open 0, total 30");
        assert_reports_are_sane(20);
        assert_pairs_told(1);
    }
}

TEST(step_back_between_pairs_costs_none)
{
    for (int i = 0; i < STEPS; i++) {
        begin_again();
        record(10);
        hand_ticks -= steps[i];
        record(20);
        assert_row("work", "calls 2, timed 2, errors 0, open 0, total 30");
        assert_reports_are_sane(20);
    }
}

TEST(span_that_goes_back_is_rejected_and_told)
{
    for (int i = 0; i < STEPS; i++) {
        begin_again();
        uint64_t began = eprof_now();
        hand_ticks -= steps[i];
        eprof_record(instance, began, eprof_now());
        assert_row("work", "calls 1, timed 0, errors 1, open 0, total 0");
        assert_reports_are_sane(0);
        assert_pairs_told(1);
    }
}

/* The clock goes back to before its first moment. So it is no longer known since when the clock has
 * run, and no pair is rejected as longer than that. */
TEST(what_begins_behind_a_step_back_counts)
{
    record(10);
    hand_ticks -= TEN_YEARS;
    eprof_start(instance);
    EPROF_BLOCK("outer")
    {
        hand_ticks += 100;
        EPROF_BLOCK("inner")
        hand_ticks += 200;
    }
    eprof_stop(instance);
    for (int i = 0; i < 3; i++) {
        uint64_t began = eprof_now();
        hand_ticks += 1000;
        eprof_record(instance, began, eprof_now());
    }
    assert_row("work", "calls 5, timed 5, errors 0, open 0, total 3310");
    assert_tree("outer 1/1 300 100\n"
                "outer;inner 1/1 200 200\n");
    assert_int_equal(diagnostic_count("clock"), 0);
}

static uint64_t record_span_across(void (*act)(void))
{
    uint64_t began = eprof_now();
    hand_ticks += 10;
    act();
    eprof_record(instance, began, eprof_now());
    struct eprof_row row; /* all zero if nothing was recorded since the reset */
    take_rows(eprof_snapshot_take, "instance", "work", "*", &row);
    return row.calls;
}

static void switch_off_and_on(void)
{
    eprof_enable(false);
    eprof_enable(true);
}

static void nothing(void)
{
}

static void check_spans_behind_a_step_back(uint64_t longer_than_ever)
{
    begin_again();
    record(10);
    hand_ticks -= TEN_YEARS;
    record(longer_than_ever);
    hand_ticks += 1000;
    eprof_reset();
    assert_int_equal(record_span_across(nothing), 1);
    assert_int_equal(record_span_across(eprof_reset), 0);
    assert_int_equal(record_span_across(nothing), 1);
    eprof_enable(false);
    uint64_t began = eprof_now();
    hand_ticks += 10;
    eprof_enable(true);
    eprof_record(instance, began, eprof_now());
    assert_int_equal(instance_row("work").calls, 1);
    assert_int_equal(record_span_across(switch_off_and_on), 2); /* on when it began */
}

/* A pair that is longer than the time for which the clock has run shows the step, and so does a
 * reset. */
TEST(span_across_a_reset_or_from_before_it_was_on_is_none_behind_a_step_back)
{
    check_spans_behind_a_step_back(TEN_YEARS / 2);
    check_spans_behind_a_step_back(10);
}

/* ---- scopes ---- */

/* Three nested scopes, each with 100 ticks of its own before and after the scope inside it. At
 * `place` the clock goes back by `back`. */
enum place { BEFORE_INNER, IN_INNER, BEHIND_INNER, BEHIND_OUTER, PLACES };

static void go_back_at(enum place here, enum place place, uint64_t back)
{
    hand_ticks += 100;
    hand_ticks -= here == place ? back : 0;
}

static void nest(enum place place, uint64_t back)
{
    EPROF_SCOPE("root");
    hand_ticks += 100;
    {
        EPROF_SCOPE("outer");
        go_back_at(BEFORE_INNER, place, back);
        {
            EPROF_SCOPE("inner");
            go_back_at(IN_INNER, place, back);
        }
        go_back_at(BEHIND_INNER, place, back);
    }
    go_back_at(BEHIND_OUTER, place, back);
}

static void assert_scope(const char *path, uint64_t calls, uint64_t errors)
{
    struct eprof_row row = scope_row(path);
    if (row.calls != calls || row.errors != errors || row.timed != calls - errors || row.open)
        fail_msg("%s: %" PRIu64 " calls, %" PRIu64 " errors, %" PRIu64 " timed, %" PRIu64 " open",
                 path, row.calls, row.errors, row.timed, row.open);
}

/* Every scope that contains the step is rejected if the step is longer than the rest of its
 * time. */
TEST(scopes_around_a_step_back_are_rejected_and_told)
{
    static const unsigned around[PLACES] = {2, 3, 2, 1};
    for (int i = 1; i < STEPS; i++) {
        for (enum place place = 0; place < PLACES; place++) {
            begin_again();
            nest(PLACES, 0);
            nest(place, steps[i]);
            assert_scope("root", 2, 1);
            assert_scope("root;outer", 2, around[place] >= 2);
            assert_scope("root;outer;inner", 2, around[place] == 3);
            assert_reports_are_sane(500);
            assert_pairs_told(around[place]);
        }
    }
}

/* A step that leaves the time of a scope above zero cannot be detected in that scope. */
TEST(small_step_back_leaves_scopes_whole)
{
    for (enum place place = 0; place < PLACES; place++) {
        begin_again();
        nest(place, 1);
        assert_scope("root", 1, 0);
        assert_reports_are_sane(499);
    }
}

/* The time of the scope is above zero, but shorter than the scopes that ended inside it. */
TEST(scope_shorter_than_what_is_in_it_is_rejected_and_told)
{
    for (int i = 0; i < 3; i++) {
        EPROF_SCOPE("outer");
        hand_ticks += 50;
        EPROF_BLOCK("inner")
        hand_ticks += 200;
        hand_ticks -= i == 1 ? 230 : 0;
    }
    assert_tree("outer 3/2 500 100 errors 1\n"
                "outer;inner 3/3 600 600\n");
    assert_reports_are_sane(250);
    assert_pairs_told(1);
}

TEST(recursion_shorter_than_what_is_in_it_is_sane)
{
    eprof_enter("outer");
    hand_ticks += 50;
    eprof_enter("inner");
    eprof_enter("outer");
    hand_ticks += 200;
    eprof_leave();
    hand_ticks -= 180;
    eprof_leave();
    eprof_leave();
    assert_tree("outer 2/0 0 0 errors 1\n"
                "outer;inner 1/0 0 0 errors 1\n");
    assert_reports_are_sane(250);
}

/* ---- scopes that are open ---- */

TEST(open_scope_has_no_less_than_what_ended_inside)
{
    static const uint64_t backs[] = {50, 150, 290, TEN_YEARS};
    for (int i = 0; i < 4; i++) {
        begin_again();
        eprof_enter("outermost");
        eprof_enter("outer");
        hand_ticks += 100;
        EPROF_BLOCK("inner")
        hand_ticks += 200;
        hand_ticks -= backs[i];
        assert_reports_are_sane(250);
        assert_in_range(scope_row("outermost;outer").total_ns, 200, 250);
        assert_in_range(scope_row("outermost").total_ns, 200, 250);
        eprof_leave();
        eprof_leave();
    }
}

TEST_EACH(begin_test, NULL)
