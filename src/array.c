#include "array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

void *ep_array_room(void *at, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return at;
    size_t wish = *room ? *room * 2 : 64;
    void *grown =
        wish <= EP_ARRAY_MOST && wish <= SIZE_MAX / bytes ? realloc(at, wish * bytes) : NULL;
    if (!grown) {
        errno = ENOMEM;
        return NULL;
    }
    *room = wish;
    return grown;
}
