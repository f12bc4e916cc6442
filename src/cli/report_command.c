#include "report_command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cell.h"
#include "complain.h"
#include "load.h"
#include "replace.h"
#include "report_choice.h"
#include "report_formats.h"
#include "report_options.h"
#include "status.h"

/* What is no text would do to the terminal whatever its bytes happen to say. */
static int write_to_stdout(const struct ep_report *report, const struct eprof_snapshot *snapshot)
{
    if (ep_report_formats_is_binary(report) && isatty(STDOUT_FILENO)) {
        ep_complain(report->name, "no text, and stdout is a terminal; name a file with -o");
        return EP_STATUS_USAGE;
    }
    if (ep_report_write(report, snapshot, stdout) == 0)
        return EP_STATUS_DONE;
    ep_complain("stdout", "%s", strerror(errno));
    return EP_STATUS_FAILED;
}

/* A slip of the keyboard must not cost the figures of a week. */
static bool is_profile(const char *path)
{
    char magic[sizeof EP_IMAGE_MAGIC - 1];
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool is = file >= 0 && pread(file, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
              memcmp(magic, EP_IMAGE_MAGIC, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is;
}

static int write_to_file(const struct ep_report *report, const struct eprof_snapshot *snapshot,
                         const char *path)
{
    struct ep_replace file;
    if (is_profile(path)) {
        ep_complain(path, "a profile, and is left alone; name another file with -o");
        return EP_STATUS_USAGE;
    }
    if (ep_replace_open(&file, path) != 0) {
        ep_complain(path, "%s", strerror(errno));
        return EP_STATUS_FAILED;
    }
    int error = ep_report_write(report, snapshot, file.stream) != 0 ? errno : 0;
    if (ep_replace_close(&file, !error) != 0 && !error)
        error = errno;
    if (!error)
        return EP_STATUS_DONE;
    ep_complain(path, "%s", strerror(error));
    return EP_STATUS_FAILED;
}

static int write_report(const struct ep_report_options *options,
                        const struct eprof_snapshot *snapshot)
{
    const struct ep_report *report = options->report;
    if (!report)
        report = ep_report_choice(snapshot);
    if (!options->output || strcmp(options->output, "-") == 0)
        return write_to_stdout(report, snapshot);
    return write_to_file(report, snapshot, options->output);
}

static int apply_view(const struct ep_report_options *options, struct eprof_snapshot *snapshot)
{
    const char *why;
    if (ep_view_apply(snapshot, &options->view, &why) == 0)
        return EP_STATUS_DONE;
    int error = errno;
    ep_complain(NULL, "%s", why);
    return error == EINVAL ? EP_STATUS_USAGE : EP_STATUS_FAILED;
}

static int report_load(const struct ep_report_options *options, const struct ep_load *load)
{
    struct eprof_snapshot *snapshot = ep_load_snapshot(load, options->snapshot);
    if (!snapshot) {
        ep_complain_of_memory();
        return EP_STATUS_FAILED;
    }
    int status = apply_view(options, snapshot);
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
    int status = report_load(&options, &load);
    ep_load_free(&load);
    return status;
}
