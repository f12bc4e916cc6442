/*
 * report_formats.h - the formats of `eprof report`: those of the library, and pprof
 */
#ifndef EP_CLI_REPORT_FORMATS_H
#define EP_CLI_REPORT_FORMATS_H

#include "report.h"

/* For a message. */
#ifdef EPROF_PPROF
#define EP_REPORT_FORMATS_NAMES EP_REPORT_NAMES ", pprof"
#else
#define EP_REPORT_FORMATS_NAMES EP_REPORT_NAMES
#endif

/* As ep_report_find(). NULL: not understood. */
const struct ep_report *ep_report_formats_find(const char *text,
                                               struct ep_snapshot_options *options);
/* Of what was not understood: whether it asks for pprof, and this program was built without. */
bool ep_report_formats_lacks(const char *text);
/* Whether it is nothing that a terminal can show. */
bool ep_report_formats_is_binary(const struct ep_report *report);

#endif /* EP_CLI_REPORT_FORMATS_H */
