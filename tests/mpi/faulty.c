/*
 * faulty.c - an MPI that loses one message from rank 1 to rank 0: the image of rank 1 in the merge
 *
 * It is preloaded. Of the calls of PMPI, only those of libeprof-mpi come here.
 */
#include <dlfcn.h>
#include <mpi.h>

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

static int is_lost(int self, int other)
{
    static int messages;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == self && other == 1 - self && messages++ == LOST;
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
