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

/* The next definition, in a function that takes the place of a call. Ends the process if there is
 * none: then nobody can have called it. */
#define EP_MPI_NEXT(call) ep_mpi_call_next(call, __builtin_return_address(0))
ep_mpi_function *ep_mpi_call_next(struct ep_mpi_call *call, const void *caller);

/* A function or variable of MPI, which may be among libraries that dlopen() has loaded for the
 * library of `caller`, an address in it, alone. NULL: there is none. */
void *ep_mpi_call_find(const char *symbol, const void *caller);

/* Whether calls of MPI are scopes from now on. */
void ep_mpi_call_record(bool is_on);

/* Begins the scope of a call. Returns whether it is one, so that it also takes bytes. */
bool ep_mpi_call_enter(struct ep_mpi_call *call);
void ep_mpi_call_leave(const bool *is_scope);

/* ---- the wrapper of a call ---- */

/* In a wrapper, before the call of the next definition: begins a scope, which ends with the
 * wrapper. */
#define EP_MPI_BEGIN(call)                                                                         \
    __attribute__((cleanup(ep_mpi_call_leave))) const bool is_scope = ep_mpi_call_enter(call)

/* After it: whether its bytes are recorded. A call that failed transfers none, and MPI would report
 * its wrong arguments again, to the error handler of MPI_COMM_WORLD. */
#define EP_MPI_HAS_BYTES(error) (is_scope && (error) == MPI_SUCCESS)

#endif /* EP_MPI_CALL_H */
