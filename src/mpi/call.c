#include "mpi/call.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the next definition ---- */

static ep_mpi_function *find(const char *symbol, void *where)
{
    union {
        void *object;
        ep_mpi_function *function;
    } found = {.object = dlsym(where, symbol)};
    return found.function;
}

ep_mpi_function *ep_mpi_call_next(struct ep_mpi_call *call)
{
    ep_mpi_function *next = __atomic_load_n(&call->next, __ATOMIC_RELAXED);
    if (next)
        return next;
    next = find(call->symbol, RTLD_NEXT);
    /* MPI comes before this library, or is a part of the program */
    if (!next)
        next = find(call->profiling, RTLD_DEFAULT);
    if (!next) {
        fprintf(stderr, "eprof: MPI: %s: no library after libeprof-mpi has it\n", call->symbol);
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

/* ---- bytes ---- */

/* The size of a type of MPI: 0 for none, which MPI itself will report. */
static int64_t size_of(MPI_Datatype type)
{
    int bytes = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &bytes) != MPI_SUCCESS || bytes < 0)
        return 0;
    return bytes;
}

void ep_mpi_call_bytes(int count, MPI_Datatype type)
{
    if (count >= 0)
        EPROF_BYTES("bytes", count * size_of(type));
}

static void add_bytes_of(const int *counts, int processes, MPI_Datatype type)
{
    int64_t sum = 0;
    for (int i = 0; counts && i < processes; i++)
        sum += counts[i];
    EPROF_BYTES("bytes", sum * size_of(type));
}

void ep_mpi_call_bytes_of_local(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
    int processes = 0;
    if (comm != MPI_COMM_NULL && PMPI_Comm_size(comm, &processes) == MPI_SUCCESS)
        add_bytes_of(counts, processes, type);
}

void ep_mpi_call_bytes_of_all(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
    int is_between = 0, processes = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_between) != MPI_SUCCESS)
        return;
    if (!is_between)
        ep_mpi_call_bytes_of_local(counts, type, comm);
    else if (PMPI_Comm_remote_size(comm, &processes) == MPI_SUCCESS)
        add_bytes_of(counts, processes, type);
}

/* Between two groups, MPI_ROOT marks the root, and MPI_PROC_NULL those who have no part. */
bool ep_mpi_call_is_root(int root, MPI_Comm comm)
{
    int is_between = 0, rank = -1;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_between) != MPI_SUCCESS)
        return false;
    if (is_between)
        return root == MPI_ROOT;
    return PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}
