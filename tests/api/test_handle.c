/*
 * Handles and their slots: numbers, re-use and release; a stale handle never reaches another
 * instance.
 */
#include "calls.h"
#include "each_alone.h"
#include "figures.h"

#include <limits.h>

static int alloc_and_call(const char *label)
{
    int id = eprof_alloc(label);
    pair_of(id, 1);
    return id;
}

/* The column ID. */
static int slot_of(const char *label)
{
    return instance_row(label).id;
}

static void assert_release_refused(int id)
{
    errno = 0;
    assert_int_equal(eprof_release(id), -1);
    assert_int_equal(errno, EINVAL);
}

/* --------------------------------------------------------------- numbers -- */

TEST(first_uses_of_slots_are_0_1_2)
{
    assert_int_equal(alloc_and_call("a"), 0);
    assert_int_equal(alloc_and_call("b"), 1);
    assert_int_equal(alloc_and_call("c"), 2);
    assert_int_equal(slot_of("a"), 0);
    assert_int_equal(slot_of("b"), 1);
    assert_int_equal(slot_of("c"), 2);
}

TEST(later_uses_of_a_slot_are_larger_and_show_the_slot)
{
    alloc_and_call("a");
    int last = alloc_and_call("b");
    assert_int_equal(last, 1);
    for (int use = 1; use < 100; use++) {
        assert_int_equal(eprof_release(last), 0);
        int id = alloc_and_call("b");
        assert_int_equal(slot_of("b"), 1);
        assert_true(id > last);
        last = id;
    }
}

TEST(freed_slots_are_used_again_oldest_first)
{
    for (int id = 0; id < 5; id++)
        assert_int_equal(eprof_alloc("old"), id);
    assert_int_equal(eprof_release(3), 0);
    assert_int_equal(eprof_release(0), 0);
    assert_int_equal(eprof_release(4), 0);
    alloc_and_call("first");
    assert_int_equal(eprof_release(1), 0);
    alloc_and_call("second");
    alloc_and_call("third");
    alloc_and_call("fourth");
    assert_int_equal(slot_of("first"), 3);
    assert_int_equal(slot_of("second"), 0);
    assert_int_equal(slot_of("third"), 4);
    assert_int_equal(slot_of("fourth"), 1);
    assert_int_equal(alloc_and_call("fresh"), 5);
    assert_int_equal(slot_of("fresh"), 5);
}

/* A retired slot is not given out again, so no handle is ever given twice. */
TEST(slot_is_retired_after_a_thousand_uses_or_more)
{
    static int given[5000];
    enum { GIVEN = sizeof given / sizeof given[0] };
    int re_uses = -1;
    for (int i = 0; i < GIVEN; i++) {
        int id = given[i] = alloc_and_call("a");
        assert_true(id >= 0);
        re_uses += slot_of("a") == 0;
        for (int earlier = 0; earlier < i; earlier++)
            assert_int_not_equal(given[earlier], id);
        assert_row("a", "calls 1, timed 1, errors 0, open 0, total 1");
        assert_int_equal(eprof_release(id), 0);
    }
    assert_in_range(re_uses, 1000, GIVEN - 2); /* it was retired while this looked */
    assert_diagnostics("");
    for (int i = 0; i < GIVEN; i++) {
        assert_release_refused(given[i]);
        eprof_start(given[i]);
    }
    assert_diagnostics("bad_handles 5000");
}

/* ---------------------------------------------------------- equal labels -- */

TEST(equal_labels_are_separate_instances)
{
    struct eprof_row row;
    int first = alloc_and_call("same"), second = alloc_and_call("same");
    assert_int_not_equal(first, second);
    pair_of(second, 20);
    assert_int_equal(take_rows(eprof_snapshot_take, "instance", "same", NULL, &row), 2);
    assert_int_equal(eprof_release(first), 0);
    assert_row("same", "calls 2, timed 2, errors 0, open 0, total 21");
    assert_int_equal(eprof_release(second), 0);
    assert_row("same", "no row");
}

TEST(free_takes_the_lowest_id_of_the_label)
{
    eprof_alloc("same");  /* 0 */
    eprof_alloc("other"); /* 1 */
    eprof_alloc("same");  /* 2 */
    eprof_alloc("same");  /* 3 */
    eprof_free("same");
    assert_release_refused(0);
    int youngest = alloc_and_call("same");
    assert_int_equal(slot_of("same"), 0);
    eprof_free("same"); /* by ID, not by age */
    assert_release_refused(youngest);
    eprof_free("same");
    assert_release_refused(2);
    assert_int_equal(eprof_release(3), 0);
    assert_int_equal(eprof_release(1), 0);
    assert_diagnostics("");
}

/* FNV-1a with 32 bits gives these pairs of labels one number each, so an index by hash must look
 * further. */
TEST(labels_of_one_hash_are_told_apart)
{
    static const char *const labels[][2] = {
        {"yaczf", "glbpp"}, {"glbpp", "yaczf"}, {"sort", "sortb6ic7u"}, {"sortb6ic7u", "sort"}};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        int first = eprof_alloc(labels[i][0]), second = eprof_alloc(labels[i][1]);
        eprof_free(labels[i][1]);
        assert_release_refused(second);
        eprof_free(labels[i][1]);
        assert_int_equal(eprof_release(first), 0);
    }
    assert_diagnostics("unknown_labels 4");
}

TEST(unknown_label_to_free_is_counted)
{
    alloc_and_call("known");
    eprof_free("unknown");
    eprof_free("");
    eprof_free("know");
    eprof_free("known ");
    assert_diagnostics("unknown_labels 4");
    eprof_free(NULL);
    assert_diagnostics("unknown_labels 5");
    assert_row("known", "calls 1, timed 1, errors 0, open 0, total 1");
    eprof_free("known");
    eprof_free("known");
    assert_diagnostics("unknown_labels 6");
}

/* ---------------------------------------------------------------- stale -- */

TEST(figures_end_with_the_instance)
{
    alloc_and_call("a");
    pair_of(0, 1000);
    eprof_free("a");
    assert_row("a", "no row");
    int id = eprof_alloc("a");
    assert_row("a", "no row");
    pair_of(id, 5);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 5");
    assert_int_equal(instance_row("a").max_ns, 5);
}

TEST(stale_handle_reaches_no_other_instance)
{
    int stale = alloc_and_call("a");
    eprof_free("a");
    int id = alloc_and_call("b");
    assert_int_equal(slot_of("b"), stale);

    pair_of(stale, 100);
    eprof_record(stale, eprof_now(), eprof_now());
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 1");
    assert_diagnostics("bad_handles 3");

    eprof_start(id);
    eprof_start(stale);
    eprof_stop(stale);
    assert_row("b", "calls 1, timed 1, errors 0, open 1, total 1");
    hand_ticks += 10;
    eprof_stop(id);
    assert_row("b", "calls 2, timed 2, errors 0, open 0, total 11");
    assert_diagnostics("bad_handles 5");
    assert_release_refused(stale);
    assert_row("b", "calls 2, timed 2, errors 0, open 0, total 11");
}

TEST(freed_inside_a_pair_its_stop_is_counted_as_a_bad_handle)
{
    eprof_alloc("a");
    eprof_start(0);
    eprof_free("a");
    eprof_stop(0);
    assert_diagnostics("bad_handles 1");
    int id = eprof_alloc("b");
    pair_of(id, 3);
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("bad_handles 1");
}

TEST(freed_inside_a_pair_the_next_user_of_the_slot_begins_outside)
{
    eprof_alloc("a");
    eprof_start(0);
    eprof_start(0);
    eprof_free("a");
    int id = eprof_alloc("b");
    pair_of(id, 3);
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 3");
    eprof_stop(0);
    eprof_stop(0);
    assert_row("b", "calls 1, timed 1, errors 0, open 0, total 3");
    assert_diagnostics("bad_handles 2");
}

TEST(release_of_what_was_never_a_handle_is_einval)
{
    assert_release_refused(0);
    alloc_and_call("a");
    assert_release_refused(1);
    assert_release_refused(-1);
    assert_release_refused(INT_MAX);
    assert_release_refused(INT_MIN);
    assert_release_refused(1 << 20); /* slot 0 in a later use, as handles are made today */
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 1");
    assert_int_equal(eprof_release(0), 0);
    assert_release_refused(0);
}

TEST_RUN()
{
    return tests_run_each_alone("handle", hand_clock_begin, NULL);
}
