/*
 * advice.h - what to leave out of a recording that cost too much
 */
#ifndef EP_REPORT_ADVICE_H
#define EP_REPORT_ADVICE_H

#include "base/output.h"
#include "snapshot/snapshot.h"

/* Only where profiling cost more than a tenth of the process's time: lines with the regions that
 * cost most by their number of calls, ready to be pasted. Functions with patched entries are left
 * out at run time, those with hooks also by the compiler. */
void ep_report_advice_write(struct ep_output *out, const struct eprof_snapshot *snapshot);

#endif /* EP_REPORT_ADVICE_H */
