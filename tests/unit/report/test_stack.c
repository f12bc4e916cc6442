#include "support/made_snapshot.h"

#include "report/walk.h"

TEST(stack_has_the_rows_from_the_root)
{
    struct made_tree tree = {.rows = NULL};
    struct ep_report_stack stack = {.rows = NULL};
    made_instance(&tree, instance(0, "instance"));
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 1);
    made_scope(&tree, 2, "c", 1, 1);
    made_scope(&tree, 1, "d", 1, 1);
    made_scope(&tree, 0, "e", 1, 1);
    static const struct {
        size_t count, rows[3];
    } expected[] = {{1, {1}}, {2, {1, 2}}, {3, {1, 2, 3}}, {2, {1, 4}}, {1, {5}}};
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t row = 1; row < snapshot->diagnostic_first; row++) {
        assert_true(ep_report_walk_stack_enter(&stack, snapshot, row));
        assert_int_equal(stack.count, expected[row - 1].count);
        assert_memory_equal(stack.rows, expected[row - 1].rows, stack.count * sizeof *stack.rows);
    }
    ep_report_walk_stack_free(&stack);
}

TEST(stack_of_a_deep_chain_takes_the_memory_of_one)
{
    enum { DEPTH = 100000 };
    struct made_tree tree = {.rows = NULL};
    struct ep_report_stack stack = {.rows = NULL};
    for (uint32_t depth = 0; depth < DEPTH; depth++)
        made_scope(&tree, depth, "deeper", 1, 1);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t row = 0; row < DEPTH; row++)
        assert_true(ep_report_walk_stack_enter(&stack, snapshot, row));
    assert_int_equal(stack.count, DEPTH);
    assert_in_range(stack.room, DEPTH, 4 * DEPTH);
    for (size_t depth = 0; depth < DEPTH; depth++)
        assert_int_equal(stack.rows[depth], depth);
    ep_report_walk_stack_free(&stack);
}
