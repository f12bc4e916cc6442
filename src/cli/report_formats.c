#include "report_formats.h"

#include <string.h>

#ifdef EPROF_PPROF
#include "pprof.h"
static const struct ep_report *const pprof = &ep_pprof_report;
#else
static const struct ep_report pprof_by_name = {.name = "pprof"}; /* and nothing that writes it */
static const struct ep_report *const pprof = &pprof_by_name;
#endif

const struct ep_report *ep_report_formats_find(const char *text,
                                               struct ep_snapshot_options *options)
{
    size_t length = strlen(text);
    if (pprof->write && ep_report_is(pprof, text, length, options))
        return pprof;
    return ep_report_find(text, length, options);
}

bool ep_report_formats_lacks(const char *text)
{
    struct ep_snapshot_options unused;
    return !pprof->write && ep_report_is(pprof, text, strlen(text), &unused);
}

bool ep_report_formats_is_binary(const struct ep_report *report)
{
    return report == pprof;
}
