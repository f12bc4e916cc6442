/*
 * tool.c - another tool that wraps calls of MPI by the profiling interface
 */
#include <mpi.h>
#include <stdio.h>

static int sends, rank;

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    sends++;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return result;
}

int MPI_Finalize(void)
{
    if (rank == 0)
        printf("the tool saw %d sends\n", sends);
    return PMPI_Finalize();
}
