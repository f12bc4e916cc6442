#include "support/made_snapshot.h"

#include "support/made_terminal.h"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------- locale -- */

#ifdef __GLIBC__
/*
 * A locale with a decimal comma. The test makes it, since a machine may have none. It is the file
 * that localedef writes for LC_NUMERIC (glibc, locale/localeinfo.h and locale/loadlocale.c): a
 * magic number, the count of items, the offset of each item, then the items.
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

static int use_the_c_locale(void **state)
{
    (void)state;
    unsetenv("LOCPATH");
    return setlocale(LC_NUMERIC, "C") ? 0 : -1;
}

TEST_BETWEEN(numbers_do_not_depend_on_the_locale, NULL, use_the_c_locale)
{
    use_decimal_comma();
    assert_golden(make_mixed, "table", "mixed.txt");
    assert_golden(make_mixed, "csv", "mixed.csv");
    assert_golden(make_mixed, "json", "mixed.json");
}

#endif

/* ------------------------------------------------------------ list of formats -- */

static const struct ep_report *find(const char *text, struct ep_snapshot_options *options)
{
    return ep_report_find(text, strlen(text), options);
}

static void assert_found(const char *text, const char *name, struct ep_snapshot_options expected)
{
    struct ep_snapshot_options options = {.threads = true, .raw = true, .ticks = true};
    const struct ep_report *report = find(text, &options);
    assert_non_null(report);
    assert_string_equal(report->name, name);
    assert_int_equal(options.threads, expected.threads);
    assert_int_equal(options.raw, expected.raw);
    assert_int_equal(options.ticks, expected.ticks);
}

TEST(find_reads_format_and_options)
{
    assert_found("table", "table", (struct ep_snapshot_options){.threads = false});
    assert_found("tree", "tree", (struct ep_snapshot_options){.threads = false});
    assert_found("csv", "csv", (struct ep_snapshot_options){.threads = false});
    assert_found("json", "json", (struct ep_snapshot_options){.threads = false});
    assert_found("csv:threads", "csv", (struct ep_snapshot_options){.threads = true});
    assert_found("table:raw", "table", (struct ep_snapshot_options){.raw = true});
    assert_found("json:ticks", "json", (struct ep_snapshot_options){.ticks = true});
    assert_found("csv:ticks:threads:raw", "csv",
                 (struct ep_snapshot_options){.threads = true, .raw = true, .ticks = true});
    assert_found("csv:raw:raw", "csv", (struct ep_snapshot_options){.raw = true});
}

TEST(find_refuses_unknown_formats)
{
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
        struct ep_snapshot_options options = {.threads = true, .ticks = true};
        if (find(wrong[i], &options))
            fail_msg("\"%s\" was found", wrong[i]);
        assert_true(options.threads && !options.raw && options.ticks);
    }
}

TEST(find_looks_at_no_more_than_the_length)
{
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

TEST(every_format_is_in_the_list_of_names)
{
    char names[] = EP_REPORT_NAMES;
    struct ep_snapshot_options options;
    int count = 0;
    for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", "), count++)
        assert_non_null(find(name, &options));
    assert_int_equal(count, 9);
}

static void assert_reports_a_full_disk(const char *format, const struct eprof_snapshot *snapshot)
{
    struct ep_snapshot_options options;
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    errno = 0;
    int result = ep_report_write(find(format, &options), snapshot, stream);
    if (result != -1 || errno != ENOSPC)
        fail_msg("%s: %d, %s", format, result, strerror(errno));
    fclose(stream);
}

TEST(write_reports_a_full_disk_in_every_format)
{
    char names[] = EP_REPORT_NAMES;
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, instance(0, "i"));
    made_scope(&tree, 0, "main", 1, 10);
    made_scope(&tree, 1, "work", 7, 90);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", "))
        assert_reports_a_full_disk(name, snapshot);
}

/* ----------------------------------------------------------------- terminals -- */

struct report_on_terminal {
    const char *format;
    const struct eprof_snapshot *snapshot;
};

static void write_report(const void *context, FILE *stream)
{
    const struct report_on_terminal *report = context;
    struct ep_snapshot_options options;
    ep_report_write(ep_report_find(report->format, strlen(report->format), &options),
                    report->snapshot, stream);
}

static struct eprof_snapshot *make_hostile_snapshot(struct made_tree *tree)
{
    *tree = (struct made_tree){.rows = NULL};
    struct eprof_row hostile = instance(0, "\033]0;title\007 \xC3\xA9\n");
    made_instance(tree, hostile);
    make_hostile_tree(tree);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    snapshot->command = "./\033[2Jprogram \xC3\xA9";
    snapshot->source = "\033[31msource \xC3\xA9";
    return snapshot;
}

static void assert_formats_are_harmless(bool is_ascii)
{
    char names[] = EP_REPORT_NAMES;
    struct made_tree tree;
    const struct eprof_snapshot *snapshot = make_hostile_snapshot(&tree);
    for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
        struct report_on_terminal report = {name, snapshot};
        char *text = terminal_catch(write_report, &report);
        assert_is_harmless(name, text, is_ascii);
    }
}

TEST(formats_on_a_terminal_have_no_control_sequences_in_names)
{
    use_terminal_with_utf8();
    assert_formats_are_harmless(false);
}

TEST(formats_on_a_terminal_without_utf8_are_ascii)
{
    use_terminal_without_utf8();
    assert_formats_are_harmless(true);
}
