#include "support/made_snapshot.h"
#include "support/made_terminal.h"
#include "support/random.h"

#include "report/format.h"

/* The callers of a region in a snapshot whose times are in ticks, so that they have all digits. */
static char *reported_callers(struct made_tree *tree, const char *region, bool in_ticks)
{
    static const struct ep_report report = {.name = "callers", .write = ep_report_callers};
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    struct test_text text;
    snapshot->region = region;
    snapshot->options.ticks = in_ticks;
    assert_return_code(ep_report_write(&report, snapshot, test_text_begin(&text)), errno);
    return test_text_end(&text);
}

/* The lines of the region, and of its callers at `level`: the sums of their calls and times. */
struct sum {
    uint64_t calls, total, self;
};

/* Reads lines without UTF-8: "|-name   calls  total  share %  self  mean". */
static struct sum sum_of_level(const char *text, unsigned level)
{
    struct sum sum = {0, 0, 0};
    bool has_outermost = strstr(text, " outermost ") != NULL;
    const char *line = strstr(text, "called by");
    for (line = strchr(strchr(line, '\n') + 1, '\n') + 1; *line != '\n';
         line = strchr(line, '\n') + 1) {
        unsigned long long calls, total, self;
        size_t branches = strspn(line, "|-` ");
        const char *figures = line + branches;
        while (*figures != '\n' && strncmp(figures, "  ", 2) != 0)
            figures++;
        if (branches != 2 * level)
            continue;
        if (strstr(line, "... ") == line + branches) {
            sum.total += strtoull(figures, NULL, 10);
            continue;
        }
        int bytes = 0;
        sscanf(figures, has_outermost ? " %llu %*u%n" : " %llu%n", &calls, &bytes);
        figures += bytes;
        bytes = (int)strspn(figures, " -"); /* no time is known */
        self = bytes > 2 ? strtoull(figures + bytes, NULL, 10) : 0;
        total = strtoull(figures, NULL, 10);
        if (!strchr(figures, '%') || strchr(figures, '%') > strchr(figures, '\n'))
            total = 0;
        else if (sscanf(figures, " %llu %*s %% %llu", &total, &self) != 2)
            fail_msg("no figures in %.100s", line);
        sum.calls += calls, sum.total += total, sum.self += self;
    }
    return sum;
}

TEST(callers_are_as_their_golden_file)
{
    struct made_tree tree = {.rows = NULL};
    setenv("LC_ALL", "C.UTF-8", 1);
    make_server_tree(&tree);
    assert_string_equal(reported_callers(&tree, "lookup", false), golden("callers.txt"));
}

static const char *numbered(const char *name, int number)
{
    char text[32];
    snprintf(text, sizeof text, "%s %d", name, number);
    return test_keep(strdup(text), free);
}

/* At each level there are more callers than are shown, and each has more callers, too. */
TEST(callers_of_many_levels_have_lines_as_far_as_there_is_room)
{
    enum { LEVELS_FIRST = 9, LEVELS_LAST = 16, CALLERS = 12 };
    const char *spine[LEVELS_LAST], *names[CALLERS], *roots[CALLERS];
    for (int level = 0; level < LEVELS_LAST; level++)
        spine[level] = numbered("spine", level);
    for (int caller = 0; caller < CALLERS; caller++) {
        names[caller] = numbered("caller", caller);
        roots[caller] = numbered("root", caller);
    }
    for (int levels = LEVELS_FIRST; levels <= LEVELS_LAST; levels++) {
        struct made_tree tree = {.rows = NULL};
        for (int i = 0; i < levels * CALLERS * CALLERS; i++) {
            int level = i / (CALLERS * CALLERS);
            made_scope(&tree, 0, roots[i % CALLERS], 1, 1);
            made_scope(&tree, 1, names[i / CALLERS % CALLERS], 1, 1);
            for (int at = level; at > 0; at--)
                made_scope(&tree, (uint32_t)(level - at + 2), spine[at], 1, 1);
            made_scope(&tree, (uint32_t)level + 2, "X", 1, 1000);
        }
        size_t lines = 0;
        for (const char *c = reported_callers(&tree, "X", true); *c; c++)
            lines += *c == '\n';
        assert_in_range(lines, 50, 210);
    }
}

TEST(callers_through_all_paths_add_up)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 10);
    made_scope(&tree, 1, "a", 1, 10);
    made_scope(&tree, 2, "f", 3, 300);
    made_scope(&tree, 1, "b", 1, 10);
    made_scope(&tree, 2, "a", 1, 10);
    made_scope(&tree, 3, "f", 5, 500);
    made_scope(&tree, 4, "inner", 1, 40);
    made_scope(&tree, 0, "f", 7, 160);
    char *text = reported_callers(&tree, "f", true);
    assert_text_has(text, "eProf Callers: f, 3 call paths, 1000 ticks, 96 % of the measured time");
    assert_text_has(text, "\nf                 15   1000    100 %   960    66\n");
    assert_text_has(text, "\n|-a                8    840     84 %   800   105\n");
    assert_text_has(text, "\n| |-b < main       5    540     54 %   500   108\n");
    assert_text_has(text, "\n| `-main           3    300     30 %   300   100\n");
    assert_text_has(text, "\n`-(no caller)      7    160     16 %   160    22\n");
}

/* The inner one of two scopes of one name has its time within that of the outer one. */
TEST(callers_of_a_region_inside_itself_add_up)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 10);
    made_scope(&tree, 1, "f", 2, 600);
    made_scope(&tree, 2, "g", 1, 100);
    made_scope(&tree, 3, "f", 4, 300)->line = 2;
    char *text = reported_callers(&tree, "f", true);
    assert_text_has(text, "f, 2 call paths, 1000 ticks, 99 % of the measured time");
    assert_text_has(text, "\nf                              6          2   1000    100 %   900");
    assert_text_has(text, "\n|-main                         2          2   1000    100 %   600");
    assert_text_has(text, "\n`-g < f (made.c:1) < main      4          0      -        -   300");
}

TEST(callers_of_one_location_are_asked_for_by_it)
{
    struct made_tree tree = {.rows = NULL};
    make_server_tree(&tree);
    char *text = reported_callers(&tree, "lookup (made.c:77)", true);
    assert_text_has(text, "\nlookup (made.c:77) ");
    assert_text_has(text, "\n`-render < handle_request < serve < main ");
    assert_text_has_not(text, "query");
}

TEST(function_is_asked_for_without_its_parameters)
{
    struct made_tree tree = {.rows = NULL};
    made_function(&tree, 0, "main", 1, 10);
    made_function(&tree, 1, "render(Scene const&)", 1, 10);
    made_function(&tree, 2, "operator()(int) const", 1, 10);
    char *text = reported_callers(&tree, "operator()", true);
    assert_text_has(text, "\noperator()(int) const ");
    assert_text_has(text, "\n`-render < main ");
}

TEST(overloads_and_kinds_of_one_name_have_callers_of_their_own)
{
    struct made_tree tree = {.rows = NULL};
    made_function(&tree, 0, "main", 1, 100);
    made_function(&tree, 1, "draw(int)", 1, 10);
    made_function(&tree, 1, "draw(double)", 2, 40);
    made_scope(&tree, 1, "draw", 3, 20);
    char *text = reported_callers(&tree, "draw", true);
    assert_int_equal(count_of(text, "eProf Callers: draw"), 3);
    assert_text_has(text, "\ndraw(int)  ");
    assert_text_has(text, "\ndraw(double)  ");
    assert_text_has(text, "eProf Callers: draw(double), 1 call path, 40 ticks,");
    assert_text_has(text, "eProf Callers: draw, 1 call path, 20 ticks,");
}

TEST(further_callers_are_added_up)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 10);
    for (unsigned i = 0; i < 30; i++) {
        made_scope(&tree, 1, "caller", 1, 10)->line = i + 10;
        made_scope(&tree, 2, "f", 1, 100 + i);
    }
    char *text = reported_callers(&tree, "f", true);
    assert_int_equal(count_of(text, "|-caller (made.c:"), 8);
    assert_text_has(text, "\n`-... 22 callers more ");
    assert_int_equal(sum_of_level(text, 1).total, sum_of_level(text, 0).total);
}

TEST(long_line_of_callers_is_cut_in_its_middle)
{
    enum { DEPTH = 100000 };
    struct made_tree tree = {.rows = NULL};
    for (unsigned depth = 0; depth < DEPTH; depth++)
        made_scope(&tree, depth, depth ? "down" : "main", 1, 1);
    made_scope(&tree, DEPTH, "f", 1, 1);
    assert_text_has(reported_callers(&tree, "f", true),
                    "\n`-down < down < down < down < ... 99995 more < main ");
}

/* Trees of many shapes, with rows that have no time. A level is complete if all call paths reach
 * it: the first one always is. */
TEST(callers_of_any_tree_add_up_to_the_region)
{
    for (int round = 0; round < 300; round++) {
        struct made_tree tree = {.rows = NULL};
        static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
        unsigned depth = 0, rows = 2 + (unsigned)(random_next() % 400);
        for (unsigned i = 0; i < rows; i++) {
            made_scope(&tree, depth, names[i ? random_next() % 6 : 5], 1 + random_next() % 9,
                       random_next() % 3 ? random_next() % 1000 : 0)
                ->line = (unsigned)(random_next() % 3);
            depth = (unsigned)(random_next() % (depth + 2));
        }
        char *text = reported_callers(&tree, "f", true);
        struct sum region = sum_of_level(text, 0), callers = sum_of_level(text, 1);
        assert_in_range(count_of(text, "\n"), 6, 250);
        if (callers.calls == 0)
            continue; /* all are roots */
        if (callers.total != region.total)
            fail_msg("%llu of %llu in\n%s", (unsigned long long)callers.total,
                     (unsigned long long)region.total, text);
        if (!strstr(text, "more")) {
            assert_int_equal(callers.calls, region.calls);
            assert_int_equal(callers.self, region.self);
        }
    }
}

static int begin(void **state)
{
    random_begin();
    return clear_settings(state);
}

TEST_EACH(begin, NULL)
