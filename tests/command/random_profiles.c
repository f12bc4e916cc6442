/*
 * random_profiles.c - writes COUNT profile files with random figures, named 1, 2, 3 ..., into the
 * current folder
 */
#include "image/file.h"

#include "../support/random_image.h"

static int write_profile(long number)
{
    struct ep_image image = random_image(false);
    const char *why;
    char path[24];
    snprintf(path, sizeof path, "%ld", number);
    image.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_RUNNING + random_below(EP_STATE_SAVED);
    int result = ep_image_file_save(&image, path, &why);
    if (result != 0)
        fprintf(stderr, "%s: %s\n", path, why);
    ep_image_destroy(&image);
    return result;
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s COUNT\n", words[0]);
        return 2;
    }
    random_begin();
    for (long number = 1; number <= atol(words[1]); number++)
        if (write_profile(number) != 0)
            return 1;
    return 0;
}
