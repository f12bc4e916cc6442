#include "image_save.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "image_file.h"

int ep_image_save(const struct ep_image *image, const char *path, const char **why)
{
    struct ep_image_file file;
    size_t bytes = (size_t)ep_image_root(image)->cells_used * EP_CELL_BYTES;
    if (ep_image_file_create(&file, path, why) != 0)
        return -1;
    int descriptor = file.descriptor;
    int result = ep_backing_write(descriptor, image->cells, bytes);
    /* some file systems say only now that they were full */
    if (result == 0)
        result = fsync(descriptor);
    if (result != 0) {
        *why = strerror(errno);
        ep_image_file_discard(&file);
        return -1;
    }
    /* it is written: nobody need wait for it any more, nor for a child that was forked meanwhile */
    flock(descriptor, LOCK_UN);
    if (ep_image_file_publish(&file, why) == 0) {
        close(descriptor);
        return 0;
    }
    ep_image_file_discard(&file);
    return -1;
}
