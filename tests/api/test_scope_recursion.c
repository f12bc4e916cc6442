/*
 * Recursion under a budget, direct and mutual: each call counts at its path, as outermost or nested,
 * at each depth. Scopes after the recursion have the paths that they had before it.
 */
#include "budgets.h"
#include "tree_text.h"

#include <pthread.h>

#define NOINLINE __attribute__((noinline))

/* Scopes are inline in the upper part of such a recursion only. */
enum { DEEP = 100000, ROUNDS = 3, LEAF_EACH = 1000, STACK_BYTES = 256 << 20 };

/* Keeps a call from being the last action of a function, and so from becoming a jump. */
static void stay(void)
{
    __asm__ volatile("" ::: "memory");
}

static NOINLINE void leaf(void)
{
    EPROF_FUNC;
    stay();
}

/* ------------------------------------------------------------------------- deep -- */

/* Leaves are called at the bottom, and on the way back. */
static NOINLINE void descend(int depth)
{
    EPROF_FUNC;
    if (depth > 1)
        descend(depth - 1);
    if (depth % LEAF_EACH == 1)
        leaf();
    stay();
}

static void descend_alone(int depth)
{
    descend(depth);
}

static NOINLINE void even(int depth);

static NOINLINE void odd(int depth)
{
    EPROF_FUNC;
    if (depth > 1)
        even(depth - 1);
    if (depth % LEAF_EACH == 1)
        leaf();
    stay();
}

static NOINLINE void even(int depth)
{
    EPROF_FUNC;
    if (depth > 1)
        odd(depth - 1);
    stay();
}

struct dive {
    void (*down)(int depth);
    const char *budget;
};

static void *dive(void *argument)
{
    const struct dive *self = argument;
    for (int round = 0; round < ROUNDS; round++) {
        EPROF_SCOPE("around");
        leaf();
        self->down(DEEP);
        leaf();
        self->down(2);
        leaf();
    }
    leaf();
    return NULL;
}

/* On a thread whose stack is large enough for so many frames. */
static void assert_dives(void (*down)(int depth), const char *tree)
{
    for (int b = 0; b < BUDGETS; b++) {
        struct dive self = {.down = down, .budget = budgets[b]};
        pthread_attr_t attributes;
        pthread_t thread;
        use_budget(budgets[b]);
        assert_int_equal(pthread_attr_init(&attributes), 0);
        assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
        assert_int_equal(pthread_create(&thread, &attributes, dive, &self), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        pthread_attr_destroy(&attributes);
        if (strcmp(tree_text(), tree) != 0)
            fail_msg("%s:\n%sinstead of\n%s", budgets[b], tree_text(), tree);
        assert_diagnostics("");
    }
}

TEST(scope_recursion_100000_deep_counts_all_calls_and_ends_where_it_began)
{
    assert_dives(descend_alone, "around 3/3\naround;descend 300006/6\naround;descend;leaf 303/303\n"
                                "around;leaf 9/9\nleaf 1/1\n");
}

TEST(scope_recursion_100000_deep_by_turns_counts_all_calls_at_both_nodes)
{
    assert_dives(even, "around 3/3\naround;even 150003/6\n"
                       "around;even;odd 150003/6\naround;even;odd;leaf 303/303\n"
                       "around;leaf 9/9\nleaf 1/1\n");
}

/* ------------------------------------------------------------------------ mutual -- */

static NOINLINE void call_all(const char **calls);

static NOINLINE void a(const char **calls)
{
    EPROF_FUNC;
    call_all(calls);
    stay();
}

static NOINLINE void b(const char **calls)
{
    EPROF_FUNC;
    call_all(calls);
    stay();
}

static NOINLINE void c(const char **calls)
{
    EPROF_FUNC;
    call_all(calls);
    stay();
}

/* a{b{a}b}: a calls b, which calls a, and then calls b again. */
static NOINLINE void call_all(const char **calls)
{
    static void (*const functions[])(const char **) = {a, b, c};
    if (**calls != '{')
        return;
    ++*calls;
    while (**calls != '}') {
        int function = *(*calls)++ - 'a';
        functions[function](calls);
    }
    ++*calls;
}

struct pattern {
    const char *calls; /* of one round */
    const char *paths[5];
    uint64_t of_round[5], outermost[5];
};

/* Each two have the same number of calls at each path, and of calls from one function to another.
 */
static const struct pattern patterns[] = {
    {"{a{b{a{b}}}}", {"a", "a;b"}, {2, 2}, {1, 1}},
    {"{a{b{a}b}}", {"a", "a;b"}, {2, 2}, {1, 2}},
    {"{a{b{c{a{c}}}}}", {"a", "a;b", "a;b;c"}, {2, 1, 2}, {1, 1, 1}},
    {"{a{c{b{a{b}}}}}", {"a", "a;c", "a;c;b"}, {2, 1, 2}, {1, 1, 1}},
    {"{a{b{c{a{b{c}}}}}}", {"a", "a;b", "a;b;c"}, {2, 2, 2}, {1, 1, 1}},
    {"{a{b{c{a}}b{c}}}", {"a", "a;b", "a;b;c"}, {2, 2, 2}, {1, 2, 2}},
    {"{a{b{c{a{c}}}c}}", {"a", "a;b", "a;b;c", "a;c"}, {2, 1, 2, 1}, {1, 1, 1, 1}},
};

enum { PATTERNS = sizeof patterns / sizeof patterns[0], TIMES = 10000 };

/* The paths of a pattern are sorted. */
static void assert_pattern(const struct pattern *pattern, const char *budget)
{
    char tree[256];
    int end = 0;
    for (int p = 0; p < 5 && pattern->paths[p]; p++)
        end += snprintf(tree + end, sizeof tree - (size_t)end, "%s %" PRIu64 "/%" PRIu64 "\n",
                        pattern->paths[p], TIMES * pattern->of_round[p],
                        TIMES * pattern->outermost[p]);
    if (strcmp(tree_text(), tree) != 0)
        fail_msg("%s, %d times %s:\n%sinstead of\n%s", budget, TIMES, pattern->calls, tree_text(),
                 tree);
}

static void call_pattern(const struct pattern *pattern)
{
    const char *calls = pattern->calls;
    call_all(&calls);
}

TEST(scope_mutual_recursion_is_outermost_or_nested_by_its_path)
{
    for (int budget = 0; budget < BUDGETS; budget++)
        for (int p = 0; p < PATTERNS; p++) {
            use_budget(budgets[budget]);
            for (int i = 0; i < TIMES; i++)
                call_pattern(&patterns[p]);
            assert_pattern(&patterns[p], budgets[budget]);
            assert_diagnostics("");
        }
}

/* The states of one pattern are not those of another: they are used by turns. */
TEST(scope_mutual_recursion_of_several_kinds_by_turns_is_kept_apart)
{
    static const struct pattern both[] = {
        {NULL, {"a", "a;b"}, {4, 4}, {2, 3}},
        {NULL, {"a", "a;b", "a;b;c", "a;c", "a;c;b"}, {4, 1, 2, 1, 2}, {2, 1, 1, 1, 1}},
    };
    for (int budget = 0; budget < BUDGETS; budget++)
        for (int p = 0; p < 2; p++) {
            use_budget(budgets[budget]);
            for (int i = 0; i < 2 * TIMES; i++)
                call_pattern(&patterns[2 * p + i % 2]);
            assert_pattern(&both[p], budgets[budget]);
        }
}

TEST_EACH(hand_clock_begin, NULL)
