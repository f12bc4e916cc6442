/*
 * faulty.c - an MPI with a fault. FAULT=
 *
 *     message    one message from rank 1 to rank 0 is lost, the image of rank 1
 *     outcome    rank 1 does not receive the last message, the outcome
 *     split      no rank gets a communicator; split-1: rank 1 does not
 *     agreement  the ranks cannot agree
 *     rank       MPI_Comm_rank fails for MPI_COMM_WORLD
 *     memory     rank 0 has no memory for images
 *     type       types must not be asked for their sizes
 *
 * It is preloaded. Of the calls of PMPI, only those of libeprof-mpi come here.
 */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void function(void);

static function *next(const char *symbol)
{
    union {
        void *object;
        function *function;
    } found = {.object = dlsym(RTLD_NEXT, symbol)};
    return found.function;
}

static bool is_fault(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault && strcmp(fault, name) == 0;
}

static bool is_rank(int expected)
{
    int rank;
    ((int (*)(MPI_Comm, int *))next("PMPI_Comm_rank"))(MPI_COMM_WORLD, &rank);
    return rank == expected;
}

/* ---- messages ---- */

/* The first is the clock, then comes the letter, twice, then the image. */
static bool is_image(int self, int other)
{
    static int messages;
    return is_fault("message") && is_rank(self) && other == 1 - self && messages++ == 3;
}

/* The first is the clock of all. */
static bool is_outcome(int from)
{
    static int messages;
    return is_fault("outcome") && is_rank(1) && from == 0 && messages++ == 1;
}

int PMPI_Send(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (is_image(1, to))
        return MPI_ERR_OTHER;
    return ((int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm))next("PMPI_Send"))(
        bytes, count, type, to, tag, comm);
}

int PMPI_Recv(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    if (is_image(0, from) || is_outcome(from))
        return MPI_ERR_OTHER;
    return ((int (*)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *))next(
        "PMPI_Recv"))(bytes, count, type, from, tag, comm, status);
}

/* ---- communicators ---- */

/* It is made in all ranks, so that the others do not wait for this one. */
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    int result =
        ((int (*)(MPI_Comm, int, int, MPI_Comm *))next("PMPI_Comm_split"))(comm, color, key, made);
    if (!is_fault("split") && !(is_fault("split-1") && is_rank(1)))
        return result;
    *made = MPI_COMM_NULL;
    PMPI_Comm_call_errhandler(comm, MPI_ERR_INTERN);
    return MPI_ERR_INTERN;
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    if (comm == MPI_COMM_WORLD && is_fault("rank"))
        return MPI_ERR_INTERN;
    return ((int (*)(MPI_Comm, int *))next("PMPI_Comm_rank"))(comm, rank);
}

/* ---- types ---- */

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    if (is_fault("type"))
        abort();
    return ((int (*)(MPI_Datatype, MPI_Count *))next("PMPI_Type_size_x"))(type, size);
}

/* ---- memory: from the moment at which the ranks agree to merge, libeprof-mpi has none for images.
 * MPI has memory: without it, messages may wait for ever. ---- */

static bool has_no_memory;

int PMPI_Allreduce(const void *own, void *all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    int result = ((int (*)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm))next(
        "PMPI_Allreduce"))(own, all, count, type, op, comm);
    has_no_memory = is_fault("memory") && is_rank(0);
    return is_fault("agreement") ? MPI_ERR_INTERN : result;
}

static bool is_refused(const void *caller)
{
    Dl_info info;
    if (!has_no_memory || !dladdr(caller, &info) || !strstr(info.dli_fname, "libeprof-mpi"))
        return false;
    errno = ENOMEM;
    return true;
}

/* Under MPICH another library replaces this call, and images can still be received. */
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (is_refused(__builtin_return_address(0)))
        return MAP_FAILED;
    return ((void *(*)(void *, size_t, int, int, int, off_t))next("mmap"))(at, bytes, protection,
                                                                           flags, file, offset);
}

int mprotect(void *at, size_t bytes, int protection)
{
    if (is_refused(__builtin_return_address(0)))
        return -1;
    return ((int (*)(void *, size_t, int))next("mprotect"))(at, bytes, protection);
}
