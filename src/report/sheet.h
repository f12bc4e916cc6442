/*
 * sheet.h - lines of a name and figures, made to fit a terminal
 *
 * The name gets the width that the figures leave. If that is too little, the columns of least worth
 * are left out, at last the errors of estimates; a name that is still too long is cut in its
 * middle. The figures are those of the rows of the lines, or come from a callback.
 */
#ifndef EP_REPORT_SHEET_H
#define EP_REPORT_SHEET_H

#include "base/output.h"
#include "report/format.h"
#include "snapshot/snapshot.h"

enum { EP_REPORT_SHEET_MOST_COLUMNS = 32 };

struct ep_report_sheet_column {
    const char *title;
    const char *group; /* title above adjacent columns of the same group; NULL: none */
    unsigned worth; /* 0: always shown. Without room the columns of least worth are left out first,
                       all of equal worth together */
    /* unless a callback gives the cells: */
    size_t offset;        /* in struct eprof_row */
    bool is_share;        /* of that time in the measured time: "%total", "self%"; */
    bool is_parent_share; /* then of it in the total of the parent: "%parent" */
    bool is_duration;
    bool hides_zeros; /* not shown if it is 0 in all rows; with may_lack: if it is unknown in all */
    bool may_lack;    /* its figure may be EPROF_UNKNOWN */
};

/* Columns of a figure of a row: a time, its share in the measured time, a time that may be unknown,
 * a number. */
#define EP_REPORT_SHEET_TIME(its_title, field, its_worth)                                          \
    {                                                                                              \
        .title = (its_title), .worth = (its_worth), .offset = offsetof(struct eprof_row, field),   \
        .is_duration = true                                                                        \
    }
#define EP_REPORT_SHEET_SHARE(its_title, field, its_worth)                                         \
    {                                                                                              \
        .title = (its_title), .worth = (its_worth), .offset = offsetof(struct eprof_row, field),   \
        .is_share = true                                                                           \
    }
#define EP_REPORT_SHEET_PARENT_SHARE                                                               \
    {                                                                                              \
        .title = "%parent", .offset = offsetof(struct eprof_row, total_ns), .is_share = true,      \
        .is_parent_share = true                                                                    \
    }
#define EP_REPORT_SHEET_RARE_TIME(its_title, field, its_worth)                                     \
    {                                                                                              \
        .title = (its_title), .worth = (its_worth), .offset = offsetof(struct eprof_row, field),   \
        .is_duration = true, .hides_zeros = true, .may_lack = true                                 \
    }
#define EP_REPORT_SHEET_COUNT(field, its_hides_zeros)                                              \
    {                                                                                              \
        .title = #field, .offset = offsetof(struct eprof_row, field),                              \
        .hides_zeros = (its_hides_zeros)                                                           \
    }

#define EP_REPORT_SHEET_RARE_COUNT(its_title, field, its_worth)                                    \
    {                                                                                              \
        .title = (its_title), .worth = (its_worth), .offset = offsetof(struct eprof_row, field),   \
        .hides_zeros = true, .may_lack = true                                                      \
    }

/* Frames per second, if there are frames. */
#define EP_REPORT_SHEET_RATE(its_worth)                                                            \
    {                                                                                              \
        .title = "rate", .worth = (its_worth), .offset = offsetof(struct eprof_row, per_second),   \
        .hides_zeros = true, .may_lack = true                                                      \
    }

/* The number of calls that are not recursive, if there are recursive ones. */
#define EP_REPORT_SHEET_OUTERMOST EP_REPORT_SHEET_COUNT(outermost, true)

/* The time or count of a row; "-" if it is not known, "12 x 1.23 us" for the mean of a recursive
 * row. */
struct ep_report_figure ep_report_sheet_column_figure(const struct ep_report_sheet_column *column,
                                                      const struct eprof_row *row,
                                                      const struct ep_site_mark *mark,
                                                      bool in_ticks);

/* Whether a row is a reason to show a column that hides zeros. */
bool ep_report_sheet_column_says(const struct ep_report_sheet_column *column,
                                 const struct eprof_row *row);

/* Always shows the column that rows are sorted by, even if it is empty or there is no room; adds it
 * if it is not among the `count` columns. Returns the new count. */
size_t ep_report_sheet_order(struct ep_report_sheet_column *columns, size_t count,
                             const struct ep_field *order);

enum ep_report_sheet_colour {
    EP_REPORT_SHEET_PLAIN,
    EP_REPORT_SHEET_YELLOW,
    EP_REPORT_SHEET_RED,
    EP_REPORT_SHEET_GREEN
};

/* The colour for the share of a row's self time in the whole. */
enum ep_report_sheet_colour ep_report_sheet_heat(uint64_t self_ns, uint64_t whole_ns);

struct ep_report_sheet_line {
    const struct eprof_row *row; /* the line has its label */
    struct ep_site_mark mark;    /* of the row: an ambiguous label has file and line */
    const char *name;            /* in place of that label, or without a row; both NULL: it is a
                                    remark */
    char text[48];               /* the remark */
    bool is_alone;               /* it has no figures and takes the whole line */
    enum ep_report_sheet_colour colour; /* of the name */
    char branches[160];                 /* before the name */
    bool has_part;      /* part_ns and its share are the only figures of a line without a row */
    uint64_t part_ns;   /* the sum of the rows left out */
    uint64_t parent_ns; /* the total of the parent, for the column %parent */
    uint64_t whole_ns;  /* the measured time, for shares */
};

/* The levels of branches; from there on the number of a line's level precedes its name. */
enum { EP_REPORT_SHEET_LEVELS = 16 };

struct ep_report_sheet_style;

/* Draws the branches before a line at `depth` (0: a root); `number` is that of its level. Lines are
 * drawn in their order: `goes_on`, which begins as all false, remembers for each level whether a
 * later line has the same parent as the last line on that level. */
void ep_report_sheet_line_branches(struct ep_report_sheet_line *line,
                                   const struct ep_report_sheet_style *style,
                                   bool goes_on[EP_REPORT_SHEET_LEVELS + 1], uint32_t depth,
                                   uint32_t number, bool is_last);

/* Sets the text to "... 12 more", where `what` is "more". */
void ep_report_sheet_line_rest(struct ep_report_sheet_line *line, const char *gap, size_t left_out,
                               const char *what);

struct ep_report_sheet_cell {
    struct ep_report_figure figure; /* ASCII; may be empty */
    enum ep_report_sheet_colour colour;
};

struct ep_report_sheet_style {
    bool is_utf8;
    bool is_colour;
    bool in_ticks;
    size_t columns; /* of the terminal; 0: not a terminal */
};

struct ep_report_sheet {
    const struct ep_report_sheet_style *style;
    const char *title; /* above the names */
    const struct ep_report_sheet_column *columns;
    size_t column_count; /* at most EP_REPORT_SHEET_MOST_COLUMNS */
    size_t part_offset;  /* the offset of the columns that show part_ns */
    const struct ep_report_sheet_line *lines;
    size_t line_count;
    size_t name_width_least; /* so that the names of two sheets are equally wide */
    /* Called more than once for each line that is not alone. NULL: figures of the lines' rows. */
    struct ep_report_sheet_cell (*cell)(const void *context, size_t i, size_t column);
    const void *context;
};

/* The style for the stream of the output. */
struct ep_report_sheet_style ep_report_sheet_style_of(const struct ep_output *out, bool in_ticks);

/* The sign for something left out: "…", or "..." without UTF-8. */
const char *ep_report_sheet_gap(const struct ep_report_sheet_style *style);

/* The table of values, after an empty line; nothing if there are none (values.c). */
void ep_report_values_write(struct ep_output *out, const struct eprof_snapshot *snapshot,
                            const struct ep_report_sheet_style *style);
/* Returns the width of the names. */
size_t ep_report_sheet_write(struct ep_output *out, const struct ep_report_sheet *sheet);

#endif /* EP_REPORT_SHEET_H */
