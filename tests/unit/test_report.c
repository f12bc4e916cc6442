#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

/* ------------------------------------------------- snapshots made by hand -- */

enum { ROWS = 8 };

struct made {
    struct eprof_row rows[ROWS];
    struct eprof_snapshot snapshot;
};

static struct eprof_row instance(int id, const char *name)
{
    return (struct eprof_row){.size = sizeof(struct eprof_row),
                              .kind = "instance",
                              .name = name,
                              .path = name,
                              .thread = "*",
                              .file = "",
                              .id = id};
}

/* A row of `calls` pairs that all took the same time. */
static struct eprof_row even_instance(int id, const char *name, uint64_t calls, uint64_t each_ns)
{
    struct eprof_row row = instance(id, name);
    row.calls = row.timed = calls;
    row.total_ns = row.self_ns = calls * each_ns;
    row.mean_ns = row.min_ns = row.p50_ns = row.p90_ns = each_ns;
    row.p99_ns = row.p999_ns = row.max_ns = each_ns;
    return row;
}

/* What a snapshot leaves in a row of trouble beyond name and count must not show. */
static struct eprof_row trouble(const char *name, uint64_t count)
{
    struct eprof_row row = instance(-1, name);
    row.kind = "trouble";
    row.calls = count;
    return row;
}

static void make(struct made *made, size_t instances, size_t troubles)
{
    made->snapshot = (struct eprof_snapshot){.rows = made->rows,
                                             .row_count = instances + troubles,
                                             .trouble_first = instances,
                                             .unit = "ns",
                                             .source = "rdtsc",
                                             .ticks_per_us = 2300,
                                             .resolution_ns = 0.87,
                                             .pair_ns = 21.26,
                                             .inside_ns = 10.43};
}

static void make_empty(struct made *made)
{
    make(made, 0, 0);
}

/* The example that the form of the table was fixed with. */
static void make_contract(struct made *made)
{
    made->rows[0] = even_instance(0, "func1", 1, UINT64_C(10018200000));
    made->rows[1] = even_instance(1, "func2", 10, UINT64_C(501894000));
    make(made, 2, 0);
}

static void make_mixed(struct made *made)
{
    struct eprof_row parse = instance(0, "parse");
    parse.calls = 120000, parse.timed = 119998, parse.errors = 2;
    parse.total_ns = parse.self_ns = 147597540;
    parse.mean_ns = 1230, parse.stddev_ns = 318;
    parse.min_ns = 812, parse.p50_ns = 1184, parse.p90_ns = 1568, parse.p99_ns = 2432;
    parse.p999_ns = 7936, parse.max_ns = 48213;
    struct eprof_row query = instance(1, "query database");
    query.calls = 250, query.timed = 200, query.open = 1;
    query.total_ns = query.self_ns = UINT64_C(3041718000);
    query.mean_ns = 15208590, query.stddev_ns = 2914003;
    query.min_ns = 9995000, query.p50_ns = 14680064, query.p90_ns = 18874368;
    query.p99_ns = 27262976, query.p999_ns = 30408704, query.max_ns = 31002118;
    struct eprof_row waiting = instance(12, "wait");
    waiting.open = 3;
    made->rows[0] = parse;
    made->rows[1] = query;
    made->rows[2] = waiting;
    made->rows[3] = trouble("unbalanced", 3);
    made->rows[4] = trouble("clock", 2);
    made->rows[5] = trouble("items_not_understood", 1);
    make(made, 3, 3);
}

static void make_threads(struct made *made)
{
    static const char *const threads[] = {"main", "thread 1", "gr\xC3\xBC\xC3\x9F"};
    for (int i = 0; i < 3; i++) {
        made->rows[i] = even_instance(0, "parse", 100 + (uint64_t)i, 512 + 32 * (uint64_t)i);
        made->rows[i].thread = threads[i];
    }
    make(made, 3, 0);
    made->snapshot.options.threads = true;
}

static void make_ticks(struct made *made)
{
    make_mixed(made);
    made->snapshot.options.ticks = true;
    made->snapshot.unit = "ticks";
}

static void make_raw(struct made *made)
{
    make_mixed(made);
    made->snapshot.options.raw = true;
}

static void make_hostile(struct made *made)
{
    static const char *const names[] = {
        "",
        "say \"hi\", twice; \\o/",
        "two\nlines\r\tand a tab",
        "\033[2J\033[31mred\xC2\x9Bm",
        "\xFF\xC3(\xED\xA0\x80 cut \xE2\x82",
        "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80",
    };
    enum { NAMES = sizeof names / sizeof names[0] };
    for (int i = 0; i < NAMES; i++) {
        made->rows[i] = even_instance(i, names[i], 1, 1000);
        made->rows[i].thread = names[NAMES - 1 - i];
    }
    made->rows[1].path = "say \"hi\", twice\\; \\\\o/"; /* escaped by the snapshot */
    made->rows[NAMES] = trouble("\033\"new\",\xFF\n", 7);
    make(made, NAMES, 1);
    made->snapshot.options.threads = true;
    made->snapshot.source = "my \"clock\"\n\xFF";
}

/* ------------------------------------------------------- reports in memory -- */

/* The report's text; to be freed. */
static char *reported(const struct eprof_snapshot *snapshot, const char *format)
{
    struct ep_snapshot_options options;
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    assert_non_null(report);
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(ep_report_write(report, snapshot, stream), 0);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(strlen(text), bytes);
    return text;
}

/* The file's text; to be freed. */
static char *golden(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", EPROF_GOLDEN_DIR, name);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        fail_msg("%s: %s", path, strerror(errno));
    enum { LARGEST = 1 << 16 };
    char *text = calloc(1, LARGEST);
    assert_non_null(text);
    assert_in_range(fread(text, 1, LARGEST, stream), 1, LARGEST - 1);
    fclose(stream);
    return text;
}

static void assert_golden(void (*make_one)(struct made *made), const char *format, const char *file)
{
    struct made made;
    make_one(&made);
    char *text = reported(&made.snapshot, format);
    char *expected = golden(file);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
}

/* Line number `number` of the text, without its end; to be freed. */
static char *line_of(const char *text, int number)
{
    while (number-- > 0)
        text = strchr(text, '\n') + 1;
    return strndup(text, strcspn(text, "\n"));
}

enum { HEADER_LINE = 3, RULE_LINE, FIRST_ROW_LINE };

static void assert_line_begins(const char *text, int number, const char *beginning)
{
    char *line = line_of(text, number);
    assert_non_null(line);
    if (strncmp(line, beginning, strlen(beginning)) != 0)
        assert_string_equal(line, beginning);
    free(line);
}

static bool has_line(const char *text, const char *line)
{
    const char *found = strstr(text, line);
    return found && (found == text || found[-1] == '\n') && found[strlen(line)] == '\n';
}

/* ------------------------------------------------------------ golden files -- */

static void table_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden(make_empty, "table", "empty.txt");
    assert_golden(make_contract, "table", "contract.txt");
    assert_golden(make_mixed, "table", "mixed.txt");
    assert_golden(make_threads, "table", "threads.txt");
    assert_golden(make_ticks, "table", "ticks.txt");
    assert_golden(make_raw, "table", "raw.txt");
    assert_golden(make_hostile, "table", "hostile.txt");
}

static void csv_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden(make_empty, "csv", "empty.csv");
    assert_golden(make_mixed, "csv", "mixed.csv");
    assert_golden(make_threads, "csv", "threads.csv");
    assert_golden(make_ticks, "csv", "ticks.csv");
    assert_golden(make_hostile, "csv", "hostile.csv");
}

static void json_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden(make_empty, "json", "empty.json");
    assert_golden(make_mixed, "json", "mixed.json");
    assert_golden(make_threads, "json", "threads.json");
    assert_golden(make_ticks, "json", "ticks.json");
    assert_golden(make_hostile, "json", "hostile.json");
}

/* -------------------------------------------------------- the table's form -- */

static void table_begins_as_the_contract_says(void **state)
{
    (void)state;
    struct made made;
    make_contract(&made);
    char *text = reported(&made.snapshot, "table");
    assert_line_begins(text, 0, "");
    assert_int_equal(text[0], '\n');
    char *title = line_of(text, 1);
    assert_string_equal(title, "eProf Result:");
    free(title);
    assert_line_begins(text, HEADER_LINE, "ID name           calls     usec/call ");
    assert_line_begins(text, RULE_LINE, "---------------------------------------------------");
    assert_line_begins(text, FIRST_ROW_LINE, "0: func1             1       10018200 ");
    assert_line_begins(text, FIRST_ROW_LINE + 1, "1: func2            10         501894 ");
    free(text);
}

/* The row of one instance must begin with this. */
static void assert_row(struct eprof_row row, const char *beginning)
{
    struct made made;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "table");
    assert_line_begins(text, FIRST_ROW_LINE, beginning);
    free(text);
}

static void table_mean_has_three_decimals_below_100(void **state)
{
    (void)state;
    assert_row(even_instance(0, "a", 1, 0), "0: a                 1          0.000 ");
    assert_row(even_instance(0, "a", 1, 7), "0: a                 1          0.007 ");
    assert_row(even_instance(0, "a", 1, 99999), "0: a                 1         99.999 ");
    assert_row(even_instance(0, "a", 1, 100000), "0: a                 1            100 ");
    assert_row(even_instance(0, "a", 1, 100499), "0: a                 1            100 ");
    assert_row(even_instance(0, "a", 1, 100500), "0: a                 1            101 ");
    assert_row(even_instance(0, "a", 1, UINT64_MAX), "0: a                 1 18446744073709552 ");
}

static void table_widens_for_what_is_longer(void **state)
{
    (void)state;
    struct made made;
    made.rows[0] = even_instance(0, "short", 1, 1);
    made.rows[1] = even_instance(1234, "a label that is longer", 123456789, 1);
    make(&made, 2, 0);
    char *text = reported(&made.snapshot, "table");
    assert_line_begins(text, HEADER_LINE, "ID    name                        calls     usec/call ");
    assert_line_begins(text, FIRST_ROW_LINE,
                       "   0: short                          1          0.001 ");
    assert_line_begins(text, FIRST_ROW_LINE + 1,
                       "1234: a label that is longer 123456789          0.001 ");
    free(text);
}

static void table_keeps_a_full_label_and_a_full_number_apart(void **state)
{
    (void)state;
    assert_row(even_instance(0, "elevenchars", 1234567, 1),
               "0: elevenchars 1234567          0.001 ");
    assert_row(even_instance(0, "twelve chars", 1234567, 1),
               "0: twelve chars 1234567          0.001 ");
    assert_row(even_instance(0, "a", 1234567, 1), "0: a           1234567          0.001 ");
}

static void table_aligns_by_characters_not_bytes(void **state)
{
    (void)state;
    assert_row(even_instance(0, "gr\xC3\xBC\xC3\x9F", 1, 1),
               "0: gr\xC3\xBC\xC3\x9F              1          0.001 ");
    assert_row(even_instance(0, "\n", 1, 1), "0: \\x0a              1          0.001 ");
}

static void table_column_is_as_wide_as_a_label_of_4_kib(void **state)
{
    (void)state;
    enum { LONG = 4095 };
    char name[LONG + 1], beginning[LONG + 64];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    snprintf(beginning, sizeof beginning, "0: %s      1          0.001 ", name);
    assert_row(even_instance(0, name, 1, 1), beginning);
    memset(name, '\n', LONG);
    struct made made;
    made.rows[0] = even_instance(0, name, 1, 1);
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "table");
    char *rule = line_of(text, RULE_LINE);
    assert_in_range(strlen(rule), 4 * LONG, 4 * LONG + 200);
    free(rule);
    free(text);
}

static void assert_lines_end_without_blanks(const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        assert_int_equal(line[length], '\n');
        if (length > 0)
            assert_int_not_equal(line[length - 1], ' ');
        line += length + 1;
    }
}

static void table_lines_end_without_blanks(void **state)
{
    (void)state;
    void (*const makers[])(struct made * made) = {
        make_empty, make_contract, make_mixed, make_threads, make_ticks, make_raw, make_hostile};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        struct made made;
        makers[i](&made);
        char *text = reported(&made.snapshot, "table");
        assert_lines_end_without_blanks(text);
        free(text);
    }
}

static void table_rule_is_as_long_as_the_header(void **state)
{
    (void)state;
    struct made made;
    make_mixed(&made);
    char *text = reported(&made.snapshot, "table");
    char *header = line_of(text, HEADER_LINE);
    char *rule = line_of(text, RULE_LINE);
    char *row = line_of(text, FIRST_ROW_LINE);
    assert_int_equal(strlen(rule), strlen(header));
    assert_int_equal(strlen(row), strlen(header));
    assert_int_equal(strspn(rule, "-"), strlen(rule));
    free(row);
    free(rule);
    free(header);
    free(text);
}

/* The figure under a title: what ends where the title ends. */
static void assert_figure(struct eprof_row row, const char *title, const char *expected)
{
    struct made made;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "table");
    char *header = line_of(text, HEADER_LINE);
    char *line = line_of(text, FIRST_ROW_LINE);
    const char *found = strstr(header, title);
    assert_non_null(found);
    size_t end = (size_t)(found - header) + strlen(title);
    assert_in_range(end, strlen(expected) + 2, strlen(line));
    line[end] = '\0';
    assert_string_equal(line + end - strlen(expected), expected);
    assert_memory_equal(line + end - strlen(expected) - 2, "  ", 2);
    free(line);
    free(header);
    free(text);
}

static void table_chooses_units_for_reading(void **state)
{
    (void)state;
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},
        {812, "812 ns"},
        {999, "999 ns"},
        {1000, "1.00 us"},
        {1234, "1.23 us"},
        {9994, "9.99 us"},
        {9995, "10.0 us"},
        {99949, "99.9 us"},
        {99950, "100 us"},
        {999499, "999 us"},
        {999500, "1.00 ms"},
        {1234567, "1.23 ms"},
        {999500000, "1.00 s"},
        {UINT64_C(12345678901), "12.3 s"},
        {UINT64_C(999999999999), "1000 s"},
        {UINT64_C(315360000000000000), "315360000 s"},
        {UINT64_MAX, "18446744074 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_figure(even_instance(0, "a", 1, cases[i].ns), "max", cases[i].text);
}

static void table_has_a_figure_in_every_column(void **state)
{
    (void)state;
    struct eprof_row row = instance(0, "a");
    row.calls = 90, row.timed = 50, row.errors = 7, row.open = 3;
    row.total_ns = 801, row.min_ns = 802, row.p50_ns = 803, row.p90_ns = 804;
    row.p99_ns = 805, row.p999_ns = 806, row.max_ns = 807, row.stddev_ns = 808;
    assert_figure(row, "total", "801 ns");
    assert_figure(row, "min", "802 ns");
    assert_figure(row, "p50", "803 ns");
    assert_figure(row, "p90", "804 ns");
    assert_figure(row, "p99", "805 ns");
    assert_figure(row, "p99.9", "806 ns");
    assert_figure(row, "max", "807 ns");
    assert_figure(row, "stddev", "808 ns");
    assert_figure(row, "timed", "50");
    assert_figure(row, "errors", "7");
    assert_figure(row, "open", "3");
}

static void table_has_no_figure_where_nothing_was_timed(void **state)
{
    (void)state;
    struct eprof_row row = instance(0, "a");
    row.open = 1;
    assert_figure(row, "total", "-");
    assert_figure(row, "stddev", "-");
    assert_figure(row, "open", "1");
}

static void table_shows_rare_columns_only_where_there_is_something(void **state)
{
    (void)state;
    struct made made;
    make_contract(&made);
    char *text = reported(&made.snapshot, "table");
    char *header = line_of(text, HEADER_LINE);
    assert_null(strstr(header, "timed"));
    assert_null(strstr(header, "errors"));
    assert_null(strstr(header, "open"));
    assert_null(strstr(header, "thread"));
    free(header);
    free(text);
}

/* -------------------------------------------------- the lines below the table -- */

static void assert_source_line(const struct made *made, const char *line)
{
    char *text = reported(&made->snapshot, "table");
    if (!has_line(text, line))
        assert_string_equal(text, line);
    free(text);
}

static void table_says_what_is_known_of_the_source(void **state)
{
    (void)state;
    struct made made;
    make_empty(&made);
    assert_source_line(&made,
                       "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns; an empty pair costs "
                       "21.3 ns, of which 10.4 ns would be read inside (taken off)");
    made.snapshot.options.raw = true;
    assert_source_line(&made,
                       "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns; an empty pair costs "
                       "21.3 ns, of which 10.4 ns are read inside (not taken off)");
    made.snapshot.inside_ns = 0;
    assert_source_line(&made,
                       "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns; an empty pair costs "
                       "21.3 ns");
    made.snapshot.pair_ns = 0;
    assert_source_line(&made, "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns");
    made.snapshot.ticks_per_us = 0.001;
    made.snapshot.resolution_ns = 0;
    assert_source_line(&made, "source rdtsc: 1000.0 ticks/s");
    made.snapshot.ticks_per_us = 0;
    assert_source_line(&made, "source rdtsc");
    made.snapshot.resolution_ns = 1000;
    made.snapshot.inside_ns = 10;
    made.snapshot.options.raw = false;
    assert_source_line(&made,
                       "source rdtsc: resolution 1000.0 ns; of an empty pair 10.0 ns would be "
                       "read inside (taken off)");
}

static void assert_trouble(const char *name, uint64_t count, const char *beginning)
{
    struct made made;
    made.rows[0] = trouble(name, count);
    make(&made, 0, 1);
    char *text = reported(&made.snapshot, "table");
    /* two lines of head, then header, rule, a blank line, the source */
    assert_line_begins(text, RULE_LINE + 3, beginning);
    free(text);
}

static void table_tells_each_trouble_in_words(void **state)
{
    (void)state;
    assert_trouble("unbalanced", 3, "3 stops without a start on their thread (unbalanced): ");
    assert_trouble("unbalanced", 1, "1 stop without a start on its thread (unbalanced): ");
    assert_trouble("bad_handles", 2, "2 calls with a handle of no instance (bad_handles): ");
    assert_trouble("unknown_labels", 1,
                   "1 call of eprof_free() with a label that is not there (unknown_labels): ");
    assert_trouble("lost", 5, "5 calls that could not be recorded (lost): ");
    assert_trouble("out_of_cells", 5, "5 calls lost for want of memory (out_of_cells): ");
    assert_trouble("forced_closes", 2, "2 regions whose end never came (forced_closes): ");
    assert_trouble("stray_keeps", 2,
                   "2 calls of eprof_keep() without an eprof_hold() (stray_keeps): ");
    assert_trouble("clock", 1, "1 pair with an impossible length (clock): ");
    assert_trouble("items_not_understood", 2,
                   "2 items of EPROF or eprof_setup() that were not "
                   "carried out (items_not_understood): ");
    assert_trouble("something_new", UINT64_MAX, "18446744073709551615 something_new");
}

/* ---------------------------------------------------------------- csv, json -- */

static void csv_of_a_4_kib_label_is_whole(void **state)
{
    (void)state;
    enum { LONG = 4095 };
    char name[LONG + 1], beginning[2 * LONG + 64];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    struct made made;
    made.rows[0] = even_instance(0, name, 1, 1);
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "csv");
    snprintf(beginning, sizeof beginning, "instance,%s,%s,*,,0,1,1,0,0,1,1,1,0,1,1,1,1,1,1", name,
             name);
    assert_line_begins(text, 1, beginning);
    free(text);
}

static void csv_and_json_have_every_figure_in_its_place(void **state)
{
    (void)state;
    struct made made;
    struct eprof_row row = instance(0, "a");
    row.file = "a.c", row.line = 17;
    row.calls = 1, row.timed = 2, row.errors = 3, row.open = 4, row.total_ns = 5, row.self_ns = 6;
    row.mean_ns = 7, row.stddev_ns = 8, row.min_ns = 9, row.p50_ns = 10, row.p90_ns = 11;
    row.p99_ns = 12, row.p999_ns = 13, row.max_ns = UINT64_MAX;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *csv = reported(&made.snapshot, "csv");
    assert_string_equal(csv,
                        "kind,name,path,thread,file,line,calls,timed,errors,open,total_ns,"
                        "self_ns,mean_ns,stddev_ns,min_ns,p50_ns,p90_ns,p99_ns,p999_ns,max_ns\n"
                        "instance,a,a,*,a.c,17,1,2,3,4,5,6,7,8,9,10,11,12,13,"
                        "18446744073709551615\n");
    char *json = reported(&made.snapshot, "json");
    assert_non_null(strstr(json,
                           "{\"kind\":\"instance\",\"name\":\"a\",\"path\":\"a\",\"thread\":\"*\","
                           "\"file\":\"a.c\",\"line\":17,\"calls\":1,\"timed\":2,\"errors\":3,"
                           "\"open\":4,\"total_ns\":5,\"self_ns\":6,\"mean_ns\":7,"
                           "\"stddev_ns\":8,\"min_ns\":9,\"p50_ns\":10,\"p90_ns\":11,"
                           "\"p99_ns\":12,\"p999_ns\":13,\"max_ns\":18446744073709551615}"));
    free(json);
    free(csv);
}

static void json_does_not_invent_what_is_not_known(void **state)
{
    (void)state;
    struct made made;
    make_empty(&made);
    made.snapshot.ticks_per_us = made.snapshot.resolution_ns = 0;
    made.snapshot.pair_ns = made.snapshot.inside_ns = 0;
    char *text = reported(&made.snapshot, "json");
    assert_non_null(strstr(text, "\"ticks_per_us\":null,\"resolution_ns\":null,\"pair_ns\":null,"
                                 "\"inside_ns\":null"));
    free(text);
}

/* ------------------------------------------------------------------- locale -- */

#ifdef __GLIBC__
/*
 * A locale with a decimal comma, made here, since none need be installed: the
 * file that localedef writes for LC_NUMERIC (glibc, locale/localeinfo.h and
 * locale/loadlocale.c): a magic number, the count of items, where each begins,
 * then the items.
 */
struct numeric_locale {
    uint32_t magic, items, offset[6];
    char point[2], separator[1], grouping[1];
    uint32_t wide_point, wide_separator;
    char codeset[8];
};

static void write_numeric_locale(const char *path)
{
    const struct numeric_locale file = {
        .magic = 0x20031115 ^ LC_NUMERIC,
        .items = 6,
        .offset = {offsetof(struct numeric_locale, point),
                   offsetof(struct numeric_locale, separator),
                   offsetof(struct numeric_locale, grouping),
                   offsetof(struct numeric_locale, wide_point),
                   offsetof(struct numeric_locale, wide_separator),
                   offsetof(struct numeric_locale, codeset)},
        .point = ",",
        .wide_point = ',',
        .codeset = "UTF-8",
    };
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(&file, sizeof file, 1, stream), 1);
    assert_int_equal(fclose(stream), 0);
}

static void use_decimal_comma(void)
{
    char root[] = P_tmpdir "/eprof-test-XXXXXX", directory[64], path[96], number[8];
    assert_non_null(mkdtemp(root));
    snprintf(directory, sizeof directory, "%s/comma", root);
    snprintf(path, sizeof path, "%s/LC_NUMERIC", directory);
    assert_int_equal(mkdir(directory, 0700), 0);
    write_numeric_locale(path);
    assert_int_equal(setenv("LOCPATH", root, 1), 0);
    const char *set = setlocale(LC_NUMERIC, "comma");
    unlink(path);
    rmdir(directory);
    rmdir(root);
    assert_non_null(set);
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0,5");
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    use_decimal_comma();
    table_is_as_its_golden_file(state);
    csv_is_as_its_golden_file(state);
    json_is_as_its_golden_file(state);
}

static int use_the_c_locale(void **state)
{
    (void)state;
    unsetenv("LOCPATH");
    return setlocale(LC_NUMERIC, "C") ? 0 : -1;
}
#endif

/* ------------------------------------------------------------ list of formats -- */

static const struct ep_report *find(const char *text, struct ep_snapshot_options *options)
{
    return ep_report_find(text, strlen(text), options);
}

static void assert_found(const char *text, const char *name, struct ep_snapshot_options expected)
{
    struct ep_snapshot_options options = {true, true, true};
    const struct ep_report *report = find(text, &options);
    assert_non_null(report);
    assert_string_equal(report->name, name);
    assert_int_equal(options.threads, expected.threads);
    assert_int_equal(options.raw, expected.raw);
    assert_int_equal(options.ticks, expected.ticks);
}

static void find_reads_format_and_options(void **state)
{
    (void)state;
    assert_found("table", "table", (struct ep_snapshot_options){false, false, false});
    assert_found("csv", "csv", (struct ep_snapshot_options){false, false, false});
    assert_found("json", "json", (struct ep_snapshot_options){false, false, false});
    assert_found("csv:threads", "csv", (struct ep_snapshot_options){true, false, false});
    assert_found("table:raw", "table", (struct ep_snapshot_options){false, true, false});
    assert_found("json:ticks", "json", (struct ep_snapshot_options){false, false, true});
    assert_found("csv:ticks:threads:raw", "csv", (struct ep_snapshot_options){true, true, true});
    assert_found("csv:raw:raw", "csv", (struct ep_snapshot_options){false, true, false});
}

static void find_refuses_what_it_does_not_know(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        ":",
        "tab",
        "tables",
        "Table",
        "table ",
        " table",
        "table:",
        "table::raw",
        "table:raw:",
        ":raw",
        "table:rows",
        "raw",
        "table,raw",
        "table:threadsx",
        "table:thread",
        "csv:ticks:x",
        "csv=file",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ep_snapshot_options options = {true, false, true};
        if (find(wrong[i], &options))
            fail_msg("\"%s\" was found", wrong[i]);
        assert_true(options.threads && !options.raw && options.ticks);
    }
}

static void find_looks_at_no_more_than_the_length(void **state)
{
    (void)state;
    struct ep_snapshot_options options;
    static const char text[] = {'c', 's', 'v', ':', 'r', 'a', 'w'};
    const struct ep_report *report = ep_report_find(text, 3, &options);
    assert_non_null(report);
    assert_false(options.raw);
    report = ep_report_find(text, sizeof text, &options);
    assert_non_null(report);
    assert_true(options.raw);
    assert_null(ep_report_find(text, 4, &options));
    assert_null(ep_report_find(text, 6, &options));
}

static void every_format_is_in_the_list_of_names(void **state)
{
    (void)state;
    char names[] = EP_REPORT_NAMES;
    struct ep_snapshot_options options;
    int count = 0;
    for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", "), count++)
        assert_non_null(find(name, &options));
    assert_int_equal(count, 3);
}

static void write_tells_of_a_full_disk(void **state)
{
    (void)state;
    static const char *const formats[] = {"table", "csv", "json"};
    struct made made;
    make_mixed(&made);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct ep_snapshot_options options;
        FILE *stream = fopen("/dev/full", "w");
        assert_non_null(stream);
        errno = 0;
        assert_int_equal(ep_report_write(find(formats[i], &options), &made.snapshot, stream), -1);
        assert_int_equal(errno, ENOSPC);
        fclose(stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_as_its_golden_file),
        cmocka_unit_test(csv_is_as_its_golden_file),
        cmocka_unit_test(json_is_as_its_golden_file),
        cmocka_unit_test(table_begins_as_the_contract_says),
        cmocka_unit_test(table_mean_has_three_decimals_below_100),
        cmocka_unit_test(table_widens_for_what_is_longer),
        cmocka_unit_test(table_keeps_a_full_label_and_a_full_number_apart),
        cmocka_unit_test(table_aligns_by_characters_not_bytes),
        cmocka_unit_test(table_column_is_as_wide_as_a_label_of_4_kib),
        cmocka_unit_test(table_lines_end_without_blanks),
        cmocka_unit_test(table_rule_is_as_long_as_the_header),
        cmocka_unit_test(table_chooses_units_for_reading),
        cmocka_unit_test(table_has_a_figure_in_every_column),
        cmocka_unit_test(table_has_no_figure_where_nothing_was_timed),
        cmocka_unit_test(table_shows_rare_columns_only_where_there_is_something),
        cmocka_unit_test(table_says_what_is_known_of_the_source),
        cmocka_unit_test(table_tells_each_trouble_in_words),
        cmocka_unit_test(csv_of_a_4_kib_label_is_whole),
        cmocka_unit_test(csv_and_json_have_every_figure_in_its_place),
        cmocka_unit_test(json_does_not_invent_what_is_not_known),
#ifdef __GLIBC__
        cmocka_unit_test_teardown(numbers_do_not_depend_on_the_locale, use_the_c_locale),
#endif
        cmocka_unit_test(find_reads_format_and_options),
        cmocka_unit_test(find_refuses_what_it_does_not_know),
        cmocka_unit_test(find_looks_at_no_more_than_the_length),
        cmocka_unit_test(every_format_is_in_the_list_of_names),
        cmocka_unit_test(write_tells_of_a_full_disk),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
