/*
 * The callers of one region, through all call paths, with their shares of its time. The tree is
 * bottom-up: below the region are its callers, below each of them the callers of that one. The
 * figures of a line are those of the region's calls that came by this end of a call path. A value
 * has the scopes that it was recorded in. If several regions have the name that was asked for, such
 * as overloads, each has its callers.
 */
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/wide.h"
#include "report/chain.h"
#include "report/format.h"
#include "report/head.h"
#include "report/sheet.h"
#include "snapshot/regions.h"
#include "snapshot/row_sum.h"

enum {
    LEVELS_MOST = 16, /* of callers */
    CALLERS_MOST = 8, /* of one function; further ones are added up */
    LINES_MOST = 200
};

/* A tree position of the region. */
struct place {
    struct eprof_row row; /* its figures; no time if it is inside another place */
    size_t at;            /* the row of the caller that is reached; SIZE_MAX: there is none */
    size_t next;          /* that of its caller, in the same way */
    uint32_t site;        /* of the row that is reached; 0: none */
};

/* The places with one caller. */
struct group {
    size_t first, count;
    uint64_t total_ns, calls;
};

struct callers {
    const struct eprof_snapshot *snapshot;
    const struct eprof_row *region; /* a row of it */
    bool is_of_values;
    struct ep_report_sheet_style style;
    struct place *places; /* those of a group lie together */
    struct ep_row_sum_part *parts;
    size_t count; /* of places, and of parts */
    struct ep_site_mark mark;
    uint64_t whole_ns;
    bool goes_on[EP_REPORT_SHEET_LEVELS + 1];
    struct eprof_row rows[LINES_MOST];
    char *names[LINES_MOST];
    struct ep_report_sheet_line lines[LINES_MOST];
    size_t line_count;
    size_t reserved; /* lines for callers that wait while the callers of another are added */
    int error;
};

/* ---- places ---- */

/* The time of a nested place is in that of the place around it: so totals add up to that of the
 * region. */
static struct eprof_row figures_of(struct eprof_row row, bool is_nested)
{
    if (is_nested)
        row.total_ns = row.mean_ns = row.stddev_ns = row.timed = row.outermost =
            row.total_error_ns = row.mean_error_ns = 0;
    return row;
}

/* The name that was asked for may have a location. */
static bool is_place(const struct callers *callers, const struct eprof_row *row)
{
    return ep_rows_is_called(row, callers->snapshot->region) &&
           ep_regions_are_one(row, callers->region);
}

static int make_room(struct callers *callers)
{
    const struct eprof_snapshot *snapshot = callers->snapshot;
    size_t count = 0;
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first; row++)
        count += is_place(callers, &snapshot->rows[row]);
    for (size_t i = 0; i < snapshot->value_count; i++)
        count += is_place(callers, &snapshot->values[i]);
    callers->places = malloc((count + 1) * sizeof *callers->places);
    callers->parts = calloc(count + 1, sizeof *callers->parts);
    return callers->places && callers->parts ? 0 : -1;
}

static void find_scopes(struct callers *callers)
{
    const struct eprof_snapshot *snapshot = callers->snapshot;
    size_t end = 0; /* of the place around */
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first; row++) {
        const struct ep_tree_position *position = ep_rows_position(snapshot, row);
        if (!is_place(callers, &snapshot->rows[row]))
            continue;
        if (callers->count == 0)
            callers->mark = position->mark;
        else
            ep_row_sum_add_mark(&callers->mark, &position->mark);
        callers->places[callers->count++] =
            (struct place){.row = figures_of(snapshot->rows[row], row < end),
                           .at = row,
                           .next = position->parent,
                           .site = position->site};
        end = row < end ? end : position->end;
    }
}

/* Their own rows are not in the tree, and no other place is inside them. */
static void find_values(struct callers *callers)
{
    const struct eprof_snapshot *snapshot = callers->snapshot;
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (is_place(callers, &snapshot->values[i]))
            callers->places[callers->count++] =
                (struct place){.row = snapshot->values[i],
                               .at = SIZE_MAX,
                               .next = snapshot->value_marks[i].around,
                               .site = snapshot->value_marks[i].site};
}

/* ---- groups ---- */

/* The callers of the rows that are reached. */
static void climb(const struct callers *callers, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        struct place *place = &callers->places[i];
        const struct ep_tree_position *position =
            place->next == SIZE_MAX ? NULL : ep_rows_position(callers->snapshot, place->next);
        place->at = place->next;
        place->site = position ? position->site : 0;
        place->next = position ? position->parent : SIZE_MAX;
    }
}

/* Whether all places have a caller, and the same one. */
static bool has_one_caller(const struct callers *callers, const struct group *group)
{
    uint32_t site = 0;
    for (size_t i = group->first; i < group->first + group->count; i++) {
        size_t at = callers->places[i].next;
        if (at == SIZE_MAX)
            return false;
        uint32_t its = ep_rows_position(callers->snapshot, at)->site;
        if (i > group->first && its != site)
            return false;
        site = its;
    }
    return true;
}

/* Totals of values are signed. */
static uint64_t add_total(const struct callers *callers, uint64_t a, uint64_t b)
{
    return callers->is_of_values ? a + b : ep_saturating_add(a, b);
}

static int compare_sites(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int compare_totals(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->total_ns != y->total_ns) /* those of values are signed; no time takes the highest bit */
        return (int64_t)x->total_ns > (int64_t)y->total_ns ? -1 : 1;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* The places by caller, the one with the most time first. NULL and ENOMEM. */
static struct group *make_groups(const struct callers *callers, size_t first, size_t count,
                                 size_t *group_count)
{
    struct place *places = callers->places + first;
    struct group *groups = malloc((count + 1) * sizeof *groups), *group = groups;
    if (!groups)
        return NULL;
    qsort(places, count, sizeof *places, compare_sites);
    for (size_t i = 0, end; i < count; i = end, group++) {
        *group = (struct group){.first = first + i};
        for (end = i; end < count && places[end].site == places[i].site; end++) {
            group->total_ns = add_total(callers, group->total_ns, places[end].row.total_ns);
            group->calls = ep_saturating_add(group->calls, places[end].row.calls);
        }
        group->count = end - i;
    }
    *group_count = (size_t)(group - groups);
    qsort(groups, *group_count, sizeof *groups, compare_totals);
    return groups;
}

/* ---- lines ---- */

static void add_line(struct callers *callers, const struct group *group, char *name, uint32_t depth,
                     bool is_last)
{
    size_t i = callers->line_count++;
    for (size_t at = 0; at < group->count; at++)
        callers->parts[at].row = &callers->places[group->first + at].row;
    callers->rows[i] = ep_row_sum_of(callers->parts, group->count);
    callers->names[i] = name;
    callers->error = name ? callers->error : ENOMEM;
    callers->lines[i] = (struct ep_report_sheet_line){.row = &callers->rows[i],
                                                      .mark = callers->mark,
                                                      .name = name,
                                                      .whole_ns = callers->whole_ns};
    ep_report_sheet_line_branches(&callers->lines[i], &callers->style, callers->goes_on, depth,
                                  depth, is_last);
}

static void add_rest(struct callers *callers, const struct group *groups, size_t count,
                     uint32_t depth)
{
    struct ep_report_sheet_line *line = &callers->lines[callers->line_count++];
    *line = (struct ep_report_sheet_line){.has_part = true, .whole_ns = callers->whole_ns};
    for (size_t i = 0; i < count; i++)
        line->part_ns = add_total(callers, line->part_ns, groups[i].total_ns);
    ep_report_sheet_line_rest(line, ep_report_sheet_gap(&callers->style), count,
                              count == 1 ? "caller more" : "callers more");
    ep_report_sheet_line_branches(line, &callers->style, callers->goes_on, depth, depth, true);
}

/* Callers that are each the only one of the one before share a line: they have the same figures. */
static void add_caller(struct callers *callers, const struct group *group, uint32_t depth,
                       bool is_last)
{
    static const struct eprof_row none = {.kind = "scope", .name = "(no caller)", .file = ""};
    const struct place *place = &callers->places[group->first];
    struct ep_report_chain chain = {.count = 0};
    if (place->at == SIZE_MAX)
        ep_report_chain_add(&chain, &none, false);
    for (bool goes_on = place->at != SIZE_MAX; goes_on;) {
        ep_report_chain_add(&chain, &callers->snapshot->rows[place->at],
                            callers->snapshot->options.locations ||
                                ep_rows_position(callers->snapshot, place->at)->mark.is_ambiguous);
        goes_on = has_one_caller(callers, group);
        if (goes_on)
            climb(callers, group->first, group->count);
    }
    add_line(callers, group,
             ep_report_chain_text(&chain, " < ", ep_report_sheet_gap(&callers->style)), depth,
             is_last);
}

/* The callers of places that have the same callers up to here. Each caller has two lines reserved,
 * its own and one for its callers that are left out; so has this level for those left out here. */
static void add_level(struct callers *callers, size_t first, size_t count, uint32_t depth)
{
    size_t group_count = 0;
    climb(callers, first, count);
    struct group *groups = make_groups(callers, first, count, &group_count);
    size_t shown = group_count <= CALLERS_MOST + 1 ? group_count : CALLERS_MOST;
    if (!groups) {
        callers->error = ENOMEM;
        return;
    }
    if (group_count == 1 && callers->places[first].at == SIZE_MAX)
        group_count = shown = 0; /* the root of these call paths is shown already */
    if (depth > LEVELS_MOST ||
        callers->line_count + callers->reserved + 2 * shown + 1 >= LINES_MOST)
        shown = 0;
    callers->reserved += 2 * shown + 1;
    for (size_t i = 0; i < shown; i++) {
        bool has_caller = callers->places[groups[i].first].at != SIZE_MAX;
        add_caller(callers, &groups[i], depth, i + 1 == group_count);
        callers->reserved -= 2;
        if (has_caller && !callers->error)
            add_level(callers, groups[i].first, groups[i].count, depth + 1);
    }
    callers->reserved--;
    if (shown < group_count)
        add_rest(callers, groups + shown, group_count - shown, depth);
    free(groups);
}

/* ---- columns ---- */

static const struct ep_report_sheet_column columns[] = {
    EP_REPORT_SHEET_COUNT(calls, false),        EP_REPORT_SHEET_OUTERMOST,
    EP_REPORT_SHEET_TIME("total", total_ns, 0), EP_REPORT_SHEET_SHARE("%region", total_ns, 0),
    EP_REPORT_SHEET_TIME("self", self_ns, 1),   EP_REPORT_SHEET_TIME("mean", mean_ns, 2),
    EP_REPORT_SHEET_COUNT(open, true),
};

/* ---- values ---- */

enum { VALUE_CALLS, VALUE_TOTAL, VALUE_SHARE, VALUE_MEAN, VALUE_MIN, VALUE_MAX, VALUE_COLUMNS };

static const struct ep_report_sheet_column value_columns[VALUE_COLUMNS] = {
    [VALUE_CALLS] = EP_REPORT_SHEET_COUNT(calls, false),
    [VALUE_TOTAL] = EP_REPORT_SHEET_TIME("total", total_ns, 0),
    [VALUE_SHARE] = EP_REPORT_SHEET_SHARE("%value", total_ns, 0),
    [VALUE_MEAN] = EP_REPORT_SHEET_TIME("mean", mean_ns, 2),
    [VALUE_MIN] = EP_REPORT_SHEET_TIME("min", min_ns, 1),
    [VALUE_MAX] = EP_REPORT_SHEET_TIME("max", max_ns, 1),
};

static struct ep_report_figure value_figure(const struct callers *callers, size_t line,
                                            size_t offset)
{
    return ep_report_format_value(&callers->rows[line], offset, callers->style.in_ticks);
}

/* Where any value is negative, a part may be more than the sum, and no share helps. */
static struct ep_report_figure value_share(const struct callers *callers, uint64_t total)
{
    if ((int64_t)callers->rows[0].min_ns < 0 || (int64_t)callers->whole_ns <= 0)
        return (struct ep_report_figure){"-"};
    return ep_report_format_share(total, callers->whole_ns);
}

static struct ep_report_sheet_cell value_cell_at(const void *context, size_t i, size_t column)
{
    const struct callers *callers = context;
    const struct ep_report_sheet_line *line = &callers->lines[i];
    struct ep_report_figure figure = {""};
    if (column == VALUE_SHARE)
        figure = value_share(callers, line->row ? line->row->total_ns : line->part_ns);
    else if (line->row && column == VALUE_CALLS)
        figure = ep_report_format_decimal(line->row->calls, 0);
    else if (line->row)
        figure = value_figure(callers, i, value_columns[column].offset);
    return (struct ep_report_sheet_cell){figure, EP_REPORT_SHEET_PLAIN};
}

/* ---- the report ---- */

/* The region itself. A name of several sites is shown without a location. */
static void add_region(struct callers *callers)
{
    const struct group all = {.count = callers->count};
    const struct place *places = callers->places;
    struct ep_report_chain chain = {.count = 0};
    bool is_one = true;
    for (size_t i = 0; i < callers->count; i++) {
        callers->whole_ns = add_total(callers, callers->whole_ns, places[i].row.total_ns);
        is_one &= places[i].site == places[0].site;
    }
    ep_report_chain_add(&chain, &places[0].row,
                        is_one &&
                            (callers->mark.is_ambiguous || callers->snapshot->options.locations));
    add_line(callers, &all, ep_report_chain_text(&chain, "", ""), 0, true);
}

static void write_title(struct ep_output *out, const struct callers *callers)
{
    const struct eprof_snapshot *snapshot = callers->snapshot;
    ep_output_text(out, "\neProf Callers: ");
    ep_escape_name(out, callers->names[0]);
    ep_output_text(out, callers->is_of_values ? ", values, " : ", ");
    ep_output_count(out, callers->count, "call path");
    if (callers->is_of_values)
        ep_output_print(out, ", %s in all\n",
                        value_figure(callers, 0, offsetof(struct eprof_row, total_ns)).text);
    else
        ep_output_print(
            out, ", %s%s, %s of the measured time\n",
            ep_report_format_row_time(&callers->rows[0], &callers->mark,
                                      offsetof(struct eprof_row, total_ns), callers->style.in_ticks)
                .text,
            callers->style.in_ticks ? " ticks" : "",
            ep_report_format_share(callers->whole_ns, ep_report_head_measured(snapshot)).text);
    ep_report_format_origin(out, snapshot, callers->style.columns,
                            ep_report_sheet_gap(&callers->style));
    ep_output_text(out, "\n");
}

static void write_lines(struct ep_output *out, const struct callers *callers)
{
    struct ep_report_sheet sheet = {.style = &callers->style,
                                    .title = "called by",
                                    .columns = columns,
                                    .column_count = sizeof columns / sizeof columns[0],
                                    .part_offset = offsetof(struct eprof_row, total_ns),
                                    .lines = callers->lines,
                                    .line_count = callers->line_count};
    if (callers->is_of_values) {
        sheet.title = "recorded in";
        sheet.columns = value_columns;
        sheet.column_count = VALUE_COLUMNS;
        sheet.cell = value_cell_at;
        sheet.context = callers;
    }
    ep_report_sheet_write(out, &sheet);
}

static void write_callers(struct ep_output *out, struct callers *callers)
{
    if (make_room(callers) == 0) {
        find_scopes(callers);
        find_values(callers);
        add_region(callers);
        add_level(callers, 0, callers->count, 1);
    } else {
        callers->error = ENOMEM;
    }
    if (callers->error) {
        ep_output_fail(out, callers->error);
        return;
    }
    write_title(out, callers);
    write_lines(out, callers);
}

static void write_region(struct ep_output *out, const struct eprof_snapshot *snapshot,
                         const struct eprof_row *region)
{
    struct callers *callers = calloc(1, sizeof *callers);
    if (!callers) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    callers->snapshot = snapshot;
    callers->region = region;
    callers->is_of_values = ep_columns_is_of_values(region);
    callers->style = ep_report_sheet_style_of(out, snapshot->options.ticks);
    write_callers(out, callers);
    for (size_t i = 0; i < callers->line_count; i++)
        free(callers->names[i]);
    free(callers->parts);
    free(callers->places);
    free(callers);
}

void ep_report_callers(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_regions regions;
    out->is_ascii = !ep_report_sheet_style_of(out, false).is_utf8;
    if (ep_regions_find(&regions, snapshot, snapshot->region, snapshot->scope_first) != 0)
        ep_output_fail(out, ENOMEM);
    for (size_t i = 0; i < regions.count && !out->error; i++)
        write_region(out, snapshot, regions.at[i]);
    ep_report_notes_write(out, snapshot);
    ep_regions_free(&regions);
}
