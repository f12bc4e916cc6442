/*
 * bytes.c - three ranks with one call each of the kinds that differ in what they take from a rank
 */
#include <mpi.h>
#include <stdlib.h>

enum { RANKS = 3, ROOT = 1, MOST = 64, INT = sizeof(int) };

static int rank;
static int mine[MOST], theirs[MOST];
static const int of_rank[RANKS] = {1, 2, 3}, from_rank[RANKS] = {0, 1, 3};
static const int two[RANKS] = {2, 2, 2}, at_two[RANKS] = {0, 2, 4}, at_bytes[RANKS] = {0, 8, 16};

static void use_root(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    const void *in_root = rank == ROOT ? MPI_IN_PLACE : mine;
    MPI_Gatherv(mine, rank + 1, MPI_INT, theirs, of_rank, from_rank, MPI_INT, ROOT, comm);
    MPI_Gatherv(in_root, rank + 1, MPI_INT, theirs, of_rank, from_rank, MPI_INT, ROOT, comm);
    MPI_Scatterv(mine, of_rank, from_rank, MPI_INT, theirs, rank + 1, MPI_INT, ROOT, comm);
    MPI_Scatter(mine, 2, MPI_INT, rank == ROOT ? MPI_IN_PLACE : theirs, 2, MPI_INT, ROOT, comm);
    MPI_Bcast(mine, 5, MPI_INT, ROOT, comm);
    MPI_Reduce(mine, theirs, 3, MPI_INT, MPI_SUM, ROOT, comm);
}

/* Each twice, the second time in place, where the counts that are sent have no meaning. */
static void use_all(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT, MPI_INT}, none = MPI_DATATYPE_NULL;
    MPI_Allgather(mine, 2, MPI_INT, theirs, 2, MPI_INT, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, none, theirs, 2, MPI_INT, comm);
    MPI_Allgatherv(mine, 2, MPI_INT, theirs, two, at_two, MPI_INT, comm);
    MPI_Allgatherv(MPI_IN_PLACE, 0, none, theirs, two, at_two, MPI_INT, comm);
    MPI_Alltoall(mine, 2, MPI_INT, theirs, 2, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, none, theirs, 2, MPI_INT, comm);
    MPI_Alltoallv(mine, two, at_two, MPI_INT, theirs, two, at_two, MPI_INT, comm);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, none, theirs, two, at_two, MPI_INT, comm);
    MPI_Alltoallw(mine, two, at_bytes, types, theirs, two, at_bytes, types, comm);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, theirs, two, at_bytes, types, comm);
    MPI_Reduce_scatter(mine, theirs, two, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(mine, theirs, 2, MPI_INT, MPI_SUM, comm);
}

/* A ring: each rank has two neighbours. */
static void use_neighbours(void)
{
    static const int one_two[2] = {1, 2}, two_one[2] = {2, 1}, at[2] = {0, 4};
    static const MPI_Aint at_aint[2] = {0, 16};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int size = RANKS, is_ring = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_ring, 0, &ring);
    MPI_Neighbor_allgather(mine, 3, MPI_INT, theirs, 3, MPI_INT, ring);
    MPI_Neighbor_alltoall(mine, 3, MPI_INT, theirs, 3, MPI_INT, ring);
    MPI_Neighbor_alltoallv(mine, one_two, at, MPI_INT, theirs, two_one, at, MPI_INT, ring);
    MPI_Neighbor_alltoallw(mine, one_two, at_aint, types, theirs, two_one, at_aint, types, ring);
    MPI_Comm_free(&ring);
}

/* The second pair uses the handles of the first one again, and sends less. */
static void use_persistent(int count)
{
    MPI_Request both[2];
    MPI_Status statuses[2];
    MPI_Send_init(mine, count, MPI_INT, (rank + 1) % RANKS, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Recv_init(theirs, MOST, MPI_INT, (rank + 2) % RANKS, 0, MPI_COMM_WORLD, &both[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&both[0]);
        MPI_Start(&both[1]);
        /* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it does not know MPI_Start */
        MPI_Waitall(2, both, statuses);
        MPI_Startall(2, both);
        MPI_Waitall(2, both, statuses);
        /* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */
    }
    MPI_Request_free(&both[1]);
    MPI_Request_free(&both[0]);
}

static void use_window(void)
{
    int *memory, next = (rank + 1) % RANKS;
    MPI_Win window;
    MPI_Win_allocate(INT, INT, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(mine, theirs, MPI_INT, next, 0, MPI_SUM, window);
    MPI_Win_flush_all(window);
    MPI_Compare_and_swap(mine, &mine[1], theirs, MPI_INT, next, 0, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void use_file(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "written", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_at(file, rank, mine, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void use_buffer(void)
{
    int bytes = 4096 + MPI_BSEND_OVERHEAD;
    void *buffer = malloc((size_t)bytes);
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(mine, 4, MPI_INT, (rank + 1) % RANKS, 0, MPI_COMM_WORLD);
    MPI_Recv(theirs, 4, MPI_INT, (rank + 2) % RANKS, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
}

#if MPI_VERSION >= 4
static void use_large_counts(void)
{
    static const MPI_Count counts[RANKS] = {2, 2, 2};
    static const MPI_Aint at[RANKS] = {0, 2, 4};
    MPI_Request request;
    MPI_Isendrecv(mine, 1, MPI_INT, (rank + 1) % RANKS, 0, theirs, 1, MPI_INT, (rank + 2) % RANKS,
                  0, MPI_COMM_WORLD, &request);
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it does not know MPI_Isendrecv */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast_c(mine, 5, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Allgatherv_c(mine, 2, MPI_INT, theirs, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce_init(mine, theirs, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    use_root();
    use_all();
    use_neighbours();
    use_persistent(10);
    use_persistent(5);
    use_window();
    use_file();
    use_buffer();
#if MPI_VERSION >= 4
    use_large_counts();
#endif
    MPI_Finalize();
    return 0;
}
