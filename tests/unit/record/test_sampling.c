/*
 * The budget: how many calls are timed, and how many each represents. The clock is moved by hand;
 * the library takes it for one of its own, since the budget ignores the clock of a program.
 */
#include "calls.h"
#include "rows.h"

#include <inttypes.h>

#include "record/process.h"
#include "record/sampling.h"
#include "record/tree.h"

enum { PERCENT = 2, FIRST_CALLS = 8, CALL_NS = 40 };

static void pretend_own(bool is_own)
{
    /* the library's own copy of the description, which is not constant */
    ((struct ep_source *)(uintptr_t)ep_process_source())->is_own = is_own;
}

static int begin(void **state)
{
    hand_clock_begin(state);
    pretend_own(false);
    ep_thread_self->charge_source = NULL; /* the credit begins anew */
    return eprof_setup("budget=2");
}

static int end(void **state)
{
    (void)state;
    pretend_own(true);
    return eprof_setup("budget=off");
}

static uint64_t begin_ns;

static void call(const char *name)
{
    eprof_enter(name);
    pass(CALL_NS);
    eprof_leave();
}

static void call_site(unsigned site)
{
    char name[16];
    snprintf(name, sizeof name, "s%u", site);
    call(name);
}

/* The timed calls of all scopes, and the number of their call paths. */
static uint64_t count_timed(uint64_t *paths)
{
    uint64_t timed = 0;
    *paths = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "scope") != 0)
            continue;
        timed += row.timed;
        ++*paths;
    }
    eprof_snapshot_free(snapshot);
    return timed;
}

/* The cost of the probes of the timed calls is within the budget: its share of the time, 1 ms, the
 * first calls, and at most the last call on credit of each path. */
static void check_budget(void)
{
    uint64_t paths, timed = count_timed(&paths), charge_ns = ep_thread_self->charge_ticks;
    uint64_t cost_ns = timed * charge_ns;
    uint64_t most_ns =
        (hand_ticks - begin_ns) * PERCENT / 100 + 1000000 + paths * (FIRST_CALLS + 1) * charge_ns;
    print_message("%" PRIu64 " timed calls of %" PRIu64 " paths cost %" PRIu64 " of %" PRIu64
                  " ns\n",
                  timed, paths, cost_ns, most_ns);
    assert_in_range(cost_ns, 1, most_ns);
}

/* ---- the cost ---- */

TEST(budget_holds_for_a_hot_site)
{
    begin_ns = hand_ticks;
    for (int i = 0; i < 1000000; i++)
        call("hot");
    check_budget();
}

TEST(budget_holds_for_a_thousand_sites)
{
    begin_ns = hand_ticks;
    for (int i = 0; i < 1000; i++)
        for (unsigned site = 0; site < 1000; site++)
            call_site(site);
    check_budget();
}

TEST(budget_holds_for_five_thousand_paths)
{
    begin_ns = hand_ticks;
    for (int i = 0; i < 40; i++)
        for (unsigned outer = 0; outer < 50; outer++) {
            char name[16];
            snprintf(name, sizeof name, "outer %u", outer);
            eprof_enter(name);
            for (unsigned site = 0; site < 100; site++)
                call_site(site);
            eprof_leave();
        }
    check_budget();
}

TEST(budget_holds_for_phases_that_change)
{
    begin_ns = hand_ticks;
    for (unsigned phase = 0; phase < 50; phase++) {
        for (int i = 0; i < 20000; i++)
            call_site(phase);
        pass(phase % 3 * 1000000);
    }
    check_budget();
}

/* ---- timed calls within the budget ---- */

/* Blocks do not stay longer than the budget demands: at least a quarter of it is used. */
TEST(budget_is_used_for_a_hot_site)
{
    enum { LONGER_NS = 200, FIRST = 100000, CALLS = 1000000 };
    uint64_t paths;
    for (int i = 0; i < FIRST; i++) /* until the first credit is spent */
        scope_of("hot", LONGER_NS);
    uint64_t timed = 0 - count_timed(&paths);
    for (int i = 0; i < CALLS; i++)
        scope_of("hot", LONGER_NS);
    timed += count_timed(&paths);
    uint64_t cost_ns = timed * ep_thread_self->charge_ticks;
    uint64_t share_ns = (uint64_t)CALLS * LONGER_NS * PERCENT / 100;
    print_message("%" PRIu64 " timed calls cost %" PRIu64 " of %" PRIu64 " ns\n", timed, cost_ns,
                  share_ns);
    assert_in_range(cost_ns, share_ns / 4, share_ns + 1000000);
}

/* Each of the long ones is timed once one was drawn, and credit grows meanwhile. */
TEST(budget_blocks_are_as_long_after_long_calls_as_before)
{
    enum { SHORT_CALLS = 200000, LONG_CALLS = 20000, LONG_NS = 100000, CALLS = 1000 };
    uint64_t paths;
    for (int i = 0; i < SHORT_CALLS; i++)
        call("mixed");
    uint64_t before = count_timed(&paths);
    for (int i = 0; i < LONG_CALLS; i++)
        scope_of("mixed", LONG_NS);
    uint64_t with_long = count_timed(&paths);
    for (int i = 0; i < CALLS; i++)
        call("mixed");
    uint64_t after = count_timed(&paths);
    print_message("timed: %" PRIu64 ", %" PRIu64 ", %" PRIu64 "\n", before, with_long, after);
    assert_in_range(with_long - before, LONG_CALLS / 2, LONG_CALLS);
    assert_in_range(after - with_long, 1, CALLS / 4);
}

/* ---- limits of the budget ---- */

TEST(budget_holds_for_nested_calls_inside_one_outermost_call)
{
    begin_ns = hand_ticks;
    eprof_enter("nested");
    const struct ep_node_cell *node = ep_tree_node(ep_thread_self, ep_thread_self->top->node);
    for (int i = 0; i < 1000000; i++) {
        eprof_enter("between");
        call("nested");
        eprof_leave();
    }
    uint64_t timed = ep_sampling_of(ep_thread_self, node)->timed_nested;
    eprof_leave();
    uint64_t charge_ns = ep_thread_self->charge_ticks;
    uint64_t most_ns =
        (hand_ticks - begin_ns) * PERCENT / 100 + 1000000 + (FIRST_CALLS + 1) * charge_ns;
    print_message("%" PRIu64 " timed nested calls cost %" PRIu64 " of %" PRIu64 " ns\n", timed,
                  timed * charge_ns, most_ns);
    assert_in_range(timed, FIRST_CALLS, most_ns / charge_ns);
}

TEST(budget_times_each_call_of_a_program_with_few_calls)
{
    uint64_t paths;
    for (int i = 0; i < 1000; i++) {
        call("few");
        pass(100000);
    }
    assert_int_equal(count_timed(&paths), 1000);
}

TEST(budget_times_the_first_calls_of_each_path)
{
    uint64_t paths;
    for (unsigned site = 0; site < 4000; site++)
        for (int i = 0; i < FIRST_CALLS; i++)
            call_site(site);
    assert_int_equal(count_timed(&paths), 4000 * FIRST_CALLS);
    assert_true(ep_thread_self->credit < 0);
}

/* ---- memory ---- */

/* As many fit without a budget. These labels are those of no other test, so each takes a site. */
TEST(budget_takes_no_more_memory_for_paths_of_few_calls)
{
    enum { PATHS = 100000, CALLS = 2 };
    char name[16];
    for (unsigned i = 0; i < PATHS; i++) {
        snprintf(name, sizeof name, "few %u", i);
        for (int n = 0; n < CALLS; n++)
            call(name);
    }
    uint64_t paths, timed = count_timed(&paths);
    struct eprof_row row;
    if (take_rows(eprof_snapshot_take, "scope", "(other)", "*", &row) != 0)
        fail_msg("%" PRIu64 " calls are (other)", row.calls);
    assert_int_equal(paths, PATHS);
    assert_int_equal(timed, PATHS * CALLS);
}

/* ---- weights ---- */

static struct ep_node_cell *node_of(uint32_t place)
{
    for (EP_EACH(ep_node_cell, node, ep_thread_self->cells, &ep_thread_self->cell->nodes))
        if (node->parent && node->stats.calls && place-- == 0)
            return node;
    return NULL;
}

TEST(budget_weights_differ_from_the_calls_by_less_than_a_block)
{
    uint64_t weights[3] = {0}, blocks[3] = {0};
    for (unsigned i = 0; i < 300000; i++) {
        call_site(i % 3);
        pass(i / 1000 % 7 * 50);
        const struct ep_node_cell *node = node_of(i % 3);
        const struct ep_sampling_cells *cells = ep_sampling_of(ep_thread_self, node);
        if (!cells) /* each call was timed */
            continue;
        if (cells->weight != weights[i % 3]) /* that of the block that was drawn from */
            blocks[i % 3] = cells->weight - weights[i % 3];
        weights[i % 3] = cells->weight;
        uint64_t next = UINT64_C(1) << cells->shift;
        uint64_t block = next > blocks[i % 3] ? next : blocks[i % 3];
        uint64_t over = cells->weight + block - node->stats.calls;
        if (over == 0 || over >= 2 * block)
            fail_msg("after %" PRIu64 " calls: weight %" PRIu64 ", block %" PRIu64,
                     node->stats.calls, cells->weight, block);
    }
}

/* The total of a site whose calls get longer in a few of a million calls. */
TEST(budget_estimates_phases_of_other_lengths)
{
    static const uint64_t lengths_ns[] = {4000, 40, 40, 400, 40};
    uint64_t truth_ns = 0;
    for (int phase = 0; phase < 5; phase++)
        for (int i = 0; i < 200000; i++) {
            scope_of("drift", lengths_ns[phase]);
            truth_ns += lengths_ns[phase];
        }
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "scope", "drift", "*", &row);
    print_message("%" PRIu64 " timed: %" PRIu64 " of %" PRIu64 " ns, +- %" PRIu64 "\n", row.timed,
                  row.total_ns, truth_ns, row.total_error_ns);
    /* three times the half interval of 95 %: six standard deviations */
    assert_in_range(row.total_ns, truth_ns - 3 * row.total_error_ns,
                    truth_ns + 3 * row.total_error_ns);
    assert_in_range(row.total_error_ns, 0, truth_ns / 10);
}

/* Outside of holds no call was made, so the place that they are kept in has no blocks yet. */
TEST(budget_estimates_calls_in_kept_holds_only)
{
    enum { HOLDS = 2000, IN_A_HOLD = 100 };
    for (int i = 0; i < HOLDS; i++) {
        eprof_hold();
        for (int n = 0; n < IN_A_HOLD; n++)
            call("held");
        eprof_keep(true);
    }
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "scope", "held", "*", &row);
    print_message("%" PRIu64 " of %" PRIu64 " calls timed\n", row.timed, row.calls);
    assert_int_equal(row.calls, HOLDS * IN_A_HOLD);
    assert_in_range(row.timed, 8, HOLDS * IN_A_HOLD / 2);
    assert_int_equal(row.estimated, 1);
    assert_int_equal(row.total_ns, HOLDS * IN_A_HOLD * CALL_NS);
}

/* ---- the clock of a program ---- */

TEST(budget_does_not_apply_to_the_clock_of_a_program)
{
    uint64_t paths;
    pretend_own(true);
    eprof_reset();
    for (int i = 0; i < 100000; i++)
        call("all");
    assert_int_equal(count_timed(&paths), 100000);
}

TEST_EACH(begin, end)
