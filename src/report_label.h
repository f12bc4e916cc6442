/*
 * report_label.h - a scope's name as people read it: with file and line where another scope
 * has the same
 */
#ifndef EP_REPORT_LABEL_H
#define EP_REPORT_LABEL_H

#include "output.h"
#include "snapshot.h"

/* The last part of a path. */
const char *ep_report_label_base_name(const char *path);
/* The columns of "name", or "name (file:line)" where it is ambiguous. Of the file the last
 * part of its path is shown. */
size_t ep_report_label_width(const struct eprof_row *row, bool is_ambiguous);

/* Writes it in exactly `width` columns, filled with blanks, or cut with `gap`: of a name and
 * a place that do not fit the name is cut first. */
void ep_report_label_write(struct ep_output *out, const struct eprof_row *row, bool is_ambiguous,
                           size_t width, const char *gap);

#endif /* EP_REPORT_LABEL_H */
