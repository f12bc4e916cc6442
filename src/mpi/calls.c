/*
 * mpi/calls.c - the entry points for C of the calls in calls.list
 */
#include "mpi/bytes.h"
#include "mpi/call.h"

#define EP_MPI_INT(n) a##n
#define EP_MPI_COUNTS(n) ((struct ep_mpi_counts){a##n, sizeof *a##n})
#define EP_MPI_TYPE(n) a##n
#define EP_MPI_TYPES(n) ((struct ep_mpi_types){a##n, false})
#define EP_MPI_COMM(n) a##n
#define EP_MPI_REQUEST(n) (*a##n)
#define EP_MPI_REQUESTS(n) ((struct ep_mpi_requests){a##n, false})
#define EP_MPI_IS_IN_PLACE(n) (a##n == MPI_IN_PLACE)

/* NOLINTBEGIN(bugprone-macro-parentheses): lists of types, parameters and arguments */
#define EP_MPI_CALL(Name, types, parameters, arguments, bytes)                                     \
    int MPI_##Name parameters                                                                      \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_" #Name, "MPI_" #Name, "PMPI_" #Name, NULL, NULL};  \
        int(*next) types = (int(*) types)EP_MPI_NEXT(&call);                                       \
        EP_MPI_BEGIN(&call);                                                                       \
        EP_MPI_BEFORE_##bytes;                                                                     \
        int result = next arguments;                                                               \
        if (EP_MPI_HAS_BYTES(result))                                                              \
            EP_MPI_##bytes;                                                                        \
        return result;                                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#define EP_MPI_FORTRAN_CALL(Name, name, parameters, arguments, code, bytes)

#include "mpi_calls.h"
