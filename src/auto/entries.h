/*
 * entries.h - the entries of a module: the five bytes of nops at the beginning of each function
 * that was compiled with -fpatchable-function-entry=5
 *
 * x86-64 only. Entries are searched for in two places, since neither is complete. The compiler's
 * list, the section __patchable_function_entries, loses entries at link time: gcc 12 ties all lists
 * of an object to its first function, so if two objects of C++ share that function, GNU ld drops
 * the second object's list. The unwind table lacks code that was compiled without unwinding.
 */
#ifndef EP_AUTO_ENTRIES_H
#define EP_AUTO_ENTRIES_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

enum { EP_ENTRIES_BYTES = 5 };

/* All zero: none. */
struct ep_entries {
    uintptr_t *at; /* the first byte of the nops of each entry; sorted, each once */
    size_t count, room;
};

/* Finds the entries of a module that is loaded and relocated: those that have their nops, or, if
 * callee is not 0, those that were patched to call it. `path` is the module's file. If that cannot
 * be read, or is another file now, the unwind table must do. 0; -1 and errno: no memory. */
int ep_entries_find(const struct dl_phdr_info *info, const char *path, uintptr_t callee,
                    struct ep_entries *entries);
void ep_entries_free(struct ep_entries *entries);

/* The readable segment with these flags that contains an address. NULL: none. */
const ElfW(Phdr) *
    ep_entries_segment(const struct dl_phdr_info *info, uintptr_t address, uint32_t flags);

#endif /* EP_AUTO_ENTRIES_H */
