/*
 * Pairs of instances and spans in a hold: they belong to the innermost hold in which they
 * began.
 */
#include "figures.h"
#include "hand_clock.h"

#include <pthread.h>

static int id;

static int begin(void **state)
{
    hand_clock_begin(state);
    id = eprof_alloc("a");
    return 0;
}

static void pair_of(uint64_t ns)
{
    eprof_start(id);
    hand_ticks += ns;
    eprof_stop(id);
}

TEST(pairs_are_kept_or_dropped)
{
    for (int used = 0; used < 2; used++) /* whether the thread knows the instance before */
        for (int keep = 0; keep < 2; keep++) {
            begin(state);
            if (used)
                pair_of(1);
            eprof_hold();
            pair_of(10);
            pair_of(30);
            assert_row("a", used ? "calls 1, timed 1, errors 0, open 0, total 1" : "no row");
            eprof_keep(keep);
            struct eprof_row row;
            take_rows(eprof_snapshot_take, "instance", "a", "*", &row);
            assert_int_equal(row.calls, used + 2 * keep);
            assert_ns(row.total_ns, used + 40 * keep);
            assert_ns(row.max_ns, keep ? 30 : used);
            pair_of(100);
            assert_int_equal(instance_row("a").calls, used + 2 * keep + 1);
            assert_diagnostics("");
        }
}

static void *take_name_and_end(void *unused)
{
    eprof_thread_enter("worker");
    pair_of(5);
    EPROF_BLOCK("scope")
    hand_ticks += 7;
    return unused;
}

/* The figures of the thread that had the name before are not part of the hold. */
TEST(name_taken_in_a_hold_that_is_dropped_keeps_what_had_it_before)
{
    pthread_t thread;
    begin(state);
    assert_int_equal(pthread_create(&thread, NULL, take_name_and_end, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pair_of(1);
    eprof_hold();
    eprof_thread_enter("worker");
    EPROF_BLOCK("scope")
    hand_ticks += 100;
    eprof_keep(false);
    assert_row("a", "calls 2, timed 2, errors 0, open 0, total 6");
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "scope", "scope", "*", &row);
    assert_int_equal(row.calls, 1);
    assert_ns(row.total_ns, 7);
    eprof_thread_enter(NULL);
}

TEST(pair_that_began_before_counts_in_any_case)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        eprof_start(id);
        hand_ticks += 1;
        eprof_hold();
        hand_ticks += 10;
        eprof_stop(id);
        pair_of(100);
        eprof_keep(keep);
        assert_row("a", keep ? "calls 2, timed 2, errors 0, open 0, total 111"
                             : "calls 1, timed 1, errors 0, open 0, total 11");
        assert_diagnostics("");
    }
}

TEST(pair_open_at_the_end_of_the_hold_is_what_the_hold_says)
{
    for (int used = 0; used < 2; used++)
        for (int keep = 0; keep < 2; keep++) {
            begin(state);
            if (used)
                pair_of(0);
            eprof_reset();
            eprof_hold();
            eprof_start(id);
            eprof_start(id);
            hand_ticks += 10;
            eprof_stop(id);
            eprof_keep(keep);
            hand_ticks += 100;
            eprof_stop(id);
            assert_row("a", keep ? "calls 2, timed 1, errors 0, open 0, total 110" : "no row");
            assert_diagnostics("");
            pair_of(3);
            assert_ns(instance_row("a").total_ns, keep ? 113 : 3);
            eprof_stop(id);
            assert_diagnostics("unbalanced 1");
        }
}

/* A stop ends the pair that its thread began last, kept or dropped. */
TEST(pair_inside_one_from_before_ends_first)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        eprof_start(id);
        hand_ticks += 1;
        eprof_hold();
        eprof_start(id);
        hand_ticks += 10;
        eprof_keep(keep);
        hand_ticks += 100;
        eprof_stop(id);
        hand_ticks += 1000;
        eprof_stop(id);
        assert_row("a", keep ? "calls 2, timed 1, errors 0, open 0, total 1111"
                             : "calls 1, timed 1, errors 0, open 0, total 1111");
        assert_diagnostics("");
    }
}

TEST(nested_holds_decide_from_the_inside)
{
    for (unsigned decisions = 0; decisions < 8; decisions++) {
        uint64_t ns = 1, kept_ns = 0;
        bool keeps = true;
        begin(state);
        for (int i = 0; i < 3; i++, ns *= 10) {
            eprof_hold();
            pair_of(ns);
            keeps = keeps && decisions >> i & 1;
            kept_ns += keeps ? ns : 0;
        }
        for (int i = 2; i >= 0; i--)
            eprof_keep(decisions >> i & 1);
        struct eprof_row row;
        take_rows(eprof_snapshot_take, "instance", "a", "*", &row);
        assert_ns(row.total_ns, kept_ns);
        assert_diagnostics("");
    }
}

TEST(span_belongs_to_the_hold_it_began_in)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        uint64_t before = eprof_now();
        hand_ticks += 1;
        eprof_hold();
        uint64_t inside = eprof_now();
        hand_ticks += 10;
        eprof_record(id, before, eprof_now());
        eprof_record(id, inside, eprof_now());
        eprof_keep(keep);
        assert_row("a", keep ? "calls 2, timed 2, errors 0, open 0, total 21"
                             : "calls 1, timed 1, errors 0, open 0, total 11");
        assert_diagnostics("");
    }
}

TEST(instance_made_inside_lives_on_with_what_was_kept)
{
    for (int keep = 0; keep < 2; keep++) {
        begin(state);
        eprof_hold();
        id = eprof_alloc("new");
        pair_of(10);
        eprof_keep(keep);
        assert_row("new", keep ? "calls 1, timed 1, errors 0, open 0, total 10" : "no row");
        pair_of(5);
        assert_ns(instance_row("new").total_ns, keep ? 15 : 5);
        assert_diagnostics("");
    }
}

TEST(instance_freed_inside_is_gone_and_its_slots_next_user_untouched)
{
    for (int keep = 0; keep < 2; keep++)
        for (int used = 0; used < 2; used++) {
            begin(state);
            if (used)
                pair_of(1);
            eprof_hold();
            pair_of(10);
            eprof_start(id);
            eprof_free("a");
            int next = eprof_alloc("next");
            eprof_keep(keep);
            assert_row("a", "no row");
            assert_row("next", "no row");
            eprof_stop(id);
            assert_diagnostics("bad_handles 1");
            id = next;
            pair_of(5);
            assert_row("next", "calls 1, timed 1, errors 0, open 0, total 5");
        }
}

TEST(reset_and_source_change_inside_forget_what_was_held)
{
    static const struct eprof_source other = {.size = sizeof other,
                                              .name = "other",
                                              .now = hand_clock_now,
                                              .ticks_per_second = 1000000000};
    eprof_source_add(&other);
    for (int keep = 0; keep < 2; keep++)
        for (int change = 0; change < 2; change++) {
            begin(state);
            eprof_start(id);
            eprof_hold();
            pair_of(10);
            eprof_start(id);
            hand_ticks += 10;
            if (change)
                assert_int_equal(eprof_source_use("other"), 0);
            else
                eprof_reset();
            pair_of(100);
            eprof_stop(id);
            eprof_keep(keep);
            eprof_stop(id);
            assert_row("a", keep ? "calls 1, timed 1, errors 0, open 0, total 100" : "no row");
            assert_diagnostics("");
        }
}

static uint64_t ahead_now(void *context)
{
    (void)context;
    return hand_ticks + 1000000000;
}

/* The hold began on another clock, and the ticks of that clock do not show when it began on this
 * one. */
TEST(span_on_another_source_belongs_to_the_hold_that_goes_on)
{
    static const struct eprof_source ahead = {
        .size = sizeof ahead, .name = "ahead", .now = ahead_now, .ticks_per_second = 1000000000};
    static const char *const sources[] = {"hand", "ahead"};
    eprof_source_add(&ahead);
    for (int way = 0; way < 2; way++)
        for (int keep = 0; keep < 2; keep++) {
            begin(state);
            assert_int_equal(eprof_source_use(sources[way]), 0);
            eprof_hold();
            hand_ticks += 10;
            assert_int_equal(eprof_source_use(sources[!way]), 0);
            uint64_t start = eprof_now();
            hand_ticks += 100;
            eprof_record(id, start, eprof_now());
            assert_row("a", "no row");
            eprof_keep(keep);
            assert_row("a", keep ? "calls 1, timed 1, errors 0, open 0, total 100" : "no row");
            assert_diagnostics("");
        }
}

enum { MANY = 1000 };

/* The holds' own tables grow. */
TEST(hold_has_room_for_any_number_of_instances)
{
    for (int keep = 0; keep < 2; keep++) {
        int ids[MANY];
        eprof_init();
        for (int i = 0; i < MANY; i++)
            ids[i] = eprof_alloc("many");
        eprof_hold();
        for (int i = 0; i < MANY; i++) {
            eprof_start(ids[i]);
            hand_ticks += 2;
            eprof_stop(ids[i]);
        }
        eprof_keep(keep);
        for (int i = 0; i < MANY; i++)
            eprof_start(ids[i]);
        for (int i = 0; i < MANY; i++)
            eprof_stop(ids[i]);
        eprof_snapshot *snapshot = eprof_snapshot_take();
        uint64_t calls = 0;
        for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
            struct eprof_row row = {.size = sizeof row};
            eprof_snapshot_row(snapshot, i, &row);
            calls += row.calls;
        }
        eprof_snapshot_free(snapshot);
        assert_int_equal(calls, MANY * (1 + keep));
        assert_diagnostics("");
    }
}

/* If there is no room to remember a pair, that is reported. The stop of such a pair ends the pair
 * around it, and the stop of that pair is then one too many. */
TEST(pairs_dropped_while_open_in_others_are_remembered_or_told)
{
    int ids[MANY];
    for (int i = 0; i < MANY; i++) {
        ids[i] = eprof_alloc("many");
        eprof_start(ids[i]);
    }
    eprof_hold();
    for (int i = 0; i < MANY; i++)
        eprof_start(ids[i]);
    eprof_keep(false);
    uint64_t lost = diagnostic_count("lost");
    assert_in_range(lost, 1, MANY - 1);
    for (int i = 0; i < MANY; i++)
        eprof_stop(ids[i]);
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "instance", "many", "*", &row);
    for (int i = 0; i < MANY; i++)
        eprof_stop(ids[i]);
    assert_int_equal(diagnostic_count("unbalanced"), lost);
    assert_int_equal(diagnostic_count("lost"), lost);
}

TEST_EACH(begin, NULL)
