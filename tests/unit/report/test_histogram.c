#include "support/made_snapshot.h"
#include "support/made_terminal.h"
#include "support/random.h"

#include "snapshot/distribution.h"

static const struct ep_report report = {.name = "histogram", .write = ep_report_histogram};

/* Gives a row pieces [from, to) in ns with their calls, and ends with an empty one. Sets the
 * figures that the report shows. */
static void give(struct ep_tree_position *position, struct eprof_row *row,
                 const struct ep_distribution_piece *pieces)
{
    size_t count = 0;
    while (pieces[count].upper_ns)
        count++;
    struct ep_distribution *made = test_room(1, sizeof *made + (count + 1) * sizeof *made->pieces);
    *made = (struct ep_distribution){.count = count};
    row->calls = row->timed = 0;
    for (size_t i = 0; i < count; i++) {
        made->pieces[i] = pieces[i];
        made->pieces[i].middle_ns = (pieces[i].lower_ns + pieces[i].upper_ns - 1) / 2;
        row->timed += pieces[i].calls;
    }
    row->calls = row->outermost = row->timed;
    row->min_ns = count ? pieces[0].lower_ns : 0;
    row->max_ns = count ? pieces[count - 1].upper_ns - 1 : 0;
    position->distribution.whole = made;
}

/* A region `f` on two call paths. */
static struct eprof_snapshot *snapshot_of(const struct ep_distribution_piece *one,
                                          const struct ep_distribution_piece *other)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 10);
    made_scope(&tree, 1, "f", 1, 10);
    made_scope(&tree, 1, "g", 1, 10);
    made_scope(&tree, 2, "f", 1, 10);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    give(&snapshot->positions[1], &snapshot->rows[1], one);
    give(&snapshot->positions[3], &snapshot->rows[3], other);
    snapshot->region = "f";
    return snapshot;
}

static void write_report(const void *snapshot, FILE *stream)
{
    assert_return_code(ep_report_write(&report, snapshot, stream), errno);
}

static char *reported_histogram(const struct eprof_snapshot *snapshot)
{
    struct test_text text;
    write_report(snapshot, test_text_begin(&text));
    return test_text_end(&text);
}

static const struct ep_distribution_piece fast[] = {{1000, 1100, 0, 10},
                                                    {1100, 1250, 0, 2000},
                                                    {1250, 1400, 0, 900},
                                                    {9000, 10000, 0, 30},
                                                    {0, 0, 0, 0}};
static const struct ep_distribution_piece slow[] = {
    {2000, 2250, 0, 50}, {80000, 90000, 0, 1}, {0, 0, 0, 0}};
static const struct ep_distribution_piece empty[] = {{0, 0, 0, 0}};

TEST(histogram_is_as_its_golden_file)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_string_equal(reported_histogram(snapshot_of(fast, slow)), golden("histogram.txt"));
}

TEST(percentiles_of_all_paths_are_at_their_lines)
{
    char *text = reported_histogram(snapshot_of(fast, slow));
    assert_text_has(text, "eProf Histogram: f, 2 call paths, 2991 calls\n");
    assert_text_has(text, "#  min 1.00 us, p50 1.17 us\n");
    assert_text_has(text, "#  p90 1.32 us\n");
    assert_text_has(text, "#  p99 9.50 us, p99.9 9.50 us\n");
    assert_text_has(text, "#  max 90.0 us\n");
}

TEST(time_of_zero_after_the_probes_is_below_one)
{
    static const struct ep_distribution_piece brief[] = {{0, 4, 0, 5}, {0, 0, 0, 0}};
    struct eprof_snapshot *snapshot = snapshot_of(brief, empty);
    assert_text_has(reported_histogram(snapshot), "min 0 ns");
    snapshot->positions[1].mark.is_corrected = true;
    assert_text_has(reported_histogram(snapshot), "min <1 probe");
}

TEST(percentiles_of_too_few_calls_are_not_marked)
{
    static const struct ep_distribution_piece few[] = {
        {100, 110, 0, 9}, {200, 220, 0, 1}, {0, 0, 0, 0}};
    char *text = reported_histogram(snapshot_of(few, empty));
    assert_text_has(text, "p50 ");
    assert_text_has(text, "p90 ");
    assert_text_has_not(text, "p99");
}

TEST(counts_of_estimates_are_marked)
{
    struct eprof_snapshot *snapshot = snapshot_of(fast, empty);
    snapshot->rows[1].estimated = 1;
    snapshot->rows[1].timed = 120;
    char *text = reported_histogram(snapshot);
    assert_text_has(text, "2940 calls, 120 timed\n");
    assert_text_has(text, " ~30  1.0 %");
    assert_text_has_not(text, "p99.9");
}

TEST(histogram_of_calls_that_were_not_timed_says_so)
{
    assert_text_has(reported_histogram(snapshot_of(empty, empty)), "\nno call was timed\n");
}

TEST(overloads_have_histograms_of_their_own)
{
    struct made_tree tree = {.rows = NULL};
    made_function(&tree, 0, "f(int)", 1, 10);
    made_function(&tree, 0, "f(double)", 1, 10);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    give(&snapshot->positions[0], &snapshot->rows[0], fast);
    give(&snapshot->positions[1], &snapshot->rows[1], slow);
    snapshot->region = "f";
    char *text = reported_histogram(snapshot);
    assert_text_has(text, "\neProf Histogram: f(int), 1 call path, 2940 calls\n");
    assert_text_has(text, "\neProf Histogram: f(double), 1 call path, 51 calls\n");
}

TEST(instance_has_a_histogram_without_call_paths)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(0, "f", 1, 10));
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    struct ep_tree_position position;
    give(&position, &snapshot->rows[0], fast);
    snapshot->instance_slots[0].distribution = position.distribution;
    snapshot->region = "f";
    assert_text_has(reported_histogram(snapshot), "\neProf Histogram: f, 2940 calls\n");
}

/* The calls of the lines, of which there are `*lines`. */
static uint64_t sum_of_lines(const char *text, size_t *lines)
{
    uint64_t sum = 0;
    *lines = 0;
    const char *line = strchr(strstr(text, "\ntime "), '\n') + 1;
    for (line = strchr(line, '\n') + 1; *line != '\n'; line = strchr(line, '\n') + 1, ++*lines) {
        const char *minus = strstr(line, " - ") + strlen(" - ");
        unsigned long long calls = 0;
        if (sscanf(minus, " %*s %*s %llu", &calls) != 1)
            fail_msg("no calls in %.80s", line);
        sum += calls;
    }
    return sum;
}

TEST(lines_add_up_and_fit_a_screen_for_any_times)
{
    for (int round = 0; round < 2000; round++) {
        struct ep_distribution_piece pieces[9] = {{0, 0, 0, 0}};
        uint64_t at = random_magnitude() >> 3, calls = 0;
        size_t count = 1 + random_next() % 8, lines;
        for (size_t i = 0; i < count; i++) {
            uint64_t wide = 1 + at / 8;
            pieces[i] = (struct ep_distribution_piece){at, at + wide, 0, 1 + random_next() % 1000};
            calls += pieces[i].calls;
            at += wide + (random_next() % 2 ? random_magnitude() >> 6 : 0);
        }
        char *text = reported_histogram(snapshot_of(pieces, empty));
        if (sum_of_lines(text, &lines) != calls)
            fail_msg("not %llu calls in\n%s", (unsigned long long)calls, text);
        assert_in_range(lines, 1, 24);
        assert_int_equal(count_of(text, "min "), 1);
        assert_int_equal(count_of(text, "max "), 1);
    }
}

TEST(lines_fit_the_terminal)
{
    setenv("LC_ALL", "C", 1);
    for (unsigned columns = 72; columns <= 200; columns += 32) {
        char number[8];
        snprintf(number, sizeof number, "%u", columns);
        setenv("COLUMNS", number, 1);
        char *text = terminal_catch(write_report, snapshot_of(fast, slow));
        const char *line = strstr(text, "time ");
        for (; *line && strncmp(line, "source", 6) != 0; line += strcspn(line, "\n") + 1)
            assert_in_range(strcspn(line, "\r\n"), 0, columns);
    }
}

static int begin(void **state)
{
    random_begin();
    return clear_settings(state);
}

TEST_EACH(begin, NULL)
