/*
 * dlclose.c - dlclose(), which tells libeprof that addresses may mean something else now
 *
 * A library that is loaded later may lie where another has lain, and its functions are not those
 * that have been seen there.
 */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "compiler.h"
#include "eprof.h"

#define HOOK EP_EXPORT __attribute__((no_instrument_function))

/* NOLINTNEXTLINE(readability-redundant-declaration): it adds that it is exported */
HOOK int dlclose(void *handle);

/* The same in what is told of each object: the first is asked. */
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

/* In a static program there is no other dlclose() to be found: what was loaded stays then, as
 * POSIX allows. */
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
