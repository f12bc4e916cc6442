#include "report/chosen.h"

#include <string.h>

/* In the order of EP_REPORT_CHOSEN_NAMES. */
static const struct ep_report_sheet_column known[] = {
    EP_REPORT_SHEET_COUNT(calls, false),
    EP_REPORT_SHEET_COUNT(timed, false),
    EP_REPORT_SHEET_COUNT(outermost, false),
    EP_REPORT_SHEET_COUNT(errors, false),
    EP_REPORT_SHEET_COUNT(open, false),
    EP_REPORT_SHEET_TIME("total", total_ns, 0),
    EP_REPORT_SHEET_SHARE("%total", total_ns, 0),
    EP_REPORT_SHEET_PARENT_SHARE,
    EP_REPORT_SHEET_TIME("self", self_ns, 0),
    EP_REPORT_SHEET_SHARE("self%", self_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("cpu", cpu_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("wait", wait_ns, 0),
    EP_REPORT_SHEET_TIME("mean", mean_ns, 0),
    EP_REPORT_SHEET_TIME("stddev", stddev_ns, 0),
    EP_REPORT_SHEET_TIME("min", min_ns, 0),
    EP_REPORT_SHEET_TIME("p50", p50_ns, 0),
    EP_REPORT_SHEET_TIME("p90", p90_ns, 0),
    EP_REPORT_SHEET_TIME("p99", p99_ns, 0),
    EP_REPORT_SHEET_TIME("p99.9", p999_ns, 0),
    EP_REPORT_SHEET_TIME("max", max_ns, 0),
    EP_REPORT_SHEET_RARE_COUNT("processes", processes, 0),
    EP_REPORT_SHEET_RARE_TIME("process_min", process_min_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("process_mean", process_mean_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("process_max", process_max_ns, 0),
    EP_REPORT_SHEET_RARE_TIME("process_stddev", process_stddev_ns, 0),
    EP_REPORT_SHEET_RARE_COUNT("process_slowest", process_slowest, 0),
    EP_REPORT_SHEET_RARE_COUNT("imbalance", imbalance_millionths, 0),
};

enum { KNOWN = sizeof known / sizeof known[0], NAME_MOST = 32 };

_Static_assert((int)KNOWN <= (int)EP_CHOSEN_COLUMNS, "each column can be chosen");

/* By its title, or by the name in csv. KNOWN: there is none. */
static size_t find(const char *name)
{
    const struct ep_field *field = ep_columns_find(name);
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].title, name) == 0)
            return i;
    for (size_t i = 0; field && i < KNOWN; i++)
        if (!known[i].is_share && known[i].offset == field->offset)
            return i;
    return KNOWN;
}

static size_t name_bytes(const char *at, const char *end)
{
    size_t bytes = 0;
    while (at + bytes < end && at[bytes] != '+' && at[bytes] != ',')
        bytes++;
    return bytes;
}

/* A column that was chosen before stays where it is. */
static void add(struct ep_chosen_columns *chosen, size_t column)
{
    if (!memchr(chosen->at, (int)column, chosen->count))
        chosen->at[chosen->count++] = (uint8_t)column;
}

const char *ep_report_chosen_read(const char *text, size_t length,
                                  struct ep_chosen_columns *columns)
{
    struct ep_chosen_columns chosen = {.count = 0};
    const char *end = text + length;
    for (const char *at = text;;) {
        char name[NAME_MOST] = "";
        size_t bytes = name_bytes(at, end);
        size_t column = KNOWN;
        if (bytes < sizeof name)
            column = find(memcpy(name, at, bytes));
        if (column == KNOWN)
            return at;
        add(&chosen, column);
        at += bytes;
        if (at == end)
            break;
        at++;
    }
    *columns = chosen;
    return NULL;
}

size_t ep_report_chosen_columns(const struct ep_chosen_columns *chosen,
                                struct ep_report_sheet_column columns[EP_CHOSEN_COLUMNS])
{
    for (size_t i = 0; i < chosen->count; i++) {
        columns[i] = known[chosen->at[i]];
        columns[i].hides_zeros = false;
    }
    return chosen->count;
}

void ep_report_chosen_complain(char *line, size_t room, const char *unknown, const char *end)
{
    enum { SHOWN_MOST = 100 };
    size_t bytes = ep_report_format_least(name_bytes(unknown, end), SHOWN_MOST);
    snprintf(line, room, "no column \"%.*s\"; known are %s", (int)bytes, unknown,
             EP_REPORT_CHOSEN_NAMES);
}
