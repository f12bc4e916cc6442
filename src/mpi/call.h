/*
 * mpi/call.h - a call of MPI that this library takes the place of: the next definition of it, and
 * its scope
 *
 * The next definition is that of the library that the dynamic linker finds after this one: another
 * tool that wraps MPI in the same way, or MPI itself. PMPI_X would leave out the other tool.
 *
 * Only the outermost call of MPI in a thread is a scope. MPICH's entry points for Fortran call
 * those for C, and some calls of either MPI use others.
 */
#ifndef EP_MPI_CALL_H
#define EP_MPI_CALL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "eprof.h"

typedef void ep_mpi_function(void);

/* All zero but the names: not called yet. */
struct ep_mpi_call {
    const char *name;        /* of the scope */
    const char *symbol;      /* what the dynamic linker knows it by */
    const char *profiling;   /* the same by the profiling interface: p and the symbol, or P */
    ep_mpi_function *next;   /* set once, by any thread */
    struct eprof_site *site; /* set once, by any thread */
};

/* The next definition. Ends the process if there is none: then nobody can have called it. */
ep_mpi_function *ep_mpi_call_next(struct ep_mpi_call *call);

/* Whether calls of MPI are scopes from now on. */
void ep_mpi_call_record(bool is_on);

/* Begins the scope of a call. Returns whether it is one, and so also takes bytes. */
bool ep_mpi_call_enter(struct ep_mpi_call *call);
void ep_mpi_call_leave(const bool *is_scope);

/* Records what the call transfers: elements of a type; or those for each process of a communicator,
 * of the other group if it connects two, or of the own group. */
void ep_mpi_call_bytes(int count, MPI_Datatype type);
void ep_mpi_call_bytes_of_all(const int *counts, MPI_Datatype type, MPI_Comm comm);
void ep_mpi_call_bytes_of_local(const int *counts, MPI_Datatype type, MPI_Comm comm);

/* Whether this process is the root of a collective. */
bool ep_mpi_call_is_root(int root, MPI_Comm comm);

/* ---- the wrapper of a call ---- */

#define EP_MPI_PARAMETERS_1(t1) t1 a1
#define EP_MPI_PARAMETERS_2(t1, t2) t1 a1, t2 a2
#define EP_MPI_PARAMETERS_3(t1, t2, t3) EP_MPI_PARAMETERS_2(t1, t2), t3 a3
#define EP_MPI_PARAMETERS_4(t1, t2, t3, t4) EP_MPI_PARAMETERS_3(t1, t2, t3), t4 a4
#define EP_MPI_PARAMETERS_5(t1, t2, t3, t4, t5) EP_MPI_PARAMETERS_4(t1, t2, t3, t4), t5 a5
#define EP_MPI_PARAMETERS_6(t1, t2, t3, t4, t5, t6) EP_MPI_PARAMETERS_5(t1, t2, t3, t4, t5), t6 a6
#define EP_MPI_PARAMETERS_7(t1, t2, t3, t4, t5, t6, t7)                                            \
    EP_MPI_PARAMETERS_6(t1, t2, t3, t4, t5, t6), t7 a7
#define EP_MPI_PARAMETERS_8(t1, t2, t3, t4, t5, t6, t7, t8)                                        \
    EP_MPI_PARAMETERS_7(t1, t2, t3, t4, t5, t6, t7), t8 a8
#define EP_MPI_PARAMETERS_9(t1, t2, t3, t4, t5, t6, t7, t8, t9)                                    \
    EP_MPI_PARAMETERS_8(t1, t2, t3, t4, t5, t6, t7, t8), t9 a9
#define EP_MPI_PARAMETERS_10(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10)                              \
    EP_MPI_PARAMETERS_9(t1, t2, t3, t4, t5, t6, t7, t8, t9), t10 a10
#define EP_MPI_PARAMETERS_12(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12)                    \
    EP_MPI_PARAMETERS_10(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10), t11 a11, t12 a12
#define EP_MPI_PARAMETERS_13(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13)               \
    EP_MPI_PARAMETERS_12(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12), t13 a13

#define EP_MPI_ARGUMENTS_1 a1
#define EP_MPI_ARGUMENTS_2 EP_MPI_ARGUMENTS_1, a2
#define EP_MPI_ARGUMENTS_3 EP_MPI_ARGUMENTS_2, a3
#define EP_MPI_ARGUMENTS_4 EP_MPI_ARGUMENTS_3, a4
#define EP_MPI_ARGUMENTS_5 EP_MPI_ARGUMENTS_4, a5
#define EP_MPI_ARGUMENTS_6 EP_MPI_ARGUMENTS_5, a6
#define EP_MPI_ARGUMENTS_7 EP_MPI_ARGUMENTS_6, a7
#define EP_MPI_ARGUMENTS_8 EP_MPI_ARGUMENTS_7, a8
#define EP_MPI_ARGUMENTS_9 EP_MPI_ARGUMENTS_8, a9
#define EP_MPI_ARGUMENTS_10 EP_MPI_ARGUMENTS_9, a10
#define EP_MPI_ARGUMENTS_11 EP_MPI_ARGUMENTS_10, a11
#define EP_MPI_ARGUMENTS_12 EP_MPI_ARGUMENTS_11, a12
#define EP_MPI_ARGUMENTS_13 EP_MPI_ARGUMENTS_12, a13
#define EP_MPI_ARGUMENTS_14 EP_MPI_ARGUMENTS_13, a14

/* In a wrapper, before the call of the next definition: begins a scope, which ends with the
 * wrapper. */
#define EP_MPI_BEGIN(call)                                                                         \
    __attribute__((cleanup(ep_mpi_call_leave))) const bool is_scope = ep_mpi_call_enter(call)

/* After it: records the bytes of the list. A call that failed transfers none, and MPI would report
 * its wrong arguments again, to the error handler of MPI_COMM_WORLD. */
#define EP_MPI_RECORD(error, bytes)                                                                \
    if (is_scope && (error) == MPI_SUCCESS)                                                        \
    EP_MPI_##bytes

#define EP_MPI_NONE (void)0
#define EP_MPI_SIZE(count, type) ep_mpi_call_bytes(EP_MPI_INT(count), EP_MPI_TYPE(type))
#define EP_MPI_SENT(count, type, process)                                                          \
    {                                                                                              \
        if (EP_MPI_INT(process) != MPI_PROC_NULL)                                                  \
            EP_MPI_SIZE(count, type);                                                              \
    }
#define EP_MPI_SIZES(counts, type, comm)                                                           \
    ep_mpi_call_bytes_of_all(EP_MPI_INTS(counts), EP_MPI_TYPE(type), EP_MPI_COMM(comm))
#define EP_MPI_LOCAL_SIZES(counts, type, comm)                                                     \
    ep_mpi_call_bytes_of_local(EP_MPI_INTS(counts), EP_MPI_TYPE(type), EP_MPI_COMM(comm))
#define EP_MPI_ROOT(root, count, type, comm, other_count, other_type)                              \
    {                                                                                              \
        if (ep_mpi_call_is_root(EP_MPI_INT(root), EP_MPI_COMM(comm)))                              \
            EP_MPI_SIZE(count, type);                                                              \
        else if (EP_MPI_INT(root) >= 0)                                                            \
            EP_MPI_SIZE(other_count, other_type);                                                  \
    }

#endif /* EP_MPI_CALL_H */
