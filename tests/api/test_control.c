/*
 * Switching recording on and off: a pair belongs to the state in which it began. The rules for the
 * process also hold for one thread.
 */
#include "calls.h"
#include "figures.h"

/* eprof_enable() or eprof_thread_enable(): every test runs with both. */
static void (*set_recording)(bool on);

/* -------------------------------------------------------- began while on -- */

TEST(pair_that_is_open_when_switched_off_is_finished)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    hand_ticks += 1;
    set_recording(false);
    hand_ticks += 10;
    assert_row("a", "calls 0, timed 0, errors 0, open 1, total 0");
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 11");
    hand_ticks += 100;
    set_recording(true);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 11");
    assert_diagnostics("");
}

TEST(pair_that_is_open_while_switched_off_and_on_is_finished)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    for (int i = 0; i < 3; i++) {
        hand_ticks += 1;
        set_recording(false);
        hand_ticks += 10;
        set_recording(true);
    }
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 33");
    assert_diagnostics("");
}

TEST(all_open_pairs_are_finished_at_any_depth)
{
    int a = eprof_alloc("a"), b = eprof_alloc("b");
    eprof_start(a);
    eprof_start(a);
    eprof_start(b);
    eprof_start(a);
    hand_ticks += 1;
    eprof_stop(a);
    set_recording(false);
    hand_ticks += 10;
    eprof_stop(a);
    eprof_stop(b);
    hand_ticks += 100;
    eprof_stop(a);
    assert_row("a", "calls 3, timed 1, errors 0, open 0, total 111");
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 11");
    set_recording(true);
    assert_diagnostics("");
}

TEST(some_may_be_finished_while_off_and_the_others_when_on_again)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    eprof_start(id);
    eprof_start(id);
    set_recording(false);
    eprof_stop(id);
    hand_ticks += 10;
    set_recording(true);
    eprof_stop(id);
    pair_of(id, 100);
    eprof_stop(id);
    assert_row("a", "calls 4, timed 1, errors 0, open 0, total 110");
    assert_diagnostics("");
}

TEST(pair_rejected_while_off_counts_as_an_error)
{
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    eprof_start(id);
    set_recording(false);
    hand_ticks -= 500;
    eprof_stop(id);
    set_recording(true);
    assert_row("a", "calls 1, timed 0, errors 1, open 0, total 0");
}

/* ------------------------------------------------------- began while off -- */

TEST(pair_that_begins_while_off_is_nothing)
{
    int id = eprof_alloc("a");
    set_recording(false);
    pair_of(id, 10);
    eprof_start(id);
    eprof_start(id);
    pair_of(id, 10);
    set_recording(true);
    eprof_stop(id);
    eprof_stop(id);
    assert_row("a", "no row");
    assert_diagnostics("");
    pair_of(id, 3);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("");
}

TEST(pair_that_begins_while_off_leaves_what_was_recorded_before)
{
    int id = eprof_alloc("a");
    pair_of(id, 5);
    set_recording(false);
    eprof_start(id);
    hand_ticks += 10;
    set_recording(true);
    hand_ticks += 10;
    eprof_stop(id);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 5");
    assert_diagnostics("");
}

TEST(stop_without_start_is_no_error_while_off)
{
    int id = eprof_alloc("a");
    pair_of(id, 5);
    set_recording(false);
    eprof_stop(id);
    eprof_stop(id);
    set_recording(true);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 5");
    assert_diagnostics("");
}

TEST(stop_without_start_counts_again_after_the_first_pair_since_the_switch)
{
    int id = eprof_alloc("a"), other = eprof_alloc("b");
    pair_of(id, 5);
    set_recording(false);
    set_recording(true);
    pair_of(other, 5); /* of another instance */
    eprof_stop(id);
    eprof_stop(id);
    assert_diagnostics("");
    pair_of(id, 5);
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
    set_recording(false);
    set_recording(true);
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 10");
}

/* It cannot be the end of a pair that began while recording was off, because no pair was open. */
TEST(stop_without_start_counts_on_an_instance_that_is_younger_than_the_switch)
{
    set_recording(false);
    set_recording(true);
    int id = eprof_alloc("a");
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
}

/* No number that counts the switches may wrap to an earlier value. */
TEST(pair_that_begins_while_off_is_nothing_after_any_number_of_switches)
{
    static const int counts[] = {1, 31, 33, 1022, 1023, 1024, 1025, 2046, 2047, 2048, 65535, 65536};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int id = eprof_alloc("a");
        pair_of(id, 5);
        set_recording(false);
        eprof_start(id);
        for (int count = 1; count < counts[i]; count++) {
            set_recording(true);
            set_recording(false);
        }
        set_recording(true);
        eprof_stop(id);
        if (strcmp(diagnostic_text(), "") != 0)
            fail_msg("after %d switches: %s", counts[i], diagnostic_text());
        pair_of(id, 5);
        eprof_stop(id);
        assert_diagnostics("unbalanced 1");
        eprof_init();
    }
}

TEST(switch_that_changes_nothing_is_none)
{
    int id = eprof_alloc("a");
    pair_of(id, 5);
    set_recording(true);
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
    set_recording(false);
    set_recording(false);
    pair_of(id, 10);
    set_recording(true); /* it is a switch, not a count */
    set_recording(true);
    pair_of(id, 3);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 8");
}

static int begin(void **state)
{
    eprof_thread_enable(true);
    return hand_clock_begin(state);
}

TEST_RUN()
{
    set_recording = eprof_enable;
    int failed = tests_run("control of the process", begin, NULL);
    set_recording = eprof_thread_enable;
    return failed + tests_run("control of a thread", begin, NULL);
}
