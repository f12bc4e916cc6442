/* What reports say of the program that a stored image is of. */
#include "made_trees.h"

#include <locale.h>
#include <time.h>

#include "report_origin.h"

/* 2026-11-21 17:34:07 UTC */
#define STARTED UINT64_C(1795282447000000000)

static const char *const settings[] = {"COLUMNS",  "NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL",
                                       "LC_CTYPE", "LANG"};

static int clear_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        unsetenv(settings[i]);
    setenv("TZ", "UTC", 1);
    tzset();
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

/* Of a small stored image; to be freed. */
static char *reported_of(const char *command, uint64_t process_id, uint64_t realtime_ns,
                         const char *format)
{
    struct made_tree tree = {.rows = NULL};
    make_both(&tree);
    made_trouble(&tree, "not_closed", 1);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->command = command;
    snapshot->process_id = process_id;
    snapshot->realtime_ns = realtime_ns;
    char *text = reported(snapshot, format);
    made_free(&tree);
    return text;
}

static void assert_golden_of(const char *format, const char *file)
{
    char *text = reported_of("./server --port 80", 4711, STARTED, format);
    char *expected = golden(file);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
}

static void report_of_a_stored_image_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden_of("tree", "stored.txt");
    assert_golden_of("table", "stored-table.txt");
    assert_golden_of("json", "stored.json");
    assert_golden_of("csv", "stored.csv");
}

/* In the tree and in the table. */
static void assert_line_of(const char *command, uint64_t process_id, uint64_t realtime_ns,
                           const char *line)
{
    static const char *const formats[] = {"tree", "table"};
    for (size_t i = 0; i < 2; i++) {
        char *text = reported_of(command, process_id, realtime_ns, formats[i]);
        if (!has_line(text, line))
            assert_string_equal(text, line);
        free(text);
    }
}

static void origin_says_what_is_known(void **state)
{
    (void)state;
    assert_line_of("a b", 1, STARTED, "of a b, process 1, 2026-11-21 17:34:07");
    assert_line_of("a b", 1, 0, "of a b, process 1");
    assert_line_of("", 1, STARTED, "of process 1, 2026-11-21 17:34:07");
    assert_line_of("a b", 0, STARTED, "of a b, several runs, the first 2026-11-21 17:34:07");
    assert_line_of("", 0, STARTED, "of several runs, the first 2026-11-21 17:34:07");
    assert_line_of("", 0, 0, "of several runs");
    assert_line_of("a\n\033[31m", UINT64_MAX, STARTED,
                   "of a\\x0a\\x1b[31m, process 18446744073709551615, 2026-11-21 17:34:07");
    assert_line_of("a", 1, UINT64_MAX,
                   sizeof(time_t) == 4 ? "of a, process 1"
                                       : "of a, process 1, 2554-07-21 23:34:33");
}

static void origin_is_in_local_time(void **state)
{
    (void)state;
    setenv("TZ", "EST+5", 1);
    tzset();
    assert_line_of("a", 1, STARTED, "of a, process 1, 2026-11-21 12:34:07");
    char *text = reported_of("a", 1, STARTED, "json");
    assert_non_null(strstr(text, "\"started\":\"2026-11-21T17:34:07Z\""));
    free(text);
}

static void assert_line_in(size_t columns, const char *expected)
{
    static const char command[] = "/usr/local/bin/server --config=/etc/server.conf";
    struct eprof_snapshot snapshot = {
        .command = command, .process_id = 4711, .realtime_ns = STARTED};
    struct ep_output out;
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    ep_output_open(&out, stream);
    ep_report_origin_write(&out, &snapshot, columns, "...");
    assert_return_code(ep_output_close(&out), errno);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
}

static void long_command_is_cut_to_the_terminal(void **state)
{
    (void)state;
    assert_line_in(0, "of /usr/local/bin/server --config=/etc/server.conf, "
                      "process 4711, 2026-11-21 17:34:07\n");
    assert_line_in(85, "of /usr/local/bin/server --config=/etc/server.conf, "
                       "process 4711, 2026-11-21 17:34:07\n");
    assert_line_in(
        84,
        "of /usr/local/bin/server ...nfig=/etc/server.conf, process 4711, 2026-11-21 17:34:07\n");
    assert_line_in(64, "of /usr/local/b...server.conf, process 4711, 2026-11-21 17:34:07\n");
    assert_line_in(10, "of /usr/lo...r.conf, process 4711, 2026-11-21 17:34:07\n");
}

static void json_does_not_invent_an_origin(void **state)
{
    (void)state;
    char *text = reported_of("", 0, 0, "json");
    assert_non_null(strstr(text, ",\"command\":null,\"process_id\":null,\"started\":null,\n"));
    free(text);
    text = reported_of(NULL, 1, 1, "json");
    assert_null(strstr(text, "command"));
    free(text);
}

static void living_program_has_no_origin(void **state)
{
    static const char *const formats[] = {"tree", "table"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char *text = reported_of(NULL, 1, STARTED, formats[i]);
        assert_null(strstr(text, "\nof "));
        assert_null(strstr(text, "\n\n\n"));
        free(text);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, clear_settings)
    const struct CMUnitTest tests[] = {
        TEST(report_of_a_stored_image_is_as_its_golden_file),
        TEST(origin_says_what_is_known),
        TEST(origin_is_in_local_time),
        TEST(long_command_is_cut_to_the_terminal),
        TEST(json_does_not_invent_an_origin),
        TEST(living_program_has_no_origin),
    };
    return cmocka_run_group_tests_name("report_origin", tests, NULL, NULL);
}
