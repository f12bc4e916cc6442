/* Follows the grammar in valgrind's manual: a name is given at its first use, with a number. */
#include "../require.h"
#include "readers.h"
#include "shown.h"

enum { NUMBERS_MOST = 6 * LABELS_MOST };

struct names {
    char *of[NUMBERS_MOST]; /* by number */
};

struct reading {
    const struct report *report;
    struct names files, functions;
    char *file, *function; /* the row whose lines are read */
    size_t row;            /* the next row that has its own lines */
    size_t threads;        /* the number of trees that have begun */
    bool is_thread;        /* the lines belong to a thread, which has no row */
    bool is_called;        /* the next line belongs to a call */
};

/* Reads "(number) name", or "(number)". */
static char *name_of(struct names *names, char *text)
{
    char *end;
    unsigned long number = strtoul(text + 1, &end, 10);
    require(text[0] == '(' && *end == ')' && number > 0 && number < NUMBERS_MOST,
            "a name has a number");
    if (!names->of[number]) {
        require(strncmp(end, ") ", 2) == 0 && end[2], "a number has a name");
        require(!shown_has_blank_end(end + 2), "nothing of a name is trimmed");
        shown_read_hex(end + 2);
        names->of[number] = strdup(end + 2);
        require(names->of[number] != NULL, "there is memory for a name");
    } else {
        require(strcmp(end, ")") == 0, "a name is told once");
    }
    return names->of[number];
}

/* As in docs/reference/formats.md: with its place if another function has its name, and with its
 * thread. */
static char *wanted_name(const struct reading *reading, size_t index)
{
    const struct eprof_snapshot *snapshot = reading->report->snapshot;
    const struct eprof_row *row = &snapshot->rows[index];
    const struct ep_tree_position *place = &snapshot->positions[index - snapshot->scope_first];
    const char *slash = strrchr(row->file, '/');
    char *name, where[32] = "";
    bool has_place = place->mark.is_ambiguous && *row->file;
    snprintf(where, sizeof where, ":%u)", row->line);
    require(asprintf(&name, "%s%s%s%s%s%s", row->name, has_place ? " (" : "",
                     has_place ? (slash ? slash + 1 : row->file) : "", has_place ? where : "",
                     snapshot->options.threads ? "'" : "",
                     snapshot->options.threads ? row->thread : "") >= 0,
            "there is memory for a name");
    return name;
}

static void take_function(struct reading *reading)
{
    const struct eprof_snapshot *snapshot = reading->report->snapshot;
    reading->is_thread = strcmp(reading->file, "(thread)") == 0 &&
                         (snapshot->options.threads || reading->threads == 0) &&
                         reading->row == snapshot->scope_first +
                                             reading->threads * (snapshot->options.threads ? 2 : 0);
    require(reading->row < snapshot->diagnostic_first || reading->is_thread,
            "there are no more rows");
    if (reading->is_thread) {
        require(is_text(strdup(snapshot->rows[reading->row].thread), reading->function),
                "a tree begins with its thread");
        reading->threads++;
        return;
    }
    const char *file = snapshot->rows[reading->row].file;
    require(is_text(strdup(*file ? file : "???"), reading->file), "callgrind has a file");
    require(is_text(wanted_name(reading, reading->row), reading->function),
            "callgrind has a name byte by byte");
}

static void take_cost(struct reading *reading, char *line)
{
    const struct eprof_row *row = &reading->report->snapshot->rows[reading->row];
    char *end;
    unsigned long number = strtoul(line, &end, 10);
    uint64_t cost = strtoull(end, &end, 10);
    require(*end == '\0' && end > line, "a line is a position and a cost");
    if (!reading->is_called) {
        require(!reading->is_thread, "a thread has no time of its own");
        require(number == row->line && cost == row->self_ns, "callgrind has a row's own time");
        reading->row++;
    }
    reading->is_called = false;
}

static void take_line(struct reading *reading, char *line)
{
    static const char *const heads[] = {
        "# callgrind format", "version: 1", "creator: ", "pid: ",    "cmd: ",
        "positions: line",    "event: ",    "events: ",  "summary: "};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (strncmp(line, heads[i], strlen(heads[i])) == 0)
            return;
    if (strncmp(line, "fl=", 3) == 0) {
        reading->file = name_of(&reading->files, line + 3);
    } else if (strncmp(line, "fn=", 3) == 0) {
        reading->function = name_of(&reading->functions, line + 3);
        take_function(reading);
    } else if (strncmp(line, "cfl=", 4) == 0) {
        name_of(&reading->files, line + 4);
    } else if (strncmp(line, "cfn=", 4) == 0) {
        name_of(&reading->functions, line + 4);
    } else if (strncmp(line, "calls=", 6) == 0) {
        reading->is_called = true;
    } else if (*line) {
        take_cost(reading, line);
    }
}

void read_callgrind(const struct report *report)
{
    struct reading reading = {.report = report, .row = report->snapshot->scope_first};
    char *text = strdup(report->text), *rest = text;
    require(text != NULL, "there is memory for lines");
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        take_line(&reading, line);
    require(reading.row == report->snapshot->diagnostic_first, "each row has its lines");
    for (size_t i = 0; i < NUMBERS_MOST; i++) {
        free(reading.files.of[i]);
        free(reading.functions.of[i]);
    }
    free(text);
}
