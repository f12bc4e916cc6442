#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "serve/serve.h"

static int create_in(const char *folder)
{
    char path[PATH_MAX];
    int file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    /* a file system without such files */
    if (snprintf(path, sizeof path, "%s/eprof-XXXXXX", folder) >= (int)sizeof path)
        return errno = ENAMETOOLONG, -1;
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

/* /var/tmp comes first, since /tmp may be in memory. */
int ep_serve_temporary_file(void)
{
    const char *named = getenv("TMPDIR");
    const char *const folders[] = {named && *named ? named : "/var/tmp", "/var/tmp", "/tmp"};
    int file = -1;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && file < 0; i++)
        file = create_in(folders[i]);
    return file;
}

FILE *ep_serve_temporary_stream(int file)
{
    FILE *stream = file >= 0 ? fdopen(file, "r+") : NULL;
    if (!stream)
        ep_file_close(file);
    return stream;
}

FILE *ep_serve_temporary(void)
{
    return ep_serve_temporary_stream(ep_serve_temporary_file());
}

int ep_serve_temporary_copy(FILE *from, FILE *to)
{
    char bytes[16 * 1024];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to) != count)
            return -1;
    return ferror(from) ? -1 : 0;
}
