/* Reads as flamegraph.pl does: a line is split at its last blank, and the text before that at each
 * ';'. */
#include "../require.h"
#include "readers.h"
#include "shown.h"

static bool has_line_end(const char *text)
{
    static const char *const ends[] = {"\r",   "\v",       "\f",           "\x1C",        "\x1D",
                                       "\x1E", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (strstr(text, ends[i]))
            return true;
    return false;
}

/* Asserts that the next frame has this name. */
static void take_frame(char **stack, const char *name)
{
    char *frame = strsep(stack, ";");
    require(frame && *frame && *frame != ' ' && frame[strlen(frame) - 1] != ' ',
            "a frame is not empty, and nothing of it is trimmed");
    require(!has_line_end(frame), "a frame is in its line");
    shown_read_hex(frame);
    require(is_text(strdup(name), frame), "folded has a name byte by byte");
}

static void take_line(const struct report *report, char *line, size_t index)
{
    const struct eprof_snapshot *snapshot = report->snapshot;
    const struct eprof_row *row = &snapshot->rows[index];
    size_t parent = snapshot->positions[index - snapshot->scope_first].parent;
    char *figure = strrchr(line, ' ');
    require(figure && strtoull(figure + 1, NULL, 10) == row->self_ns, "a line ends in its time");
    *figure = '\0';
    char *second = strrchr(line, ' '); /* flamegraph.pl would take this for a figure too */
    require(!second || second[1 + strspn(second + 1, "0123456789.")], "there is one figure");
    if (snapshot->options.threads)
        take_frame(&line, row->thread);
    if (parent != SIZE_MAX)
        take_frame(&line, snapshot->rows[parent].name);
    take_frame(&line, row->name);
    require(line == NULL, "there are no more frames");
}

void read_folded(const struct report *report)
{
    size_t row = report->snapshot->scope_first;
    char *text = strdup(report->text), *rest = text;
    require(text != NULL, "there is memory for lines");
    for (char *line; (line = strsep(&rest, "\n")) && rest; row++) {
        require(row < report->snapshot->diagnostic_first, "there are no more lines than scopes");
        take_line(report, line, row);
    }
    require(row == report->snapshot->diagnostic_first, "each scope has a line");
    free(text);
}
