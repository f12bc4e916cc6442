/* The changes between two sights, which are made by hand. */
#include "made_snapshot.h"
#include "test.h"

#include "cli/top/top.h"

enum { SECOND = 1000000000 };

/* A sight with one scope. The snapshot belongs to the tree, so the sight is not freed. */
static struct ep_top_sight sight_of(struct made_tree *tree, uint64_t calls, uint64_t seconds)
{
    *tree = (struct made_tree){.rows = NULL};
    made_scope(tree, 0, "serve", calls, 1000 * calls);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    snapshot->process_id = 4711;
    snapshot->realtime_ns = 12345;
    return (struct ep_top_sight){.snapshot = snapshot,
                                 .state = EP_LIFE_RUNNING,
                                 .monotonic_ns = seconds * SECOND,
                                 .age_ns = (seconds - 100) * SECOND,
                                 .reset_generation = 3};
}

/* Sights at 110 and at 112 seconds, of a program that began at 100. */
struct pair {
    struct made_tree trees[2];
    struct ep_top_sight before, after;
};

static int begin(void **state)
{
    struct pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    pair->before = sight_of(&pair->trees[0], 1000, 110);
    pair->after = sight_of(&pair->trees[1], 1400, 112);
    *state = pair;
    return 0;
}

static int end(void **state)
{
    struct pair *pair = *state;
    ep_series_growth_free(&pair->after.growths);
    test_release();
    free(pair);
    return 0;
}

static void assert_grown(struct pair *pair, uint64_t calls, uint64_t elapsed_ns, bool is_of_all)
{
    struct ep_top_sight *sight = &pair->after;
    assert_return_code(ep_top_watch_sight_compare(sight, &pair->before), errno);
    if (sight->growths.rows[0].calls != calls || sight->elapsed_ns != elapsed_ns ||
        sight->is_of_all != is_of_all)
        fail_msg("%llu calls in %llu ns, of all: %d",
                 (unsigned long long)sight->growths.rows[0].calls,
                 (unsigned long long)sight->elapsed_ns, sight->is_of_all);
}

TEST(running_program_has_grown_since_the_sight_before)
{
    assert_grown(*state, 400, UINT64_C(2) * SECOND, false);
}

TEST(first_sight_is_of_all)
{
    struct pair *pair = *state;
    struct ep_top_sight nothing = {.snapshot = NULL};
    assert_return_code(ep_top_watch_sight_compare(&pair->after, &nothing), errno);
    assert_int_equal(pair->after.growths.rows[0].calls, 1400);
    assert_int_equal(pair->after.elapsed_ns, UINT64_C(12) * SECOND);
    assert_true(pair->after.is_of_all);
}

TEST(program_that_was_reset_begins_anew)
{
    struct pair *pair = *state;
    pair->after.reset_generation = 4;
    pair->after.age_ns = SECOND / 2;
    assert_grown(pair, 1400, SECOND / 2, true);
}

TEST(another_program_begins_anew)
{
    struct pair *pair = *state;
    pair->after.snapshot->process_id = 4712;
    pair->after.age_ns = SECOND / 4;
    assert_grown(pair, 1400, SECOND / 4, true);
    assert_false(ep_top_watch_sight_is_of_same(&pair->after, &pair->before));
}

/* The system uses process ids again. */
TEST(process_that_began_at_another_time_is_another)
{
    struct pair *pair = *state;
    pair->after.snapshot->realtime_ns++;
    assert_grown(pair, 1400, UINT64_C(12) * SECOND, true);
    assert_false(ep_top_watch_sight_is_of_same(&pair->after, &pair->before));
}

TEST(program_that_ended_is_shown_as_a_whole)
{
    struct pair *pair = *state;
    pair->after.state = EP_LIFE_ENDED;
    pair->after.age_ns = UINT64_C(11) * SECOND;
    assert_grown(pair, 1400, UINT64_C(11) * SECOND, true);
    assert_false(pair->after.is_age_estimated);
}

TEST(killed_program_is_as_old_as_between_two_sights)
{
    struct pair *pair = *state;
    pair->after.state = EP_LIFE_KILLED;
    pair->after.age_ns = 0;
    assert_grown(pair, 1400, UINT64_C(11) * SECOND, true);
    assert_true(pair->after.is_age_estimated);
}

TEST(age_of_a_killed_program_is_not_guessed)
{
    struct pair *pair = *state;
    pair->after.state = EP_LIFE_KILLED;
    pair->after.age_ns = 0;
    pair->after.monotonic_ns = UINT64_C(114) * SECOND; /* 4 of 14 s is more than a quarter */
    assert_grown(pair, 1400, 0, true);
    ep_series_growth_free(&pair->after.growths);
    pair->after.monotonic_ns = UINT64_C(113) * SECOND;
    pair->after.reset_generation = 4;
    assert_grown(pair, 1400, 0, true);
    ep_series_growth_free(&pair->after.growths);
    pair->after.reset_generation = 3;
    assert_grown(pair, 1400, UINT64_C(23) * SECOND / 2, true);
}

TEST(nothing_is_divided_by_no_time)
{
    struct pair *pair = *state;
    pair->after.monotonic_ns = pair->before.monotonic_ns;
    assert_grown(pair, 1400, UINT64_C(12) * SECOND, true);
}

TEST_EACH(begin, end)
