/* The head of a report: the run of the process, the cost of profiling, and advice. */
#include "support/made_snapshot.h"
#include "support/made_terminal.h"

/* main, put and get, two functions and a scope; the probes took 300 of 1,000 ms. */
static struct eprof_snapshot *make_run(struct made_tree *tree)
{
    *tree = (struct made_tree){.count = 0};
    made_scope(tree, 0, "main", 1, 600 * MS);
    made_function(tree, 1, "put", 1000, 100 * MS);
    made_function(tree, 1, "get(int, int)", 2000, 100 * MS);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    for (size_t i = 0; i < snapshot->top_count; i++) {
        snapshot->top_marks[i].overhead_ns = snapshot->tops[i].calls * 100 * US;
        snapshot->top_marks[i].site = (uint32_t)i + 1;
    }
    snapshot->run = (struct ep_run){.wall_ns = UINT64_C(1600) * MS,
                                    .cpu_ns = UINT64_C(1000) * MS,
                                    .overhead_ns = UINT64_C(300) * MS,
                                    .threads = 3,
                                    .is_wall = true};
    return snapshot;
}

static const char *const formats[] = {"tree", "table", "html"};

TEST(head_shows_known_facts)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    for (size_t i = 0; i < 2; i++) {
        char *text = reported(snapshot, formats[i]);
        assert_true(
            has_line(text, "wall time 1.60 s (50 % in scopes), processor time 1.00 s, 3 threads"));
        assert_true(has_line(text, "overhead of profiling 300 ms, 30 % of the processor time"));
    }
    assert_text_has(reported(snapshot, "html"),
                    "<dt>overhead of profiling</dt><dd>300 ms, 30 % of the processor time</dd>");
    assert_text_has(reported(snapshot, "json"),
                    ",\"wall_ns\":1600000000,\"cpu_ns\":1000000000,\"overhead_ns\":300000000,");
}

TEST(head_leaves_out_unknown_facts)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.cpu_ns = EPROF_UNKNOWN;
    assert_true(has_line(reported(snapshot, "tree"), "overhead of profiling 300 ms"));
    assert_true(
        has_line(reported(snapshot, "tree"), "wall time 1.60 s (50 % in scopes), 3 threads"));
    snapshot->run.wall_ns = snapshot->run.overhead_ns = EPROF_UNKNOWN;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert_text_has_not(reported(snapshot, formats[i]), "overhead");
        assert_text_has_not(reported(snapshot, formats[i]), "wall time");
    }
    assert_text_has(reported(snapshot, "json"),
                    ",\"wall_ns\":null,\"cpu_ns\":null,\"overhead_ns\":null,");
}

/* The time of threads is no wall time. */
TEST(clock_of_each_thread_covers_no_wall_time)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.is_wall = false;
    assert_text_has_not(reported(snapshot, "tree"), "in scopes");
}

TEST(scopes_of_several_threads_may_cover_more_than_the_wall_time)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.wall_ns = UINT64_C(250) * MS;
    assert_text_has(reported(snapshot, "tree"), "(320 % in scopes)");
}

TEST(times_of_a_killed_program_are_marked)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.is_old = true;
    assert_text_has(reported(snapshot, "tree"),
                    ", 3 threads\nthese times are as of the last update of the profile\n");
    assert_int_equal(
        count_of(reported(snapshot, "html"), "<small>as of the last update of the profile"), 2);
}

/* The time is as of the last update, and the overhead is not. */
TEST(overhead_of_a_killed_program_may_have_no_share)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.cpu_ns = snapshot->run.overhead_ns;
    assert_text_has(reported(snapshot, "tree"), "more than the processor time (an estimate)");
    snapshot->run.is_old = true;
    assert_true(has_line(reported(snapshot, "tree"), "overhead of profiling 300 ms"));
    assert_text_has_not(reported(snapshot, "tree"), "cost most");
}

TEST(advice_can_be_pasted)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    for (size_t i = 0; i < 2; i++) {
        char *text = reported(snapshot, formats[i]);
        assert_true(has_line(text, "  '-finstrument-functions-exclude-function-list=get,put'"));
        assert_true(has_line(text, "  EPROF='auto=!get,auto=!put'"));
        assert_text_has_not(text, "the scopes that cost most");
    }
    assert_text_has(reported(snapshot, "html"), "auto=!get,auto=!put");
}

TEST(advice_is_for_more_than_a_tenth_of_the_time)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.overhead_ns = UINT64_C(100) * MS;
    assert_text_has_not(reported(snapshot, "tree"), "cost most");
    snapshot->run.overhead_ns = UINT64_C(101) * MS;
    assert_text_has(reported(snapshot, "tree"), "cost most");
}

TEST(ten_are_named_each_once)
{
    static const char *const threads[] = {"one", "two"};
    static char names[12][4];
    struct made_tree tree = {.count = 0};
    for (size_t thread = 0; thread < 2; thread++) {
        tree.thread = threads[thread];
        for (unsigned i = 0; i < 12; i++) {
            snprintf(names[i], sizeof names[i], "f%u", i);
            made_function(&tree, 0, names[i], 100 + i, MS);
        }
    }
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < snapshot->top_count; i++) {
        snapshot->top_marks[i].overhead_ns = snapshot->tops[i].calls * MS;
        snapshot->top_marks[i].site = (uint32_t)snapshot->tops[i].calls;
    }
    snapshot->run = (struct ep_run){.cpu_ns = 1, .overhead_ns = MS, .wall_ns = EPROF_UNKNOWN};
    assert_true(has_line(reported(snapshot, "tree:threads"),
                         "  '-finstrument-functions-exclude-function-list="
                         "f11,f10,f9,f8,f7,f6,f5,f4,f3,f2'"));
}

/* In each thread the function costs less than a hundredth of all. */
TEST(costs_of_many_threads_are_added_up)
{
    static char threads[150][16];
    struct made_tree tree = {.count = 0};
    for (unsigned i = 0; i < 150; i++) {
        snprintf(threads[i], sizeof threads[i], "thread %u", i);
        tree.thread = threads[i];
        made_function(&tree, 0, "often", 100, MS);
    }
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < snapshot->top_count; i++)
        snapshot->top_marks[i] = (struct ep_site_mark){.overhead_ns = MS, .site = 1};
    snapshot->run = (struct ep_run){.cpu_ns = 1, .overhead_ns = 150 * MS, .wall_ns = EPROF_UNKNOWN};
    assert_true(has_line(reported(snapshot, "tree:threads"), "  EPROF='auto=!often'"));
}

TEST(pattern_of_a_name_is_short_and_matches_it)
{
    static const char *const names[][2] = {
        {"std::vector<int>::operator[](unsigned long)", "std::vector<int>::operator??"},
        {"std::map<int, std::basic_string<char> >::find(int const&)", "std::map<*>::find"},
        {"pair<int, int>::swap()", "pair<int\\, int>::swap"},
        {"ns::operator<< <char, std::traits<char> >(int)", "ns::operator<< <*>"},
        {"operator-><list<of_many_things> >(int)", "operator-><list<*> >"},
        {"run(f*)::{lambda(char*)#1}::operator()(char*) const",
         "run(f?)::{lambda(char?)#1}::operator()"},
        {"it's", "it?s"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct made_tree tree;
        char line[128];
        struct eprof_snapshot *snapshot = make_run(&tree);
        for (size_t top = 0; top < snapshot->top_count; top++)
            if (strcmp(snapshot->tops[top].name, "put") == 0)
                snapshot->tops[top].name = names[i][0];
        snprintf(line, sizeof line, "  EPROF='auto=!get,auto=!%s'", names[i][1]);
        char *text = reported(snapshot, "tree");
        if (!has_line(text, line))
            fail_msg("no line %s in %s", line, text);
    }
}

TEST(advice_is_no_longer_than_some_lines)
{
    static char names[20][120];
    struct made_tree tree = {.count = 0};
    for (unsigned i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "%*s%u", 90, "f", i);
        memset(names[i], 'a' + (char)i, 90);
        made_function(&tree, 0, names[i], 100, MS);
    }
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < snapshot->top_count; i++) {
        snapshot->top_marks[i].overhead_ns = MS;
        snapshot->top_marks[i].site = (uint32_t)i + 1;
    }
    snapshot->run = (struct ep_run){.cpu_ns = 1, .overhead_ns = MS, .wall_ns = EPROF_UNKNOWN};
    assert_int_equal(count_of(reported(snapshot, "tree"), "auto=!"), 2);
}

TEST(instances_of_one_template_are_one_pattern)
{
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "get<std::vector<int> >(int)", 100, MS);
    made_function(&tree, 0, "get<std::vector<char> >(int)", 90, MS);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < snapshot->top_count; i++) {
        snapshot->top_marks[i].overhead_ns = MS;
        snapshot->top_marks[i].site = (uint32_t)i + 1;
    }
    snapshot->run = (struct ep_run){.cpu_ns = 1, .overhead_ns = MS, .wall_ns = EPROF_UNKNOWN};
    assert_true(has_line(reported(snapshot, "tree"), "  EPROF='auto=!get<*>'"));
}

TEST(functions_with_entries_are_not_left_out_by_the_compiler)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.has_entries = true;
    assert_text_has_not(reported(snapshot, "tree"), "hooks");
    assert_true(has_line(reported(snapshot, "tree"), "  EPROF='auto=!get,auto=!put'"));
}

/* As in the compiler's list, where any part of a name matches; of an operator() only the last pair
 * of parentheses is its parameters. */
TEST(exclude_list_has_the_last_part_of_names)
{
    static const char *const names[][2] = {
        {"(anonymous namespace)::find(Ray const&, int) const", ",::find"},
        {"twice<int>(int)", ",twice"},
        {"ns::Map<a::b, c>::operator[](int)", ",::operator[]"},
        {"ns::operator<(int, int)", ",::operator<"},
        {"f(int)::{lambda()#1}::operator()() const", ""},
        {"x;rm -r y", ",x;rm -r y"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct made_tree tree;
        char line[128];
        struct eprof_snapshot *snapshot = make_run(&tree);
        for (size_t top = 0; top < snapshot->top_count; top++)
            if (strcmp(snapshot->tops[top].name, "put") == 0)
                snapshot->tops[top].name = names[i][0];
        snprintf(line, sizeof line, "  '-finstrument-functions-exclude-function-list=get%s'",
                 names[i][1]);
        assert_true(has_line(reported(snapshot, "tree"), line));
    }
}

/* Only timed calls under a budget keep the times of a killed program up to date. */
TEST(times_that_may_be_old_are_compared_with_nothing)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->run.is_old = snapshot->run.is_stale = true;
    char *text = reported(snapshot, "tree");
    assert_true(has_line(text, "overhead of profiling 300 ms"));
    assert_text_has_not(text, "in scopes");
    assert_text_has_not(text, "cost most");
}

TEST(focus_has_no_share_of_the_wall_time)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_run(&tree);
    snapshot->is_focused = true;
    assert_text_has_not(reported(snapshot, "tree"), "in scopes");
}

TEST_EACH(clear_settings, NULL)
