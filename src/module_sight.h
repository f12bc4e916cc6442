/*
 * module_sight.h - what the dynamic loader knows of the module that an address lies in
 */
#ifndef EP_MODULE_SIGHT_H
#define EP_MODULE_SIGHT_H

#include <limits.h>

#include "module.h"

/* Some pages: too large for the stack of a signal handler. */
struct ep_module_sight {
    uintptr_t address; /* that it is looked for by */
    struct ep_loaded_module module;
    struct ep_module_cell cell; /* what there will be of it but the path */
    char name[PATH_MAX];        /* as the loader has it */
    char path[PATH_MAX];        /* absolute; "": not known */
};

/* Looks for the module of sight->address; all else of it is zero. What lies in none has no path,
 * and is as large as a page. Without the loader's lock, where the C library can (glibc 2.35). */
void ep_module_see(struct ep_module_sight *sight);

/* Whether a module that began there is loaded still. */
bool ep_module_is_loaded(uintptr_t begin);

#endif /* EP_MODULE_SIGHT_H */
