#include "report_metric.h"

#include <inttypes.h>

#include "escape_openmetrics.h"

#define NS_PER_SECOND UINT64_C(1000000000)

void ep_metric_begin(struct ep_output *out, const char *name, const char *type, const char *unit,
                     const char *help)
{
    ep_output_print(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
    if (unit)
        ep_output_print(out, "# UNIT %s %s\n", name, unit);
}

void ep_metric_label(struct ep_output *out, const char **between, const char *name,
                     const char *value)
{
    ep_output_print(out, "%s%s=", *between, name);
    ep_escape_openmetrics(out, value);
    *between = ",";
}

void ep_metric_seconds(struct ep_output *out, uint64_t ns)
{
    ep_output_print(out, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}
