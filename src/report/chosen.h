/*
 * chosen.h - the columns of table and tree by their names, for a reader who chooses them
 */
#ifndef EP_REPORT_CHOSEN_H
#define EP_REPORT_CHOSEN_H

#include "report/sheet.h"
#include "snapshot/snapshot.h"

/* The names, for a message. csv's names are known, too. */
#define EP_REPORT_CHOSEN_NAMES                                                                     \
    "calls, timed, outermost, errors, open, total, %total, %parent, self, self%, cpu, wait, "      \
    "mean, "                                                                                       \
    "stddev, min, p50, p90, p99, p99.9, max, processes, process_min, process_mean, process_max, "  \
    "process_stddev, process_slowest, imbalance"

/* Reads names with '+' or ',' between them from `length` bytes of `text`. Where a name is unknown,
 * returns its position; else NULL, and *columns is set. */
const char *ep_report_chosen_read(const char *text, size_t length,
                                  struct ep_chosen_columns *columns);

/* The columns in their order, which are always shown. Returns their number. */
size_t ep_report_chosen_columns(const struct ep_chosen_columns *chosen,
                                struct ep_report_sheet_column columns[EP_CHOSEN_COLUMNS]);

/* Writes 'no column "NAME"; known are ...' for the unknown name at `unknown` in a text that ends
 * before `end`. */
void ep_report_chosen_complain(char *line, size_t room, const char *unknown, const char *end);

#endif /* EP_REPORT_CHOSEN_H */
