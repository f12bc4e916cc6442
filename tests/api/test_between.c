/*
 * Another thread acts while a start or a stop reads its clock: the result is as if one of the calls
 * came before the other.
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

static struct worker worker;
static thread_act act_between; /* done by the worker within the next read of the clock */
static int id, next_id;

/* The library holds nothing that another thread needs while it reads the clock. */
static uint64_t interrupted_now(void *unused)
{
    thread_act act = act_between;
    act_between = NULL;
    uint64_t now = hand_clock_now(unused);
    if (act)
        worker_do(&worker, act, NULL);
    return now;
}

static void use_interrupted_clock(void)
{
    clock_take("interrupted", interrupted_now, 1000000000);
}

/* One pair is recorded, so that the next pair takes the hot path. */
static int begin(void **state)
{
    hand_clock_begin(state);
    use_interrupted_clock();
    worker_begin(&worker);
    id = eprof_alloc("a");
    eprof_start(id);
    eprof_stop(id);
    eprof_reset();
    eprof_start(id);
    eprof_stop(id);
    return 0;
}

static int end(void **state)
{
    (void)state;
    worker_end(&worker);
    return 0;
}

/* A pair of 10 ns; `in_start` is run while its start reads the clock, `in_stop` while its stop
 * does. */
static void pair_with(thread_act in_start, thread_act in_stop)
{
    act_between = in_start;
    eprof_start(id);
    assert_null(act_between);
    hand_ticks += 10;
    act_between = in_stop;
    eprof_stop(id);
    act_between = NULL; /* a stop may be skipped */
}

/* ------------------------------------------------------------------ what -- */

/* Another instance also takes the slot. */
static void release(void *unused)
{
    (void)unused;
    eprof_release(id);
    next_id = eprof_alloc("next");
}

static void init(void *unused)
{
    (void)unused;
    eprof_init();
    next_id = eprof_alloc("next");
}

static void change_source(void *unused)
{
    (void)unused;
    eprof_source_use("hand");
}

static void record_elsewhere(void *unused)
{
    (void)unused;
    eprof_start(id);
    eprof_stop(id);
}

static char seen[256];

static void look(void *unused)
{
    (void)unused;
    strcpy(seen, figures_text("a"));
}

/* ------------------------------------------------------------------ when -- */

static void assert_either(const char *label, const char *one, const char *other)
{
    const char *text = figures_text(label);
    if (strcmp(text, one) != 0 && strcmp(text, other) != 0)
        fail_msg("%s shows \"%s\", neither \"%s\" nor \"%s\"", label, text, one, other);
}

TEST(reset_while_a_start_reads_comes_before_or_after_it)
{
    pair_with(reset_here, NULL);
    assert_either("a", "no row", "calls 1, timed 1, errors 0, open 0, total 10");
    eprof_reset();
    pair_with(NULL, NULL);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(reset_while_a_stop_reads_makes_its_pair_nothing)
{
    pair_with(NULL, reset_here);
    assert_row("a", "no row");
    pair_with(NULL, NULL);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(reset_while_an_inner_stop_reads_makes_both_pairs_nothing)
{
    eprof_start(id);
    pair_with(NULL, reset_here);
    hand_ticks += 100;
    eprof_stop(id);
    assert_row("a", "no row");
    assert_diagnostics("");
}

TEST(pair_switched_off_in_its_start_is_whole_or_nothing)
{
    pair_with(switch_all_off, NULL);
    assert_either("a", "calls 1, timed 1, errors 0, open 0, total 0",
                  "calls 2, timed 2, errors 0, open 0, total 10");
    assert_int_equal(eprof_recording, 0);
    eprof_enable(true);
    eprof_reset();
    pair_with(NULL, NULL);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(pair_switched_off_in_its_stop_is_finished)
{
    pair_with(NULL, switch_all_off);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 10");
    assert_int_equal(eprof_recording, 0);
    pair_with(NULL, NULL);
    eprof_enable(true);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(pair_switched_off_and_on_in_its_stop_is_finished)
{
    pair_with(NULL, switch_off_and_on);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 10");
    pair_with(switch_off_and_on, switch_off_and_on);
    assert_either("a", "calls 2, timed 2, errors 0, open 0, total 10",
                  "calls 3, timed 3, errors 0, open 0, total 20");
    assert_diagnostics("");
}

TEST(release_while_inside_leaves_the_next_user_of_the_slot_alone)
{
    pair_with(release, NULL);
    assert_row("a", "no row");
    assert_row("next", "no row");
    assert_diagnostics("bad_handles 1");
    id = next_id;
    pair_with(NULL, release);
    assert_row("next", "no row");
    id = next_id;
    eprof_reset();
    pair_with(NULL, NULL);
    assert_row("next", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(init_while_inside_is_no_error)
{
    pair_with(init, NULL);
    assert_row("next", "no row");
    assert_diagnostics("");
    id = next_id;
    pair_with(NULL, init);
    assert_row("next", "no row");
    assert_diagnostics("");
    id = next_id;
    pair_with(NULL, NULL);
    assert_row("next", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(change_of_source_while_inside_makes_the_pair_nothing)
{
    pair_with(change_source, NULL);
    assert_row("a", "no row");
    assert_diagnostics("");
    use_interrupted_clock();
    pair_with(NULL, change_source);
    assert_row("a", "no row");
    pair_with(NULL, NULL);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(pair_on_another_thread_counts_beside_it)
{
    pair_with(record_elsewhere, record_elsewhere);
    assert_row("a", "calls 4, timed 4, errors 0, open 0, total 10");
    assert_diagnostics("");
}

TEST(snapshot_sees_the_pair_as_open_or_not_yet_begun)
{
    static const char begun[] = "calls 1, timed 1, errors 0, open 1, total 0";
    pair_with(look, NULL);
    if (strcmp(seen, begun) != 0)
        assert_string_equal(seen, "calls 1, timed 1, errors 0, open 0, total 0");
    pair_with(NULL, look);
    assert_string_equal(seen, "calls 2, timed 2, errors 0, open 1, total 10");
    assert_row("a", "calls 3, timed 3, errors 0, open 0, total 20");
}

TEST_EACH(begin, end)
