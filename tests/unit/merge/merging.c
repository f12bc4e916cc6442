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

/* Shows the first line that differs: cmocka cuts off a message after a thousand bytes. */
static void check_text_is(const char *format, char *text, char *expected)
{
    char *line, *expected_line;
    do {
        line = strsep(&text, "\n");
        expected_line = strsep(&expected, "\n");
    } while (line && expected_line && strcmp(line, expected_line) == 0);
    if (line || expected_line)
        fail_msg("%s:\n%s\nis not\n%s", format, line ? line : "(no line)",
                 expected_line ? expected_line : "(no line)");
}

void check_reports_are_equal(const struct ep_image *a, const struct ep_image *b)
{
    static const char *const formats[] = {
        "csv",  "csv:threads",  "csv:raw",          "csv:ticks:raw", "json",         "json:threads",
        "tree", "tree:threads", "tree:threads:raw", "table",         "table:threads"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        check_text_is(formats[i], reported_image(b, formats[i]), reported_image(a, formats[i]));
}
