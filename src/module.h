/*
 * module.h - what functions lie in: the program, and the shared libraries it has loaded
 *
 * A module is written into the image when its first function is, with what its names can be
 * found by afterwards: path, build-id, address range. It stays there when it is unloaded.
 */
#ifndef EP_MODULE_H
#define EP_MODULE_H

#include "process.h"

/* One that is loaded now. */
struct ep_loaded_module {
    uintptr_t begin, end;
    uint64_t bias;    /* what its addresses are more than those in its file */
    ep_ref ref;       /* its struct ep_module_cell */
    bool is_gone;     /* it has been unloaded, and is remembered */
    bool is_filtered; /* what is left out is known: */
    uint32_t left_out_count;
    const struct ep_left_out *left_out; /* sorted; of a module that is found never given back */
};

struct ep_left_out;

/*
 * Finds the module of an address, and writes it into the image where it is new. What lies in
 * none, as code that was made at run time, is in a module without a path whose addresses are
 * those of the process. 0; -1: no memory. Not to be called with the lock: it asks the dynamic
 * loader, who has one of its own. The thread is busy.
 */
int ep_module_find(uintptr_t address, struct ep_loaded_module *module);

/* After something was unloaded: forgets what is not loaded any more, and calls `gone` for each,
 * under the lock. Not to be called with the lock. The thread is busy. */
void ep_module_refresh(void (*gone)(const struct ep_loaded_module *module));

#endif /* EP_MODULE_H */
