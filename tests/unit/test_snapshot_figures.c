/* From the cells of an instance to the figures of its row; the image is made by hand. */
#include "fake_image.h"

#include <stdio.h>

static struct ep_pair_cell *one_pair(void)
{
    fake_instance(0, "work", 1);
    return fake_pair(fake_thread(0, NULL), 0, 1);
}

/* A pair on another thread, of the instance that one_pair() has made. */
static struct ep_pair_cell *another_pair(void)
{
    static uint32_t number;
    return fake_pair(fake_thread(++number, NULL), 0, 1);
}

/* ---------------------------------------------------------------- one pair -- */

static void row_has_what_the_cells_say(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 10);
    fake_call(pair, 20);
    fake_call(pair, 60);
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.timed, 3);
    assert_int_equal(row.errors, 0);
    assert_int_equal(row.open, 0);
    assert_int_equal(row.total_ns, 90);
    assert_int_equal(row.self_ns, 90);
    assert_int_equal(row.mean_ns, 30);
    assert_int_equal(row.stddev_ns, 22); /* sqrt((400 + 100 + 900) / 3) = 21.6 */
    assert_int_equal(row.min_ns, 10);
    assert_in_range(row.p50_ns, 19, 21);
    assert_in_range(row.p90_ns, 57, 60);
    assert_int_equal(row.max_ns, 60);
}

static void pending_difference_is_folded_in(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 10);
    fake_leave_pending(pair, 20);
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.total_ns, 30);
    assert_int_equal(row.stddev_ns, 5);
    assert_int_equal(row.p50_ns, 10);
    assert_int_equal(row.p999_ns, 20);
}

static void pending_difference_of_nothing_is_folded_in(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    for (int i = 0; i < 9; i++)
        fake_call(pair, 8);
    fake_leave_pending(pair, 0);
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.calls, 10);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.p50_ns, 8);
    assert_int_equal(row.stddev_ns, 2); /* 2.4 */
    pair->stats.calls = 1;
    pair->stats.total_ticks = pair->stats.max_ticks = 0;
    memset(&fake.cells[pair->stats.octave[ep_histogram_bucket(8) / EP_OCTAVE_BUCKETS]], 0,
           EP_CELL_BYTES);
    pair->stats.square_low = 0;
    assert_int_equal(fake_only_row(MERGED).p50_ns, 0);
}

static void nested_and_rejected_calls_are_not_timed(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 10);
    fake_call(pair, 30);
    pair->stats.calls += 5;
    pair->stats.nested = 3;
    pair->stats.errors = 2;
    struct eprof_row row = fake_only_row(BY_THREADS);
    assert_int_equal(row.calls, 7);
    assert_int_equal(row.timed, 2);
    assert_int_equal(row.errors, 2);
    assert_int_equal(row.mean_ns, 20);
    assert_int_equal(row.stddev_ns, 10);
}

static void open_pairs_are_the_living_and_the_abandoned(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    pair->depth = 2;
    pair->stats.abandoned = 3;
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.open, 5);
    assert_int_equal(row.calls, 0);
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(row.min_ns, 0);
}

/* All the way up, so that every near and every far octave is read. */
static void every_octave_is_read(void **state)
{
    fake_instance(0, "work", 1);
    (void)state;
    for (unsigned bit = 0; bit < 60; bit++) { /* so that ten of them do not overflow */
        uint64_t ticks = UINT64_C(1) << bit;
        fake_reset(bit + 1);
        struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 0, bit + 1);
        fake_call(pair, ticks / 4);
        for (int i = 0; i < 9; i++)
            fake_call(pair, ticks);
        struct eprof_row row = fake_only_row(MERGED);
        assert_in_range(row.p50_ns, ticks - ticks / 16, ticks);
        assert_in_range(row.p99_ns, ticks - ticks / 16, ticks);
    }
}

/* ------------------------------------------------------------------ merged -- */

static void threads_are_merged_into_one_row(void **state)
{
    struct ep_pair_cell *first = one_pair(), *second = another_pair(), *third = another_pair();
    (void)state;
    fake_call(first, 100);
    fake_call(second, 300);
    fake_leave_pending(third, 200);
    second->stats.calls += 2;
    second->stats.nested = 1;
    second->stats.errors = 1;
    third->depth = 1;
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.calls, 5);
    assert_int_equal(row.timed, 3);
    assert_int_equal(row.errors, 1);
    assert_int_equal(row.open, 1);
    assert_int_equal(row.total_ns, 600);
    assert_int_equal(row.mean_ns, 200);
    assert_int_equal(row.stddev_ns, 82); /* sqrt(20000 / 3) = 81.6 */
    assert_int_equal(row.min_ns, 100);
    assert_int_equal(row.max_ns, 300);
    assert_in_range(row.p50_ns, 188, 212);
}

static void stale_pair_is_left_out_of_the_merged_row(void **state)
{
    struct ep_pair_cell *fresh = one_pair(), *stale = another_pair();
    (void)state;
    fake_call(fresh, 100);
    fake_call(stale, 1);
    stale->depth = 1;
    fake_reset(2);
    fresh->stamp = 2;
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.total_ns, 100);
    assert_int_equal(row.min_ns, 100);
    assert_int_equal(row.open, 0);
}

static void squares_are_added_across_64_bits(void **state)
{
    uint64_t long_ticks = UINT64_C(1) << 40, short_ticks = UINT64_C(1) << 39;
    struct ep_pair_cell *first = one_pair(), *second = another_pair();
    (void)state;
    for (int i = 0; i < 100; i++) {
        fake_call(first, long_ticks);
        fake_call(second, short_ticks);
    }
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.total_ns, 100 * (long_ticks + short_ticks));
    assert_in_range(row.stddev_ns, short_ticks / 2 - 1000, short_ticks / 2 + 1000);
}

/* --------------------------------------------------- what the probe itself costs -- */

static void probe_is_taken_off_each_timed_call(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 100);
    fake_call(pair, 300);
    pair->stats.calls += 1;
    pair->stats.nested = 1;
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 10000;
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.total_ns, 380);
    assert_int_equal(row.self_ns, 380);
    assert_int_equal(row.mean_ns, 190);
    assert_int_equal(row.min_ns, 90);
    assert_int_equal(row.max_ns, 290);
    assert_int_equal(row.stddev_ns, 100);
    row = fake_only_row((struct ep_snapshot_options){.raw = true});
    assert_int_equal(row.total_ns, 400);
    assert_int_equal(row.min_ns, 100);
    assert_int_equal(row.max_ns, 300);
}

/* What a million calls lose is the fraction's million-fold. */
static void fraction_of_a_tick_is_taken_off_too(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    pair->stats.calls = 1000000;
    pair->stats.total_ticks = 20000000;
    pair->stats.min_ticks = pair->stats.max_ticks = 20;
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 10750;
    assert_int_equal(fake_only_row(MERGED).total_ns, 9250000);
}

static void pair_shorter_than_the_probe_is_not_negative(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 3);
    fake_call(pair, 5);
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 10000;
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(row.mean_ns, 0);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.p50_ns, 0);
    assert_int_equal(row.max_ns, 0);
}

/* ------------------------------------------------------------------- units -- */

static void ticks_become_ns_by_the_scale(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 10);
    fake_call(pair, 30);
    struct eprof_snapshot *snapshot =
        ep_snapshot_take(&fake, (struct ep_scale){5, 2}, NO_PRESENT, MERGED);
    assert_non_null(snapshot);
    assert_int_equal(snapshot->rows[0].total_ns, 100);
    assert_int_equal(snapshot->rows[0].mean_ns, 50);
    assert_int_equal(snapshot->rows[0].stddev_ns, 25);
    assert_int_equal(snapshot->rows[0].min_ns, 25);
    assert_int_equal(snapshot->rows[0].max_ns, 75);
    ep_snapshot_free(snapshot);
    snapshot = ep_snapshot_take(&fake, (struct ep_scale){5, 2}, NO_PRESENT,
                                (struct ep_snapshot_options){.ticks = true});
    assert_non_null(snapshot);
    assert_string_equal(snapshot->unit, "ticks");
    assert_int_equal(snapshot->rows[0].total_ns, 40);
    assert_int_equal(snapshot->rows[0].stddev_ns, 10);
    assert_int_equal(snapshot->rows[0].max_ns, 30);
    assert_true(snapshot->ticks_per_us == 400.0);
    ep_snapshot_free(snapshot);
}

/* -------------------------------------- fields that were read a call apart -- */

static void calls_that_are_fewer_than_what_is_taken_off_them_are_none(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    pair->stats.calls = 3;
    pair->stats.nested = 4;
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.timed, 0);
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(row.mean_ns, 0);
}

static void squares_that_lack_a_call_give_no_negative_deviation(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    fake_call(pair, 1000);
    pair->stats.square_low = 0;
    assert_int_equal(fake_only_row(MERGED).stddev_ns, 0);
}

static void percentiles_lie_between_min_and_max(void **state)
{
    struct ep_pair_cell *pair = one_pair();
    (void)state;
    for (int i = 0; i < 100; i++)
        fake_call(pair, 1000000 + (uint64_t)i % 2); /* whose bucket's middle is 1,015,807 */
    struct eprof_row row = fake_only_row(MERGED);
    assert_in_range(row.p50_ns, 1000000, 1000001);
    assert_in_range(row.p999_ns, 1000000, 1000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(row_has_what_the_cells_say, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(pending_difference_is_folded_in, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(pending_difference_of_nothing_is_folded_in, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(nested_and_rejected_calls_are_not_timed, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(open_pairs_are_the_living_and_the_abandoned, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(every_octave_is_read, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(threads_are_merged_into_one_row, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(stale_pair_is_left_out_of_the_merged_row, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(squares_are_added_across_64_bits, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(probe_is_taken_off_each_timed_call, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(fraction_of_a_tick_is_taken_off_too, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(pair_shorter_than_the_probe_is_not_negative, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(ticks_become_ns_by_the_scale, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(calls_that_are_fewer_than_what_is_taken_off_them_are_none,
                                        fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(squares_that_lack_a_call_give_no_negative_deviation,
                                        fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(percentiles_lie_between_min_and_max, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
