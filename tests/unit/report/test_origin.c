/* The text of reports about the program that recorded a stored image. */
#include "support/made_snapshot.h"
#include "support/made_terminal.h"
#include "support/written.h"

#include <time.h>

#include "report/format.h"

/* 2026-11-21 17:34:07 UTC */
#define STARTED UINT64_C(1795282447000000000)

/* The report on a small stored image; the caller frees it. */
static char *reported_of(const char *command, uint64_t process_id, uint64_t realtime_ns,
                         const char *format)
{
    struct made_tree tree = {.rows = NULL};
    make_both(&tree);
    made_diagnostics(&tree, "not_closed", 1);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->command = command;
    snapshot->process_id = process_id;
    snapshot->realtime_ns = realtime_ns;
    char *text = reported(snapshot, format);
    return text;
}

static void assert_golden_of(const char *format, const char *file)
{
    char *text = reported_of("./server --port 80", 4711, STARTED, format);
    char *expected = golden(file);
    assert_string_equal(text, expected);
}

TEST(report_of_a_stored_image_is_as_its_golden_file)
{
    assert_golden_of("tree", "stored.txt");
    assert_golden_of("table", "stored-table.txt");
    assert_golden_of("json", "stored.json");
    assert_golden_of("csv", "stored.csv");
}

/* It is the same in the tree and in the table. */
static void assert_line_of(const char *command, uint64_t process_id, uint64_t realtime_ns,
                           const char *line)
{
    static const char *const formats[] = {"tree", "table"};
    for (size_t i = 0; i < 2; i++) {
        char *text = reported_of(command, process_id, realtime_ns, formats[i]);
        if (!has_line(text, line))
            assert_string_equal(text, line);
    }
}

TEST(origin_shows_known_facts)
{
    assert_line_of("a b", 1, STARTED, "of a b, process 1, 2026-11-21 17:34:07 UTC");
    assert_line_of("a b", 1, 0, "of a b, process 1");
    assert_line_of("", 1, STARTED, "of process 1, 2026-11-21 17:34:07 UTC");
    assert_line_of("a b", 0, STARTED, "of a b, several runs, the first 2026-11-21 17:34:07 UTC");
    assert_line_of("", 0, STARTED, "of several runs, the first 2026-11-21 17:34:07 UTC");
    assert_line_of("", 0, 0, "of several runs");
    assert_line_of("a\n\033[31m", UINT64_MAX, STARTED,
                   "of a\\x0a\\x1b[31m, process 18446744073709551615, 2026-11-21 17:34:07 UTC");
    assert_line_of("a", 1, UINT64_MAX,
                   sizeof(time_t) == 4 ? "of a, process 1"
                                       : "of a, process 1, 2554-07-21 23:34:33 UTC");
}

TEST(origin_is_in_utc_in_each_time_zone)
{
    setenv("TZ", "EST+5", 1);
    tzset();
    assert_line_of("a", 1, STARTED, "of a, process 1, 2026-11-21 17:34:07 UTC");
    char *text = reported_of("a", 1, STARTED, "json");
    assert_non_null(strstr(text, "\"started\":\"2026-11-21T17:34:07Z\""));
}

static void assert_line_in(size_t columns, const char *expected)
{
    static const char command[] = "/usr/local/bin/server --config=/etc/server.conf";
    struct eprof_snapshot snapshot = {
        .command = command, .process_id = 4711, .realtime_ns = STARTED};
    struct memory memory;
    memory_open(&memory);
    ep_report_format_origin(&memory.out, &snapshot, columns, "...");
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
}

TEST(long_command_is_cut_to_the_terminal)
{
    assert_line_in(0, "of /usr/local/bin/server --config=/etc/server.conf, "
                      "process 4711, 2026-11-21 17:34:07 UTC\n");
    assert_line_in(89, "of /usr/local/bin/server --config=/etc/server.conf, "
                       "process 4711, 2026-11-21 17:34:07 UTC\n");
    assert_line_in(88, "of /usr/local/bin/server ...nfig=/etc/server.conf, process 4711, "
                       "2026-11-21 17:34:07 UTC\n");
    assert_line_in(68, "of /usr/local/b...server.conf, process 4711, 2026-11-21 17:34:07 UTC\n");
    assert_line_in(10, "of /usr/lo...r.conf, process 4711, 2026-11-21 17:34:07 UTC\n");
}

TEST(json_does_not_invent_an_origin)
{
    char *text = reported_of("", 0, 0, "json");
    assert_non_null(strstr(text, ",\"command\":null,\"process_id\":null,\"started\":null,\n"));
    text = reported_of(NULL, 1, 1, "json");
    assert_null(strstr(text, "command"));
}

TEST(living_program_has_no_origin)
{
    static const char *const formats[] = {"tree", "table"};
    for (size_t i = 0; i < 2; i++) {
        char *text = reported_of(NULL, 1, STARTED, formats[i]);
        assert_null(strstr(text, "\nof "));
        assert_null(strstr(text, "\n\n\n"));
    }
}

TEST_EACH(clear_settings, NULL)
