#include "read_at.h"

#include <errno.h>
#include <unistd.h>

ssize_t ep_read_at(int file, uint64_t offset, void *to, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(file, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}
