/*
 * report_sheet_rows.h - a sheet whose lines are rows of a snapshot
 */
#ifndef EP_REPORT_SHEET_ROWS_H
#define EP_REPORT_SHEET_ROWS_H

#include "report_column.h"
#include "report_sheet.h"

/* In place of an offset: the column that shows what part of the whole a line is. */
#define EP_REPORT_SHEET_SHARE SIZE_MAX

struct ep_report_sheet_rows_column {
    struct ep_report_column figure;
    unsigned worth; /* as in struct ep_report_sheet_column */
};

struct ep_report_sheet_rows_line {
    struct ep_report_sheet_line line; /* one that is no row's has part and share alone */
    struct ep_site_mark mark;         /* of its row */
    bool has_part;
    uint64_t part_ns, whole_ns;
};

struct ep_report_sheet_rows {
    const struct ep_report_sheet_style *style;
    const char *title;
    const struct ep_report_sheet_rows_column *columns;
    size_t column_count; /* at most EP_REPORT_SHEET_MOST_COLUMNS */
    size_t part_offset;  /* of the column where a line's part stands */
    const struct ep_report_sheet_rows_line *lines;
    size_t line_count;
    size_t name_width_least;
};

/* The line of a row, as hot as its self time is a part of `whole_ns`. */
struct ep_report_sheet_rows_line ep_report_sheet_rows_line_of(const struct eprof_row *row,
                                                              struct ep_site_mark mark,
                                                              uint64_t whole_ns);

/* As ep_report_sheet_write(). */
size_t ep_report_sheet_rows_write(struct ep_output *out, const struct ep_report_sheet_rows *rows);

#endif /* EP_REPORT_SHEET_ROWS_H */
