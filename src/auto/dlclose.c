/*
 * dlclose.c - dlclose(), after which libeprof forgets the functions of unloaded modules
 *
 * A library that is loaded later may lie at the same addresses, with other functions.
 */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "base/compiler.h"
#include "eprof.h"

#define HOOK EP_EXPORT __attribute__((no_instrument_function))

/* NOLINTNEXTLINE(readability-redundant-declaration): it adds that it is exported */
HOOK int dlclose(void *handle);

/* The number is the same for each object, so the first object ends the search. */
static int note_unloads(struct dl_phdr_info *info, size_t bytes, void *unloads)
{
    if (bytes >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(unsigned long long *)unloads = info->dlpi_subs;
    return 1;
}

/* How many objects were ever unloaded. */
static unsigned long long unloads(void)
{
    unsigned long long count = 0;
    dl_iterate_phdr(note_unloads, &count);
    return count;
}

/* A static program has no other dlclose(): modules stay loaded, as POSIX allows. */
int dlclose(void *handle)
{
    int (*next)(void *) = __extension__(int (*)(void *)) dlsym(RTLD_NEXT, "dlclose");
    if (!next)
        return 0;
    unsigned long long before = unloads();
    int result = next(handle);
    if (unloads() != before)
        eprof_function_modules_changed();
    return result;
}
