/*
 * report_sheet_layout.h - which columns of a sheet there is room for, and how wide they are
 */
#ifndef EP_REPORT_SHEET_LAYOUT_H
#define EP_REPORT_SHEET_LAYOUT_H

#include "report_sheet.h"

enum {
    EP_REPORT_SHEET_GAP = 2,     /* blanks between two columns */
    EP_REPORT_SHEET_SMALLEST = 8 /* columns that a name has at any price */
};

struct ep_report_sheet_layout {
    size_t name_width;
    size_t width[EP_REPORT_SHEET_MOST_COLUMNS]; /* 0: not shown */
};

struct ep_report_sheet_layout ep_report_sheet_layout_of(const struct ep_report_sheet *sheet);

/* Of all columns that are shown from `first` to `end`, with the gap before each. */
size_t ep_report_sheet_layout_width(const struct ep_report_sheet_layout *layout, size_t first,
                                    size_t end);
/* Where the columns end that stand under one group with column `first`; first + 1 where it has
 * none. */
size_t ep_report_sheet_layout_group_end(const struct ep_report_sheet *sheet, size_t first);
/* The columns that a line's name takes, without its branches. */
size_t ep_report_sheet_layout_name_width(const struct ep_report_sheet_line *line);

#endif /* EP_REPORT_SHEET_LAYOUT_H */
