#include "load.h"

#include "complain.h"
#include "image_read.h"

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

/* All of them are read, so that all that is wrong is said at once. */
static int weigh_all(struct ep_merge *merge, char *const *paths, size_t count)
{
    int result = 0;
    for (size_t i = 0; i < count; i++) {
        struct ep_image image;
        if (read_first(paths[i], &image) != 0) {
            result = -1;
            continue;
        }
        ep_merge_weigh(merge, image.cells);
        ep_image_destroy(&image);
    }
    return result;
}

static int add_all(struct ep_merge *merge, char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ep_image image;
        bool is_being_written;
        if (read_file(paths[i], &image, &is_being_written) != 0)
            return -1;
        int result = ep_merge_add(merge, &image);
        ep_image_destroy(&image);
        if (result != 0) {
            ep_complain_of_memory();
            return -1;
        }
    }
    return 0;
}

static int load_several(struct ep_load *load, char *const *paths, size_t count, bool is_raw)
{
    load->merge = ep_merge_begin(is_raw);
    if (!load->merge) {
        ep_complain_of_memory();
        return -1;
    }
    if (weigh_all(load->merge, paths, count) == 0 && add_all(load->merge, paths, count) == 0)
        return 0;
    ep_merge_end(load->merge);
    return -1;
}

int ep_load_files(struct ep_load *load, char *const *paths, size_t count, bool is_raw)
{
    load->merge = NULL;
    if (count != 1)
        return load_several(load, paths, count, is_raw);
    return read_first(paths[0], &load->single);
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
