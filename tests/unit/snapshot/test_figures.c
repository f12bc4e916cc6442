/* The figures of a row, computed from the cells of an instance; the image is made by hand. */
#include "support/fake_image.h"

#include <stdio.h>

static struct ep_instance_cells *one_pair(void)
{
    fake_instance(0, "work", 1);
    return fake_pair(fake_thread(0, NULL), 0, 1);
}

/* A pair on another thread, for the instance that one_pair() made. */
static struct ep_instance_cells *another_pair(void)
{
    static uint32_t number;
    return fake_pair(fake_thread(++number, NULL), 0, 1);
}

/* ---------------------------------------------------------------- one pair -- */

TEST(row_has_the_figures_of_the_cells)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 10);
    fake_call(pair, 20);
    fake_call(pair, 60);
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "calls 3, timed 3, errors 0, open 0, total 90, self 90, mean 30");
    assert_int_equal(row.stddev_ns, 22); /* sqrt((400 + 100 + 900) / 3) = 21.6 */
    assert_int_equal(row.min_ns, 10);
    assert_in_range(row.p50_ns, 19, 21);
    assert_in_range(row.p90_ns, 57, 60);
    assert_int_equal(row.max_ns, 60);
}

TEST(pending_difference_is_folded_in)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 10);
    fake_leave_pending(pair, 20);
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "calls 2, total 30, stddev 5, p50 10, p999 20");
}

TEST(pending_difference_of_zero_is_folded_in)
{
    struct ep_instance_cells *pair = one_pair();
    for (int i = 0; i < 9; i++)
        fake_call(pair, 8);
    fake_leave_pending(pair, 0);
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "calls 10, min 0, p50 8");
    assert_int_equal(row.stddev_ns, 2); /* 2.4 */
    pair->stats.calls = 1;
    pair->stats.total_ticks = pair->stats.max_ticks = 0;
    memset(&fake.cells[pair->stats.octave[ep_histogram_bucket(8) / EP_OCTAVE_BUCKETS]], 0,
           EP_CELL_BYTES);
    pair->stats.square_low = 0;
    assert_int_equal(fake_only_row(MERGED).p50_ns, 0);
}

TEST(nested_and_rejected_calls_are_not_timed)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 10);
    fake_call(pair, 30);
    pair->stats.calls += 5;
    pair->stats.nested = 3;
    pair->stats.errors = 2;
    struct eprof_row row = fake_only_row(BY_THREADS);
    assert_figures(&row, "calls 7, timed 2, errors 2, mean 20, stddev 10");
}

TEST(open_pairs_are_the_living_and_the_abandoned)
{
    struct ep_instance_cells *pair = one_pair();
    pair->depth = 2;
    pair->stats.abandoned = 3;
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "open 5, calls 0, total 0, min 0");
}

/* The values cover the whole range, so that each near and each far octave is read. */
TEST(every_octave_is_read)
{
    fake_instance(0, "work", 1);
    for (unsigned bit = 0; bit < 60; bit++) { /* so that ten of them do not overflow */
        uint64_t ticks = UINT64_C(1) << bit;
        fake_reset(bit + 1);
        struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, bit + 1);
        fake_call(pair, ticks / 4);
        for (int i = 0; i < 9; i++)
            fake_call(pair, ticks);
        struct eprof_row row = fake_only_row(MERGED);
        assert_in_range(row.p50_ns, ticks - ticks / 16, ticks);
        assert_in_range(row.p99_ns, ticks - ticks / 16, ticks);
    }
}

/* ------------------------------------------------------------------ merged -- */

TEST(threads_are_merged_into_one_row)
{
    struct ep_instance_cells *first = one_pair(), *second = another_pair(), *third = another_pair();
    fake_call(first, 100);
    fake_call(second, 300);
    fake_leave_pending(third, 200);
    second->stats.calls += 2;
    second->stats.nested = 1;
    second->stats.errors = 1;
    third->depth = 1;
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "calls 5, timed 3, errors 1, open 1, total 600, mean 200");
    assert_int_equal(row.stddev_ns, 82); /* sqrt(20000 / 3) = 81.6 */
    assert_int_equal(row.min_ns, 100);
    assert_int_equal(row.max_ns, 300);
    assert_in_range(row.p50_ns, 188, 212);
}

TEST(stale_pair_is_left_out_of_the_merged_row)
{
    struct ep_instance_cells *fresh = one_pair(), *stale = another_pair();
    fake_call(fresh, 100);
    fake_call(stale, 1);
    stale->depth = 1;
    fake_reset(2);
    fresh->generation = 2;
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "calls 1, total 100, min 100, open 0");
}

TEST(squares_are_added_across_64_bits)
{
    uint64_t long_ticks = UINT64_C(1) << 40, short_ticks = UINT64_C(1) << 39;
    struct ep_instance_cells *first = one_pair(), *second = another_pair();
    for (int i = 0; i < 100; i++) {
        fake_call(first, long_ticks);
        fake_call(second, short_ticks);
    }
    struct eprof_row row = fake_only_row(MERGED);
    assert_int_equal(row.total_ns, 100 * (long_ticks + short_ticks));
    assert_in_range(row.stddev_ns, short_ticks / 2 - 1000, short_ticks / 2 + 1000);
}

/* ---- the cost of the probe ---- */

TEST(probe_is_taken_off_each_timed_call)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 100);
    fake_call(pair, 300);
    pair->stats.calls += 1;
    pair->stats.nested = 1;
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 10000;
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "total 380, self 380, mean 190, min 90, max 290, stddev 100");
    row = fake_only_row((struct ep_snapshot_options){.raw = true});
    assert_figures(&row, "total 400, min 100, max 300");
}

/* A million calls lose a million times the fraction. */
TEST(fraction_of_a_tick_is_taken_off_too)
{
    struct ep_instance_cells *pair = one_pair();
    pair->stats.calls = 1000000;
    pair->stats.total_ticks = 20000000;
    pair->stats.min_ticks = pair->stats.max_ticks = 20;
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 10750;
    assert_int_equal(fake_only_row(MERGED).total_ns, 9250000);
}

/* Each of them is reduced by the same fraction: at 1 MHz a tick is 1,000 ns. */
TEST(mean_without_the_probe_is_between_min_and_max)
{
    struct ep_instance_cells *pair = one_pair();
    for (int i = 0; i < 10; i++)
        fake_call(pair, 5);
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 700;
    struct eprof_snapshot *snapshot =
        snapshot_keep(ep_snapshot_take(&fake, (struct ep_scale){1000, 1}, NO_PRESENT, MERGED));
    assert_figures(&snapshot->rows[0], "total 43000, mean 4300, min 4300, max 4300");
}

TEST(pair_shorter_than_the_probe_is_not_negative)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 3);
    fake_call(pair, 5);
    fake.cells[EP_CELL_PROBE].probe.inside_milliticks = 10000;
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "total 0, mean 0, min 0, p50 0, max 0");
}

/* ------------------------------------------------------------------- units -- */

TEST(ticks_become_ns_by_the_scale)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 10);
    fake_call(pair, 30);
    struct eprof_snapshot *snapshot =
        snapshot_keep(ep_snapshot_take(&fake, (struct ep_scale){5, 2}, NO_PRESENT, MERGED));
    assert_figures(&snapshot->rows[0], "total 100, mean 50, stddev 25, min 25, max 75");
    snapshot = snapshot_keep(ep_snapshot_take(&fake, (struct ep_scale){5, 2}, NO_PRESENT,
                                              (struct ep_snapshot_options){.ticks = true}));
    assert_string_equal(snapshot->unit, "ticks");
    assert_figures(&snapshot->rows[0], "total 40, stddev 10, max 30");
    assert_true(snapshot->ticks_per_us == 400.0);
}

/* -------------------------------------- fields that were read one call apart -- */

TEST(more_nested_calls_than_calls_leave_no_timed_call)
{
    struct ep_instance_cells *pair = one_pair();
    pair->stats.calls = 3;
    pair->stats.nested = 4;
    struct eprof_row row = fake_only_row(MERGED);
    assert_figures(&row, "calls 3, timed 0, total 0, mean 0");
}

TEST(squares_that_lack_a_call_give_no_negative_deviation)
{
    struct ep_instance_cells *pair = one_pair();
    fake_call(pair, 1000);
    pair->stats.square_low = 0;
    assert_int_equal(fake_only_row(MERGED).stddev_ns, 0);
}

TEST(percentiles_lie_between_min_and_max)
{
    struct ep_instance_cells *pair = one_pair();
    for (int i = 0; i < 100; i++)
        fake_call(pair, 1000000 + (uint64_t)i % 2); /* the middle of its bucket is 1,015,807 */
    struct eprof_row row = fake_only_row(MERGED);
    assert_in_range(row.p50_ns, 1000000, 1000001);
    assert_in_range(row.p999_ns, 1000000, 1000001);
}

TEST_EACH(fake_begin, fake_end)
