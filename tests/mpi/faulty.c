/*
 * faulty.c - an MPI with a fault. FAULT=message: one message from rank 1 to rank 0 is
 * lost, the image of rank 1. FAULT=memory: rank 0 has no memory left. FAULT=type: types must not be
 * asked for their sizes.
 *
 * It is preloaded. Of the calls of PMPI, only those of libeprof-mpi come here.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LOST = 3 }; /* after the clock and twice the letter */

typedef void function(void);

static function *next(const char *symbol)
{
    union {
        void *object;
        function *function;
    } found = {.object = dlsym(RTLD_NEXT, symbol)};
    return found.function;
}

static int is_fault(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault && strcmp(fault, name) == 0;
}

/* ---- messages ---- */

static int is_lost(int self, int other)
{
    static int messages;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return is_fault("message") && rank == self && other == 1 - self && messages++ == LOST;
}

int PMPI_Send(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (is_lost(1, to))
        return MPI_ERR_OTHER;
    return ((int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm))next("PMPI_Send"))(
        bytes, count, type, to, tag, comm);
}

int PMPI_Recv(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    if (is_lost(0, from))
        return MPI_ERR_OTHER;
    return ((int (*)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *))next(
        "PMPI_Recv"))(bytes, count, type, from, tag, comm, status);
}

/* ---- types ---- */

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    if (is_fault("type"))
        abort();
    return ((int (*)(MPI_Datatype, MPI_Count *))next("PMPI_Type_size_x"))(type, size);
}

/* ---- memory: none from the moment at which the merge asks for the number of ranks to its end ----
 */

static struct rlimit before;

static void leave_none(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file || fscanf(file, "%lu", &pages) != 1 || getrlimit(RLIMIT_AS, &before) != 0)
        abort();
    fclose(file);
    struct rlimit none = before;
    none.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE);
    setrlimit(RLIMIT_AS, &none);
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    int rank, result = ((int (*)(MPI_Comm, int *))next("PMPI_Comm_size"))(comm, size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && comm != MPI_COMM_WORLD && is_fault("memory"))
        leave_none();
    return result;
}

int PMPI_Comm_free(MPI_Comm *comm)
{
    if (before.rlim_cur)
        setrlimit(RLIMIT_AS, &before);
    return ((int (*)(MPI_Comm *))next("PMPI_Comm_free"))(comm);
}
