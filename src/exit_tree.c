#include "exit_tree.h"

#include <string.h>
#include <unistd.h>

#include "compiler.h"
#include "eprof.h"
#include "loader.h"
#include "process.h"
#include "report.h"
#include "stderr_line.h"

static bool is_reported;

void ep_exit_tree_reported(void)
{
    ep_store(&is_reported, true);
}

bool ep_exit_tree_is_wanted(void)
{
    bool has_scopes = ep_load(&ep_image_tree(&ep_process.image)->site_count) >= EP_SITE_FIRST;
    return has_scopes && !ep_load(&is_reported) && getpid() == ep_loader_id() &&
           ep_stderr_line_is_same();
}

bool ep_exit_tree_write(void)
{
    static const char format[] = "tree";
    struct ep_snapshot_options options;
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    bool has_rows = snapshot && snapshot->scope_first < snapshot->trouble_first;
    if (has_rows) /* there is nobody to tell of an error */
        ep_report_write(report, snapshot, stderr);
    eprof_snapshot_free(snapshot);
    return has_rows;
}
