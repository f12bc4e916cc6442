/*
 * fuzz_options.c - takes bytes as the command line of `eprof report`, `diff`, `merge`, `top` and
 * `run`
 *
 *     command NUL word NUL word ...
 *
 * The options that were understood must be within their bounds. The options of a report are applied
 * to a snapshot: the remaining rows must keep their figures, have the requested number and order,
 * and it must be possible to write them. The options, written again as words, must be understood in
 * the same way.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/top/top.h"
#include "command_words.h"
#include "fuzz_target.h"
#include "other_image.h"
#include "require.h"

/* The time of fnmatch() is exponential in the number of asterisks; the user who writes them has to
 * wait. */
enum { MOST_ASTERISKS = 4 };

struct fuzz_counts fuzz_counts;

/* ---- a report: the remaining rows ---- */

static bool is_same_text(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool is_same_row(const struct eprof_row *one, const struct eprof_row *other)
{
    for (size_t i = 0; i < EP_FIELDS; i++)
        if (ep_columns_value(one, ep_columns[i].offset) !=
            ep_columns_value(other, ep_columns[i].offset))
            return false;
    return one->id == other->id && one->line == other->line &&
           strcmp(one->kind, other->kind) == 0 && strcmp(one->name, other->name) == 0 &&
           strcmp(one->thread, other->thread) == 0 && strcmp(one->file, other->file) == 0;
}

static void require_row(const struct eprof_snapshot *all, const struct eprof_row *row)
{
    bool is_found = false;
    for (size_t i = 0; i < all->row_count && !is_found; i++)
        is_found = is_same_row(&all->rows[i], row);
    require(is_found, "a row that is left has the figures that it had");
}

/* The order of instances by the requested column. */
static void require_order(const struct eprof_snapshot *snapshot, const char *sort)
{
    const struct ep_field *field = ep_columns_find(sort);
    for (size_t i = 1; i < snapshot->scope_first; i++) {
        struct ep_field_order before = ep_columns_order_of(&snapshot->rows[i - 1], field);
        struct ep_field_order behind = ep_columns_order_of(&snapshot->rows[i], field);
        int order = strcmp(before.text, behind.text);
        require(before.value > behind.value || (before.value == behind.value && order <= 0),
                "rows are in the order that was asked for");
    }
}

static void require_rows(struct eprof_snapshot *snapshot, const struct ep_report_options *options)
{
    struct eprof_snapshot *all = ep_snapshot_take_stored(other_image(), options->snapshot);
    const struct ep_view *view = &options->view;
    require(all != NULL, "there is memory for a snapshot");
    for (size_t i = 0; i < snapshot->row_count; i++)
        require_row(all, &snapshot->rows[i]);
    require(!view->top || snapshot->scope_first <= view->top,
            "no more are left than were asked for");
    require(!view->focus || snapshot->scope_first == 0, "instances are in no focus");
    for (size_t i = 0; view->thread && i < snapshot->diagnostic_first; i++)
        require(strcmp(snapshot->rows[i].thread, view->thread) == 0, "all are of one thread");
    if (view->sort)
        require_order(snapshot, view->sort);
    ep_snapshot_free(all);
}

static void write_report(const struct ep_report *report, const struct eprof_snapshot *snapshot)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    require(out != NULL, "there is memory for a report");
    require(ep_report_write(report, snapshot, out) == 0, "what is left can be written");
    fclose(out);
    free(text);
}

static size_t asterisks_in(const char *text)
{
    size_t count = 0;
    for (; text && *text; text++)
        count += *text == '*';
    return count;
}

static void show(const struct ep_report_options *options)
{
    const char *why = NULL;
    if (asterisks_in(options->view.filter) > MOST_ASTERISKS)
        return;
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(other_image(), options->snapshot);
    require(snapshot != NULL, "there is memory for a snapshot");
    if (ep_view_apply(snapshot, &options->view, &why) == 0) {
        require_rows(snapshot, options);
        write_report(options->report ? options->report : ep_report_choice(snapshot), snapshot);
    } else {
        require(why && *why, "what is asked for in vain is told");
    }
    ep_snapshot_free(snapshot);
}

/* ---- a report: its options written again ---- */

static void write_word(FILE *out, const char *option, const char *value)
{
    if (value)
        fprintf(out, "%s%s%c", option, value, '\0');
}

/* The words that give `options`, without --color; the caller frees them. */
static char *write_words(const struct ep_report_options *options, size_t *bytes)
{
    const struct ep_snapshot_options *snapshot = &options->snapshot;
    char *text;
    FILE *out = open_memstream(&text, bytes);
    require(out != NULL, "there is memory for words");
    write_word(out, "report", "");
    if (options->report)
        fprintf(out, "--format=%s%s%c", options->report->name, snapshot->threads ? ":threads" : "",
                '\0');
    write_word(out, "", snapshot->raw ? "--raw" : NULL);
    write_word(out, "--unit=", snapshot->ticks ? "ticks" : "ns");
    write_word(out, "-o", options->output);
    write_word(out, "--sort=", options->view.sort);
    write_word(out, "--thread=", options->view.thread);
    write_word(out, "--filter=", options->view.filter);
    write_word(out, "--focus=", options->view.focus);
    if (options->view.top)
        fprintf(out, "--top=%zu%c", options->view.top, '\0');
    write_word(out, "--debug-directory=", options->files.debug_directory);
    fprintf(out, "FILE");
    fclose(out);
    return text;
}

static void read_report(int count, char **words, void *to)
{
    *(struct ep_report_options *)to = ep_report_options_read(count, words);
}

static bool are_same(const struct ep_report_options *one, const struct ep_report_options *other)
{
    return one->report == other->report && one->snapshot.threads == other->snapshot.threads &&
           one->snapshot.raw == other->snapshot.raw &&
           one->snapshot.ticks == other->snapshot.ticks && one->view.top == other->view.top &&
           is_same_text(one->output, other->output) &&
           is_same_text(one->view.sort, other->view.sort) &&
           is_same_text(one->view.thread, other->view.thread) &&
           is_same_text(one->view.filter, other->view.filter) &&
           is_same_text(one->view.focus, other->view.focus) &&
           is_same_text(one->files.debug_directory, other->files.debug_directory);
}

static void read_again(const struct ep_report_options *options)
{
    struct command_words words;
    struct ep_report_options again;
    size_t bytes;
    char *text = write_words(options, &bytes);
    command_words_part(&words, (const uint8_t *)text, bytes);
    require(command_words_read(&words, read_report, &again), "what is written is understood");
    require(are_same(options, &again), "and as the same");
    command_words_free(&words);
    free(text);
}

static bool try_report(struct command_words *words)
{
    struct ep_report_options options;
    if (!command_words_read(words, read_report, &options))
        return false;
    require(options.files.count > 0, "a report is of some file");
    show(&options);
    read_again(&options);
    return true;
}

/* ---- other commands ---- */

static void read_diff(int count, char **words, void *to)
{
    *(struct ep_diff_command_options *)to = ep_diff_options_read(count, words);
}

static bool try_diff(struct command_words *words)
{
    struct ep_diff_command_options options;
    if (!command_words_read(words, read_diff, &options))
        return false;
    require(options.counts[EP_DIFF_BEFORE] > 0 && options.counts[EP_DIFF_AFTER] > 0,
            "a comparison has two sides");
    require(options.diff.error > 0 && options.diff.error <= 0.5, "a confidence is one");
    require(!(options.fail_above_percent < 0) && options.report, "so is a bound, and a format");
    free(options.files);
    return true;
}

static void read_merge(int count, char **words, void *to)
{
    *(struct ep_merge_options *)to = ep_merge_options_read(count, words);
}

static bool try_merge(struct command_words *words)
{
    struct ep_merge_options options;
    if (!command_words_read(words, read_merge, &options))
        return false;
    require(options.files.count > 0 && *options.output, "a sum is of some file, and goes to one");
    return true;
}

static void read_top(int count, char **words, void *to)
{
    *(struct ep_top_options *)to = ep_top_options_read(count, words);
}

static bool try_top(struct command_words *words)
{
    struct ep_top_options options;
    if (!command_words_read(words, read_top, &options))
        return false;
    require(options.target && options.view.sort < EP_TOP_COLUMNS, "top has a target, and an order");
    require(options.interval_ns >= 10000000 && options.interval_ns <= UINT64_C(86400000000000),
            "and an interval that is one");
    return true;
}

static void read_run(int count, char **words, void *to)
{
    *(struct ep_run_options *)to = ep_run_options_read(count, words);
}

static bool try_run(struct command_words *words)
{
    struct ep_run_options options;
    if (!command_words_read(words, read_run, &options))
        return false;
    require(options.repeat > 0 && options.program && options.program[0], "run has a program");
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name;
        bool (*attempt)(struct command_words *words);
    } commands[] = {{"report", try_report},
                    {"diff", try_diff},
                    {"merge", try_merge},
                    {"top", try_top},
                    {"run", try_run}};
    struct command_words words;
    bool is_understood = false;
    command_words_part(&words, data, size);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(words.words[0], commands[i].name) == 0)
            is_understood = commands[i].attempt(&words);
    command_words_free(&words);
    is_understood ? fuzz_counts.sound++ : fuzz_counts.refused++;
    return 0;
}
