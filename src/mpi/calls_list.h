/*
 * mpi/calls_list.h - the calls of MPI that become scopes
 *
 * The list is kept by hand. It names the procedures of MPI 3.1 (MPI: A Message-Passing Interface
 * Standard, Version 3.1, 2015, https://www.mpi-forum.org/docs/mpi-3.1/mpi31-report.pdf) that move
 * data, or that can wait for another process or for a file: chapters 3 (point-to-point), 5
 * (collectives), 6 and 7 (communicators), 11 (one-sided) and 13 (files). Both MPI that the tests
 * use have all of them. The compiler compares the types with mpi.h.
 *
 * EP_MPI_CALL(Name, name, bytes, hidden, count, types...): the name in C and in Fortran; what the
 * call transfers; the arguments that a Fortran compiler adds for the lengths of texts; the
 * arguments of C.
 *
 * bytes is an expression of the number of an argument: SIZE(count, type) elements; SENT(count,
 * type, process): the same, but none if the process is MPI_PROC_NULL; ROOT(root, count, type, comm,
 * other count, other type): the first two in the root, which may have MPI_IN_PLACE in place of the
 * others, and the others elsewhere; SIZES(counts, type, comm): a count for each process, which are
 * those of the other group if comm connects two; LOCAL_SIZES: a count for each process of the own
 * group (section 5.10); NONE. A receive has an upper limit in place of a count, so the bytes of a
 * message appear where it is sent.
 */
#define EP_MPI_SEND_TYPES const void *, int, MPI_Datatype, int, int, MPI_Comm
#define EP_MPI_ISEND_TYPES const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *
#define EP_MPI_ORIGIN_TYPES int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype
#define EP_MPI_READ_TYPES MPI_File, void *, int, MPI_Datatype
#define EP_MPI_WRITE_TYPES MPI_File, const void *, int, MPI_Datatype
#define EP_MPI_READ_AT_TYPES MPI_File, MPI_Offset, void *, int, MPI_Datatype
#define EP_MPI_WRITE_AT_TYPES MPI_File, MPI_Offset, const void *, int, MPI_Datatype

/* ---- point-to-point, waits and probes ---- */

EP_MPI_CALL(Send, send, SENT(2, 3, 4), 0, 6, EP_MPI_SEND_TYPES)
EP_MPI_CALL(Bsend, bsend, SENT(2, 3, 4), 0, 6, EP_MPI_SEND_TYPES)
EP_MPI_CALL(Ssend, ssend, SENT(2, 3, 4), 0, 6, EP_MPI_SEND_TYPES)
EP_MPI_CALL(Rsend, rsend, SENT(2, 3, 4), 0, 6, EP_MPI_SEND_TYPES)
EP_MPI_CALL(Recv, recv, NONE, 0, 7, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)
EP_MPI_CALL(Isend, isend, SENT(2, 3, 4), 0, 7, EP_MPI_ISEND_TYPES)
EP_MPI_CALL(Ibsend, ibsend, SENT(2, 3, 4), 0, 7, EP_MPI_ISEND_TYPES)
EP_MPI_CALL(Issend, issend, SENT(2, 3, 4), 0, 7, EP_MPI_ISEND_TYPES)
EP_MPI_CALL(Irsend, irsend, SENT(2, 3, 4), 0, 7, EP_MPI_ISEND_TYPES)
EP_MPI_CALL(Irecv, irecv, NONE, 0, 7, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Sendrecv, sendrecv, SENT(2, 3, 4), 0, 12, const void *, int, MPI_Datatype, int, int,
            void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)
EP_MPI_CALL(Sendrecv_replace, sendrecv_replace, SENT(2, 3, 4), 0, 9, void *, int, MPI_Datatype, int,
            int, int, int, MPI_Comm, MPI_Status *)
EP_MPI_CALL(Mrecv, mrecv, NONE, 0, 5, void *, int, MPI_Datatype, MPI_Message *, MPI_Status *)
EP_MPI_CALL(Imrecv, imrecv, NONE, 0, 5, void *, int, MPI_Datatype, MPI_Message *, MPI_Request *)
EP_MPI_CALL(Start, start, NONE, 0, 1, MPI_Request *)
EP_MPI_CALL(Startall, startall, NONE, 0, 2, int, MPI_Request *)
EP_MPI_CALL(Wait, wait, NONE, 0, 2, MPI_Request *, MPI_Status *)
EP_MPI_CALL(Waitall, waitall, NONE, 0, 3, int, MPI_Request *, MPI_Status *)
EP_MPI_CALL(Waitany, waitany, NONE, 0, 4, int, MPI_Request *, int *, MPI_Status *)
EP_MPI_CALL(Waitsome, waitsome, NONE, 0, 5, int, MPI_Request *, int *, int *, MPI_Status *)
EP_MPI_CALL(Test, test, NONE, 0, 3, MPI_Request *, int *, MPI_Status *)
EP_MPI_CALL(Testall, testall, NONE, 0, 4, int, MPI_Request *, int *, MPI_Status *)
EP_MPI_CALL(Testany, testany, NONE, 0, 5, int, MPI_Request *, int *, int *, MPI_Status *)
EP_MPI_CALL(Testsome, testsome, NONE, 0, 5, int, MPI_Request *, int *, int *, MPI_Status *)
EP_MPI_CALL(Probe, probe, NONE, 0, 4, int, int, MPI_Comm, MPI_Status *)
EP_MPI_CALL(Iprobe, iprobe, NONE, 0, 5, int, int, MPI_Comm, int *, MPI_Status *)
EP_MPI_CALL(Mprobe, mprobe, NONE, 0, 5, int, int, MPI_Comm, MPI_Message *, MPI_Status *)
EP_MPI_CALL(Improbe, improbe, NONE, 0, 6, int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *)

/* ---- collectives ---- */

#define EP_MPI_GATHER_TYPES const void *, int, MPI_Datatype, void *, int, MPI_Datatype
#define EP_MPI_GATHERV_TYPES                                                                       \
    const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype
#define EP_MPI_SCATTERV_TYPES                                                                      \
    const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype
#define EP_MPI_ALLTOALLV_TYPES                                                                     \
    const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,        \
        MPI_Datatype
#define EP_MPI_ALLTOALLW_TYPES                                                                     \
    const void *, const int *, const int *, const MPI_Datatype *, void *, const int *,             \
        const int *, const MPI_Datatype *
#define EP_MPI_NEIGHBOR_ALLTOALLW_TYPES                                                            \
    const void *, const int *, const MPI_Aint *, const MPI_Datatype *, void *, const int *,        \
        const MPI_Aint *, const MPI_Datatype *
#define EP_MPI_REDUCE_TYPES const void *, void *, int, MPI_Datatype, MPI_Op

EP_MPI_CALL(Barrier, barrier, NONE, 0, 1, MPI_Comm)
EP_MPI_CALL(Bcast, bcast, SENT(2, 3, 4), 0, 5, void *, int, MPI_Datatype, int, MPI_Comm)
EP_MPI_CALL(Gather, gather, ROOT(7, 5, 6, 8, 2, 3), 0, 8, EP_MPI_GATHER_TYPES, int, MPI_Comm)
EP_MPI_CALL(Gatherv, gatherv, NONE, 0, 9, EP_MPI_GATHERV_TYPES, int, MPI_Comm)
EP_MPI_CALL(Scatter, scatter, ROOT(7, 2, 3, 8, 5, 6), 0, 8, EP_MPI_GATHER_TYPES, int, MPI_Comm)
EP_MPI_CALL(Scatterv, scatterv, NONE, 0, 9, EP_MPI_SCATTERV_TYPES, int, MPI_Comm)
EP_MPI_CALL(Allgather, allgather, SIZE(5, 6), 0, 7, EP_MPI_GATHER_TYPES, MPI_Comm)
EP_MPI_CALL(Allgatherv, allgatherv, SIZES(5, 7, 8), 0, 8, EP_MPI_GATHERV_TYPES, MPI_Comm)
EP_MPI_CALL(Alltoall, alltoall, SIZE(5, 6), 0, 7, EP_MPI_GATHER_TYPES, MPI_Comm)
EP_MPI_CALL(Alltoallv, alltoallv, SIZES(6, 8, 9), 0, 9, EP_MPI_ALLTOALLV_TYPES, MPI_Comm)
EP_MPI_CALL(Alltoallw, alltoallw, NONE, 0, 9, EP_MPI_ALLTOALLW_TYPES, MPI_Comm)
EP_MPI_CALL(Reduce, reduce, SENT(3, 4, 6), 0, 7, EP_MPI_REDUCE_TYPES, int, MPI_Comm)
EP_MPI_CALL(Allreduce, allreduce, SIZE(3, 4), 0, 6, EP_MPI_REDUCE_TYPES, MPI_Comm)
EP_MPI_CALL(Reduce_scatter, reduce_scatter, LOCAL_SIZES(3, 4, 6), 0, 6, const void *, void *,
            const int *, MPI_Datatype, MPI_Op, MPI_Comm)
EP_MPI_CALL(Reduce_scatter_block, reduce_scatter_block, SIZE(3, 4), 0, 6, EP_MPI_REDUCE_TYPES,
            MPI_Comm)
EP_MPI_CALL(Scan, scan, SIZE(3, 4), 0, 6, EP_MPI_REDUCE_TYPES, MPI_Comm)
EP_MPI_CALL(Exscan, exscan, SIZE(3, 4), 0, 6, EP_MPI_REDUCE_TYPES, MPI_Comm)
EP_MPI_CALL(Ibarrier, ibarrier, NONE, 0, 2, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ibcast, ibcast, SENT(2, 3, 4), 0, 6, void *, int, MPI_Datatype, int, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Igather, igather, ROOT(7, 5, 6, 8, 2, 3), 0, 9, EP_MPI_GATHER_TYPES, int, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Igatherv, igatherv, NONE, 0, 10, EP_MPI_GATHERV_TYPES, int, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Iscatter, iscatter, ROOT(7, 2, 3, 8, 5, 6), 0, 9, EP_MPI_GATHER_TYPES, int, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Iscatterv, iscatterv, NONE, 0, 10, EP_MPI_SCATTERV_TYPES, int, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Iallgather, iallgather, SIZE(5, 6), 0, 8, EP_MPI_GATHER_TYPES, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Iallgatherv, iallgatherv, SIZES(5, 7, 8), 0, 9, EP_MPI_GATHERV_TYPES, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Ialltoall, ialltoall, SIZE(5, 6), 0, 8, EP_MPI_GATHER_TYPES, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ialltoallv, ialltoallv, SIZES(6, 8, 9), 0, 10, EP_MPI_ALLTOALLV_TYPES, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Ialltoallw, ialltoallw, NONE, 0, 10, EP_MPI_ALLTOALLW_TYPES, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ireduce, ireduce, SENT(3, 4, 6), 0, 8, EP_MPI_REDUCE_TYPES, int, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Iallreduce, iallreduce, SIZE(3, 4), 0, 7, EP_MPI_REDUCE_TYPES, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ireduce_scatter, ireduce_scatter, LOCAL_SIZES(3, 4, 6), 0, 7, const void *, void *,
            const int *, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ireduce_scatter_block, ireduce_scatter_block, SIZE(3, 4), 0, 7, EP_MPI_REDUCE_TYPES,
            MPI_Comm, MPI_Request *)
EP_MPI_CALL(Iscan, iscan, SIZE(3, 4), 0, 7, EP_MPI_REDUCE_TYPES, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Iexscan, iexscan, SIZE(3, 4), 0, 7, EP_MPI_REDUCE_TYPES, MPI_Comm, MPI_Request *)
EP_MPI_CALL(Neighbor_allgather, neighbor_allgather, SIZE(2, 3), 0, 7, EP_MPI_GATHER_TYPES, MPI_Comm)
EP_MPI_CALL(Neighbor_allgatherv, neighbor_allgatherv, SIZE(2, 3), 0, 8, EP_MPI_GATHERV_TYPES,
            MPI_Comm)
EP_MPI_CALL(Neighbor_alltoall, neighbor_alltoall, SIZE(2, 3), 0, 7, EP_MPI_GATHER_TYPES, MPI_Comm)
EP_MPI_CALL(Neighbor_alltoallv, neighbor_alltoallv, NONE, 0, 9, EP_MPI_ALLTOALLV_TYPES, MPI_Comm)
EP_MPI_CALL(Neighbor_alltoallw, neighbor_alltoallw, NONE, 0, 9, EP_MPI_NEIGHBOR_ALLTOALLW_TYPES,
            MPI_Comm)
EP_MPI_CALL(Ineighbor_allgather, ineighbor_allgather, SIZE(2, 3), 0, 8, EP_MPI_GATHER_TYPES,
            MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ineighbor_allgatherv, ineighbor_allgatherv, SIZE(2, 3), 0, 9, EP_MPI_GATHERV_TYPES,
            MPI_Comm, MPI_Request *)
EP_MPI_CALL(Ineighbor_alltoall, ineighbor_alltoall, SIZE(2, 3), 0, 8, EP_MPI_GATHER_TYPES, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Ineighbor_alltoallv, ineighbor_alltoallv, NONE, 0, 10, EP_MPI_ALLTOALLV_TYPES, MPI_Comm,
            MPI_Request *)
EP_MPI_CALL(Ineighbor_alltoallw, ineighbor_alltoallw, NONE, 0, 10, EP_MPI_NEIGHBOR_ALLTOALLW_TYPES,
            MPI_Comm, MPI_Request *)

/* ---- communicators: collective as well ---- */

EP_MPI_CALL(Comm_dup, comm_dup, NONE, 0, 2, MPI_Comm, MPI_Comm *)
EP_MPI_CALL(Comm_dup_with_info, comm_dup_with_info, NONE, 0, 3, MPI_Comm, MPI_Info, MPI_Comm *)
EP_MPI_CALL(Comm_idup, comm_idup, NONE, 0, 3, MPI_Comm, MPI_Comm *, MPI_Request *)
EP_MPI_CALL(Comm_create, comm_create, NONE, 0, 3, MPI_Comm, MPI_Group, MPI_Comm *)
EP_MPI_CALL(Comm_create_group, comm_create_group, NONE, 0, 4, MPI_Comm, MPI_Group, int, MPI_Comm *)
EP_MPI_CALL(Comm_split, comm_split, NONE, 0, 4, MPI_Comm, int, int, MPI_Comm *)
EP_MPI_CALL(Comm_split_type, comm_split_type, NONE, 0, 5, MPI_Comm, int, int, MPI_Info, MPI_Comm *)
EP_MPI_CALL(Comm_free, comm_free, NONE, 0, 1, MPI_Comm *)
EP_MPI_CALL(Comm_disconnect, comm_disconnect, NONE, 0, 1, MPI_Comm *)
EP_MPI_CALL(Intercomm_create, intercomm_create, NONE, 0, 6, MPI_Comm, int, MPI_Comm, int, int,
            MPI_Comm *)
EP_MPI_CALL(Intercomm_merge, intercomm_merge, NONE, 0, 3, MPI_Comm, int, MPI_Comm *)
EP_MPI_CALL(Cart_create, cart_create, NONE, 0, 6, MPI_Comm, int, const int *, const int *, int,
            MPI_Comm *)
EP_MPI_CALL(Cart_sub, cart_sub, NONE, 0, 3, MPI_Comm, const int *, MPI_Comm *)
EP_MPI_CALL(Graph_create, graph_create, NONE, 0, 6, MPI_Comm, int, const int *, const int *, int,
            MPI_Comm *)
EP_MPI_CALL(Dist_graph_create, dist_graph_create, NONE, 0, 9, MPI_Comm, int, const int *,
            const int *, const int *, const int *, MPI_Info, int, MPI_Comm *)
EP_MPI_CALL(Dist_graph_create_adjacent, dist_graph_create_adjacent, NONE, 0, 10, MPI_Comm, int,
            const int *, const int *, int, const int *, const int *, MPI_Info, int, MPI_Comm *)

/* ---- one-sided ---- */

EP_MPI_CALL(Win_create, win_create, NONE, 0, 6, void *, MPI_Aint, int, MPI_Info, MPI_Comm,
            MPI_Win *)
EP_MPI_CALL(Win_create_dynamic, win_create_dynamic, NONE, 0, 3, MPI_Info, MPI_Comm, MPI_Win *)
EP_MPI_CALL(Win_allocate, win_allocate, NONE, 0, 6, MPI_Aint, int, MPI_Info, MPI_Comm, void *,
            MPI_Win *)
EP_MPI_CALL(Win_allocate_shared, win_allocate_shared, NONE, 0, 6, MPI_Aint, int, MPI_Info, MPI_Comm,
            void *, MPI_Win *)
EP_MPI_CALL(Win_free, win_free, NONE, 0, 1, MPI_Win *)
EP_MPI_CALL(Put, put, SENT(2, 3, 4), 0, 8, const void *, EP_MPI_ORIGIN_TYPES, MPI_Win)
EP_MPI_CALL(Get, get, SENT(2, 3, 4), 0, 8, void *, EP_MPI_ORIGIN_TYPES, MPI_Win)
EP_MPI_CALL(Accumulate, accumulate, SENT(2, 3, 4), 0, 9, const void *, EP_MPI_ORIGIN_TYPES, MPI_Op,
            MPI_Win)
EP_MPI_CALL(Get_accumulate, get_accumulate, SENT(5, 6, 7), 0, 12, const void *, int, MPI_Datatype,
            void *, EP_MPI_ORIGIN_TYPES, MPI_Op, MPI_Win)
EP_MPI_CALL(Fetch_and_op, fetch_and_op, NONE, 0, 7, const void *, void *, MPI_Datatype, int,
            MPI_Aint, MPI_Op, MPI_Win)
EP_MPI_CALL(Compare_and_swap, compare_and_swap, NONE, 0, 7, const void *, const void *, void *,
            MPI_Datatype, int, MPI_Aint, MPI_Win)
EP_MPI_CALL(Rput, rput, SENT(2, 3, 4), 0, 9, const void *, EP_MPI_ORIGIN_TYPES, MPI_Win,
            MPI_Request *)
EP_MPI_CALL(Rget, rget, SENT(2, 3, 4), 0, 9, void *, EP_MPI_ORIGIN_TYPES, MPI_Win, MPI_Request *)
EP_MPI_CALL(Raccumulate, raccumulate, SENT(2, 3, 4), 0, 10, const void *, EP_MPI_ORIGIN_TYPES,
            MPI_Op, MPI_Win, MPI_Request *)
EP_MPI_CALL(Rget_accumulate, rget_accumulate, SENT(5, 6, 7), 0, 13, const void *, int, MPI_Datatype,
            void *, EP_MPI_ORIGIN_TYPES, MPI_Op, MPI_Win, MPI_Request *)
EP_MPI_CALL(Win_fence, win_fence, NONE, 0, 2, int, MPI_Win)
EP_MPI_CALL(Win_post, win_post, NONE, 0, 3, MPI_Group, int, MPI_Win)
EP_MPI_CALL(Win_start, win_start, NONE, 0, 3, MPI_Group, int, MPI_Win)
EP_MPI_CALL(Win_complete, win_complete, NONE, 0, 1, MPI_Win)
EP_MPI_CALL(Win_wait, win_wait, NONE, 0, 1, MPI_Win)
EP_MPI_CALL(Win_test, win_test, NONE, 0, 2, MPI_Win, int *)
EP_MPI_CALL(Win_lock, win_lock, NONE, 0, 4, int, int, int, MPI_Win)
EP_MPI_CALL(Win_lock_all, win_lock_all, NONE, 0, 2, int, MPI_Win)
EP_MPI_CALL(Win_unlock, win_unlock, NONE, 0, 2, int, MPI_Win)
EP_MPI_CALL(Win_unlock_all, win_unlock_all, NONE, 0, 1, MPI_Win)
EP_MPI_CALL(Win_flush, win_flush, NONE, 0, 2, int, MPI_Win)
EP_MPI_CALL(Win_flush_all, win_flush_all, NONE, 0, 1, MPI_Win)
EP_MPI_CALL(Win_flush_local, win_flush_local, NONE, 0, 2, int, MPI_Win)
EP_MPI_CALL(Win_flush_local_all, win_flush_local_all, NONE, 0, 1, MPI_Win)
EP_MPI_CALL(Win_sync, win_sync, NONE, 0, 1, MPI_Win)

/* ---- files ---- */

EP_MPI_CALL(File_open, file_open, NONE, 1, 5, MPI_Comm, const char *, int, MPI_Info, MPI_File *)
EP_MPI_CALL(File_close, file_close, NONE, 0, 1, MPI_File *)
EP_MPI_CALL(File_set_size, file_set_size, NONE, 0, 2, MPI_File, MPI_Offset)
EP_MPI_CALL(File_preallocate, file_preallocate, NONE, 0, 2, MPI_File, MPI_Offset)
EP_MPI_CALL(File_sync, file_sync, NONE, 0, 1, MPI_File)
EP_MPI_CALL(File_read, file_read, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES, MPI_Status *)
EP_MPI_CALL(File_read_all, file_read_all, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES, MPI_Status *)
EP_MPI_CALL(File_read_shared, file_read_shared, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES, MPI_Status *)
EP_MPI_CALL(File_read_ordered, file_read_ordered, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES, MPI_Status *)
EP_MPI_CALL(File_read_at, file_read_at, SIZE(4, 5), 0, 6, EP_MPI_READ_AT_TYPES, MPI_Status *)
EP_MPI_CALL(File_read_at_all, file_read_at_all, SIZE(4, 5), 0, 6, EP_MPI_READ_AT_TYPES,
            MPI_Status *)
EP_MPI_CALL(File_iread, file_iread, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES, MPI_Request *)
EP_MPI_CALL(File_iread_all, file_iread_all, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES, MPI_Request *)
EP_MPI_CALL(File_iread_shared, file_iread_shared, SIZE(3, 4), 0, 5, EP_MPI_READ_TYPES,
            MPI_Request *)
EP_MPI_CALL(File_iread_at, file_iread_at, SIZE(4, 5), 0, 6, EP_MPI_READ_AT_TYPES, MPI_Request *)
EP_MPI_CALL(File_iread_at_all, file_iread_at_all, SIZE(4, 5), 0, 6, EP_MPI_READ_AT_TYPES,
            MPI_Request *)
EP_MPI_CALL(File_read_all_begin, file_read_all_begin, SIZE(3, 4), 0, 4, EP_MPI_READ_TYPES)
EP_MPI_CALL(File_read_all_end, file_read_all_end, NONE, 0, 3, MPI_File, void *, MPI_Status *)
EP_MPI_CALL(File_read_at_all_begin, file_read_at_all_begin, SIZE(4, 5), 0, 5, EP_MPI_READ_AT_TYPES)
EP_MPI_CALL(File_read_at_all_end, file_read_at_all_end, NONE, 0, 3, MPI_File, void *, MPI_Status *)
EP_MPI_CALL(File_read_ordered_begin, file_read_ordered_begin, SIZE(3, 4), 0, 4, EP_MPI_READ_TYPES)
EP_MPI_CALL(File_read_ordered_end, file_read_ordered_end, NONE, 0, 3, MPI_File, void *,
            MPI_Status *)
EP_MPI_CALL(File_write, file_write, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES, MPI_Status *)
EP_MPI_CALL(File_write_all, file_write_all, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES, MPI_Status *)
EP_MPI_CALL(File_write_shared, file_write_shared, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES,
            MPI_Status *)
EP_MPI_CALL(File_write_ordered, file_write_ordered, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES,
            MPI_Status *)
EP_MPI_CALL(File_write_at, file_write_at, SIZE(4, 5), 0, 6, EP_MPI_WRITE_AT_TYPES, MPI_Status *)
EP_MPI_CALL(File_write_at_all, file_write_at_all, SIZE(4, 5), 0, 6, EP_MPI_WRITE_AT_TYPES,
            MPI_Status *)
EP_MPI_CALL(File_iwrite, file_iwrite, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES, MPI_Request *)
EP_MPI_CALL(File_iwrite_all, file_iwrite_all, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES, MPI_Request *)
EP_MPI_CALL(File_iwrite_shared, file_iwrite_shared, SIZE(3, 4), 0, 5, EP_MPI_WRITE_TYPES,
            MPI_Request *)
EP_MPI_CALL(File_iwrite_at, file_iwrite_at, SIZE(4, 5), 0, 6, EP_MPI_WRITE_AT_TYPES, MPI_Request *)
EP_MPI_CALL(File_iwrite_at_all, file_iwrite_at_all, SIZE(4, 5), 0, 6, EP_MPI_WRITE_AT_TYPES,
            MPI_Request *)
EP_MPI_CALL(File_write_all_begin, file_write_all_begin, SIZE(3, 4), 0, 4, EP_MPI_WRITE_TYPES)
EP_MPI_CALL(File_write_all_end, file_write_all_end, NONE, 0, 3, MPI_File, const void *,
            MPI_Status *)
EP_MPI_CALL(File_write_at_all_begin, file_write_at_all_begin, SIZE(4, 5), 0, 5,
            EP_MPI_WRITE_AT_TYPES)
EP_MPI_CALL(File_write_at_all_end, file_write_at_all_end, NONE, 0, 3, MPI_File, const void *,
            MPI_Status *)
EP_MPI_CALL(File_write_ordered_begin, file_write_ordered_begin, SIZE(3, 4), 0, 4,
            EP_MPI_WRITE_TYPES)
EP_MPI_CALL(File_write_ordered_end, file_write_ordered_end, NONE, 0, 3, MPI_File, const void *,
            MPI_Status *)
