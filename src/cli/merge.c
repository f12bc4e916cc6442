#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "image/file.h"

/* ---- the command line of `eprof merge` ---- */

#define AT(field) offsetof(struct ep_merge_options, field)

static const struct ep_option known_options[] = {
    {"output", 'o', "OUT", "the profile file to write, - is stdout", AT(output), ep_usage_text},
    {EP_OPTION_DEBUG_DIRECTORY(AT(files.debug_directory))},
    {0},
};

static const struct ep_command_line line = {
    .options = known_options,
    .args_doc = "FILE...",
    .doc = "Adds up the profiles in the FILEs: threads by their names, scopes by their paths, "
           "instances by their labels. The sum is a profile file like any other.",
    .missing = "merge: no FILE; name those that are to be added up",
};

struct ep_merge_options ep_merge_options_read(int argc, char **argv)
{
    struct ep_merge_options merge = {.output = NULL};
    struct ep_arguments files = ep_usage_parse(&line, argc, argv, &merge);
    merge.files.paths = files.at;
    merge.files.count = (size_t)files.count;
    if (merge.output)
        return merge;
    ep_usage_fail(NULL, "merge: -o OUT is missing, the file that the sum is written to");
}

/* ---- the command ---- */

static int save_image(const struct ep_image *image, const char *path, const char **why)
{
    struct ep_image_file file;
    ep_deliver_signals_survive_size_limit();
    ep_deliver_signals_hold();
    int result = ep_image_file_create(&file, path, why);
    ep_deliver_signals_watch(result == 0 ? file.temporary : NULL);
    return result == 0 ? ep_image_file_save_into(image, &file, why) : -1;
}

static int write_image(const void *context, FILE *stream)
{
    const struct ep_image *image = context;
    size_t count = ep_image_root(image)->cells_used;
    errno = 0;
    if (fwrite(image->cells, EP_CELL_BYTES, count, stream) == count && fflush(stream) == 0)
        return 0;
    errno = errno ? errno : EIO;
    return -1;
}

static int save(const struct ep_load *load, const char *path)
{
    const char *why;
    const struct ep_image *sum = ep_load_image(load);
    if (!sum)
        return ep_complain_of_memory();
    if (strcmp(path, "-") == 0)
        return ep_deliver(path, write_image, sum);
    if (save_image(sum, path, &why) == 0)
        return EP_STATUS_DONE;
    ep_complain(path, "%s", why);
    return EP_STATUS_FAILED;
}

int ep_merge_command(int argc, char **argv)
{
    struct ep_merge_options options = ep_merge_options_read(argc, argv);
    if (ep_deliver_is_terminal(options.output)) {
        ep_complain(options.output, "a profile, and stdout is a terminal; name a file with -o");
        return EP_STATUS_USAGE;
    }
    struct ep_load load;
    if (ep_load_files(&load, &options.files) != 0)
        return EP_STATUS_FAILED;
    int status = save(&load, options.output);
    ep_load_free(&load);
    return status;
}
