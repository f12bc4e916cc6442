/*
 * Jumps out of scopes whose calls are only counted, inline: each call counts, at the path that it
 * has when all calls are timed, and the stack of open scopes stays bounded.
 */
#include "budgets.h"
#include "jump.h"
#include "random.h"
#include "resident.h"
#include "sanitizer.h"

enum { JUMPS = IS_WATCHED || TAKES_LONG ? 20000 : 1000000, LOOKS = 10, GROWTH_BYTES = 64 << 10 };

/* ------------------------------------------------------------------ many jumps -- */

static NOINLINE void jump_over_other(void)
{
    EPROF_FUNC;
    longjmp(back, 1);
}

static NOINLINE void jump_over_two(void)
{
    EPROF_FUNC;
    jump_over_1();
    stay();
}

static void jump_from_one(int number)
{
    (void)number;
    jump_over_1();
    stay();
}

/* They are called from two places, at one frame address. */
static void jump_from_siblings(int number)
{
    if (number % 2)
        jump_over_1();
    else
        jump_over_other();
    stay();
}

static void jump_from_two_levels(int number)
{
    (void)number;
    jump_over_two();
    stay();
}

/* The calls that are open, and the number of scopes of the longest path. */
static uint64_t open_calls(size_t *deepest)
{
    uint64_t open = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        size_t depth = 1;
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        open += row.open;
        for (const char *at = row.path; (at = strchr(at, ';')) != NULL; at++)
            depth++;
        *deepest = depth > *deepest ? depth : *deepest;
    }
    eprof_snapshot_free(snapshot);
    return open;
}

/* Those of the last jump are still open, below the scope around. */
static void assert_bounded(const char *budget, int jumps, size_t scopes)
{
    size_t deepest = 0;
    uint64_t open = open_calls(&deepest);
    if (open != scopes + 1 || deepest != scopes + 1)
        fail_msg("%s: after %d jumps %" PRIu64 " scopes are open, the longest path has %zu", budget,
                 jumps, open, deepest);
}

static void jump_often(const char *budget, void (*jump)(int number), size_t scopes)
{
    EPROF_BLOCK("around")
    {
        volatile long early_bytes = 0;
        for (volatile int i = 0; i < JUMPS; i++) {
            if (setjmp(back) == 0)
                jump(i);
            if ((i + 1) % (JUMPS / LOOKS) != 0)
                continue;
            assert_bounded(budget, i + 1, scopes);
            if (RESIDENT_MEMORY_IS_THE_PROGRAMS && !early_bytes)
                early_bytes = resident_bytes();
        }
        long growth_bytes = RESIDENT_MEMORY_IS_THE_PROGRAMS ? resident_bytes() - early_bytes : 0;
        if (growth_bytes > GROWTH_BYTES)
            fail_msg("%s: %d jumps took %ld KiB", budget, JUMPS, growth_bytes / 1024);
    }
}

static void assert_many_jumps(void (*jump)(int number), size_t scopes, const char *const *paths,
                              uint64_t calls)
{
    for (int b = 0; b < BUDGETS; b++) {
        char tree[256], diagnostics[64];
        int end = snprintf(tree, sizeof tree, "around 1/1\n");
        use_budget(budgets[b]);
        jump_often(budgets[b], jump, scopes);
        for (int p = 0; p < 2 && paths[p]; p++)
            end += snprintf(tree + end, sizeof tree - (size_t)end,
                            "around;%s %" PRIu64 "/%" PRIu64 "\n", paths[p], calls, calls);
        assert_string_equal(tree_text(), tree);
        snprintf(diagnostics, sizeof diagnostics, "forced_closes %zu", scopes * JUMPS);
        assert_diagnostics(diagnostics);
    }
}

TEST(scope_million_jumps_keep_the_stack_bounded)
{
    assert_many_jumps(jump_from_one, 1, (const char *const[]){"jump_over_1", NULL}, JUMPS);
}

TEST(scope_million_jumps_out_of_siblings_at_one_frame_address_do_not_pile_up)
{
    assert_many_jumps(jump_from_siblings, 1,
                      (const char *const[]){"jump_over_1", "jump_over_other"}, JUMPS / 2);
}

TEST(scope_million_jumps_over_two_levels_keep_both_paths)
{
    assert_many_jumps(jump_from_two_levels, 2,
                      (const char *const[]){"jump_over_two", "jump_over_two;jump_over_1"}, JUMPS);
}

/* -------------------------------------------------- the frame of an inlined function -- */

/* The same site is in the frame of its caller, or in a frame of its own. */
static inline __attribute__((always_inline)) void small(bool is_left_by_a_jump)
{
    EPROF_SCOPE("small");
    if (is_left_by_a_jump)
        longjmp(back, 1);
}

static NOINLINE void with_small_inside(bool is_left_by_a_jump)
{
    EPROF_FUNC;
    small(false);
    if (is_left_by_a_jump)
        longjmp(back, 1);
    stay();
}

static NOINLINE void small_alone(void)
{
    small(false);
    stay();
}

/* "small" may be in the frame of the scope that was left. */
TEST(scope_at_the_frame_address_of_one_that_was_jumped_over_is_no_child)
{
    for (int b = 0; b < BUDGETS; b++) {
        use_budget(budgets[b]);
        EPROF_BLOCK("around")
        {
            for (volatile int i = 0; i < 1000; i++) {
                with_small_inside(false);
                if (setjmp(back) == 0)
                    with_small_inside(true);
                small_alone();
            }
        }
        assert_string_equal(tree_text(), "around 1/1\naround;small 1000/1000\n"
                                         "around;with_small_inside 2000/2000\n"
                                         "around;with_small_inside;small 2000/2000\n");
        assert_diagnostics("forced_closes 1000");
    }
}

/* ------------------------------------------------------------------- random jumps -- */

enum { SEEDS = TAKES_LONG ? 10 : 100, MOVES = 2000, DEPTH = 30 };

static jmp_buf *targets[DEPTH + 1];
static int target_count, moves, depth;

static NOINLINE void walk(void);

static inline __attribute__((always_inline)) void inlined(void)
{
    EPROF_SCOPE("inlined");
    walk();
}

static NOINLINE void plain(void)
{
    EPROF_FUNC;
    walk();
}

static NOINLINE void two_in_one_frame(void)
{
    EPROF_SCOPE("one");
    walk();
    EPROF_SCOPE("other");
    walk();
}

static NOINLINE void large(void)
{
    volatile char room[1000];
    EPROF_FUNC;
    room[0] = room[999] = 0;
    walk();
}

static NOINLINE void around_inlined(void)
{
    EPROF_FUNC;
    inlined();
    walk();
}

static NOINLINE void inlined_alone(void)
{
    inlined();
    stay();
}

static NOINLINE void without_a_scope(void)
{
    walk();
    stay();
}

static NOINLINE void by_hand(void)
{
    eprof_enter("by hand");
    walk();
    eprof_leave();
}

static NOINLINE void around_a_reset(void)
{
    EPROF_FUNC;
    if (random_next() % 16 == 0)
        eprof_reset();
    walk();
}

/* What is jumped over ends here, with the scope after it. */
static NOINLINE void target(void)
{
    jmp_buf here;
    const int lower = target_count, own_depth = depth;
    targets[target_count++] = &here;
    if (setjmp(here) == 0)
        walk();
    target_count = lower;
    depth = own_depth;
    EPROF_BLOCK("after") stay();
}

static NOINLINE void target_in_a_scope(void)
{
    EPROF_FUNC;
    jmp_buf here;
    const int lower = target_count, own_depth = depth;
    for (volatile int i = 0; i < 3; i++) {
        target_count = lower;
        depth = own_depth;
        targets[target_count++] = &here;
        if (setjmp(here) == 0)
            walk();
    }
    targets[lower] = NULL;
    target_count = lower;
    depth = own_depth;
}

/* Each call has its own place: functions that are called from one place at one frame address cannot
 * be told apart (test_scope_jump_frame.c). */
static void call_one_of_them(uint64_t dice)
{
    switch (dice % 10) {
    case 0:
        plain();
        break;
    case 1:
        two_in_one_frame();
        break;
    case 2:
        large();
        break;
    case 3:
        around_inlined();
        break;
    case 4:
        inlined_alone();
        break;
    case 5:
        without_a_scope();
        break;
    case 6:
        by_hand();
        break;
    case 7:
        around_a_reset();
        break;
    case 8:
        target();
        break;
    default:
        target_in_a_scope();
    }
    stay();
}

static NOINLINE void walk(void)
{
    while (moves++ < MOVES) {
        uint64_t dice = random_next() % 100;
        if (dice < 50 && depth < DEPTH) {
            depth++;
            call_one_of_them(random_next());
            depth--;
        } else if (dice < 54) {
            longjmp(*targets[random_next() % (uint64_t)target_count], 1);
        } else {
            return;
        }
    }
}

/* The caller frees it. */
static char *random_tree(const char *budget, uint64_t seed)
{
    jmp_buf here;
    use_budget(budget);
    random_state = seed;
    moves = 0;
    targets[0] = &here;
    EPROF_BLOCK("around")
    {
        while (moves < MOVES) {
            target_count = 1;
            depth = 0;
            if (setjmp(here) == 0)
                walk();
        }
    }
    later();
    return strdup(tree_text());
}

TEST(scope_random_jumps_give_the_tree_of_all_calls_timed)
{
    for (int seed = 0; seed < SEEDS; seed++) {
        uint64_t start = random_next();
        char *expected = random_tree("budget=off", start);
        for (int b = 0; b < BUDGETS; b++) {
            char *tree = random_tree(budgets[b], start);
            if (strcmp(tree, expected) != 0)
                fail_msg("random numbers from %" PRIu64 ", %s:\n%sand without a budget:\n%s", start,
                         budgets[b], tree, expected);
            free(tree);
        }
        free(expected);
    }
}

TEST_EACH(hand_clock_begin, end)
