/*
 * top_list.h - the list of `eprof top`: a line for each region or path
 */
#ifndef EP_CLI_TOP_LIST_H
#define EP_CLI_TOP_LIST_H

#include "report_sheet.h"
#include "top_lines.h"

/*
 * Writes the lines from view->first on, as many as there is room for, and behind them, if
 * `says_rest`, how many more there are. Without memory the output fails.
 */
void ep_top_list_write(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view,
                       const struct ep_report_sheet_style *style, bool says_rest);

#endif /* EP_CLI_TOP_LIST_H */
