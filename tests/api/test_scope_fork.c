/* A child of fork() has an empty call tree of its own; open scopes belong to the parent. */
#include "calls.h"
#include "child.h"
#include "fork_ways.h"
#include "threads.h"
#include "tree_text.h"

#include <signal.h>

/* The part of its own profile that a process sees. */
struct sight {
    char tree[1024], diagnostics[256], thread[32];
    int recording;
};

static void look_around(void *seen)
{
    struct sight *sight = seen;
    struct eprof_row row;
    snprintf(sight->tree, sizeof sight->tree, "%s", tree_text());
    snprintf(sight->diagnostics, sizeof sight->diagnostics, "%s", diagnostic_text());
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    find_rows(snapshot, "scope", NULL, NULL, &row);
    snprintf(sight->thread, sizeof sight->thread, "%s", row.thread ? row.thread : "");
    eprof_snapshot_free(snapshot);
    sight->recording = eprof_recording;
}

static void leaf(void)
{
    EPROF_SCOPE("leaf");
    pass(7);
}

static child_fork way;

/* Forks in every way, and checks the profile that the child of `fork_inside` sees. Returns the last
 * one. */
static struct sight assert_children(child_fork fork_inside, void (*act)(void *sight),
                                    const char *tree, const char *diagnostics)
{
    struct sight sight = {.tree = ""};
    for (int i = 0; i < FORK_WAYS; i++) {
        memset(&sight, 0, sizeof sight);
        way = fork_ways[i];
        child_do(fork_inside ? fork_inside : way, act, &sight, sizeof sight);
        assert_tree_text(sight.tree, tree);
        assert_string_equal(sight.diagnostics, diagnostics);
    }
    return sight;
}

/* ---------------------------------------------------------- what is there -- */

static void record(void)
{
    EPROF_SCOPE("a");
    pass(10);
    EPROF_BLOCK("b") pass(100);
    leaf();
}

static void record_and_look(void *sight)
{
    record();
    look_around(sight);
}

static const char recorded[] = "a 1/1 117 10\na;b 1/1 100 100\na;leaf 1/1 7 7\n";

TEST(child_begins_with_an_empty_tree)
{
    record();
    eprof_leave(); /* diagnostics are the parent's own, too */
    assert_children(NULL, look_around, "", "");
    assert_tree(recorded);
    assert_diagnostics("unbalanced 1");
}

TEST(child_records_a_tree_of_its_own)
{
    record();
    assert_string_equal(assert_children(NULL, record_and_look, recorded, "").thread, "main");
    assert_tree(recorded);
    assert_diagnostics("");
}

static void record_other_paths(void *sight)
{
    EPROF_BLOCK("of the child")
    {
        leaf();
        eprof_enter("by hand");
        pass(3);
        eprof_leave();
    }
    look_around(sight);
}

TEST(paths_that_begin_in_the_child_are_its_own)
{
    record();
    assert_children(NULL, record_other_paths,
                    "of the child 1/1 10 0\nof the child;by hand 1/1 3 3\n"
                    "of the child;leaf 1/1 7 7\n",
                    "");
    assert_tree(recorded);
}

static void let_a_child_record(void *sight)
{
    record();
    child_fork fork_by = way;
    int ends[2];
    if (pipe(ends) != 0)
        return;
    pid_t child = fork_by();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        leaf();
        look_around(sight);
        _exit(write(ends[1], sight, sizeof(struct sight)) < 0);
    }
    close(ends[1]);
    if (read(ends[0], sight, sizeof(struct sight)) < 0)
        memset(sight, 0, sizeof(struct sight));
    close(ends[0]);
    waitpid(child, NULL, 0);
}

TEST(childs_child_has_a_tree_of_its_own)
{
    record();
    assert_children(NULL, let_a_child_record, "leaf 1/1 7 7\n", "");
    assert_tree(recorded);
}

/* ------------------------------------------------- open across the fork -- */

/* The child returns with all of its scopes left. */
static pid_t fork_inside(void)
{
    EPROF_SCOPE("outer");
    pass(1);
    EPROF_SCOPE("inner");
    pass(1);
    pid_t child = way();
    pass(20);
    if (child == 0)
        leaf();
    return child;
}

TEST(scopes_open_at_the_fork_are_parents_of_no_calls_in_the_child)
{
    assert_children(fork_inside, look_around,
                    "outer 0/0 7 0\nouter;inner 0/0 7 0\nouter;inner;leaf 1/1 7 7\n", "");
    char tree[128];
    int n = FORK_WAYS;
    snprintf(tree, sizeof tree, "outer %d/%d %d %d\nouter;inner %d/%d %d %d\n", n, n, 22 * n, n, n,
             n, 21 * n, 21 * n);
    assert_tree(tree);
    assert_diagnostics("");
}

static void record_after_what_was_open(void *sight)
{
    record();
    look_around(sight);
}

TEST(scopes_after_those_open_at_the_fork_are_at_the_root)
{
    assert_children(fork_inside, record_after_what_was_open,
                    "a 1/1 117 10\na;b 1/1 100 100\na;leaf 1/1 7 7\n"
                    "outer 0/0 7 0\nouter;inner 0/0 7 0\nouter;inner;leaf 1/1 7 7\n",
                    "");
}

static pid_t fork_inside_only(void)
{
    EPROF_SCOPE("outer");
    EPROF_SCOPE("inner");
    pid_t child = way();
    pass(20);
    return child;
}

TEST(scopes_open_at_the_fork_with_nothing_inside_are_not_shown)
{
    assert_children(fork_inside_only, look_around, "", "");
}

/* The child takes its snapshot while all of them are open. */
static void leaf_and_look(void *sight)
{
    leaf();
    look_around(sight);
}

TEST(scopes_open_at_the_fork_are_not_open_in_the_child)
{
    EPROF_BLOCK("outer")
    EPROF_BLOCK("inner")
    assert_children(NULL, leaf_and_look,
                    "outer 0/0 7 0\nouter;inner 0/0 7 0\nouter;inner;leaf 1/1 7 7\n", "");
    assert_tree("outer 1/1 0 0\nouter;inner 1/1 0 0\n");
}

enum { DEPTH = 4 };

static void enter_once_more(void)
{
    eprof_enter("r");
    pass(1);
}

static pid_t fork_in_recursion(void)
{
    for (int i = 0; i < DEPTH; i++)
        enter_once_more();
    pid_t child = way();
    for (int i = 0; i < 2 && child == 0; i++) {
        enter_once_more();
        enter_once_more();
        eprof_leave();
        eprof_leave();
    }
    for (int i = 0; i < DEPTH; i++)
        eprof_leave();
    return child;
}

TEST(recursion_inside_one_open_at_the_fork_folds_and_is_outermost)
{
    assert_children(fork_in_recursion, look_around, "r 4/2 4 4\n", "");
    char tree[64];
    int calls = DEPTH * FORK_WAYS;
    snprintf(tree, sizeof tree, "r %d/%d %d %d\n", calls, FORK_WAYS, calls, calls);
    assert_tree(tree);
}

static pid_t fork_inside_by_hand(void)
{
    eprof_enter("outer");
    eprof_enter("inner");
    pid_t child = way();
    pass(20);
    if (child == 0)
        leaf();
    eprof_leave();
    eprof_leave();
    return child;
}

TEST(leaves_by_hand_of_what_the_parent_entered_are_no_error)
{
    assert_children(fork_inside_by_hand, look_around,
                    "outer 0/0 7 0\nouter;inner 0/0 7 0\nouter;inner;leaf 1/1 7 7\n", "");
}

static void leave_by_hand_and_look(void *sight)
{
    eprof_leave();
    look_around(sight);
}

TEST(leave_by_hand_beyond_what_the_parent_entered_is_unbalanced)
{
    assert_children(fork_inside_by_hand, leave_by_hand_and_look,
                    "outer 0/0 7 0\nouter;inner 0/0 7 0\nouter;inner;leaf 1/1 7 7\n",
                    "unbalanced 1");
}

static pid_t fork_inside_slow(void)
{
    EPROF_SLOW("slow", 5);
    pid_t child = way();
    pass(20);
    return child;
}

TEST(slow_scope_open_at_the_fork_is_nothing_in_the_child)
{
    assert_children(fork_inside_slow, record_and_look, recorded, "");
    char tree[64];
    int n = FORK_WAYS;
    snprintf(tree, sizeof tree, "slow %d/%d %d %d\n", n, n, 20 * n, 20 * n);
    assert_tree(tree);
}

/* ------------------------------------------------------------------ switch -- */

static void switch_off_and_look(void *sight)
{
    eprof_enable(false);
    look_around(sight);
}

TEST(switching_off_in_the_child_does_not_wait_for_what_the_parent_has_open)
{
    EPROF_BLOCK("open")
    {
        assert_int_equal(assert_children(NULL, switch_off_and_look, "", "").recording, 0);
        pass(5);
    }
    assert_tree("open 1/1 5 5\n");
}

static struct worker worker;

static void enter_by_hand(void *unused)
{
    (void)unused;
    eprof_enter("of another thread");
    pass(1);
}

static void leave_by_hand(void *unused)
{
    (void)unused;
    eprof_leave();
}

TEST(scopes_open_on_other_threads_are_not_in_the_child)
{
    worker_begin(&worker);
    worker_do(&worker, enter_by_hand, NULL);
    assert_children(NULL, record_and_look, recorded, "");
    assert_int_equal(assert_children(NULL, switch_off_and_look, "", "").recording, 0);
    worker_do(&worker, leave_by_hand, NULL);
    worker_end(&worker);
    assert_tree("of another thread 1/1 1 1\n");
}

TEST(off_in_the_parent_is_off_in_the_child)
{
    eprof_enable(false);
    assert_children(NULL, record_and_look, "", "");
    eprof_enable(true);
    assert_children(NULL, record_and_look, recorded, "");
}

TEST_EACH(hand_clock_begin, NULL)
