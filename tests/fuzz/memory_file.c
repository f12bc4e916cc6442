#include "memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "require.h"

const char *memory_file_of(const void *data, size_t size)
{
    static int file = -1;
    static char path[32];
    if (file < 0) {
        file = memfd_create("image", MFD_CLOEXEC);
        require(file >= 0, "a file in memory can be had");
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    require(ftruncate(file, (off_t)size) == 0, "the file can be made as long as the input");
    require(pwrite(file, data, size, 0) == (ssize_t)size, "the file can be written");
    return path;
}
