#include "look_up.h"

#include <errno.h>
#include <string.h>

#include "complain.h"
#include "image_names_ask.h"

#ifdef EPROF_SYMBOLS
enum { HAS_SYMBOLS = 1 };
#else
enum { HAS_SYMBOLS = 0 };
#endif

static void complain_of(int error)
{
    if (!HAS_SYMBOLS) {
        ep_complain(NULL, "functions are shown by dynamic symbol, or address: this eprof was built "
                          "without what looks their names up");
        return;
    }
    ep_complain(
        NULL,
        "functions are shown by dynamic symbol, or address: their names cannot be looked up: %s",
        error == EPROTO ? "the process that does it broke off" : strerror(error));
}

void ep_look_up(struct ep_image_names *names)
{
    char *arguments[] = {(char[]){"/proc/self/exe"}, (char[]){"symbolize"}, NULL};
    if (ep_image_names_ask(names, arguments) != 0)
        complain_of(errno);
    for (size_t i = 0; i < names->count; i++)
        if (*names->modules[i].fault)
            ep_complain(NULL, "%s %s: its functions are shown by dynamic symbol, or address",
                        names->modules[i].path, names->modules[i].fault);
}

int ep_look_up_fill(struct ep_image_names *names, struct ep_image *image)
{
    if (names->count == 0)
        return 0;
    if (ep_image_extend(image, ep_image_names_cells(names)) != 0)
        return -1;
    return ep_image_names_fill(names, image);
}
