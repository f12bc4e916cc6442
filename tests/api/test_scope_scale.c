/* Trees that are very deep or very wide. */
#include "hand_clock.h"
#include "sanitizer.h"
#include "tree_text.h"

enum { DEPTH = 10000, SIBLINGS = VALGRIND ? 10000 : 100000 };

static char label[16];

static const char *label_of(int number)
{
    snprintf(label, sizeof label, "%d", number);
    return label;
}

static void enter_all(int depth)
{
    for (int i = 0; i < depth; i++) {
        eprof_enter(label_of(i));
        hand_ticks += 1;
    }
}

static void leave_all(int depth)
{
    for (int i = 0; i < depth; i++)
        eprof_leave();
}

static struct eprof_row row_of(const eprof_snapshot *snapshot, int index)
{
    struct eprof_row row = {.size = sizeof row};
    assert_int_equal(eprof_snapshot_row(snapshot, (size_t)index, &row), 0);
    assert_string_equal(row.kind, "scope");
    return row;
}

/* Checks a chain from the first scope to the last: each has `times` calls and `times` ns of its
 * own. */
static void assert_chain(int depth, uint64_t times)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), depth);
    for (int i = 0; i < depth; i++) {
        struct eprof_row row = row_of(snapshot, i);
        assert_string_equal(row.name, label_of(i));
        assert_figures(row, times, times * (uint64_t)(depth - i));
        assert_ns(row.self_ns, times);
    }
    size_t names_bytes = 0;
    for (int i = 0; i < depth; i++)
        names_bytes += strlen(label_of(i));
    assert_int_equal(strlen(row_of(snapshot, depth - 1).path), names_bytes + (size_t)depth - 1);
    eprof_snapshot_free(snapshot);
}

TEST(chain_of_10000_distinct_scopes_is_10000_deep)
{
    for (int i = 0; i < 3; i++) {
        enter_all(DEPTH);
        leave_all(DEPTH);
    }
    assert_chain(DEPTH, 3);
    assert_diagnostics("");
}

TEST(chain_unwinds_to_where_it_began)
{
    EPROF_BLOCK("around")
    {
        enter_all(DEPTH);
        leave_all(DEPTH);
        EPROF_BLOCK("inside") hand_ticks += 5;
    }
    EPROF_BLOCK("after") hand_ticks += 7;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), DEPTH + 3);
    assert_string_equal(row_of(snapshot, 0).path, "around");
    assert_ns(row_of(snapshot, 0).total_ns, DEPTH + 5);
    assert_ns(row_of(snapshot, 0).self_ns, 0);
    assert_string_equal(row_of(snapshot, DEPTH + 1).path, "around;inside");
    assert_string_equal(row_of(snapshot, DEPTH + 2).path, "after");
    eprof_snapshot_free(snapshot);
    assert_diagnostics("");
}

TEST(open_chain_has_its_time_so_far)
{
    enter_all(DEPTH);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), DEPTH);
    for (int i = 0; i < DEPTH; i++) {
        struct eprof_row row = row_of(snapshot, i);
        assert_int_equal(row.calls, 0);
        assert_int_equal(row.open, 1);
        assert_ns(row.total_ns, DEPTH - i);
        assert_ns(row.self_ns, 1);
    }
    eprof_snapshot_free(snapshot);
    leave_all(DEPTH);
    assert_chain(DEPTH, 1);
}

/* All of its entries are above the entry that is left. */
TEST(chain_that_is_not_left_ends_with_the_scope_around_it)
{
    EPROF_BLOCK("around") enter_all(DEPTH);
    EPROF_BLOCK("after") hand_ticks += 7;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    struct eprof_row row;
    find_rows(snapshot, "diagnostic", "forced_closes", NULL, &row);
    assert_int_equal(row.calls, DEPTH);
    assert_int_equal(find_rows(snapshot, "scope", "after", "*", &row), 1);
    assert_string_equal(row.path, "after");
    for (int i = 0; i < DEPTH; i++) {
        assert_int_equal(find_rows(snapshot, "scope", label_of(i), "*", &row), 1);
        assert_figures(row, 1, (uint64_t)(DEPTH - i));
        i += i % 100 ? 0 : 97; /* each look-up walks all rows */
    }
    eprof_snapshot_free(snapshot);
}

/* Open scopes take no room from the room for paths. */
TEST(recursion_a_million_deep_is_one_node)
{
    enum { CALLS = 1000000 };
    for (int i = 0; i < CALLS; i++)
        eprof_enter("a");
    hand_ticks += 10;
    for (int i = 0; i < CALLS; i++)
        eprof_leave();
    assert_tree("a 1000000/1 10 10\n");
    assert_diagnostics("");
}

TEST(node_may_have_100000_children)
{
    EPROF_BLOCK("parent")
    {
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < SIBLINGS; i++) {
                eprof_enter(label_of(i));
                hand_ticks += (uint64_t)i + 1;
                eprof_leave();
            }
    }
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), SIBLINGS + 1);
    assert_string_equal(row_of(snapshot, 0).path, "parent");
    assert_ns(row_of(snapshot, 0).total_ns, (uint64_t)SIBLINGS * (SIBLINGS + 1));
    assert_ns(row_of(snapshot, 0).self_ns, 0);
    for (int i = 0; i < SIBLINGS; i++) {
        struct eprof_row row = row_of(snapshot, SIBLINGS - i);
        assert_string_equal(row.name, label_of(i));
        assert_figures(row, 2, 2 * ((uint64_t)i + 1));
        assert_ns(row.self_ns, row.total_ns);
    }
    eprof_snapshot_free(snapshot);
    assert_diagnostics("");
}

TEST_EACH(hand_clock_begin, NULL)
