#include "merging.h"

#include "support/made_snapshot.h"

struct ep_merge *merge_as(bool is_raw, const struct ep_image *const *images, size_t count)
{
    struct ep_merge *merge = ep_merge_begin(is_raw);
    assert_non_null(merge);
    for (size_t i = 0; i < count; i++)
        ep_merge_inspect(merge, images[i]->cells);
    for (size_t i = 0; i < count; i++)
        assert_return_code(ep_merge_add(merge, images[i]), errno);
    assert_non_null(ep_merge_image(merge));
    return merge;
}

struct ep_merge *merge_all(const struct ep_image *const *images, size_t count)
{
    return merge_as(false, images, count);
}

struct ep_merge *merge_two(const struct ep_image *a, const struct ep_image *b)
{
    return merge_all((const struct ep_image *const[]){a, b}, 2);
}

struct eprof_snapshot *merged_snapshot(struct ep_merge *merge, struct ep_snapshot_options options)
{
    return snapshot_keep(ep_snapshot_take_stored(ep_merge_image(merge), options));
}

void check_reports_are_equal(const struct ep_image *a, const struct ep_image *b)
{
    static const char *const formats[] = {
        "csv",  "csv:threads",  "csv:raw",          "csv:ticks:raw", "json",         "json:threads",
        "tree", "tree:threads", "tree:threads:raw", "table",         "table:threads"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *x = reported_image(a, formats[i]), *y = reported_image(b, formats[i]);
        if (strcmp(x, y) != 0)
            fail_msg("%s:\n%s\nis not\n%s", formats[i], x, y);
    }
}
