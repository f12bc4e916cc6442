/*
 * top_fit.h - a line of text in the columns that there are
 */
#ifndef EP_CLI_TOP_FIT_H
#define EP_CLI_TOP_FIT_H

#include "report_sheet.h"

/* Whether it has room in the terminal; it has, where there is none. */
bool ep_top_fit(const char *text, const struct ep_report_sheet_style *style);
/* Writes it, as a name is written. Where it has no room, its beginning and its end. */
void ep_top_fit_write(struct ep_output *out, const char *text,
                      const struct ep_report_sheet_style *style);

#endif /* EP_CLI_TOP_FIT_H */
