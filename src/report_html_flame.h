/*
 * report_html_flame.h - the flame graph of one tree of an html page
 *
 * A box is as hot as its scope's self time.
 */
#ifndef EP_REPORT_HTML_FLAME_H
#define EP_REPORT_HTML_FLAME_H

#include "report_html_page.h"
#include "snapshot_part.h"

/*
 * At most so many boxes. A box leads to its row in the page: `is_shown` tells of each row, from
 * part->first on, whether it is there; NULL: all are. Else to the nearest row around it that is.
 */
void ep_report_html_flame(const struct ep_report_html_page *page, const struct ep_part *part,
                          const bool *is_shown, size_t boxes_most);

#endif /* EP_REPORT_HTML_FLAME_H */
