#include "fuzz_diff.h"

#include "diff/diff.h"
#include "report_diff/report.h"
#include "require.h"

static struct ep_diff *compare(const struct ep_image *image, const char *by)
{
    const struct ep_diff_options options = {.by = ep_columns_find(by), .error = 0.05};
    struct ep_diff_making *making = ep_diff_make_begin(options);
    require(making != NULL, "there is memory for a comparison");
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        ep_diff_make_inspect(making, (enum ep_diff_side)side, image->cells);
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        require(ep_diff_make_add(making, (enum ep_diff_side)side, image) == 0,
                "there is memory for a side");
    struct ep_diff *diff = ep_diff_make_end(making);
    require(diff != NULL, "there is memory for its rows");
    return diff;
}

static void check_rows(const struct ep_diff *diff)
{
    require(diff->judged == diff->row_count, "both sides have all regions");
    for (size_t i = 0; i < diff->row_count; i++) {
        require(diff->rows[i].change_ns == 0, "what is the same has not changed");
        require(diff->rows[i].ratio.estimate == 1, "and its ratio is one");
    }
}

static void write_all(const struct ep_diff *diff)
{
    static const char *const formats[] = {"table", "csv", "json", "html"};
    const struct ep_report_diff_options options = {.top = 0};
    FILE *stream = fopen("/dev/null", "w");
    require(stream != NULL, "there is a place to write to");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        require(ep_report_diff_write(ep_report_diff_find(formats[i]), diff, &options, stream) == 0,
                "a comparison can be written");
    fclose(stream);
}

void fuzz_diff(const struct ep_image *image)
{
    struct ep_diff *diff = compare(image, "total");
    check_rows(diff);
    write_all(diff);
    ep_diff_free(diff);
}
