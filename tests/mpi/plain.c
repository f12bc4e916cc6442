/*
 * plain.c - a program with MPI that knows nothing of libeprof
 *
 * Each rank sends 100 doubles to the next one, ten times, and all add up 1,000.
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10, SENT = 100, SUMMED = 1000 };

int main(int argc, char **argv)
{
    static double mine[SUMMED], theirs[SUMMED];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request request;
        MPI_Isend(mine, SENT, MPI_DOUBLE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(theirs, SENT, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(mine, theirs, SUMMED, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Gather(mine, 1, MPI_INT, rank == 0 ? (void *)theirs : NULL, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(mine, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
