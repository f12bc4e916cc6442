#include "load.h"

#include "complain.h"
#include "image_read.h"
#include "look_up.h"

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

static int name_functions(struct ep_image_names *names, struct ep_image *image)
{
    if (ep_image_names_add(names, image) != 0)
        return -1;
    ep_look_up(names);
    return ep_look_up_fill(names, image);
}

static int load_single(struct ep_load *load, struct ep_image_names *names, const char *path)
{
    if (read_first(path, &load->single) != 0)
        return -1;
    if (name_functions(names, &load->single) == 0)
        return 0;
    ep_image_destroy(&load->single);
    return no_memory();
}

/* ---- several ---- */

static int weigh(struct ep_load *load, struct ep_image_names *names, const char *path)
{
    struct ep_image image;
    if (read_first(path, &image) != 0)
        return -1;
    ep_merge_weigh(load->merge, image.cells);
    int result = ep_image_names_add(names, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : no_memory();
}

static int add(struct ep_load *load, struct ep_image_names *names, const char *path)
{
    struct ep_image image;
    bool is_being_written;
    if (read_file(path, &image, &is_being_written) != 0)
        return -1;
    int result = ep_look_up_fill(names, &image);
    if (result == 0)
        result = ep_merge_add(load->merge, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : no_memory();
}

/* All of them are read first, so that all that is wrong is said at once, and each name is looked
 * up once. */
static int load_all(struct ep_load *load, struct ep_image_names *names, char *const *paths,
                    size_t count)
{
    int result = 0;
    for (size_t i = 0; i < count; i++)
        if (weigh(load, names, paths[i]) != 0)
            result = -1;
    if (result == 0)
        ep_look_up(names);
    for (size_t i = 0; i < count && result == 0; i++)
        result = add(load, names, paths[i]);
    return result;
}

static int load_several(struct ep_load *load, struct ep_image_names *names, char *const *paths,
                        size_t count, bool is_raw)
{
    load->merge = ep_merge_begin(is_raw);
    if (!load->merge)
        return no_memory();
    if (load_all(load, names, paths, count) == 0)
        return 0;
    ep_merge_end(load->merge);
    return -1;
}

int ep_load_files(struct ep_load *load, char *const *paths, size_t count, bool is_raw)
{
    struct ep_image_names names = {.modules = NULL};
    load->merge = NULL;
    int result = count == 1 ? load_single(load, &names, paths[0])
                            : load_several(load, &names, paths, count, is_raw);
    ep_image_names_free(&names);
    return result;
}

struct eprof_snapshot *ep_load_snapshot(const struct ep_load *load,
                                        struct ep_snapshot_options options)
{
    const struct ep_image *image = load->merge ? ep_merge_image(load->merge) : &load->single;
    return image ? ep_snapshot_take_stored(image, options) : NULL;
}

void ep_load_free(struct ep_load *load)
{
    if (load->merge)
        ep_merge_end(load->merge);
    else
        ep_image_destroy(&load->single);
}
