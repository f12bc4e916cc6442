/*
 * mpi/bytes.h - the bytes that calls of MPI take from this process: see calls.list
 *
 * Each function returns them; -1: the call takes none. It may be called only after the call of MPI
 * has returned without an error, so the arguments are valid. Starts of persistent requests also
 * have a function that is called before.
 */
#ifndef EP_MPI_BYTES_H
#define EP_MPI_BYTES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrays of arguments: counts are int, or MPI_Count in calls with large counts. */
struct ep_mpi_counts {
    const void *at;
    size_t size; /* of one */
};
struct ep_mpi_types {
    const void *at;
    bool is_fortran; /* handles of Fortran */
};
struct ep_mpi_requests {
    const void *at;
    bool is_fortran;
};

int64_t ep_mpi_bytes_of(int64_t count, MPI_Datatype type);

/* Collectives with a root. */
bool ep_mpi_bytes_is_root(int root, MPI_Comm comm);
int64_t ep_mpi_bytes_gather(int64_t count, MPI_Datatype type, int64_t received,
                            MPI_Datatype received_type, int root, MPI_Comm comm);
int64_t ep_mpi_bytes_gatherv(int64_t count, MPI_Datatype type, struct ep_mpi_counts received,
                             MPI_Datatype received_type, int root, MPI_Comm comm);
int64_t ep_mpi_bytes_scatter(int64_t count, MPI_Datatype type, int root, MPI_Comm comm);
int64_t ep_mpi_bytes_scatterv(struct ep_mpi_counts counts, MPI_Datatype type, int root,
                              MPI_Comm comm);

/* Collectives without a root. */
int64_t ep_mpi_bytes_allgather(int64_t count, MPI_Datatype type, int64_t received,
                               MPI_Datatype received_type, MPI_Comm comm);
int64_t ep_mpi_bytes_allgatherv(int64_t count, MPI_Datatype type, struct ep_mpi_counts received,
                                MPI_Datatype received_type, MPI_Comm comm);
int64_t ep_mpi_bytes_alltoall(int64_t count, MPI_Datatype type, int64_t received,
                              MPI_Datatype received_type, MPI_Comm comm);
int64_t ep_mpi_bytes_alltoallv(bool is_in_place, struct ep_mpi_counts counts, MPI_Datatype type,
                               struct ep_mpi_counts received, MPI_Datatype received_type,
                               MPI_Comm comm);
int64_t ep_mpi_bytes_alltoallw(bool is_in_place, struct ep_mpi_counts counts,
                               struct ep_mpi_types types, struct ep_mpi_counts received,
                               struct ep_mpi_types received_types, MPI_Comm comm);
int64_t ep_mpi_bytes_blocks(int64_t count, MPI_Datatype type, MPI_Comm comm);
int64_t ep_mpi_bytes_blocksv(struct ep_mpi_counts counts, MPI_Datatype type, MPI_Comm comm);

/* Between neighbours. */
int64_t ep_mpi_bytes_neighbors(int64_t count, MPI_Datatype type, MPI_Comm comm);
int64_t ep_mpi_bytes_neighborsv(struct ep_mpi_counts counts, MPI_Datatype type, MPI_Comm comm);
int64_t ep_mpi_bytes_neighborsw(struct ep_mpi_counts counts, struct ep_mpi_types types,
                                MPI_Comm comm);

/* A start of persistent requests. Their bytes are looked up before the call of MPI: it may replace
 * a handle, as OpenMPI does if the data of the previous start has not left yet. After it, the bytes
 * are recorded and also noted for a new handle. All zero: none was started. */
struct ep_mpi_start_request {
    uint64_t key; /* the handle before the call */
    int64_t bytes;
};
struct ep_mpi_start {
    int64_t bytes;                     /* of all */
    struct ep_mpi_start_request *each; /* NULL: no memory */
    struct ep_mpi_start_request one;
};
void ep_mpi_bytes_start(struct ep_mpi_start *start, int64_t count, struct ep_mpi_requests requests);
void ep_mpi_bytes_started(const struct ep_mpi_start *start, int64_t count,
                          struct ep_mpi_requests requests);
void ep_mpi_bytes_start_end(struct ep_mpi_start *start);

/* Records them in the scope of the call, or notes them for a persistent request. */
void ep_mpi_bytes_record(int64_t bytes);
void ep_mpi_bytes_note(MPI_Request request, int64_t bytes);

/* Whether an argument of a call from Fortran is the constant MPI_IN_PLACE. caller: an address in
 * the code that makes the call. */
bool ep_mpi_bytes_is_in_place_of_fortran(const void *argument, const void *caller);

/* ---- the expressions of calls.list ----
 *
 * calls.c and calls_fortran.c define how an argument is read: EP_MPI_INT(n), EP_MPI_COUNTS(n),
 * EP_MPI_TYPE(n), EP_MPI_TYPES(n), EP_MPI_COMM(n), EP_MPI_REQUEST(n), EP_MPI_REQUESTS(n),
 * EP_MPI_IS_IN_PLACE(n). */

#define EP_MPI_NOTHING (void)0
#define EP_MPI_RECORD(bytes) ep_mpi_bytes_record(EP_MPI_##bytes)
#define EP_MPI_NOTE(n, bytes) ep_mpi_bytes_note(EP_MPI_REQUEST(n), EP_MPI_##bytes)
#define EP_MPI_STARTED(request) ep_mpi_bytes_started(&start, 1, EP_MPI_REQUESTS(request))
#define EP_MPI_STARTED_ALL(count, requests)                                                        \
    ep_mpi_bytes_started(&start, EP_MPI_INT(count), EP_MPI_REQUESTS(requests))

/* What precedes the call of MPI. */
#define EP_MPI_BEFORE_NOTHING
#define EP_MPI_BEFORE_RECORD(bytes)
#define EP_MPI_BEFORE_NOTE(n, bytes)
#define EP_MPI_BEFORE_STARTED(request) EP_MPI_START(1, EP_MPI_REQUESTS(request))
#define EP_MPI_BEFORE_STARTED_ALL(count, requests)                                                 \
    EP_MPI_START(EP_MPI_INT(count), EP_MPI_REQUESTS(requests))
#define EP_MPI_START(count, requests)                                                              \
    __attribute__((cleanup(ep_mpi_bytes_start_end))) struct ep_mpi_start start = {.each = NULL};   \
    if (is_scope)                                                                                  \
    ep_mpi_bytes_start(&start, count, requests)

#define EP_MPI_NONE (-1)
#define EP_MPI_SIZE(count, type) ep_mpi_bytes_of(EP_MPI_INT(count), EP_MPI_TYPE(type))
#define EP_MPI_SENT(count, type, process)                                                          \
    (EP_MPI_INT(process) == MPI_PROC_NULL ? -1 : EP_MPI_SIZE(count, type))
#define EP_MPI_ONE(type, process)                                                                  \
    (EP_MPI_INT(process) == MPI_PROC_NULL ? -1 : ep_mpi_bytes_of(1, EP_MPI_TYPE(type)))
#define EP_MPI_PARTS(parts, count, type, process)                                                  \
    (EP_MPI_INT(process) == MPI_PROC_NULL                                                          \
         ? -1                                                                                      \
         : ep_mpi_bytes_of((int64_t)EP_MPI_INT(parts) * EP_MPI_INT(count), EP_MPI_TYPE(type)))
#define EP_MPI_BCAST(count, type, root, comm)                                                      \
    (ep_mpi_bytes_is_root(EP_MPI_INT(root), EP_MPI_COMM(comm)) ? EP_MPI_SIZE(count, type) : -1)
/* between two groups, MPI_ROOT only receives, and MPI_PROC_NULL has no part: both are negative */
#define EP_MPI_REDUCE(count, type, root) (EP_MPI_INT(root) < 0 ? -1 : EP_MPI_SIZE(count, type))
#define EP_MPI_GATHER(count, type, received, received_type, root, comm)                            \
    ep_mpi_bytes_gather(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_INT(received),                \
                        EP_MPI_TYPE(received_type), EP_MPI_INT(root), EP_MPI_COMM(comm))
#define EP_MPI_GATHERV(count, type, received, received_type, root, comm)                           \
    ep_mpi_bytes_gatherv(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_COUNTS(received),            \
                         EP_MPI_TYPE(received_type), EP_MPI_INT(root), EP_MPI_COMM(comm))
#define EP_MPI_SCATTER(count, type, root, comm)                                                    \
    ep_mpi_bytes_scatter(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_INT(root), EP_MPI_COMM(comm))
#define EP_MPI_SCATTERV(counts, type, root, comm)                                                  \
    ep_mpi_bytes_scatterv(EP_MPI_COUNTS(counts), EP_MPI_TYPE(type), EP_MPI_INT(root),              \
                          EP_MPI_COMM(comm))
#define EP_MPI_ALLGATHER(count, type, received, received_type, comm)                               \
    ep_mpi_bytes_allgather(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_INT(received),             \
                           EP_MPI_TYPE(received_type), EP_MPI_COMM(comm))
#define EP_MPI_ALLGATHERV(count, type, received, received_type, comm)                              \
    ep_mpi_bytes_allgatherv(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_COUNTS(received),         \
                            EP_MPI_TYPE(received_type), EP_MPI_COMM(comm))
#define EP_MPI_ALLTOALL(count, type, received, received_type, comm)                                \
    ep_mpi_bytes_alltoall(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_INT(received),              \
                          EP_MPI_TYPE(received_type), EP_MPI_COMM(comm))
#define EP_MPI_ALLTOALLV(buffer, counts, type, received, received_type, comm)                      \
    ep_mpi_bytes_alltoallv(EP_MPI_IS_IN_PLACE(buffer), EP_MPI_COUNTS(counts), EP_MPI_TYPE(type),   \
                           EP_MPI_COUNTS(received), EP_MPI_TYPE(received_type), EP_MPI_COMM(comm))
#define EP_MPI_ALLTOALLW(buffer, counts, types, received, received_types, comm)                    \
    ep_mpi_bytes_alltoallw(EP_MPI_IS_IN_PLACE(buffer), EP_MPI_COUNTS(counts), EP_MPI_TYPES(types), \
                           EP_MPI_COUNTS(received), EP_MPI_TYPES(received_types),                  \
                           EP_MPI_COMM(comm))
#define EP_MPI_BLOCKS(count, type, comm)                                                           \
    ep_mpi_bytes_blocks(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_COMM(comm))
#define EP_MPI_BLOCKSV(counts, type, comm)                                                         \
    ep_mpi_bytes_blocksv(EP_MPI_COUNTS(counts), EP_MPI_TYPE(type), EP_MPI_COMM(comm))
#define EP_MPI_NEIGHBORS(count, type, comm)                                                        \
    ep_mpi_bytes_neighbors(EP_MPI_INT(count), EP_MPI_TYPE(type), EP_MPI_COMM(comm))
#define EP_MPI_NEIGHBORSV(counts, type, comm)                                                      \
    ep_mpi_bytes_neighborsv(EP_MPI_COUNTS(counts), EP_MPI_TYPE(type), EP_MPI_COMM(comm))
#define EP_MPI_NEIGHBORSW(counts, types, comm)                                                     \
    ep_mpi_bytes_neighborsw(EP_MPI_COUNTS(counts), EP_MPI_TYPES(types), EP_MPI_COMM(comm))

#endif /* EP_MPI_BYTES_H */
