/*
 * Holds under a fixed budget: calls in a hold are counted exactly, one in a block is timed, and the
 * estimates are those of the calls that were kept
 *
 * test_sampling_hold [RUNS]: the number of runs whose intervals are looked at. With 1,000 it is a
 * long test.
 */
#include "estimates.h"
#include "random.h"

#include <inttypes.h>

enum { HOLDS = 640, CALLS = 10 };

static void leaves(uint64_t ticks)
{
    for (int i = 0; i < CALLS; i++)
        leaf(ticks);
}

TEST(kept_holds_have_one_call_of_each_block_timed)
{
    use("budget=1/64");
    for (int i = 0; i < HOLDS; i++) {
        eprof_hold();
        leaves(10);
        eprof_keep(true);
    }
    struct eprof_row row = row_of("leaf");
    assert_int_equal(row.calls, HOLDS * CALLS);
    assert_int_equal(row.outermost, HOLDS * CALLS);
    assert_int_equal(row.timed, HOLDS * CALLS / 64);
    assert_int_equal(row.estimated, 1);
    assert_int_equal(row.total_ns, HOLDS * CALLS * 10);
    assert_int_equal(row.self_ns, HOLDS * CALLS * 10);
    assert_int_equal(row.total_error_ns, 0);
}

TEST(dropped_calls_leave_the_estimates_of_kept_ones)
{
    use("budget=1/16");
    for (int i = 0; i < HOLDS; i++) {
        eprof_hold();
        leaves(i % 2 ? 10 : 1000);
        eprof_keep(i % 2);
    }
    struct eprof_row row = row_of("leaf");
    assert_int_equal(row.calls, HOLDS / 2 * CALLS);
    assert_in_range(row.timed, 1, HOLDS * CALLS / 16);
    assert_int_equal(row.total_ns, HOLDS / 2 * CALLS * 10);
    assert_int_equal(row.max_ns, 10);
}

/* Blocks go on from hold to hold: a hold of one call times one in 64, not each. */
TEST(holds_of_one_call_have_one_of_a_block_timed)
{
    use("budget=1/64");
    for (int i = 0; i < 6400; i++) {
        eprof_hold();
        leaf(10);
        eprof_keep(true);
    }
    struct eprof_row row = row_of("leaf");
    assert_int_equal(row.calls, 6400);
    assert_int_equal(row.timed, 100);
}

static void request(uint64_t ticks)
{
    EPROF_SLOW("request", 1000);
    leaves(ticks);
}

TEST(each_slow_call_is_timed)
{
    use("budget=1/64");
    for (int i = 0; i < HOLDS; i++) {
        request(10);
        request(100);
    }
    struct eprof_row row = row_of("request");
    assert_int_equal(row.calls, HOLDS);
    assert_int_equal(row.timed, HOLDS);
    assert_int_equal(row.estimated, 0);
    assert_int_equal(row.total_ns, HOLDS * CALLS * 100);
    assert_int_equal(row.min_ns, 1000);
    assert_int_equal(row_of("leaf").calls, HOLDS * CALLS);
    assert_int_equal(row_of("leaf").total_ns, HOLDS * CALLS * 100);
}

/* More call paths than stay in use from one hold to the next. */
static void level(unsigned path, unsigned depth)
{
    EPROF_SCOPE("level");
    if (depth == 0) {
        pass(3);
    } else if (path & 1 << (depth - 1)) {
        EPROF_SCOPE("left");
        level(path, depth - 1);
    } else {
        EPROF_SCOPE("right");
        level(path, depth - 1);
    }
}

static void branch(unsigned path, unsigned depth)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    if (depth == 0) {
        leaf(3);
        return;
    }
    if (path & 1 << (depth - 1)) {
        eprof_enter(names[depth - 1]);
        branch(path, depth - 1);
        eprof_leave();
    } else {
        branch(path, depth - 1);
    }
}

TEST(each_path_of_many_is_counted_exactly)
{
    enum { ROUNDS = 40, PATHS = 64 };
    use("budget=1/16");
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned path = 0; path < PATHS; path++) {
            eprof_hold();
            branch(path, 6);
            level(path, 6);
            eprof_keep(round % 2);
        }
    eprof_snapshot *snapshot = eprof_snapshot_take();
    size_t leaves_found = 0;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        if (strcmp(row.name, "leaf") != 0)
            continue;
        leaves_found++;
        if (row.calls != ROUNDS / 2)
            fail_msg("%s has %" PRIu64 " calls", row.path, row.calls);
    }
    eprof_snapshot_free(snapshot);
    assert_int_equal(leaves_found, PATHS);
    assert_int_equal(row_of("level").calls, ROUNDS / 2 * PATHS * 7);
}

TEST(inner_holds_add_their_calls_to_outer_ones)
{
    use("budget=1/8");
    for (int i = 0; i < HOLDS; i++) {
        eprof_hold();
        leaves(10);
        eprof_hold();
        leaves(10);
        eprof_keep(i % 2);
        eprof_keep(i % 4 < 2);
    }
    struct eprof_row row = row_of("leaf");
    assert_int_equal(row.calls, HOLDS / 2 * CALLS + HOLDS / 4 * CALLS);
    assert_int_equal(row.total_ns, row.calls * 10);
}

TEST(a_reset_in_a_hold_forgets_its_calls)
{
    use("budget=1/64");
    eprof_hold();
    leaves(10);
    eprof_reset();
    leaves(10);
    leaf(10);
    eprof_keep(true);
    assert_int_equal(row_of("leaf").calls, CALLS + 1);
}

/* Requests last from 100 to 1,900 ns, and those of 1,000 and more are kept. */
static uint64_t requests(unsigned count)
{
    uint64_t truth = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t ticks = 10 + random_next() % 181;
        request(ticks);
        truth += ticks >= 100 ? ticks * CALLS : 0;
    }
    return truth;
}

/* In the total of kept calls that are slower than the dropped ones. */
TEST(kept_holds_have_their_true_total_within_the_interval)
{
    static const char *const budgets[] = {"budget=1/2", "budget=1/64"};
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        unsigned long good = 0;
        use(budgets[b]);
        for (unsigned long run = 0; run < runs; run++) {
            eprof_reset();
            uint64_t truth = requests(3000);
            struct eprof_row row = row_of("leaf");
            good += contains(&row, truth);
        }
        check_intervals("kept", budgets[b], good);
    }
}

TEST_EACH(begin, end)
