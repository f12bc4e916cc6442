#include "support/made_snapshot.h"

#include "snapshot/flame.h"
#include "support/random.h"

static const struct ep_flame_limits all = {.narrowest = 1e-18, .boxes = 1000, .levels = 100};

static struct ep_flame flame;

static int free_flame(void **state)
{
    (void)state;
    ep_flame_free(&flame);
    return 0;
}

/* The graph of the tree with this number. */
static void make_flame_of(const struct eprof_snapshot *snapshot, size_t number,
                          struct ep_flame_limits limits)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (part.number < number)
        assert_true(ep_rows_part_next(snapshot, &part));
    assert_return_code(ep_flame_make(&flame, snapshot, &part, limits), errno);
}

static void make_flame(struct made_tree *tree, struct ep_flame_limits limits)
{
    make_flame_of(made_snapshot(tree), 1, limits);
}

static void assert_box(size_t number, size_t row, uint32_t level, uint64_t start_ns,
                       uint64_t wide_ns)
{
    assert_in_range(number, 0, flame.count - 1);
    const struct ep_flame_box *box = &flame.boxes[number];
    assert_int_equal(box->row, row);
    assert_int_equal(box->level, level);
    assert_int_equal(box->start_ns, start_ns);
    assert_int_equal(box->wide_ns, wide_ns);
}

TEST(box_is_as_wide_as_the_self_time_in_it)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(0, "instance", 1, 1000));
    made_scope(&tree, 0, "a", 1, 5);
    made_scope(&tree, 1, "b", 1, 20);
    made_scope(&tree, 2, "c", 1, 3);
    made_scope(&tree, 1, "d", 1, 10);
    made_scope(&tree, 0, "e", 1, 7);
    make_flame(&tree, all);
    assert_int_equal(flame.whole_ns, 45);
    assert_int_equal(flame.count, 5);
    assert_int_equal(flame.levels, 3);
    assert_box(0, 1, 0, 0, 38);
    assert_box(1, 2, 1, 0, 23);
    assert_box(2, 3, 2, 0, 3);
    assert_box(3, 4, 1, 23, 10);
    assert_box(4, 5, 0, 38, 7);
    assert_int_equal(flame.narrower, 0);
    assert_int_equal(flame.further, 0);
}

/* In an indirect recursion the total of a row is more than the time inside it, and more than the
 * whole. */
TEST(box_takes_nothing_from_totals)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "is_odd", 1, 10);
    made_scope(&tree, 1, "is_even", 1, 20);
    made_snapshot(&tree);
    tree.rows[1].total_ns = 1000;
    make_flame_of(tree.snapshot, 1, all);
    assert_box(0, 0, 0, 0, 30);
    assert_box(1, 1, 1, 0, 20);
}

TEST(box_of_the_second_thread_begins_at_the_left)
{
    struct made_tree tree = {.rows = NULL};
    tree.thread = "main";
    made_scope(&tree, 0, "a", 1, 5);
    tree.thread = "worker";
    made_scope(&tree, 0, "b", 1, 6);
    made_scope(&tree, 1, "c", 1, 7);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    make_flame_of(snapshot, 2, all);
    assert_int_equal(flame.whole_ns, 13);
    assert_int_equal(flame.count, 2);
    assert_box(0, 1, 0, 0, 13);
    assert_box(1, 2, 1, 0, 7);
}

/* The room of the box stays free, so that the next box has the same place as without this rule. */
TEST(box_that_is_too_narrow_is_counted_with_all_in_it)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 700);
    made_scope(&tree, 1, "b", 1, 8);
    made_scope(&tree, 2, "c", 1, 1);
    made_scope(&tree, 2, "d", 1, 0);
    made_scope(&tree, 1, "e", 1, 291);
    make_flame(&tree, (struct ep_flame_limits){.narrowest = 0.01, .boxes = 9, .levels = 9});
    assert_int_equal(flame.whole_ns, 1000);
    assert_int_equal(flame.count, 2);
    assert_box(0, 0, 0, 0, 1000);
    assert_box(1, 4, 1, 9, 291);
    assert_int_equal(flame.narrower, 3);
    assert_int_equal(flame.further, 0);
}

TEST(box_below_the_last_level_is_counted)
{
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < 1000; depth++)
        made_scope(&tree, depth, "deeper", 1, 10);
    made_scope(&tree, 1, "beside", 1, 10);
    struct ep_flame_limits limits = all;
    limits.levels = 4;
    make_flame(&tree, limits);
    assert_int_equal(flame.count, 5);
    assert_int_equal(flame.levels, 4);
    assert_int_equal(flame.further, 996);
    assert_int_equal(flame.narrower, 0);
    assert_box(3, 3, 3, 0, 9970);
    assert_box(4, 1000, 1, 9990, 10);
}

TEST(boxes_that_are_too_many_are_the_widest)
{
    enum { FAN = 2000, MOST = 50 };
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "fan", 1, 0);
    for (uint64_t i = 0; i < FAN; i++)
        made_scope(&tree, 1, "blade", 1, FAN - i);
    make_flame(&tree, (struct ep_flame_limits){.narrowest = 0.00001, .boxes = MOST, .levels = 9});
    assert_int_equal(flame.count, MOST);
    assert_int_equal(flame.narrower, FAN + 1 - MOST);
    assert_box(1, 1, 1, 0, FAN);
    assert_int_equal(flame.boxes[MOST - 1].wide_ns, FAN + 2 - MOST);
    assert_int_equal(flame.narrowest * (double)flame.whole_ns + 0.5, FAN + 2 - MOST);
}

TEST(parent_of_chosen_rows_has_no_self_time)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "around", 1, 100);
    made_scope(&tree, 1, "chosen", 1, 7);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    tree.places[0].is_around = true;
    make_flame_of(snapshot, 1, all);
    assert_int_equal(flame.whole_ns, 7);
    assert_box(0, 0, 0, 0, 7);
    assert_box(1, 1, 1, 0, 7);
}

TEST(tree_without_time_has_no_box)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 0, 0);
    made_scope(&tree, 1, "b", 0, 0);
    make_flame(&tree, all);
    assert_int_equal(flame.whole_ns, 0);
    assert_int_equal(flame.count, 0);
}

/* ---- any tree ---- */

static void make_random(struct made_tree *tree)
{
    uint32_t depth = 0;
    bool is_damaged = random_next() % 4 == 0;
    for (size_t rows = 1 + random_next() % 60; rows > 0; rows--) {
        uint64_t shift = is_damaged ? 0 : 40;
        made_scope(tree, depth, "any", 1, random_magnitude() >> shift);
        depth = (uint32_t)(random_next() % (depth + 2));
    }
}

/* Each box is inside the box of its parent, after the box of the sibling before it. */
static void assert_fit(const struct made_tree *tree)
{
    enum { LEVELS = 64 };
    struct {
        uint64_t next_ns, end_ns;
    } open[LEVELS] = {{.end_ns = flame.whole_ns}};
    for (size_t i = 0; i < flame.count; i++) {
        const struct ep_flame_box *box = &flame.boxes[i];
        assert_int_equal(box->level, tree->places[box->row].depth);
        assert_in_range(box->start_ns, open[box->level].next_ns, open[box->level].end_ns);
        assert_in_range(box->wide_ns, 1, open[box->level].end_ns - box->start_ns);
        open[box->level].next_ns = box->start_ns + box->wide_ns;
        open[box->level + 1].next_ns = box->start_ns;
        open[box->level + 1].end_ns = box->start_ns + box->wide_ns;
    }
}

TEST(boxes_of_any_tree_fit)
{
    enum { ROUNDS = 5000 };
    for (int round = 0; round < ROUNDS; round++) {
        struct made_tree tree = {.rows = NULL};
        make_random(&tree);
        struct ep_flame_limits limits = {.narrowest = 1.0 / (double)(2 + random_next() % 1000),
                                         .boxes = 1 + random_next() % 40,
                                         .levels = 1 + random_next() % 20};
        make_flame(&tree, limits);
        assert_fit(&tree);
        assert_in_range(flame.count, 0, limits.boxes);
        assert_in_range(flame.levels, 0, limits.levels);
        assert_int_equal(flame.count + flame.narrower + flame.further, tree.count);
        ep_flame_free(&flame);
        test_release();
    }
}

TEST_EACH(NULL, free_flame)
