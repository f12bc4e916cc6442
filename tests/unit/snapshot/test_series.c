/* The rows that belong to one series, and the sums of a series. */
#include "snapshot/series.h"
#include "support/made_snapshot.h"

static struct eprof_row figures_instance(int id, const char *name, uint64_t factor)
{
    struct eprof_row row = instance(id, name);
    row.calls = 2 * factor, row.timed = 3 * factor, row.errors = 5 * factor;
    row.total_ns = 7 * factor, row.self_ns = 11 * factor, row.open = 13 * factor;
    row.cpu_ns = 17 * factor, row.wait_ns = 19 * factor;
    return row;
}

static struct ep_series_set series_of(const struct eprof_snapshot *snapshot)
{
    struct ep_series_set set;
    assert_return_code(ep_series_find(&set, snapshot), errno);
    return set;
}

static void assert_one(const struct ep_series_set *set, size_t a, size_t b, bool are_one)
{
    bool is = ep_series_of(set, a) == ep_series_of(set, b);
    if (is != are_one)
        fail_msg("rows %zu and %zu are%s one series", a, b, is ? "" : " not");
}

TEST(equal_labels_are_added_up)
{
    static const uint64_t primes[EP_SERIES_FIGURES] = {
        [EP_SERIES_CALLS] = 2, [EP_SERIES_TIMED] = 3, [EP_SERIES_ERRORS] = 5,
        [EP_SERIES_TOTAL] = 7, [EP_SERIES_SELF] = 11, [EP_SERIES_OPEN] = 13,
        [EP_SERIES_CPU] = 17,  [EP_SERIES_WAIT] = 19};
    struct made made;
    made.rows[0] = figures_instance(0, "read", 1);
    made.rows[1] = figures_instance(1, "write", 10);
    made.rows[2] = figures_instance(2, "read", 100);
    make(&made, 3, 0);
    struct ep_series_set set = series_of(&made.snapshot);
    const struct ep_series *read = ep_series_begun_by(&set, 0),
                           *write = ep_series_begun_by(&set, 1);
    assert_non_null(read);
    assert_non_null(write);
    assert_null(ep_series_begun_by(&set, 2));
    assert_one(&set, 0, 2, true);
    assert_int_equal(read->row_count, 2);
    assert_int_equal(write->row_count, 1);
    for (int i = 0; i < EP_SERIES_FIGURES; i++) {
        assert_int_equal(read->sum[i], 101 * primes[i]);
        assert_int_equal(write->sum[i], 10 * primes[i]);
    }
    ep_series_free(&set);
}

TEST(processor_time_of_a_series_is_unknown_if_that_of_a_row_is)
{
    struct made made;
    for (int i = 0; i < 3; i++)
        made.rows[i] = figures_instance(i, "read", 1);
    made.rows[1].cpu_ns = made.rows[1].wait_ns = EPROF_UNKNOWN;
    make(&made, 3, 0);
    struct ep_series_set set = series_of(&made.snapshot);
    const struct ep_series *read = ep_series_begun_by(&set, 0);
    for (int i = 0; i < EP_SERIES_FIGURES; i++)
        if (ep_series_is_unknown(i, read->sum[i]) != (i == EP_SERIES_CPU || i == EP_SERIES_WAIT))
            fail_msg("figure %d of the series is %llu", i, (unsigned long long)read->sum[i]);
    ep_series_free(&set);
}

TEST(labels_that_are_shown_alike_are_one_series)
{
    struct made made;
    made.rows[0] = instance(0, "a\xFF");
    made.rows[1] = instance(1, "a\\xff");
    made.rows[1].path = "a\\\\xff";
    made.rows[2] = instance(2, "b");
    made.rows[3] = instance(3, "b");
    made.rows[2].thread = "\xFF", made.rows[3].thread = "\\xff";
    make(&made, 4, 0);
    struct ep_series_set set = series_of(&made.snapshot);
    assert_one(&set, 0, 1, true);
    assert_one(&set, 1, 2, false);
    assert_one(&set, 2, 3, true);
    ep_series_free(&set);
}

TEST(kind_and_thread_distinguish_series)
{
    struct made made;
    for (int i = 0; i < 3; i++)
        made.rows[i] = instance(i, "a");
    made.rows[1].thread = "main";
    made.rows[2].kind = "diagnostic";
    make(&made, 3, 0);
    struct ep_series_set set = series_of(&made.snapshot);
    for (size_t i = 0; i < 3; i++)
        assert_one(&set, i, (i + 1) % 3, false);
    ep_series_free(&set);
}

/* Rows 1 and 3 have one path but different lines, and each has one row below it; the name of row 5
 * is equal to the path of row 1. */
TEST(scopes_of_one_path_are_one_series)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 10)->line = 5;
    made_scope(&tree, 2, "c", 1, 100);
    made_scope(&tree, 1, "b", 1, 1000)->line = 6;
    made_scope(&tree, 2, "c", 1, 10000);
    made_scope(&tree, 0, "a;b", 1, 1);
    made_scope(&tree, 0, "b", 1, 1);
    made_function(&tree, 0, "a", 1, 1);
    made_scope(&tree, 0, "ab", 1, 1);
    struct ep_series_set set = series_of(made_snapshot(&tree));
    assert_one(&set, 1, 3, true);
    assert_one(&set, 2, 4, true);
    assert_int_equal(ep_series_of(&set, 1)->sum[EP_SERIES_SELF], 1010);
    assert_int_equal(ep_series_of(&set, 1)->sum[EP_SERIES_TOTAL], 11110);
    assert_int_equal(ep_series_of(&set, 2)->sum[EP_SERIES_TOTAL], 10100);
    assert_one(&set, 5, 1, false);
    assert_one(&set, 6, 1, false);
    assert_one(&set, 0, 7, false);
    assert_one(&set, 1, 8, false);
    ep_series_free(&set);
}

TEST(rows_around_have_no_series)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 10);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->positions[0].is_around = true;
    struct ep_series_set set = series_of(snapshot);
    assert_null(ep_series_of(&set, 0));
    assert_null(ep_series_begun_by(&set, 0));
    assert_non_null(ep_series_begun_by(&set, 1));
    ep_series_free(&set);
}
