/* After a longjmp(), a new frame takes the place of one that no longer exists. */
#include "jump.h"

static NOINLINE void small_frame(void)
{
    EPROF_FUNC;
    pass(1000);
    stay();
}

static NOINLINE void large_frame(void)
{
    volatile char room[4096];
    EPROF_FUNC;
    room[0] = room[4095] = 0;
    pass(1000);
    stay();
}

static NOINLINE void jump_from_a_large_frame(void)
{
    volatile char room[4096];
    EPROF_FUNC;
    room[0] = room[4095] = 0;
    pass(1);
    longjmp(back, 1);
}

TEST(sibling_with_a_larger_frame_is_no_child)
{
    EPROF_BLOCK("around")
    {
        if (setjmp(back) == 0)
            jump_over_1();
        large_frame();
    }
    assert_tree(
        "around 1/1 1001 0\naround;jump_over_1 1/1 1 1\naround;large_frame 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 1");
}

TEST(sibling_with_a_smaller_frame_is_no_child)
{
    EPROF_BLOCK("around")
    {
        if (setjmp(back) == 0)
            jump_from_a_large_frame();
        small_frame();
    }
    assert_tree("around 1/1 1001 0\naround;jump_from_a_large_frame 1/1 1 1\n"
                "around;small_frame 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 1");
}

/* All are called by the same instruction, as through a table of functions. */
static NOINLINE void dispatch(void (*const *functions)(void), int count, int rounds)
{
    for (volatile int i = 0; i < count * rounds; i++)
        if (setjmp(back) == 0)
            functions[i % count]();
}

/* The number of calls of all scopes of this name, and the highest number of nested ones. */
static uint64_t calls_of(const char *name, size_t *deepest)
{
    uint64_t calls = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        size_t depth = 1;
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        calls += strcmp(row.name, name) == 0 ? row.calls : 0;
        for (const char *at = row.path; (at = strchr(at, ';')) != NULL; at++)
            depth++;
        *deepest = depth > *deepest ? depth : *deepest;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

/* Their frames have one address and return to one address: they may be taken for one function, and
 * the later one for a child. This lasts at most until the scope around them ends. */
TEST(siblings_called_from_the_same_place_do_not_pile_up)
{
    static void (*const functions[])(void) = {
        jump_over_1, small_frame, jump_over_1, large_frame, jump_from_a_large_frame, small_frame};
    size_t deepest = 0;
    EPROF_BLOCK("around") dispatch(functions, 6, 100);
    later();
    assert_int_equal(calls_of("jump_over_1", &deepest), 200);
    assert_int_equal(calls_of("jump_from_a_large_frame", &deepest), 100);
    assert_int_equal(calls_of("small_frame", &deepest), 200);
    assert_int_equal(calls_of("large_frame", &deepest), 100);
    assert_in_range(deepest, 2, 5); /* the functions are four */
    eprof_snapshot *snapshot = eprof_snapshot_take();
    struct eprof_row row;
    assert_int_equal(find_rows(snapshot, "scope", "around", "*", &row), 1);
    assert_figures(row, 1, 300300);
    assert_ns(row.self_ns, 0);
    assert_int_equal(find_rows(snapshot, "scope", "later", "*", &row), 1);
    assert_string_equal(row.path, "later");
    eprof_snapshot_free(snapshot);
    assert_diagnostics("forced_closes 300");
}

TEST_EACH(hand_clock_begin, end)
