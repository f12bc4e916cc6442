#include "mpi/bytes.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "eprof.h"
#include "mpi/call.h"

/* ---- arguments ---- */

/* The type may be none where there are no elements. */
int64_t ep_mpi_bytes_of(int64_t count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (count <= 0)
        return count < 0 ? -1 : 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
        size = 0;
    return count * (int64_t)size;
}

static int64_t count_at(struct ep_mpi_counts counts, int64_t i)
{
    return counts.size == sizeof(int) ? ((const int *)counts.at)[i]
                                      : (int64_t)((const MPI_Count *)counts.at)[i];
}

static int64_t add(struct ep_mpi_counts counts, int64_t processes)
{
    int64_t sum = 0;
    for (int64_t i = 0; counts.at && i < processes; i++)
        sum += count_at(counts, i);
    return sum;
}

static MPI_Datatype type_at(struct ep_mpi_types types, int64_t i)
{
    return types.is_fortran ? PMPI_Type_f2c(((const MPI_Fint *)types.at)[i])
                            : ((const MPI_Datatype *)types.at)[i];
}

static int64_t add_of_types(struct ep_mpi_counts counts, struct ep_mpi_types types,
                            int64_t processes)
{
    int64_t sum = 0;
    for (int64_t i = 0; counts.at && types.at && i < processes; i++)
        sum += count_at(counts, i) ? ep_mpi_bytes_of(count_at(counts, i), type_at(types, i)) : 0;
    return sum;
}

/* OpenMPI and the module mpi_f08 of MPICH compare with the address of a variable, the other
 * interfaces of MPICH with the value of one. MPI itself knows one variable of each name, so it does
 * not matter which caller is the first. */
static struct {
    pthread_mutex_t lock;
    bool is_known;
    const void *variable, *variable_f08; /* NULL: this MPI has none */
    void *const *value;
} in_place = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void find_in_place(const void *caller)
{
    pthread_mutex_lock(&in_place.lock);
    if (!in_place.is_known) {
        in_place.variable = ep_mpi_call_find("mpi_fortran_in_place_", caller);
        in_place.variable_f08 = ep_mpi_call_find("MPIR_F08_MPI_IN_PLACE", caller);
        in_place.value = ep_mpi_call_find("MPIR_F_MPI_IN_PLACE", caller);
        in_place.is_known = true;
    }
    pthread_mutex_unlock(&in_place.lock);
}

/* A buffer that is not allocated has the address 0. */
bool ep_mpi_bytes_is_in_place_of_fortran(const void *argument, const void *caller)
{
    find_in_place(caller);
    return argument && (argument == in_place.variable || argument == in_place.variable_f08 ||
                        (in_place.value && argument == *in_place.value));
}

/* ---- processes ---- */

static bool is_between_groups(MPI_Comm comm)
{
    int is_between = 0;
    PMPI_Comm_test_inter(comm, &is_between);
    return is_between;
}

static int own_processes(MPI_Comm comm)
{
    int processes = 0;
    PMPI_Comm_size(comm, &processes);
    return processes;
}

/* Those that data is sent to: all, or the other group. */
static int other_processes(MPI_Comm comm)
{
    int processes = 0;
    if (!is_between_groups(comm))
        return own_processes(comm);
    PMPI_Comm_remote_size(comm, &processes);
    return processes;
}

static int rank_in(MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* Between two groups, MPI_ROOT marks the root, and MPI_PROC_NULL those who have no part. */
bool ep_mpi_bytes_is_root(int root, MPI_Comm comm)
{
    return is_between_groups(comm) ? root == MPI_ROOT : rank_in(comm) == root;
}

static int destinations(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED, in = 0, out = 0, has_weights = 0;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &out);
        out *= 2;
    } else if (kind == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank_in(comm), &out);
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &has_weights);
    }
    return out;
}

/* ---- collectives with a root ---- */

/* The root of one group may use MPI_IN_PLACE; that of two groups sends nothing. */
int64_t ep_mpi_bytes_gather(int64_t count, MPI_Datatype type, int64_t received,
                            MPI_Datatype received_type, int root, MPI_Comm comm)
{
    if (root < 0)
        return -1;
    bool is_root = ep_mpi_bytes_is_root(root, comm);
    return is_root ? ep_mpi_bytes_of(received, received_type) : ep_mpi_bytes_of(count, type);
}

int64_t ep_mpi_bytes_gatherv(int64_t count, MPI_Datatype type, struct ep_mpi_counts received,
                             MPI_Datatype received_type, int root, MPI_Comm comm)
{
    bool is_root = root >= 0 && ep_mpi_bytes_is_root(root, comm);
    return ep_mpi_bytes_gather(count, type, is_root ? count_at(received, root) : 0, received_type,
                               root, comm);
}

int64_t ep_mpi_bytes_scatter(int64_t count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (!ep_mpi_bytes_is_root(root, comm))
        return -1;
    return ep_mpi_bytes_of(count * other_processes(comm), type);
}

int64_t ep_mpi_bytes_scatterv(struct ep_mpi_counts counts, MPI_Datatype type, int root,
                              MPI_Comm comm)
{
    if (!ep_mpi_bytes_is_root(root, comm))
        return -1;
    return ep_mpi_bytes_of(add(counts, other_processes(comm)), type);
}

/* ---- collectives without a root: MPI_IN_PLACE is possible in one group only ---- */

int64_t ep_mpi_bytes_allgather(int64_t count, MPI_Datatype type, int64_t received,
                               MPI_Datatype received_type, MPI_Comm comm)
{
    return is_between_groups(comm) ? ep_mpi_bytes_of(count, type)
                                   : ep_mpi_bytes_of(received, received_type);
}

int64_t ep_mpi_bytes_allgatherv(int64_t count, MPI_Datatype type, struct ep_mpi_counts received,
                                MPI_Datatype received_type, MPI_Comm comm)
{
    return is_between_groups(comm)
               ? ep_mpi_bytes_of(count, type)
               : ep_mpi_bytes_of(count_at(received, rank_in(comm)), received_type);
}

int64_t ep_mpi_bytes_alltoall(int64_t count, MPI_Datatype type, int64_t received,
                              MPI_Datatype received_type, MPI_Comm comm)
{
    int64_t processes = other_processes(comm);
    return is_between_groups(comm) ? ep_mpi_bytes_of(count * processes, type)
                                   : ep_mpi_bytes_of(received * processes, received_type);
}

int64_t ep_mpi_bytes_alltoallv(bool is_in_place, struct ep_mpi_counts counts, MPI_Datatype type,
                               struct ep_mpi_counts received, MPI_Datatype received_type,
                               MPI_Comm comm)
{
    return ep_mpi_bytes_of(add(is_in_place ? received : counts, other_processes(comm)),
                           is_in_place ? received_type : type);
}

int64_t ep_mpi_bytes_alltoallw(bool is_in_place, struct ep_mpi_counts counts,
                               struct ep_mpi_types types, struct ep_mpi_counts received,
                               struct ep_mpi_types received_types, MPI_Comm comm)
{
    return add_of_types(is_in_place ? received : counts, is_in_place ? received_types : types,
                        other_processes(comm));
}

int64_t ep_mpi_bytes_blocks(int64_t count, MPI_Datatype type, MPI_Comm comm)
{
    return ep_mpi_bytes_of(count * own_processes(comm), type);
}

int64_t ep_mpi_bytes_blocksv(struct ep_mpi_counts counts, MPI_Datatype type, MPI_Comm comm)
{
    return ep_mpi_bytes_of(add(counts, own_processes(comm)), type);
}

/* ---- neighbours ---- */

int64_t ep_mpi_bytes_neighbors(int64_t count, MPI_Datatype type, MPI_Comm comm)
{
    return ep_mpi_bytes_of(count * destinations(comm), type);
}

int64_t ep_mpi_bytes_neighborsv(struct ep_mpi_counts counts, MPI_Datatype type, MPI_Comm comm)
{
    return ep_mpi_bytes_of(add(counts, destinations(comm)), type);
}

int64_t ep_mpi_bytes_neighborsw(struct ep_mpi_counts counts, struct ep_mpi_types types,
                                MPI_Comm comm)
{
    return add_of_types(counts, types, destinations(comm));
}

/* ---- persistent requests ---- */

/* By their handles. A handle that was freed and is used again is noted again, since each call that
 * makes a persistent request is wrapped; so none has to be forgotten. */
static struct {
    pthread_mutex_t mutex;
    struct ep_map numbers;
    int64_t *bytes;
    size_t count, room;
} noted = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static uint64_t key_of(MPI_Request request)
{
    return (uint64_t)(uintptr_t)request;
}

void ep_mpi_bytes_note(MPI_Request request, int64_t bytes)
{
    pthread_mutex_lock(&noted.mutex);
    uint32_t number = ep_hash_map_find(&noted.numbers, key_of(request));
    int64_t *grown;
    if (number != EP_MAP_NONE) {
        noted.bytes[number] = bytes;
    } else if ((grown = ep_memory_room(noted.bytes, noted.count, &noted.room, sizeof *grown))) {
        noted.bytes = grown;
        /* without memory its bytes are missing */
        if (ep_hash_map_reserve(&noted.numbers, noted.count + 1) == 0) {
            noted.bytes[noted.count] = bytes;
            ep_hash_map_add(&noted.numbers, key_of(request), (uint32_t)noted.count++);
        }
    }
    pthread_mutex_unlock(&noted.mutex);
}

static MPI_Request request_at(struct ep_mpi_requests requests, int64_t i)
{
    return requests.is_fortran ? PMPI_Request_f2c(((const MPI_Fint *)requests.at)[i])
                               : ((const MPI_Request *)requests.at)[i];
}

static int64_t bytes_noted(uint64_t key)
{
    pthread_mutex_lock(&noted.mutex);
    uint32_t number = ep_hash_map_find(&noted.numbers, key);
    int64_t bytes = number != EP_MAP_NONE ? noted.bytes[number] : -1;
    pthread_mutex_unlock(&noted.mutex);
    return bytes;
}

void ep_mpi_bytes_start(struct ep_mpi_start *start, int64_t count, struct ep_mpi_requests requests)
{
    start->bytes = -1;
    if (!requests.at || count <= 0)
        return;
    /* without memory, a request that is replaced has no bytes from then on */
    start->each = count == 1 ? &start->one : malloc((size_t)count * sizeof *start->each);
    for (int64_t i = 0; i < count; i++) {
        uint64_t key = key_of(request_at(requests, i));
        int64_t bytes = bytes_noted(key);
        if (start->each)
            start->each[i] = (struct ep_mpi_start_request){key, bytes};
        if (bytes >= 0)
            start->bytes = (start->bytes < 0 ? 0 : start->bytes) + bytes;
    }
}

void ep_mpi_bytes_started(const struct ep_mpi_start *start, int64_t count,
                          struct ep_mpi_requests requests)
{
    for (int64_t i = 0; start->each && i < count; i++) {
        MPI_Request request = request_at(requests, i);
        if (key_of(request) != start->each[i].key)
            ep_mpi_bytes_note(request, start->each[i].bytes);
    }
    ep_mpi_bytes_record(start->bytes);
}

void ep_mpi_bytes_start_end(struct ep_mpi_start *start)
{
    if (start->each != &start->one)
        free(start->each);
}

/* ---- recording ---- */

/* Like the call, it has no location: that would be one in this library. */
void ep_mpi_bytes_record(int64_t bytes)
{
    static struct eprof_site site = {.file = "", .label = "bytes", .offset = EPROF_NO_OFFSET};
    if (bytes >= 0)
        eprof_value_add(&site, bytes, true, EPROF_CALLER_FRAME);
}
