/*
 * report_sheet.h - lines of a name and figures, made to fit a terminal
 *
 * The name has what the figures leave. Where that is too little, columns of less worth are
 * left out; a name that is still too long is cut in its middle.
 */
#ifndef EP_REPORT_SHEET_H
#define EP_REPORT_SHEET_H

#include "output.h"
#include "report_column.h"

/* In place of an offset: the column that shows what part of the whole a line is. */
#define EP_REPORT_SHEET_SHARE SIZE_MAX

struct ep_report_sheet_column {
    struct ep_report_column figure;
    unsigned worth; /* of several that have no room, the least is left out first; 0: never */
};

enum ep_report_sheet_heat { EP_REPORT_SHEET_COLD, EP_REPORT_SHEET_WARM, EP_REPORT_SHEET_HOT };

struct ep_report_sheet_line {
    const struct eprof_row *row; /* NULL: the line is `text`, and has part and share alone */
    struct ep_site_mark mark;
    bool has_part;
    enum ep_report_sheet_heat heat;
    uint64_t part_ns, whole_ns;
    char text[48];
    char branches[160]; /* what stands before the name */
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
    size_t part_offset;  /* of the column where a line's part stands */
    const struct ep_report_sheet_line *lines;
    size_t line_count;
    size_t name_width_least; /* so that two sheets have their names alike */
};

enum { EP_REPORT_SHEET_MOST_COLUMNS = 16 };

/* How the stream that is written to wants it. */
struct ep_report_sheet_style ep_report_sheet_style_of(const struct ep_output *out, bool in_ticks);

/* What stands for something left out: "…", or "..." where that cannot be written. */
const char *ep_report_sheet_gap(const struct ep_report_sheet_style *style);

/* Writes it; returns the width that the names had. */
size_t ep_report_sheet_write(struct ep_output *out, const struct ep_report_sheet *sheet);

#endif /* EP_REPORT_SHEET_H */
