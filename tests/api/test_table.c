/*
 * The table as eprof_print() writes it: its first four columns byte for byte,
 * and the lines at its end.
 */
#include "each_alone.h"
#include "figures.h"
#include "hand_clock.h"
#include "report_line.h"
#include "threads.h"

static void pairs_of(int id, int count, uint64_t ticks)
{
    for (int i = 0; i < count; i++) {
        eprof_start(id);
        hand_ticks += ticks;
        eprof_stop(id);
    }
}

/* The text that eprof_print() writes to the FILE stdout; it is valid until the next call. */
static char *printed(void)
{
    static char text[16384];
    FILE *usual = stdout;
    stdout = fmemopen(text, sizeof text, "w");
    assert_non_null(stdout);
    eprof_print();
    fclose(stdout);
    stdout = usual;
    return text;
}

/* Line number 1, 2, ... of the printed text; it is valid until the next call. */
static const char *line(int number)
{
    char *start = printed();
    for (int i = 1; i < number && start; i++) {
        start = strchr(start, '\n');
        start = start ? start + 1 : NULL;
    }
    if (!start || !strchr(start, '\n'))
        fail_msg("there is no line %d", number);
    *strchr(start, '\n') = '\0';
    return start;
}

/* More columns may follow. */
static void assert_line_begins(int number, const char *expected)
{
    char begin[256];
    const char *text = line(number);
    snprintf(begin, sizeof begin, "%.*s", (int)strlen(expected), text);
    assert_string_equal(begin, expected);
    if (text[strlen(expected)] != '\0' && text[strlen(expected)] != ' ')
        fail_msg("the fourth column goes on: %s", text);
}

/* ------------------------------------------------- the forerunner's program -- */

static int func1_id, func2_id;

static void func1(void *unused)
{
    (void)unused;
    pairs_of(func1_id, 1, UINT64_C(10018200000));
}

static void func2(void *unused)
{
    (void)unused;
    pairs_of(func2_id, 10, 501894000);
}

TEST(forerunners_program_prints_the_contracts_table)
{
    eprof_init();
    func1_id = eprof_alloc("func1");
    func2_id = eprof_alloc("func2");
    on_a_thread(func1, NULL);
    on_a_thread(func2, NULL);
    assert_string_equal(line(1), "");
    assert_string_equal(line(2), "eProf Result:");
    assert_string_equal(line(3), "");
    assert_line_begins(4, "ID name           calls     usec/call");
    const char *rule = line(5);
    assert_in_range(strlen(rule), 51, 1000);
    assert_int_equal(strspn(rule, "-"), strlen(rule));
    assert_line_begins(6, "0: func1             1       10018200");
    assert_line_begins(7, "1: func2            10         501894");
    assert_string_equal(line(8), "");
    eprof_free("func1");
    eprof_free("func2");
    assert_string_equal(line(6), "");
}

/* ---------------------------------------------------------------- a row -- */

static void assert_row_6(int id, const char *label, unsigned long long calls,
                         unsigned long long usec)
{
    char row[128];
    snprintf(row, sizeof row, "%d: %-12s%7llu%15llu", id, label, calls, usec);
    assert_line_begins(6, row);
}

TEST(row_is_id_label_calls_and_usec_per_call)
{
    pairs_of(eprof_alloc("x"), 3, 100000);
    assert_row_6(0, "x", 3, 100);
    eprof_init();
    pairs_of(eprof_alloc("twelve bytes"), 123456, 123456000);
    assert_row_6(0, "twelve bytes", 123456, 123456);
    eprof_init();
    pairs_of(eprof_alloc(""), 1, UINT64_C(99999999999999000));
    assert_row_6(0, "", 1, 99999999999999);
}

static void assert_mean(uint64_t ns, const char *mean)
{
    char row[64];
    eprof_init();
    pairs_of(eprof_alloc("a"), 1, ns);
    snprintf(row, sizeof row, "0: %-12s%7d%15s", "a", 1, mean);
    assert_line_begins(6, row);
}

TEST(mean_has_three_decimals_below_100)
{
    assert_mean(0, "0.000");
    assert_mean(1, "0.001");
    assert_mean(999, "0.999");
    assert_mean(1000, "1.000");
    assert_mean(12345, "12.345");
    assert_mean(99999, "99.999");
    assert_mean(100000, "100");
    assert_mean(999000, "999");
}

TEST(mean_is_of_the_timed_calls)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    pairs_of(id, 3, 100000);
    eprof_stop(id);
    assert_row_6(0, "a", 4, 300);
}

TEST(rows_are_in_the_order_of_their_ids)
{
    int id[3];
    for (int i = 0; i < 3; i++)
        id[i] = eprof_alloc("a");
    eprof_release(id[0]);
    id[0] = eprof_alloc("youngest");
    for (int i = 2; i >= 0; i--)
        pairs_of(id[i], 1, 1);
    assert_line_begins(6, "0: youngest          1");
    assert_line_begins(7, "1: a                 1");
    assert_line_begins(8, "2: a                 1");
}

/* --------------------------------------------------------------- widening -- */

/* Where the columns of a line end: the columns calls and usec/call. */
static int end_of(const char *text, const char *column)
{
    const char *found = strstr(text, column);
    if (!found)
        fail_msg("\"%s\" is not in \"%s\"", column, text);
    return (int)(found - text) + (int)strlen(column);
}

static void assert_columns_are_below_each_other(void)
{
    /* "calls" ends one column further right than its numbers, as in the contract */
    int calls = end_of(line(4), " calls") - 1, mean = end_of(line(4), " usec/call");
    assert_int_equal(end_of(line(6), " 17 ") - 1, calls);
    assert_int_equal(end_of(line(6), " 42.000"), mean);
    assert_int_equal(end_of(line(7), " 23 ") - 1, calls);
    assert_int_equal(end_of(line(7), " 43.000"), mean);
    assert_true(strlen(line(5)) >= (size_t)mean);
}

TEST(longer_label_widens_its_column_in_header_and_rows)
{
    pairs_of(eprof_alloc("short"), 17, 42000);
    pairs_of(eprof_alloc("a label of more than twelve bytes"), 23, 43000);
    assert_columns_are_below_each_other();
    assert_line_begins(4, "ID name                                calls     usec/call");
    assert_line_begins(7, "1: a label of more than twelve bytes     23         43.000");
}

TEST(longer_id_widens_its_column_in_header_and_rows)
{
    pairs_of(eprof_alloc("first"), 17, 42000);
    for (int id = 1; id < 1000; id++)
        eprof_alloc("not called");
    pairs_of(eprof_alloc("last"), 23, 43000);
    assert_columns_are_below_each_other();
    assert_contains(line(7), "1000: last ");
    int name = end_of(line(4), " name");
    assert_int_equal(end_of(line(6), "first") - 1, name);
    assert_int_equal(end_of(line(7), "last"), name);
}

TEST(longer_number_widens_its_column_in_header_and_rows)
{
    pairs_of(eprof_alloc("a"), 1, UINT64_C(1000000000000000000)); /* 31 years */
    pairs_of(eprof_alloc("b"), 1, 100000);
    assert_int_equal(end_of(line(6), " 1000000000000000"), end_of(line(4), " usec/call"));
    assert_int_equal(end_of(line(7), " 100"), end_of(line(4), " usec/call"));
    /* a number and its neighbour never touch */
    assert_contains(line(6), " 1 1000000000000000 ");
}

/* --------------------------------------------------- how far to trust it -- */

TEST(lines_at_the_end_tell_of_the_source)
{
    pairs_of(eprof_alloc("a"), 1, 1000);
    assert_string_equal(line(7), "");
    assert_line_begins(8, "wall time");
    assert_line_begins(9, "overhead of profiling 0 ns,");
    assert_string_equal(line(10), "");
    assert_line_begins(11, "source hand: 1000.0 ticks/us");
    assert_int_equal(eprof_source_use("clock_gettime"), 0);
    const char *text = printed();
    assert_contains(text, "\nsource clock_gettime: 1000.0 ticks/us, resolution ");
    assert_contains(text, "; the probe of a pair costs ");
}

TEST(diagnostic_that_is_not_zero_has_a_line_each)
{
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    pairs_of(id, 1, 10);
    assert_null(strstr(printed(), "unbalanced"));
    eprof_stop(id);
    eprof_stop(id);
    eprof_stop(-1);
    eprof_free("b");
    pairs_of(id, 1, (uint64_t)-1);
    const char *text = printed();
    assert_contains(text, "\n2 stops without a start on their thread (unbalanced)");
    assert_contains(text, "\n1 call with a handle of no instance (bad_handles)");
    assert_contains(text, "(unknown_labels)");
    assert_contains(text, "\n1 pair with an impossible length (clock)");
    eprof_reset();
    text = printed();
    assert_null(strstr(text, "unbalanced"));
    assert_null(strstr(text, "clock)"));
}

TEST(open_pairs_and_errors_have_columns_where_there_are_any)
{
    int id = eprof_alloc("a");
    hand_ticks += 1000;
    pairs_of(id, 1, 10);
    assert_null(strstr(line(4), "open"));
    assert_null(strstr(line(4), "errors"));
    assert_null(strstr(line(4), "timed"));
    pairs_of(id, 2, (uint64_t)-1);
    eprof_start(id);
    const char *header = line(4);
    assert_contains(header, " timed ");
    assert_contains(header, " errors ");
    assert_contains(header, " open");
    const char *row = line(6);
    assert_string_equal(row + strlen(row) - strlen("1       2     1"), "1       2     1");
}

TEST(table_without_instances_is_its_head_and_its_end)
{
    assert_line_begins(4, "ID name           calls     usec/call");
    assert_string_equal(line(6), "");
    assert_line_begins(7, "wall time");
    assert_line_begins(10, "source hand:");
}

/* ------------------------------------------------------------ through stdout -- */

TEST(print_comes_in_order_with_printf_and_is_flushed)
{
    static char text[16384];
    char path[] = P_tmpdir "/eprof-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    unlink(path);
    FILE *usual = stdout;
    stdout = fdopen(dup(file), "w");
    assert_non_null(stdout);
    setvbuf(stdout, NULL, _IOFBF, 65536);
    printf("before\n");
    eprof_print();
    ssize_t flushed = pread(file, text, sizeof text - 1, 0);
    printf("after\n");
    fclose(stdout);
    stdout = usual;
    assert_true(flushed > 0);
    assert_memory_equal(text, "before\n\neProf Result:\n", 22);
    text[pread(file, text, sizeof text - 1, 0)] = '\0';
    assert_string_equal(text + flushed, "after\n");
    close(file);
}

enum { PRINTS = 200 };

static void *print_lines(void *out)
{
    for (int i = 0; i < PRINTS; i++)
        fprintf(out, "a line between\n");
    return NULL;
}

static void *print_tables(void *out)
{
    for (int i = 0; i < PRINTS; i++)
        eprof_report(out, "table");
    return NULL;
}

/* Removes each occurrence of the part, and returns their number. */
static int remove_all(char *text, const char *part)
{
    int times = 0;
    for (char *at; (at = strstr(text, part)) != NULL; times++)
        memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
    return times;
}

/* These lines differ from table to table, since the program runs on. */
static int remove_lines_of_the_run(char *text)
{
    int times = 0;
    for (char *at; (at = strstr(text, "\nwall time ")) != NULL; times++) {
        char *overhead = strchr(at + 1, '\n'), *end = strchr(overhead + 1, '\n');
        assert_memory_equal(overhead, "\noverhead of profiling ", 22);
        memmove(at, end, strlen(end) + 1);
    }
    return times;
}

static char *all_of(FILE *file)
{
    long bytes = ftell(file);
    char *text = calloc(1, (size_t)bytes + 1);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)bytes, file), bytes);
    return text;
}

/* Prints to a file: a stream in memory grows under a lock of its own, which the thread sanitizer
 * does not know, so it reports a race now and then. */
TEST(table_is_whole_while_other_threads_print)
{
    pthread_t threads[3];
    for (int i = 0; i < 10; i++)
        pairs_of(eprof_alloc("a"), 1, 1000);
    char *table = strdup(printed());
    assert_int_equal(remove_lines_of_the_run(table), 1);
    FILE *out = tmpfile();
    assert_non_null(out);
    pthread_create(&threads[0], NULL, print_lines, out);
    pthread_create(&threads[1], NULL, print_tables, out);
    pthread_create(&threads[2], NULL, print_tables, out);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    char *text = all_of(out);
    fclose(out);
    assert_int_equal(remove_lines_of_the_run(text), 2 * PRINTS);
    assert_int_equal(remove_all(text, table), 2 * PRINTS);
    assert_int_equal(remove_all(text, "a line between\n"), PRINTS);
    assert_string_equal(text, "");
    free(table);
    free(text);
}

TEST_RUN()
{
    return tests_run_each_alone("table", hand_clock_begin, NULL);
}
