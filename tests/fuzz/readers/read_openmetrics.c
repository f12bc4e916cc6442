/* Follows the grammar that the text format of Prometheus and OpenMetrics have in common. */
#include "../require.h"
#include "readers.h"
#include "shown.h"
#include "snapshot/snapshot.h"

/* A sample; a missing part is "". */
struct sample {
    char metric[64];
    char *name, *path, *thread;
    char *value;
};

/* ---- read ---- */

/* Reads the text after its first quote, in place. Returns the position after its last one. */
static char *take_value(char *text)
{
    char *to = text;
    while (*text != '"') {
        require(*text, "a label's value has an end");
        if (*text == '\\') {
            text++;
            require(*text && strchr("\\\"n", *text), "only three characters are escaped");
            *to++ = *text == 'n' ? '\n' : *text;
            text++;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return text + 1;
}

static char *take_label(struct sample *sample, char *text)
{
    char *equal = strchr(text, '=');
    require(equal && equal[1] == '"', "a label has a value between quotes");
    *equal = '\0';
    require(text[strspn(text, "abcdefghijklmnopqrstuvwxyz_")] == '\0', "a label has a name");
    char *value = equal + 2, *end = take_value(value);
    if (strcmp(text, "name") == 0)
        sample->name = value;
    else if (strcmp(text, "path") == 0)
        sample->path = value;
    else if (strcmp(text, "thread") == 0)
        sample->thread = value;
    return end;
}

static void take_sample(struct sample *sample, char *line)
{
    size_t bytes = strspn(line, "abcdefghijklmnopqrstuvwxyz_");
    static char nothing[] = "";
    *sample = (struct sample){.name = nothing, .path = nothing, .thread = nothing};
    require(bytes > 0 && bytes < sizeof sample->metric, "a sample begins with its metric");
    memcpy(sample->metric, line, bytes);
    line += bytes;
    for (char between = '{'; *line == between; between = ',')
        line = take_label(sample, line + 1);
    line += *line == '}';
    require(*line == ' ' && line[1] && line[1 + strspn(line + 1, "0123456789.e+-")] == '\0',
            "a sample ends in a number");
    sample->value = line + 1;
}

/* ---- compared ---- */

static bool is_of(const struct report *report, const struct sample *sample, size_t index)
{
    const struct eprof_row *row = &report->snapshot->rows[index];
    char *path = ep_rows_path_copy(report->snapshot, index);
    require(path != NULL, "there is memory for a path");
    char *name = shown_to_programs(row->name), *shown = shown_to_programs(path);
    char *thread = shown_to_programs(row->thread);
    bool is = strcmp(sample->name, name) == 0 &&
              (!is_scope(report, index) || strcmp(sample->path, shown) == 0) &&
              (!report->snapshot->options.threads || strcmp(sample->thread, thread) == 0);
    free(path);
    free(name);
    free(shown);
    free(thread);
    return is;
}

/* Marks the rows to which the sample belongs; all of them are one series. */
static void take_calls(const struct report *report, const struct sample *sample, size_t first,
                       size_t end, bool *is_reported)
{
    uint64_t calls = 0, told = strtoull(sample->value, NULL, 10);
    for (size_t i = first; i < end; i++)
        if (is_of(report, sample, i)) {
            require(!is_reported[i], "a series is told once");
            is_reported[i] = true;
            calls += report->snapshot->rows[i].calls;
        }
    require(calls == told && told > 0, "a series has the calls of its rows");
}

static void take_line(const struct report *report, char *line, bool *is_reported)
{
    const struct eprof_snapshot *snapshot = report->snapshot;
    struct sample sample;
    if (strncmp(line, "# ", 2) == 0)
        return;
    take_sample(&sample, line);
    if (strcmp(sample.metric, "eprof_instance_calls_total") == 0)
        take_calls(report, &sample, 0, snapshot->scope_first, is_reported);
    if (strcmp(sample.metric, "eprof_scope_calls_total") == 0)
        take_calls(report, &sample, snapshot->scope_first, snapshot->diagnostic_first, is_reported);
}

void read_openmetrics(const struct report *report)
{
    bool is_reported[3 * LABELS_MOST] = {false};
    char *text = strdup(report->text), *rest = text;
    require(text != NULL, "there is memory for lines");
    for (char *line; (line = strsep(&rest, "\n")) && rest;)
        take_line(report, line, is_reported);
    for (size_t i = 0; i < report->snapshot->diagnostic_first; i++)
        require(is_reported[i], "each row is told of");
    size_t end = report->bytes - strlen("# EOF\n");
    require(strcmp(report->text + end, "# EOF\n") == 0, "the text ends as it must");
    free(text);
}
