/*
 * report_diff_html_change.h - how a region of a comparison is coloured
 *
 * By the change of its self time: that of its total would colour all that it is in as well, and
 * what is at fault would not stand out. (B. Gregg, "Differential Flame Graphs", 2014,
 * https://www.brendangregg.com/blog/2014-11-09/differential-flame-graphs.html: red is more, blue is
 * less.) Where there are verdicts, what they do not bear out has no colour.
 */
#ifndef EP_REPORT_DIFF_HTML_CHANGE_H
#define EP_REPORT_DIFF_HTML_CHANGE_H

#include "report_diff_html_page.h"

/* The class of the style: h0 for the same, s1 to s4 for slower, f1 to f4 for faster. */
const char *ep_report_diff_html_change(const struct ep_report_diff_html_page *page,
                                       const struct ep_diff_row *row);
/* The same in a sign or a word, for who sees no colours: "\u25B2 ", "new ", or "". */
const char *ep_report_diff_html_change_sign(const struct ep_report_diff_html_page *page,
                                            const struct ep_diff_row *row);
/* What the colours mean. */
void ep_report_diff_html_change_key(const struct ep_report_diff_html_page *page);

#endif /* EP_REPORT_DIFF_HTML_CHANGE_H */
