#include "report_choice.h"

#include <string.h>

const struct ep_report *ep_report_choice(const struct eprof_snapshot *snapshot)
{
    const char *name = snapshot->scope_first < snapshot->trouble_first ? "tree" : "table";
    struct ep_snapshot_options options;
    return ep_report_find(name, strlen(name), &options);
}
