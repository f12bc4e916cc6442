#include "report/report.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/terminal.h"
#include "report/chosen.h"

static const struct ep_report reports[] = {
    {.name = "table", .write = ep_report_table, .has_columns = true},
    {.name = "tree", .write = ep_report_tree, .has_columns = true},
    {.name = "csv", .write = ep_report_csv},
    {.name = "json", .write = ep_report_json},
    {.name = "html", .write = ep_report_html_page, .needs = {.both = true, .sparklines = true}},
    {.name = "folded", .write = ep_report_folded},
    {.name = "speedscope", .write = ep_report_speedscope},
    {.name = "callgrind", .write = ep_report_callgrind},
    {.name = "openmetrics",
     .write = ep_report_openmetrics,
     .only_grows = true,
     .needs = {.sums = true, .ladders = true}},
};

enum { REPORTS = sizeof reports / sizeof reports[0] };

/* A part of the text, up to a colon. */
struct word {
    const char *start;
    size_t length;
};

static struct word first_word(const char *text, const char *end)
{
    const char *colon = memchr(text, ':', (size_t)(end - text));
    return (struct word){text, (size_t)((colon ? colon : end) - text)};
}

static bool word_is(struct word word, const char *name)
{
    return strlen(name) == word.length && memcmp(word.start, name, word.length) == 0;
}

static const char columns_option[] = "columns=";

/* Sets *unknown where a column is not known. */
static bool add_columns(struct ep_snapshot_options *options, struct word word, const char **unknown)
{
    size_t bytes = strlen(columns_option);
    if (word.length < bytes || memcmp(word.start, columns_option, bytes) != 0)
        return false;
    *unknown = ep_report_chosen_read(word.start + bytes, word.length - bytes, &options->columns);
    return !*unknown;
}

static bool add_option(const struct ep_report *report, struct ep_snapshot_options *options,
                       struct word word, const char **unknown)
{
    if (report->has_columns && word_is(word, "where"))
        return options->locations = true;
    if (report->has_columns && add_columns(options, word, unknown))
        return true;
    const struct {
        const char *name;
        bool *option;
        ep_report_writer *of; /* NULL: of each format */
    } known[] = {{"threads", &options->threads, NULL},
                 {"raw", &options->raw, NULL},
                 {"ticks", &options->ticks, NULL},
                 {"parent", &options->parent_shares, NULL},
                 {"summary", &options->summaries, ep_report_openmetrics}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (word_is(word, known[i].name) && (!known[i].of || known[i].of == report->write))
            return *known[i].option = true;
    return false;
}

/* Sets *unknown to a column that is not known, if there is one. */
static bool is_understood(const struct ep_report *report, const char *text, size_t length,
                          struct ep_snapshot_options *options, const char **unknown)
{
    const char *end = text + length;
    struct word format = first_word(text, end);
    if (!word_is(format, report->name))
        return false;

    struct ep_snapshot_options read = report->needs;
    for (const char *at = format.start + format.length; at != end;) {
        struct word option = first_word(at + 1, end);
        if (!add_option(report, &read, option, unknown))
            return false;
        at = option.start + option.length;
    }
    *options = read;
    return true;
}

bool ep_report_is(const struct ep_report *report, const char *text, size_t length,
                  struct ep_snapshot_options *options)
{
    const char *unknown;
    return is_understood(report, text, length, options, &unknown);
}

bool ep_report_explain(const char *text, size_t length, char *line, size_t room)
{
    struct ep_snapshot_options options;
    const char *unknown = NULL;
    for (size_t i = 0; i < REPORTS && !unknown; i++)
        is_understood(&reports[i], text, length, &options, &unknown);
    if (unknown) {
        struct word option = first_word(unknown, text + length);
        ep_report_chosen_complain(line, room, unknown, option.start + option.length);
    }
    return unknown != NULL;
}

const struct ep_report *ep_report_find(const char *text, size_t length,
                                       struct ep_snapshot_options *options)
{
    for (size_t i = 0; i < REPORTS; i++)
        if (ep_report_is(&reports[i], text, length, options))
            return &reports[i];
    return NULL;
}

int ep_report_write(const struct ep_report *report, const struct eprof_snapshot *snapshot,
                    FILE *stream)
{
    struct ep_output out;
    int cancel_state;
    /* a thread cancelled in a write would leave the stream locked */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    ep_output_open(&out, stream);
    ep_terminal_describe(&out);
    report->write(&out, snapshot);
    int result = ep_output_close(&out);
    int error = errno;
    pthread_setcancelstate(cancel_state, NULL);
    errno = error;
    return result;
}
