#include "load.h"

#include "complain.h"
#include "image_read.h"
#include "look_up.h"
#include "progress.h"

static int read_file(const char *path, struct ep_image *image, bool *is_being_written)
{
    struct ep_image_file_state state;
    const char *why;
    if (ep_image_read(path, image, &state, &why) != 0) {
        ep_complain(path, "%s", why);
        return -1;
    }
    *is_being_written = state.is_being_written;
    return 0;
}

/* The first time that it is read. */
static int read_first(const char *path, struct ep_image *image)
{
    bool is_being_written;
    if (read_file(path, image, &is_being_written) != 0)
        return -1;
    if (is_being_written)
        ep_complain(path, "its program still runs: the figures are those of now");
    return 0;
}

static int no_memory(void)
{
    ep_complain_of_memory();
    return -1;
}

/* ---- one ---- */

static int name_functions(struct ep_look_up *look_up, struct ep_image *image)
{
    if (ep_look_up_add(look_up, image) != 0)
        return -1;
    ep_look_up_ask(look_up);
    return ep_look_up_fill(look_up, image);
}

static int load_single(struct ep_load *load, struct ep_look_up *look_up, const char *path)
{
    if (read_first(path, &load->single) != 0)
        return -1;
    if (name_functions(look_up, &load->single) == 0)
        return 0;
    ep_image_destroy(&load->single);
    return no_memory();
}

/* ---- several ---- */

static int weigh(struct ep_merge *merge, struct ep_look_up *look_up, const char *path)
{
    struct ep_image image;
    if (read_first(path, &image) != 0)
        return -1;
    ep_merge_weigh(merge, image.cells);
    int result = ep_look_up_add(look_up, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : no_memory();
}

static int add(struct ep_merge *merge, struct ep_look_up *look_up, const char *path)
{
    struct ep_image image;
    bool is_being_written;
    if (read_file(path, &image, &is_being_written) != 0)
        return -1;
    int result = ep_look_up_fill(look_up, &image);
    if (result == 0)
        result = ep_merge_add(merge, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : no_memory();
}

/* All of them are read first, so that all that is wrong is said at once, and each name is looked
 * up once. */
static int load_all(struct ep_merge *merge, struct ep_look_up *look_up,
                    const struct ep_load_files *files)
{
    int result = 0;
    struct ep_progress progress = ep_progress_begin("reading", 2 * files->count);
    for (size_t i = 0; i < files->count; i++, ep_progress_step(&progress))
        if (weigh(merge, look_up, files->paths[i]) != 0)
            result = -1;
    if (result == 0)
        ep_look_up_ask(look_up);
    for (size_t i = 0; i < files->count && result == 0; i++, ep_progress_step(&progress))
        result = add(merge, look_up, files->paths[i]);
    ep_progress_end(&progress);
    return result;
}

static int load_several(struct ep_load *load, struct ep_look_up *look_up,
                        const struct ep_load_files *files)
{
    load->merge = ep_merge_begin(files->is_raw);
    if (!load->merge)
        return no_memory();
    if (load_all(load->merge, look_up, files) == 0)
        return 0;
    ep_merge_end(load->merge);
    return -1;
}

int ep_load_files(struct ep_load *load, const struct ep_load_files *files)
{
    struct ep_look_up look_up = {.debug_directory = files->debug_directory};
    load->merge = NULL;
    int result = files->count == 1 ? load_single(load, &look_up, files->paths[0])
                                   : load_several(load, &look_up, files);
    ep_look_up_free(&look_up);
    return result;
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
