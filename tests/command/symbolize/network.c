/*
 * network.c - a replacement of libdebuginfod, which records that it would have sent a request over
 * the network
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct debuginfod_client;

struct debuginfod_client *debuginfod_begin(void);
struct debuginfod_client *debuginfod_begin(void)
{
    static char client;
    return (struct debuginfod_client *)&client;
}

static int note(void)
{
    if (getenv("DEBUGINFOD_URLS")) /* otherwise no server is known */
        close(open("asked", O_WRONLY | O_CREAT, 0600));
    return -ENOENT;
}

#define FINDS(kind)                                                                                \
    int debuginfod_find_##kind(struct debuginfod_client *client, const unsigned char *id,          \
                               int bytes, char **path);                                            \
    int debuginfod_find_##kind(struct debuginfod_client *client, const unsigned char *id,          \
                               int bytes, char **path)                                             \
    {                                                                                              \
        (void)client, (void)id, (void)bytes, (void)path;                                           \
        return note();                                                                             \
    }
FINDS(debuginfo)
FINDS(executable)

void debuginfod_end(struct debuginfod_client *client);
void debuginfod_end(struct debuginfod_client *client)
{
    (void)client;
}
