#include "merge_command.h"

#include "complain.h"
#include "image_save.h"
#include "load.h"
#include "merge_options.h"
#include "status.h"

static int save(const struct ep_load *load, const char *path)
{
    const char *why;
    const struct ep_image *sum = ep_load_image(load);
    if (!sum) {
        ep_complain_of_memory();
        return EP_STATUS_FAILED;
    }
    if (ep_image_save(sum, path, &why) == 0)
        return EP_STATUS_DONE;
    ep_complain(path, "%s", why);
    return EP_STATUS_FAILED;
}

int ep_merge_command(int argc, char **argv)
{
    struct ep_merge_options options = ep_merge_options_read(argc, argv);
    struct ep_load load;
    struct ep_load_files files = {.paths = options.files,
                                  .count = options.file_count,
                                  .debug_directory = options.debug_directory};
    if (ep_load_files(&load, &files) != 0)
        return EP_STATUS_FAILED;
    int status = save(&load, options.output);
    ep_load_free(&load);
    return status;
}
