/*
 * patch.h - patches the entries of modules (entries.h) into calls of a routine
 *
 * x86-64 only. Code is changed only while it cannot run: at the start, while the process has one
 * thread, and in a module that is being opened, before its constructors. Only the code
 * itself shows which modules are patched. So no list has to be updated when one is closed.
 *
 * The routine is called at each entry, before the function's own first instruction, with a stack
 * that need not be aligned. It must preserve all registers except the flags.
 */
#ifndef EP_AUTO_PATCH_H
#define EP_AUTO_PATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "entries.h"

/* ---- one module: patch.c ---- */

/* The address that calls from anywhere in the module reach and that leads to the routine: the
 * routine itself, or a jump to it in a page near the module. 0 and errno: there is no room for such
 * a page, or it cannot be made executable. */
uintptr_t ep_patch_target(const struct dl_phdr_info *info, void (*routine)(void));

/* Makes each of the entries a call of the target, or a nop again if the target is 0. The pages get
 * their former protection back. 0; -1 and errno: code cannot be written, and nothing is changed. In
 * a program that contains this code, the entries in the same pages need pages that are writable and
 * executable for the time of the write; if the system forbids that, they stay as they are. Returns
 * how many were written. */
ssize_t ep_patch_write(const struct dl_phdr_info *info, const char *path,
                       const struct ep_entries *entries, uintptr_t target);

/* ---- all modules: patch_modules.c ---- */

struct ep_patch_report {
    size_t modules;     /* that have entries, */
    size_t found;       /* entries in them, */
    size_t patched;     /* and those of them that are wanted and were patched */
    int error;          /* errno of the first module that could not be patched; 0: none */
    const char *module; /* its path; "": the program. Valid until it is closed. */
};

/* Patches the entries of all modules, except the C library, the dynamic loader and libeprof, for
 * which is_wanted() returns true. Then does the same with each module that is opened later: before
 * its constructors run, in the thread that opens it, which holds the loader's lock. Entries that
 * are patched already stay so. Adds to the report. 0, or -1 and errno as in the report: EBUSY if
 * the process has another thread and a module has entries that are wanted, when nothing is patched.
 * The routine must be the same in each call; NULL: entries cannot be patched here, nothing is, and
 * the error is ENOTSUP if a module has entries that are wanted. */
int ep_patch_all(void (*routine)(void), bool (*is_wanted)(void *context, uintptr_t entry),
                 void *context, struct ep_patch_report *report);

/* Calls opened() with the report on each module with entries that is opened later. */
void ep_patch_tell_opened(void (*opened)(void *context, const struct ep_patch_report *report));

/* Removes the calls from the module of an address, while none of its code can run. 0; -1 and errno:
 * code cannot be written, or ENOENT: the address is in no module. */
int ep_patch_undo(uintptr_t address);

#endif /* EP_AUTO_PATCH_H */
