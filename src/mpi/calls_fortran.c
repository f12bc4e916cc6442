/*
 * mpi/calls_fortran.c - the entry points for Fortran of the calls in calls_list.h
 *
 * The names are those of gfortran and of most other compilers: lower case, with an underscore at
 * the end. OpenMPI's module mpi_f08 has entry points of its own (mpi_send_f08_); that of MPICH
 * calls the ones for C. Each argument is the address of a variable; a last one
 * is the error code. A text is followed, after all others, by its length. An argument passes
 * unchanged, so constants such as MPI_IN_PLACE, which are certain addresses, are recognized by MPI.
 */
#include "mpi/call.h"

/* NOLINTNEXTLINE(misc-redundant-expression): each MPI decides what MPI_Fint is */
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of integers are those of C");

#define EP_MPI_INT(n) (*(const int *)a##n)
#define EP_MPI_INTS(n) ((const int *)a##n)
#define EP_MPI_TYPE(n) PMPI_Type_f2c(*(const MPI_Fint *)a##n)
#define EP_MPI_COMM(n) PMPI_Comm_f2c(*(const MPI_Fint *)a##n)

/* How many arguments there are in Fortran: those of C, the error code, and lengths. */
#define EP_MPI_FORTRAN_1_0 2
#define EP_MPI_FORTRAN_2_0 3
#define EP_MPI_FORTRAN_3_0 4
#define EP_MPI_FORTRAN_4_0 5
#define EP_MPI_FORTRAN_5_0 6
#define EP_MPI_FORTRAN_5_1 7
#define EP_MPI_FORTRAN_6_0 7
#define EP_MPI_FORTRAN_7_0 8
#define EP_MPI_FORTRAN_8_0 9
#define EP_MPI_FORTRAN_9_0 10
#define EP_MPI_FORTRAN_10_0 11
#define EP_MPI_FORTRAN_12_0 13
#define EP_MPI_FORTRAN_13_0 14

#define EP_MPI_POINTERS_2 void *a1, void *a2
#define EP_MPI_POINTERS_3 EP_MPI_POINTERS_2, void *a3
#define EP_MPI_POINTERS_4 EP_MPI_POINTERS_3, void *a4
#define EP_MPI_POINTERS_5 EP_MPI_POINTERS_4, void *a5
#define EP_MPI_POINTERS_6 EP_MPI_POINTERS_5, void *a6
#define EP_MPI_POINTERS_7 EP_MPI_POINTERS_6, void *a7
#define EP_MPI_POINTERS_8 EP_MPI_POINTERS_7, void *a8
#define EP_MPI_POINTERS_9 EP_MPI_POINTERS_8, void *a9
#define EP_MPI_POINTERS_10 EP_MPI_POINTERS_9, void *a10
#define EP_MPI_POINTERS_11 EP_MPI_POINTERS_10, void *a11
#define EP_MPI_POINTERS_12 EP_MPI_POINTERS_11, void *a12
#define EP_MPI_POINTERS_13 EP_MPI_POINTERS_12, void *a13
#define EP_MPI_POINTERS_14 EP_MPI_POINTERS_13, void *a14

/* The module mpi_f08 passes NULL if the program does not ask for the error code. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names, and lists of parameters and arguments */
#define EP_MPI_ENTRY(symbol, Name, bytes, code, pointers, arguments)                               \
    void symbol(pointers);                                                                         \
    void symbol(pointers)                                                                          \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_" #Name, #symbol, "p" #symbol, NULL, NULL};         \
        void (*next)(pointers) = (void (*)(pointers))ep_mpi_call_next(&call);                      \
        MPI_Fint error;                                                                            \
        code = code ? code : &error;                                                               \
        EP_MPI_BEGIN(&call);                                                                       \
        next(arguments);                                                                           \
        EP_MPI_RECORD(*(const MPI_Fint *)code, bytes);                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* The lists of arguments contain commas, so they are made where they are used. */
#define EP_MPI_JOIN(a, b) EP_MPI_JOIN_NOW(a, b)
#define EP_MPI_JOIN_NOW(a, b) a##b
#define EP_MPI_BOTH(name, Name, bytes, code, count)                                                \
    EP_MPI_ENTRY(mpi_##name##_, Name, bytes, code, EP_MPI_POINTERS_##count,                        \
                 EP_MPI_ARGUMENTS_##count)                                                         \
    EP_MPI_ENTRY(mpi_##name##_f08_, Name, bytes, code, EP_MPI_POINTERS_##count,                    \
                 EP_MPI_ARGUMENTS_##count)
#define EP_MPI_BOTH_OF(name, Name, bytes, code, count) EP_MPI_BOTH(name, Name, bytes, code, count)

/* The error code follows the arguments of C. */
#define EP_MPI_CODE_1 a2
#define EP_MPI_CODE_2 a3
#define EP_MPI_CODE_3 a4
#define EP_MPI_CODE_4 a5
#define EP_MPI_CODE_5 a6
#define EP_MPI_CODE_6 a7
#define EP_MPI_CODE_7 a8
#define EP_MPI_CODE_8 a9
#define EP_MPI_CODE_9 a10
#define EP_MPI_CODE_10 a11
#define EP_MPI_CODE_12 a13
#define EP_MPI_CODE_13 a14

#define EP_MPI_CALL(Name, name, bytes, hidden, count, ...)                                         \
    EP_MPI_BOTH_OF(name, Name, bytes, EP_MPI_CODE_##count, EP_MPI_FORTRAN_##count##_##hidden)

#include "mpi/calls_list.h"
