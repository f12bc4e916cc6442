#include "load_each.h"

#include "complain.h"
#include "look_up.h"
#include "progress.h"
#include "read_profile.h"

struct loading {
    const struct ep_load_files *files;
    const struct ep_load_visitor *visitor;
    struct ep_look_up look_up;
};

static int weigh(struct loading *loading, size_t file)
{
    struct ep_image image;
    if (ep_read_profile(loading->files->paths[file], &image) != 0)
        return -1;
    loading->visitor->weigh(loading->visitor->context, file, image.cells);
    int result = ep_look_up_add(&loading->look_up, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : ep_complain_of_memory();
}

static int add(struct loading *loading, size_t file)
{
    struct ep_image image;
    if (ep_read_profile_again(loading->files->paths[file], &image) != 0)
        return -1;
    int result = ep_look_up_fill(&loading->look_up, &image);
    if (result == 0)
        result = loading->visitor->add(loading->visitor->context, file, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : ep_complain_of_memory();
}

int ep_load_each(const struct ep_load_files *files, const struct ep_load_visitor *visitor)
{
    int result = 0;
    struct loading loading = {
        .files = files, .visitor = visitor, .look_up = {.debug_directory = files->debug_directory}};
    struct ep_progress progress = ep_progress_begin("reading", 2 * files->count);
    for (size_t i = 0; i < files->count; i++, ep_progress_step(&progress))
        if (weigh(&loading, i) != 0)
            result = -1;
    if (result == 0)
        ep_look_up_ask(&loading.look_up);
    for (size_t i = 0; i < files->count && result == 0; i++, ep_progress_step(&progress))
        result = add(&loading, i);
    ep_progress_end(&progress);
    ep_look_up_free(&loading.look_up);
    return result;
}
