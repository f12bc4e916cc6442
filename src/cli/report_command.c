#include "report_command.h"

#include <errno.h>

#include "complain.h"
#include "deliver.h"
#include "load.h"
#include "report_choice.h"
#include "report_formats.h"
#include "report_options.h"

struct writing {
    const struct ep_report *report;
    const struct eprof_snapshot *snapshot;
};

static int write_to(const void *context, FILE *stream)
{
    const struct writing *writing = context;
    return ep_report_write(writing->report, writing->snapshot, stream);
}

/* What is no text would do to the terminal whatever its bytes happen to say. */
static enum ep_status write_report(const struct ep_report_options *options,
                                   const struct eprof_snapshot *snapshot)
{
    struct writing writing = {options->report, snapshot};
    if (!writing.report)
        writing.report = ep_report_choice(snapshot);
    if (!ep_report_formats_is_binary(writing.report) || !ep_deliver_is_terminal(options->output))
        return ep_deliver(options->output, write_to, &writing);
    ep_complain(writing.report->name, "no text, and stdout is a terminal; name a file with -o");
    return EP_STATUS_USAGE;
}

static enum ep_status apply_view(const struct ep_report_options *options,
                                 struct eprof_snapshot *snapshot)
{
    const char *why;
    if (ep_view_apply(snapshot, &options->view, &why) == 0)
        return EP_STATUS_DONE;
    int error = errno;
    ep_complain(NULL, "%s", why);
    return error == EINVAL ? EP_STATUS_USAGE : EP_STATUS_FAILED;
}

static enum ep_status report_load(const struct ep_report_options *options,
                                  const struct ep_load *load)
{
    struct eprof_snapshot *snapshot = ep_load_snapshot(load, options->snapshot);
    if (!snapshot) {
        ep_complain_of_memory();
        return EP_STATUS_FAILED;
    }
    enum ep_status status = apply_view(options, snapshot);
    if (status == EP_STATUS_DONE)
        status = write_report(options, snapshot);
    ep_snapshot_free(snapshot);
    return status;
}

int ep_report_command(int argc, char **argv)
{
    struct ep_report_options options = ep_report_options_read(argc, argv);
    struct ep_load_files files = {.paths = options.files,
                                  .count = options.file_count,
                                  .is_raw = options.snapshot.raw,
                                  .debug_directory = options.debug_directory};
    struct ep_load load;
    if (ep_load_files(&load, &files) != 0)
        return EP_STATUS_FAILED;
    enum ep_status status = report_load(&options, &load);
    ep_load_free(&load);
    return (int)status;
}
