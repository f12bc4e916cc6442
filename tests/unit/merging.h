/*
 * merging.h - images added up, and what reports say of them
 */
#ifndef MERGING_H
#define MERGING_H

#include "fake_tree.h"

#include <stdio.h>
#include <stdlib.h>

#include "merge.h"
#include "report.h"

static inline struct ep_merge *merge_as(bool is_raw, const struct ep_image *const *images,
                                        size_t count)
{
    struct ep_merge *merge = ep_merge_begin(is_raw);
    assert_non_null(merge);
    for (size_t i = 0; i < count; i++)
        ep_merge_weigh(merge, images[i]->cells);
    for (size_t i = 0; i < count; i++)
        assert_return_code(ep_merge_add(merge, images[i]), errno);
    assert_non_null(ep_merge_image(merge));
    return merge;
}

/* In the order given. */
static inline struct ep_merge *merge_all(const struct ep_image *const *images, size_t count)
{
    return merge_as(false, images, count);
}

static inline struct ep_merge *merge_two(const struct ep_image *a, const struct ep_image *b)
{
    return merge_all((const struct ep_image *const[]){a, b}, 2);
}

static inline struct eprof_snapshot *merged_snapshot(struct ep_merge *merge,
                                                     struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(ep_merge_image(merge), options);
    assert_non_null(snapshot);
    return snapshot;
}

/* What a report of this format says; to be freed. */
static inline char *report_of(const struct ep_image *image, const char *format)
{
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, options);
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_non_null(snapshot);
    assert_return_code(ep_report_write(report, snapshot, stream), errno);
    fclose(stream);
    ep_snapshot_free(snapshot);
    return text;
}

static inline void check_reports_are_equal(const struct ep_image *a, const struct ep_image *b)
{
    static const char *const formats[] = {
        "csv",  "csv:threads",  "csv:raw",          "csv:ticks:raw", "json",         "json:threads",
        "tree", "tree:threads", "tree:threads:raw", "table",         "table:threads"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *x = report_of(a, formats[i]), *y = report_of(b, formats[i]);
        if (strcmp(x, y) != 0)
            fail_msg("%s:\n%s\nis not\n%s", formats[i], x, y);
        free(x);
        free(y);
    }
}

#endif /* MERGING_H */
