/*
 * fuzz_labels.c - takes bytes as labels, writes them in each format and reads them back
 *
 *     label NUL label NUL ...
 *
 * Each label is used in each place where a label is allowed: as an instance, a scope, a file, a
 * thread, the command. A parser for the format reads the report (readers/readers.h), and the label
 * must be there in the form that docs/reference/formats.md specifies.
 */
#include "base/hash.h"
#include "fuzz_target.h"
#include "readers/readers.h"
#include "readers/shown.h"
#include "require.h"

#include "../support/made_diff.h" /* after these: it has <math.h> and a name that they have */

#ifdef FUZZ_PPROF
#include "cli/options.h"
#endif

struct fuzz_counts fuzz_counts;

static const struct {
    const char *format;
    report_reader *read;
} readers[] = {{"folded", read_folded},
               {"callgrind", read_callgrind},
               {"openmetrics", read_openmetrics},
               {"table", read_text},
               {"tree", read_text},
#ifdef FUZZ_LIBCSV
               {"csv", read_csv},
#endif
#ifdef FUZZ_JANSSON
               {"json", read_json},
               {"speedscope", read_speedscope},
#endif
#ifdef FUZZ_GUMBO
               {"html", read_html},
#endif
#ifdef FUZZ_PPROF
               {"pprof", read_pprof},
#endif
               {NULL, NULL}};

static const struct {
    const char *format;
    report_reader *read;
} diff_readers[] = {{"table", read_text},
#ifdef FUZZ_LIBCSV
                    {"csv", read_diff_csv},
#endif
#ifdef FUZZ_JANSSON
                    {"json", read_diff_json},
#endif
#ifdef FUZZ_GUMBO
                    {"html", read_html},
#endif
                    {NULL, NULL}};

/* ---- reports on a profile ---- */

static const struct ep_report *find(const char *format)
{
    struct ep_snapshot_options options;
#ifdef FUZZ_PPROF
    if (strcmp(format, ep_pprof_report.name) == 0)
        return &ep_pprof_report;
#endif
    return ep_report_find(format, strlen(format), &options);
}

/* The caller frees the text. */
static char *write_report(const char *format, const struct eprof_snapshot *snapshot, size_t *bytes)
{
    char *text;
    FILE *out = open_memstream(&text, bytes);
    require(out != NULL, "there is memory for a report");
    require(ep_report_write(find(format), snapshot, out) == 0, "a report can be written");
    fclose(out);
    return text;
}

static void read_all(const struct labels *labels, const struct labels *twin, bool by_threads)
{
    struct made_tree tree, twin_tree;
    const struct eprof_snapshot *snapshot = labels_tree(&tree, labels, by_threads);
    const struct eprof_snapshot *twin_snapshot = labels_tree(&twin_tree, twin, by_threads);
    for (size_t i = 0; readers[i].format; i++) {
        size_t bytes;
        char *twin_text = write_report(readers[i].format, twin_snapshot, &bytes);
        struct report report = {.snapshot = snapshot, .labels = labels, .twin = twin_text};
        report.text = write_report(readers[i].format, snapshot, &report.bytes);
        readers[i].read(&report);
        free(report.text);
        free(twin_text);
    }
    test_release();
}

/* ---- reports on a comparison ---- */

static void compare(struct made_diff *made, const struct labels *labels)
{
    *made = (struct made_diff){.files = {1, 1}};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        labels_tree(&made->trees[side], labels, false);
    made_compare(made);
}

static char *write_diff(const char *format, const struct ep_diff *diff, size_t *bytes)
{
    const struct ep_report_diff_options options = {.top = 0};
    char *text;
    FILE *out = open_memstream(&text, bytes);
    require(out != NULL, "there is memory for a report");
    require(ep_report_diff_write(ep_report_diff_find(format), diff, &options, out) == 0,
            "a comparison can be written");
    fclose(out);
    return text;
}

static void read_diffs(const struct labels *labels, const struct labels *twin)
{
    struct made_diff made, twin_made;
    compare(&made, labels);
    compare(&twin_made, twin);
    for (size_t i = 0; diff_readers[i].format; i++) {
        size_t bytes;
        char *twin_text = write_diff(diff_readers[i].format, &twin_made.diff, &bytes);
        struct report report = {.labels = labels, .twin = twin_text};
        report.text = write_diff(diff_readers[i].format, &made.diff, &report.bytes);
        diff_readers[i].read(&report);
        free(report.text);
        free(twin_text);
    }
    test_release();
}

/* All formats together take 25 ms, most of it to parse pages: so each input tests a third of them,
 * the same ones in each run. */
static uint64_t third_of(const uint8_t *data, size_t size)
{
    return ep_hash_add(ep_hash_begin(), data, size).low % 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct labels labels, twin;
    uint64_t third = third_of(data, size);
    shown_begin();
    labels_read(&labels, data, size);
    labels_make_twin(&twin, &labels);
    if (third == 0)
        read_all(&labels, &twin, false);
    if (third == 1)
        read_all(&labels, &twin, true);
    if (third == 2 && labels_are_distinct(&labels))
        read_diffs(&labels, &twin);
    labels_free(&labels);
    labels_free(&twin);
    fuzz_counts.sound++;
    return 0;
}
