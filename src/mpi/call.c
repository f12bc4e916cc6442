#include "mpi/call.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the next definition ---- */

void *ep_mpi_call_find(const char *symbol, const void *caller)
{
    Dl_info info;
    void *found = dlsym(RTLD_DEFAULT, symbol);
    if (found || !dladdr(caller, &info))
        return found;
    void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD); /* it stays loaded */
    return library ? dlsym(library, symbol) : NULL;
}

/* After this library; or MPI comes before it, or is a part of the program. It is also looked for by
 * the name that this library does not define, since the caller may be linked with this library. */
static void *find_next(const struct ep_mpi_call *call, const void *caller)
{
    void *next = dlsym(RTLD_NEXT, call->symbol);
    return next ? next : ep_mpi_call_find(call->profiling, caller);
}

ep_mpi_function *ep_mpi_call_next(struct ep_mpi_call *call, const void *caller)
{
    ep_mpi_function *next = __atomic_load_n(&call->next, __ATOMIC_RELAXED);
    if (next)
        return next;
    union {
        void *object;
        ep_mpi_function *function;
    } found = {.object = find_next(call, caller)};
    next = found.function;
    if (!next) {
        fprintf(stderr,
                "eprof: MPI: %s: no library after libeprof-mpi, and none of its caller, has it\n",
                call->symbol);
        abort();
    }
    __atomic_store_n(&call->next, next, __ATOMIC_RELAXED);
    return next;
}

/* ---- scopes ---- */

static atomic_bool is_recorded;
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec"))); /* calls of MPI */

void ep_mpi_call_record(bool is_on)
{
    is_recorded = is_on;
}

static struct eprof_site *site_of(struct ep_mpi_call *call)
{
    struct eprof_site *site = __atomic_load_n(&call->site, __ATOMIC_ACQUIRE);
    if (!site) {
        site = eprof_site_for(call->name);
        __atomic_store_n(&call->site, site, __ATOMIC_RELEASE);
    }
    return site;
}

bool ep_mpi_call_enter(struct ep_mpi_call *call)
{
    if (depth++ || !atomic_load_explicit(&is_recorded, memory_order_relaxed))
        return false;
    eprof_enter_site(site_of(call));
    return true;
}

void ep_mpi_call_leave(const bool *is_scope)
{
    depth--;
    if (*is_scope)
        eprof_leave();
}
