#include "read_profile.h"

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

int ep_read_profile(const char *path, struct ep_image *image)
{
    bool is_being_written;
    if (read_file(path, image, &is_being_written) != 0)
        return -1;
    if (is_being_written)
        ep_complain(path, "its program still runs: the figures are those of now");
    return 0;
}

int ep_read_profile_again(const char *path, struct ep_image *image)
{
    bool is_being_written;
    return read_file(path, image, &is_being_written);
}
