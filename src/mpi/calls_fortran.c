/*
 * mpi/calls_fortran.c - the entry points for Fortran of the calls in calls.list
 *
 * The names are those of gfortran and of most other compilers: lower case, with an underscore at
 * the end. OpenMPI's module mpi_f08 has entry points of its own (mpi_send_f08_); that of MPICH
 * calls the ones for C. Each argument is the address of a variable; a last one is the error code. A
 * text is followed, after all others, by its length. An argument passes unchanged, so constants
 * such as MPI_IN_PLACE, which are certain addresses, are recognized by MPI.
 */
#include "mpi/bytes.h"
#include "mpi/call.h"

/* NOLINTNEXTLINE(misc-redundant-expression): each MPI decides what MPI_Fint is */
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of integers are those of C");

#define EP_MPI_INT(n) (*(const int *)a##n)
#define EP_MPI_COUNTS(n) ((struct ep_mpi_counts){a##n, sizeof(MPI_Fint)})
#define EP_MPI_TYPE(n) PMPI_Type_f2c(*(const MPI_Fint *)a##n)
#define EP_MPI_TYPES(n) ((struct ep_mpi_types){a##n, true})
#define EP_MPI_COMM(n) PMPI_Comm_f2c(*(const MPI_Fint *)a##n)
#define EP_MPI_REQUEST(n) PMPI_Request_f2c(*(const MPI_Fint *)a##n)
#define EP_MPI_REQUESTS(n) ((struct ep_mpi_requests){a##n, true})
#define EP_MPI_IS_IN_PLACE(n) ep_mpi_bytes_is_in_place_of_fortran(a##n, __builtin_return_address(0))

/* The module mpi_f08 passes NULL if the program does not ask for the error code. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names, and lists of parameters and arguments */
#define EP_MPI_ENTRY(symbol, Name, parameters, arguments, code, bytes)                             \
    void symbol parameters;                                                                        \
    void symbol parameters                                                                         \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_" #Name, #symbol, "p" #symbol, NULL, NULL};         \
        void(*next) parameters = (void(*) parameters)EP_MPI_NEXT(&call);                           \
        MPI_Fint error;                                                                            \
        code = code ? code : &error;                                                               \
        EP_MPI_BEGIN(&call);                                                                       \
        EP_MPI_BEFORE_##bytes;                                                                     \
        next arguments;                                                                            \
        if (EP_MPI_HAS_BYTES(*(const MPI_Fint *)code))                                             \
            EP_MPI_##bytes;                                                                        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#define EP_MPI_CALL(Name, types, parameters, arguments, bytes)
#define EP_MPI_FORTRAN_CALL(Name, name, parameters, arguments, code, bytes)                        \
    EP_MPI_ENTRY(mpi_##name##_, Name, parameters, arguments, code, bytes)                          \
    EP_MPI_ENTRY(mpi_##name##_f08_, Name, parameters, arguments, code, bytes)

#include "mpi_calls.h"
