/*
 * mpi/calls.c - the entry points for C of the calls in calls_list.h
 */
#include "mpi/call.h"

#define EP_MPI_JOIN(a, b) a##b
#define EP_MPI_PARAMETERS(count, ...) EP_MPI_PARAMETERS_##count(__VA_ARGS__)

#define EP_MPI_INT(n) a##n
#define EP_MPI_INTS(n) a##n
#define EP_MPI_TYPE(n) a##n
#define EP_MPI_COMM(n) a##n

#define EP_MPI_CALL(Name, name, bytes, hidden, count, ...)                                         \
    int MPI_##Name(EP_MPI_PARAMETERS(count, __VA_ARGS__))                                          \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_" #Name, "MPI_" #Name, "PMPI_" #Name, NULL, NULL};  \
        int (*next)(__VA_ARGS__) = (int (*)(__VA_ARGS__))ep_mpi_call_next(&call);                  \
        EP_MPI_BEGIN(&call);                                                                       \
        int result = next(EP_MPI_ARGUMENTS_##count);                                               \
        EP_MPI_RECORD(result, bytes);                                                              \
        return result;                                                                             \
    }

#include "mpi/calls_list.h"
