/*
 * report_sheet.h - lines of a name and figures, made to fit a terminal
 *
 * The name has what the figures leave. Where that is too little, columns of less worth are
 * left out; a name that is still too long is cut in its middle. What stands in a line and in its
 * cells is asked of the caller; report_sheet_rows.h asks the rows of a snapshot.
 */
#ifndef EP_REPORT_SHEET_H
#define EP_REPORT_SHEET_H

#include "output.h"
#include "report_figure.h"
#include "snapshot.h"

enum { EP_REPORT_SHEET_MOST_COLUMNS = 24 };

struct ep_report_sheet_column {
    const char *title;
    const char *group; /* stands above those beside each other that have the same; NULL: nothing */
    unsigned worth;    /* where there is no room, the least is left out first, and all that have
                          the same together; 0: never */
};

enum ep_report_sheet_colour {
    EP_REPORT_SHEET_PLAIN,
    EP_REPORT_SHEET_YELLOW,
    EP_REPORT_SHEET_RED,
    EP_REPORT_SHEET_GREEN
};

struct ep_report_sheet_cell {
    struct ep_report_figure figure; /* ASCII; an empty text where there is nothing */
    enum ep_report_sheet_colour colour;
};

struct ep_report_sheet_line {
    const struct eprof_row *row; /* its label is the line's name; */
    bool is_ambiguous;           /* with its place */
    const char *name;            /* of a line that is no row's; NULL: the line is a remark, */
    char text[48];               /* which is this, */
    bool is_alone;               /* and has no figures: it takes the line for itself */
    enum ep_report_sheet_colour colour; /* of the name */
    char branches[160];                 /* what stands before it */
};

/* How it is to look where it is written. */
struct ep_report_sheet_style {
    bool is_utf8;
    bool is_colour;
    bool in_ticks;
    size_t columns; /* of the terminal; 0: it is none */
};

struct ep_report_sheet {
    const struct ep_report_sheet_style *style;
    const char *title; /* above the names */
    const struct ep_report_sheet_column *columns;
    size_t column_count; /* at most EP_REPORT_SHEET_MOST_COLUMNS */
    size_t line_count;
    size_t name_width_least; /* so that two sheets have their names alike */
    /* Asked more than once for each; of a line that is alone there are no cells. */
    const struct ep_report_sheet_line *(*line)(const void *context, size_t i);
    struct ep_report_sheet_cell (*cell)(const void *context, size_t i, size_t column);
    const void *context;
};

/* How the stream that is written to wants it. */
struct ep_report_sheet_style ep_report_sheet_style_of(const struct ep_output *out, bool in_ticks);

/* What stands for something left out: "…", or "..." where that cannot be written. */
const char *ep_report_sheet_gap(const struct ep_report_sheet_style *style);

/* Writes it; returns the width that the names had. */
size_t ep_report_sheet_write(struct ep_output *out, const struct ep_report_sheet *sheet);

#endif /* EP_REPORT_SHEET_H */
