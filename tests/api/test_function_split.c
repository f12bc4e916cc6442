/*
 * Functions that gcc splits (partial inlining, part of -O2): the beginning of a function, with the
 * enter hook, is inlined into its caller. The rest, with the exit hook, is a function of its own,
 * which the caller calls. So a call ends in another frame than it began in.
 */
#include "hook_calls.h"
#include "tree_text.h"

/* The frame of the rest, and the return address into its caller. */
static struct call rest_of(struct call call, uintptr_t frame, uintptr_t caller)
{
    call.frame = frame;
    call.caller = caller;
    return call;
}

TEST(exit_in_another_frame_closes_the_open_call_of_its_function)
{
    enter(main_call);
    for (int i = 0; i < 3; i++) {
        enter(inlined(f_call, main_call));
        pass(5);
        leave(rest_of(f_call, 0x8000, 0x18));
        pass(1);
        enter(in_frame(g_call, 0x8000));
        pass(10);
        leave(in_frame(g_call, 0x8000));
    }
    leave(main_call);
    assert_tree("0x10 1/1 48 3\n0x10;0x20 3/3 15 15\n0x10;0x30 3/3 30 30\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(exit_in_another_frame_finds_one_that_was_estimated)
{
    enter(in_frame(main_call, 0x8F0F));
    for (int i = 0; i < 2; i++) {
        enter(inlined(f_call, in_frame(main_call, 0x8F0F)));
        pass(5);
        leave(rest_of(f_call, i ? 0x8F00 : 0x8EEF, 0x18)); /* by a jump, and by a call */
        pass(1);
    }
    leave(in_frame(main_call, 0x8F0F));
    assert_tree("0x10 1/1 12 2\n0x10;0x20 2/2 10 10\n");
    assert_string_equal(diagnostic_text(), "");
}

/* Its rest calls it again, and the beginning of that is inlined into the rest. */
TEST(recursion_that_is_left_in_other_frames_ends_level_by_level)
{
    enter(main_call);
    enter(inlined(f_call, main_call));
    pass(1);
    for (uintptr_t frame = 0x8000; frame > 0x7D00; frame -= 0x100) {
        enter(by_token(in_frame(call_from(f_call, 0x18), frame), 0x26));
        pass(1);
    }
    enter(in_frame(g_call, 0x7C00));
    enter(inlined(f_call, in_frame(g_call, 0x7C00))); /* by another function's code, too */
    pass(2);
    leave(rest_of(f_call, 0x7B00, 0x38));
    leave(in_frame(g_call, 0x7C00));
    for (uintptr_t frame = 0x7D00; frame <= 0x8000; frame += 0x100)
        leave(rest_of(f_call, frame, 0x18));
    pass(10);
    leave(main_call);
    assert_tree("0x10 1/1 16 10\n0x10;0x20 5/1 6 6\n0x10;0x20;0x30 1/1 2 0\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(exit_in_another_frame_closes_what_was_left_inside)
{
    struct call again = in_frame(call_from(f_call, 0x39), 0x7000);
    enter(main_call);
    enter(inlined(f_call, main_call));
    enter(in_frame(g_call, 0x7800));
    enter(again);
    pass(5); /* a jump from here into the rest of the first */
    leave(rest_of(f_call, 0x8000, 0x18));
    pass(1);
    leave(main_call);
    assert_tree("0x10 1/1 6 1\n0x10;0x20 2/1 5 5\n0x10;0x20;0x30 1/1 5 0\n");
    assert_string_equal(diagnostic_text(), "forced_closes 2");
}

/* An exit whose enter was not recorded may belong to an inner call. */
TEST(exit_of_a_call_that_was_not_recorded_leaves_the_one_around_it_open)
{
    struct call inner = call_from(in_frame(f_call, 0x7800), 0x23);
    for (int way = 0; way < 4; way++) {
        bool by_thread = way & 1;
        eprof_reset();
        enter(f_call);
        by_thread ? eprof_thread_enable(false) : eprof_enable(false);
        enter(inner);
        if (way & 2) { /* left while it is off */
            leave(inner);
            enter(inner);
        }
        by_thread ? eprof_thread_enable(true) : eprof_enable(true);
        enter(in_frame(inner, 0x7600)); /* a nested call does not make the outer call any surer */
        pass(1);
        leave(in_frame(inner, 0x7600));
        leave(inner);
        pass(10);
        leave(f_call);
        assert_tree("0x20 2/1 11 11\n");
        assert_string_equal(diagnostic_text(), "");
    }
}

TEST(reset_or_new_instance_inside_does_not_hide_where_a_call_ends)
{
    enter(main_call);
    enter(inlined(f_call, main_call));
    eprof_alloc("new");
    eprof_free("new");
    pass(5);
    leave(rest_of(f_call, 0x8000, 0x18));
    pass(1);
    assert_tree("0x10 0/0 6 1 open 1\n0x10;0x20 1/1 5 5\n");
    enter(inlined(f_call, main_call));
    eprof_reset();
    leave(rest_of(f_call, 0x8000, 0x18));
    enter(g_call);
    pass(2);
    leave(g_call);
    leave(main_call);
    assert_tree("0x10 0/0 2 0\n0x10;0x30 1/1 2 2\n");
    assert_string_equal(diagnostic_text(), "");
}

/* On a stack of its own, another call of the same function has another frame, far away. */
TEST(exit_far_from_an_open_call_is_of_another_stack)
{
    enter(in_frame(f_call, 0x9000000));
    leave(in_frame(call_from(f_call, 0x44), 0x8000000));
    pass(5);
    leave(in_frame(f_call, 0x9000000));
    assert_tree("0x20 1/1 5 5\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST_EACH(hand_clock_begin, NULL)
