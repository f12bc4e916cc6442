/*
 * fuzz_image.c - takes bytes as the content of an image file
 *
 * The bytes are read through a file without a name. An image that the reader accepts is reported in
 * each format, and added up with itself and with another one. Each of these is a fault: a crash, a
 * report of a sanitizer, a reason that is not one line, and a failed allocation, since the file
 * limits the size of allocations.
 */
#include <string.h>

#include "base/hash.h"
#include "fuzz_diff.h"
#include "fuzz_merge.h"
#include "fuzz_target.h"
#include "image/read.h"
#include "memory_file.h"
#include "other_image.h"
#include "report/report.h"
#include "require.h"
#include "snapshot/snapshot.h"

struct fuzz_counts fuzz_counts;

/* ---- refused ---- */

static void look_at_reason(const char *why)
{
    require(why && *why, "a refused image has a reason");
    require(!strchr(why, '\n') && strlen(why) < 256, "the reason is the end of a line");
}

/* ---- reported ---- */

static FILE *nowhere(void)
{
    static FILE *stream;
    if (!stream)
        stream = fopen("/dev/null", "w");
    require(stream != NULL, "/dev/null can be written to");
    return stream;
}

/* The paths of a deep tree with long names would fill the memory. */
static void make_paths(struct eprof_snapshot *snapshot)
{
    size_t most_bytes = 1 << 20;
    for (size_t row = 0; row < snapshot->row_count && most_bytes; row++) {
        const char *path = ep_rows_path(snapshot, row);
        require(path != NULL, "there is memory for a path");
        size_t bytes = strlen(path);
        most_bytes -= bytes < most_bytes ? bytes : most_bytes;
    }
}

static void write_one(const struct eprof_snapshot *snapshot, const char *format)
{
    struct ep_snapshot_options none;
    const struct ep_report *report = ep_report_find(format, strlen(format), &none);
    require(report != NULL, "the format is known");
    require(ep_report_write(report, snapshot, nowhere()) == 0, "the report is written");
}

/* The reports on the regions of one name. An instance has no callers. */
static void report_on_region(const struct ep_image *image, const char *region, bool has_callers)
{
    static const struct ep_report callers = {.name = "callers", .write = ep_report_callers};
    static const struct ep_report histogram = {.name = "histogram", .write = ep_report_histogram};
    struct eprof_snapshot *snapshot =
        ep_snapshot_take_stored(image, (struct ep_snapshot_options){.histogram_of = region});
    require(snapshot != NULL, "there is memory for a snapshot of a sound image");
    snapshot->region = region;
    require(ep_report_write(&histogram, snapshot, nowhere()) == 0, "a histogram is written");
    require(!has_callers || ep_report_write(&callers, snapshot, nowhere()) == 0,
            "callers are written");
    ep_snapshot_free(snapshot);
}

/* Of the first instance, the first scope or function, and the first value. */
static void report_on_regions(const struct ep_image *image, const struct eprof_snapshot *whole)
{
    if (whole->scope_first)
        report_on_region(image, whole->rows[0].name, false);
    if (whole->scope_first < whole->diagnostic_first)
        report_on_region(image, whole->rows[whole->scope_first].name, true);
    if (whole->value_count)
        report_on_region(image, whole->values[0].name, true);
}

static void report_as(const struct ep_image *image, struct ep_snapshot_options options)
{
    static const char *const others[] = {"table",  "tree",       "json",      "html",
                                         "folded", "speedscope", "callgrind", "openmetrics"};
    options.sparklines = options.both = true; /* these add parts to html, and change nothing else */
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, options);
    require(snapshot != NULL, "there is memory for a snapshot of a sound image");
    write_one(snapshot, "csv");
    if (!options.raw && !options.ticks) /* these change no number of rows */
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            write_one(snapshot, others[i]);
    make_paths(snapshot);
    if (!options.threads && !options.raw && !options.ticks)
        report_on_regions(image, snapshot);
    ep_snapshot_free(snapshot);
}

static void report_all(const struct ep_image *image)
{
    report_as(image, (struct ep_snapshot_options){.threads = false});
    report_as(image, (struct ep_snapshot_options){.threads = true});
    report_as(image, (struct ep_snapshot_options){.raw = true});
    report_as(image, (struct ep_snapshot_options){.ticks = true});
}

/* A comparison takes ten times as long as all the rest: one input in this number is compared, the
 * same ones in each run. */
static bool is_compared(const uint8_t *data, size_t size)
{
    enum { ONE_IN = 32 };
    return ep_hash_add(ep_hash_begin(), data, size).low % ONE_IN == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ep_image image;
    struct ep_image_file_state state;
    const char *why = NULL;
    if (ep_image_read(memory_file_of(data, size), &image, &state, &why) != 0) {
        look_at_reason(why);
        fuzz_counts.refused++;
        return 0;
    }
    report_all(&image);
    fuzz_merge(&image, other_image());
    if (is_compared(data, size))
        fuzz_diff(&image);
    ep_image_destroy(&image);
    fuzz_counts.sound++;
    return 0;
}
