/*
 * instrument/module.h - the modules that functions lie in: the program and the shared libraries
 * that it has loaded
 *
 * A module is written into the image with its first function, and stays there after it is unloaded:
 * path, build-id and address range, from which names can be found later (struct ep_module_cell).
 * struct ep_loaded_module has the data that only this process needs.
 */
#ifndef EP_INSTRUMENT_MODULE_H
#define EP_INSTRUMENT_MODULE_H

#include <limits.h>

#include "record/process.h"

struct ep_left_out_range {
    uint64_t begin, end; /* addresses in the module's file */
};

/* A module that is loaded now. */
struct ep_loaded_module {
    uintptr_t begin, end;
    uint64_t bias;    /* address in the process - address in its file */
    ep_ref ref;       /* of its struct ep_module_cell */
    bool is_gone;     /* unloaded, but remembered */
    bool is_filtered; /* the ranges that are left out are known: */
    uint32_t left_out_count;
    const struct ep_left_out_range *left_out; /* sorted; never freed while the module is in use */
};

/* Finds the ranges of a new module that are left out. Called without the lock. */
typedef void ep_module_ask(struct ep_loaded_module *module, const struct ep_module_cell *cell,
                           const char *path);

/* Finds the module of an address, and writes it into the image if it is new. Code that lies in
 * none, such as code made at run time, belongs to a module without a path, with addresses as in the
 * process. 0; -1: no memory. Not called with the lock: the dynamic loader has one of its own. The
 * thread is busy. */
int ep_module_find(uintptr_t address, struct ep_loaded_module *module, ep_module_ask *ask);

/* `ask` is called again for all modules. Lock. */
void ep_module_forget_all(void);

/* After a module was unloaded: forgets the modules that are not loaded any more, and calls `gone`
 * for each under the lock. Not called with the lock. The thread is busy. */
void ep_module_refresh(void (*gone)(const struct ep_loaded_module *module));

/* Frees everything. No thread uses it any more. */
void ep_module_release_all(void);

/* The dynamic loader's data on the module of an address. It takes several pages: too many for the
 * stack of a signal handler. */
struct ep_module_sight {
    uintptr_t address; /* searched for */
    struct ep_loaded_module module;
    struct ep_module_cell cell; /* without the path */
    char name[PATH_MAX];        /* as the loader has it */
    char path[PATH_MAX];        /* absolute; "": not known */
};

/* Describes the module of sight->address; all other fields are zero before. An address in no module
 * gets one page without a path. Takes no lock of the loader, if the C library allows that (glibc
 * 2.35). */
void ep_module_see(struct ep_module_sight *sight);

/* Whether the module that began at `begin` is still loaded. */
bool ep_module_is_loaded(uintptr_t begin);

/* Whether the program starts with the module of an address, so that it is never unloaded: the
 * program itself, a library that the program needs, directly or through others, or a preloaded
 * library. In the static library only. */
bool ep_module_is_of_start(uintptr_t address);

/* Names the functions that have been entered since the last call as the dynamic loader knows them,
 * until they are looked up in the files of their modules (image/names.h); without memory they stay
 * unnamed. Not called with the lock. 0; -1 and errno: the lock could not be taken. */
int ep_module_names_find(void);

#endif /* EP_INSTRUMENT_MODULE_H */
