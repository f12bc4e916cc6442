/*
 * corners.c CASE - a program with calls of MPI whose arguments are unusual
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int rank;

/* ---- two groups: rank 0, and the other two ---- */

static MPI_Comm between_groups(void)
{
    MPI_Comm group, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 0, &both);
    MPI_Comm_free(&group);
    return both;
}

/* Counts, at the end of the memory that can be read. */
static int *last_ints(int count)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return (int *)(void *)(pages + page) - count;
}

static void use_groups(void)
{
    MPI_Comm both = between_groups();
    MPI_Request request;
    int count = rank > 0 ? 2 : 1, values[4] = {1, 2, 3, 4}, sums[6];
    int *counts = last_ints(count);
    for (int i = 0; i < count; i++)
        counts[i] = 4 / count;
    MPI_Reduce_scatter(values, sums, counts, MPI_INT, MPI_SUM, both);
    MPI_Ireduce_scatter(values, sums, counts, MPI_INT, MPI_SUM, both, &request);
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it does not know Ireduce_scatter */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&both);
}

/* ---- an attribute that cannot be copied ---- */

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *is_copied)
{
    (void)comm, (void)key, (void)extra, (void)value, (void)copied;
    *is_copied = 0;
    return MPI_ERR_OTHER;
}

static void use_attribute(void)
{
    int key;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
}

/* ---- errors, which the program handles on its own communicator ---- */

static void use_errors(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (MPI_Send(&rank, 1, MPI_INT, 1000, 0, comm) == MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
#ifdef MPICH_VERSION
    if (MPI_Send(&rank, 1, (MPI_Datatype)1, rank, 0, comm) == MPI_SUCCESS) /* not a type */
        MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    MPI_Comm_free(&comm);
}

/* ---- messages to MPI_PROC_NULL ---- */

/* Rank 1 is the root, rank 0 the other group; rank 2 has no part in collectives. */
static void use_nobody(void)
{
    MPI_Comm both = between_groups();
    MPI_Win window;
    void *memory;
    int value = rank, sum = 0;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &sum, 1, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_allocate(sizeof sum, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);

    int root = rank == 0 ? 0 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&value, 1, MPI_INT, root, both);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, both);
    MPI_Comm_free(&both);
}

/* ---- a persistent request that is started again before its data has left the buffer ---- */

enum { LARGE = 1 << 18, STARTS = 3 };

/* OpenMPI replaces such a request by a new one. The second rank receives late. */
static void use_restarts(void)
{
    static int values[2][LARGE];
    int bytes = 3 * STARTS * ((int)sizeof values[0] + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)bytes);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Buffer_attach(buffer, bytes);
    for (int i = 0; i < 2; i++)
        MPI_Bsend_init(values[i], LARGE, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; rank == 0 && i < STARTS; i++) {
        /* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it does not know MPI_Start */
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        /* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 3 * STARTS; i++)
        MPI_Recv(values[0], LARGE, MPI_INT, 0, i < 2 * STARTS ? 0 : 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
}

/* ---- a message without elements ---- */

static void use_nothing(void)
{
    MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 0, NULL, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(name, "groups") == 0)
        use_groups();
    if (strcmp(name, "attribute") == 0)
        use_attribute();
    if (strcmp(name, "errors") == 0)
        use_errors();
    if (strcmp(name, "nobody") == 0)
        use_nobody();
    if (strcmp(name, "nothing") == 0)
        use_nothing();
    if (strcmp(name, "restarts") == 0)
        use_restarts();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
