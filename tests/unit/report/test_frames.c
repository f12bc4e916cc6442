#include "support/made_snapshot.h"

#include "report/walk.h"

TEST(frame_of_a_site_is_the_same_in_all_stacks)
{
    static const uint32_t expected[] = {0, 1, 2, 1, 3, 2};
    struct made_tree tree = {.rows = NULL};
    struct ep_report_frames frames;
    made_instance(&tree, even_instance(0, "instance", 1, 1));
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 1);
    made_scope(&tree, 2, "c", 1, 1);
    made_scope(&tree, 1, "b", 1, 1);
    made_scope(&tree, 0, "b", 1, 1)->line = 2;
    made_scope(&tree, 1, "c", 1, 1);
    made_diagnostics(&tree, "lost", 1);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    assert_return_code(ep_report_walk_frames_find(&frames, snapshot), errno);
    assert_int_equal(frames.count, 4);
    for (size_t row = 1; row < snapshot->diagnostic_first; row++)
        assert_int_equal(ep_report_walk_frames_number(&frames, snapshot, row), expected[row - 1]);
    assert_int_equal(frames.rows[0], 1);
    assert_int_equal(frames.rows[1], 2);
    assert_int_equal(frames.rows[2], 3);
    assert_int_equal(frames.rows[3], 5);
    ep_report_walk_frames_free(&frames);
}

TEST(threads_share_frames)
{
    struct made_tree tree = {.rows = NULL};
    struct ep_report_frames frames;
    tree.thread = "main";
    made_scope(&tree, 0, "a", 1, 1);
    tree.thread = "worker";
    made_scope(&tree, 0, "a", 1, 1);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    tree.places[1].site = tree.places[0].site; /* which is the same on each thread */
    assert_return_code(ep_report_walk_frames_find(&frames, snapshot), errno);
    assert_int_equal(frames.count, 1);
    assert_int_equal(ep_report_walk_frames_number(&frames, snapshot, 1), 0);
    ep_report_walk_frames_free(&frames);
}

TEST(frames_of_no_scope_are_none)
{
    struct made made;
    struct ep_report_frames frames;
    make_mixed(&made);
    assert_return_code(ep_report_walk_frames_find(&frames, &made.snapshot), errno);
    assert_int_equal(frames.count, 0);
    ep_report_walk_frames_free(&frames);
}
