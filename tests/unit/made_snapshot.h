/*
 * made_snapshot.h - snapshots made by hand, and the reports made of them
 */
#ifndef MADE_SNAPSHOT_H
#define MADE_SNAPSHOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* --------------------------------------------------------------- instances -- */

enum { ROWS = 8 };

struct made {
    struct eprof_row rows[ROWS];
    struct ep_instance_place instance_places[ROWS];
    struct eprof_snapshot snapshot;
};

static inline struct eprof_row instance(int id, const char *name)
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
static inline struct eprof_row even_instance(int id, const char *name, uint64_t calls,
                                             uint64_t each_ns)
{
    struct eprof_row row = instance(id, name);
    row.calls = row.timed = calls;
    row.total_ns = row.self_ns = calls * each_ns;
    row.mean_ns = row.min_ns = row.p50_ns = row.p90_ns = each_ns;
    row.p99_ns = row.p999_ns = row.max_ns = each_ns;
    return row;
}

/* What a snapshot leaves in a row of trouble beyond name and count must not show. */
static inline struct eprof_row trouble(const char *name, uint64_t count)
{
    struct eprof_row row = instance(-1, name);
    row.kind = "trouble";
    row.calls = count;
    return row;
}

static inline void make(struct made *made, size_t instances, size_t troubles)
{
    memset(made->instance_places, 0, sizeof made->instance_places);
    made->snapshot = (struct eprof_snapshot){.rows = made->rows,
                                             .instance_places = made->instance_places,
                                             .row_count = instances + troubles,
                                             .scope_first = instances,
                                             .trouble_first = instances,
                                             .unit = "ns",
                                             .source = "rdtsc",
                                             .ticks_per_us = 2300,
                                             .resolution_ns = 0.87,
                                             .pair_ns = 21.26,
                                             .inside_ns = 10.43};
}

static inline void make_empty(struct made *made)
{
    make(made, 0, 0);
}

/* The example that the form of the table was fixed with. */
static inline void make_contract(struct made *made)
{
    made->rows[0] = even_instance(0, "func1", 1, UINT64_C(10018200000));
    made->rows[1] = even_instance(1, "func2", 10, UINT64_C(501894000));
    make(made, 2, 0);
}

static inline void make_mixed(struct made *made)
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

static inline void make_threads(struct made *made)
{
    static const char *const threads[] = {"main", "thread 1", "gr\xC3\xBC\xC3\x9F"};
    for (int i = 0; i < 3; i++) {
        made->rows[i] = even_instance(0, "parse", 100 + (uint64_t)i, 512 + 32 * (uint64_t)i);
        made->rows[i].thread = threads[i];
    }
    make(made, 3, 0);
    made->snapshot.options.threads = true;
}

static inline void make_ticks(struct made *made)
{
    make_mixed(made);
    made->snapshot.options.ticks = true;
    made->snapshot.unit = "ticks";
}

static inline void make_raw(struct made *made)
{
    make_mixed(made);
    made->snapshot.options.raw = true;
}

static inline void make_hostile(struct made *made)
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
static inline char *reported(const struct eprof_snapshot *snapshot, const char *format)
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
static inline char *golden(const char *name)
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

static inline void assert_golden(void (*make_one)(struct made *made), const char *format,
                                 const char *file)
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
static inline char *line_of(const char *text, int number)
{
    while (number-- > 0)
        text = strchr(text, '\n') + 1;
    return strndup(text, strcspn(text, "\n"));
}

static inline void assert_line_begins(const char *text, int number, const char *beginning)
{
    char *line = line_of(text, number);
    assert_non_null(line);
    if (strncmp(line, beginning, strlen(beginning)) != 0)
        assert_string_equal(line, beginning);
    free(line);
}

static inline bool has_line(const char *text, const char *expected)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, expected, strlen(expected)) == 0 && line[strlen(expected)] == '\n')
            return true;
    return false;
}

#endif /* MADE_SNAPSHOT_H */
