/*
 * top_head.h - the lines above the list of `eprof top`: of what it is, and of which time
 */
#ifndef EP_CLI_TOP_HEAD_H
#define EP_CLI_TOP_HEAD_H

#include "report_sheet.h"
#include "top_lines.h"

/* What there is to be said beside what is seen. */
struct ep_top_notes {
    const char *name; /* of the file or process, as the user has it */
    uint64_t runs;    /* so many programs have recorded into it while it was looked at */
    const char *why;  /* it could not be read again, as the end of a line; NULL: it could */
};

/* How many lines that are. */
size_t ep_top_head_lines(const struct ep_top_sight *sight, const struct ep_top_notes *notes);
void ep_top_head_write(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view,
                       const struct ep_top_notes *notes, const struct ep_report_sheet_style *style);

#endif /* EP_CLI_TOP_HEAD_H */
