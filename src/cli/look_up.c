#include "look_up.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

int ep_look_up_add(struct ep_look_up *look_up, const struct ep_image *image)
{
    return ep_image_names_add(&look_up->names, image);
}

static int ask(struct ep_look_up *look_up)
{
    char *arguments[] = {(char[]){"/proc/self/exe"}, (char[]){"symbolize"}, NULL, NULL};
    if (look_up->debug_directory &&
        asprintf(&arguments[2], "--debug-directory=%s", look_up->debug_directory) < 0) {
        errno = ENOMEM;
        return -1;
    }
    int result = ep_image_names_ask(&look_up->names, arguments);
    int error = errno;
    free(arguments[2]);
    errno = error;
    return result;
}

void ep_look_up_ask(struct ep_look_up *look_up)
{
    const struct ep_image_names *names = &look_up->names;
    if (look_up->has_failed)
        return;
    look_up->has_failed = ask(look_up) != 0;
    if (look_up->is_quiet)
        return;
    if (look_up->has_failed)
        complain_of(errno);
    for (size_t i = 0; i < names->count; i++)
        if (*names->modules[i].fault)
            ep_complain(NULL, "%s %s: its functions are shown by dynamic symbol, or address",
                        names->modules[i].path, names->modules[i].fault);
}

int ep_look_up_fill(struct ep_look_up *look_up, struct ep_image *image)
{
    struct ep_image_names *names = &look_up->names;
    if (names->count == 0)
        return 0;
    if (ep_image_extend(image, ep_image_names_cells(names)) != 0)
        return -1;
    return ep_image_names_fill(names, image);
}

int ep_look_up_name(struct ep_look_up *look_up, struct ep_image *image)
{
    if (ep_look_up_add(look_up, image) != 0)
        return -1;
    ep_look_up_ask(look_up);
    return ep_look_up_fill(look_up, image);
}

void ep_look_up_free(struct ep_look_up *look_up)
{
    ep_image_names_free(&look_up->names);
}
