#include "load.h"

#include "complain.h"
#include "look_up.h"
#include "read_profile.h"

/* ---- one ---- */

static int name_functions(struct ep_image *image, const char *debug_directory)
{
    struct ep_look_up look_up = {.debug_directory = debug_directory};
    int result = ep_look_up_name(&look_up, image);
    ep_look_up_free(&look_up);
    return result;
}

static int load_single(struct ep_load *load, const struct ep_load_files *files)
{
    if (ep_read_profile(files->paths[0], &load->single) != 0)
        return -1;
    if (name_functions(&load->single, files->debug_directory) == 0)
        return 0;
    ep_image_destroy(&load->single);
    return ep_complain_of_memory();
}

/* ---- several ---- */

static void weigh(void *merge, size_t file, const union ep_cell *header)
{
    (void)file;
    ep_merge_weigh(merge, header);
}

static int add(void *merge, size_t file, const struct ep_image *image)
{
    (void)file;
    return ep_merge_add(merge, image);
}

static int load_several(struct ep_load *load, const struct ep_load_files *files)
{
    load->merge = ep_merge_begin(files->is_raw);
    if (!load->merge)
        return ep_complain_of_memory();
    const struct ep_load_visitor visitor = {load->merge, weigh, add};
    if (ep_load_each(files, &visitor) == 0)
        return 0;
    ep_merge_end(load->merge);
    return -1;
}

int ep_load_files(struct ep_load *load, const struct ep_load_files *files)
{
    load->merge = NULL;
    return files->count == 1 ? load_single(load, files) : load_several(load, files);
}

const struct ep_image *ep_load_image(const struct ep_load *load)
{
    return load->merge ? ep_merge_image(load->merge) : &load->single;
}

struct eprof_snapshot *ep_load_snapshot(const struct ep_load *load,
                                        struct ep_snapshot_options options)
{
    const struct ep_image *image = ep_load_image(load);
    return image ? ep_snapshot_take_stored(image, options) : NULL;
}

void ep_load_free(struct ep_load *load)
{
    if (load->merge)
        ep_merge_end(load->merge);
    else
        ep_image_destroy(&load->single);
}
