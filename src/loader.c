#include "loader.h"

#include <unistd.h>

static pid_t loader_id;

__attribute__((constructor)) static void note_loader(void)
{
    loader_id = getpid();
}

pid_t ep_loader_id(void)
{
    return loader_id;
}
