/*
 * mpi/life.c - the beginning and the end of MPI in a process: the image becomes that of a rank, and
 * at MPI_Finalize the images of all ranks become one
 */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "eprof/job.h"
#include "merge/binomial.h"
#include "mpi/call.h"

/* ---- messages ---- */

/* The communicator has the ranks of MPI_COMM_WORLD, and its messages do not mix with those of the
 * program. */
static int send(void *context, uint32_t to, const void *bytes, size_t count)
{
    const MPI_Comm *comm = context;
    int result = PMPI_Send(bytes, (int)count, MPI_BYTE, (int)to, 0, *comm);
    return result == MPI_SUCCESS ? 0 : -1;
}

static int receive(void *context, uint32_t from, void *bytes, size_t count)
{
    const MPI_Comm *comm = context;
    int result = PMPI_Recv(bytes, (int)count, MPI_BYTE, (int)from, 0, *comm, MPI_STATUS_IGNORE);
    return result == MPI_SUCCESS ? 0 : -1;
}

/* ---- the end ---- */

static int begin_tree(void *tree, const void *cells, size_t bytes)
{
    ep_merge_binomial_begin(tree, cells, bytes / EP_CELL_BYTES);
    return 0;
}

static void complain_of_lost(const struct ep_merge_binomial *tree)
{
    char line[96];
    if (tree->is_without_outcome)
        eprof_job_complain("a message from rank 0 is lost: this rank writes its own profile, which "
                           "may be in that of the job, too");
    else if (tree->has_lost_all)
        eprof_job_complain("no memory for the profile of the whole job: each rank writes its own");
    else if (tree->is_broken)
        eprof_job_complain(
            "messages between the ranks failed: no profile of the whole job, but one "
            "of each rank");
    if (tree->is_broken || tree->lost == 0)
        return;
    snprintf(line, sizeof line, "the profile lacks %llu of the ranks: no memory for their images",
             (unsigned long long)tree->lost);
    eprof_job_complain(line);
}

static void merge(const struct ep_merge_post *post)
{
    struct ep_merge_binomial tree = {.post = post};
    struct ep_image sum;
    int result = eprof_job_image(begin_tree, &tree);
    if (!tree.has_begun) {
        bool is_off = result != 0 && errno == ECANCELED;
        ep_merge_binomial_begin(&tree, NULL, 0);
        if (!is_off)
            ep_merge_binomial_lose(&tree);
    }
    bool has_sum = ep_merge_binomial_finish(&tree, &sum);
    if (post->process == 0 || tree.is_without_outcome)
        complain_of_lost(&tree);
    if (has_sum) {
        eprof_job_end(sum.cells, (size_t)ep_image_root(&sum)->cells_used * sizeof *sum.cells);
        ep_image_destroy(&sum);
    } else if (tree.is_broken) {
        eprof_job_fail();
    } else {
        eprof_job_end(NULL, 0);
    }
}

/* The ranks of MPI_COMM_WORLD in the same order. PMPI_Comm_dup would copy the attributes of the
 * program by its own functions. Returns an error code of MPI; failed: the call that failed. */
static int open_post(struct ep_merge_post *post, MPI_Comm *comm, const char **failed)
{
    int rank, ranks, error;
    *failed = "MPI_Comm_split";
    error = PMPI_Comm_split(MPI_COMM_WORLD, 0, 0, comm);
    if (error == MPI_SUCCESS) {
        *failed = "MPI_Comm_set_errhandler";
        error = PMPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    }
    if (error == MPI_SUCCESS) {
        *failed = "MPI_Comm_rank";
        error = PMPI_Comm_rank(*comm, &rank);
    }
    if (error == MPI_SUCCESS) {
        *failed = "MPI_Comm_size";
        error = PMPI_Comm_size(*comm, &ranks);
    }
    if (error == MPI_SUCCESS) {
        post->process = (uint32_t)rank;
        post->processes = (uint32_t)ranks;
    }
    return error;
}

static void complain_of_call(const char *name, int error, const char *outcome)
{
    char why[MPI_MAX_ERROR_STRING] = "", line[MPI_MAX_ERROR_STRING + 192];
    int bytes;
    PMPI_Error_string(error, why, &bytes);
    snprintf(line, sizeof line, "%s failed (%s): %s", name, why, outcome);
    eprof_job_complain(line);
}

/* Whether all ranks are ready. The first one that is not reports it. */
static bool are_all_ready(const char *failed, int error)
{
    static const char outcome[] = "no profile of the whole job, but one of each rank";
    int rank = 0, first = INT_MAX;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int own = error == MPI_SUCCESS ? INT_MAX : rank;
    int result = PMPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (result != MPI_SUCCESS)
        complain_of_call("MPI_Allreduce", result, outcome);
    else if (own == first && own != INT_MAX)
        complain_of_call(failed, error, outcome);
    return result == MPI_SUCCESS && first == INT_MAX;
}

/* Collective over all ranks. */
static void merge_ranks(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    const char *failed;
    struct ep_merge_post post = {.send = send, .receive = receive, .context = &comm};
    int error = open_post(&post, &comm, &failed);
    if (are_all_ready(failed, error))
        merge(&post);
    else
        eprof_job_fail();
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_free(&comm);
}

/* An error in a call of this library must not end the job, which it does by default. */
static void merge_ranks_without_abort(void)
{
    MPI_Errhandler handler;
    bool is_known = PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) == MPI_SUCCESS;
    if (is_known)
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    merge_ranks();
    if (!is_known)
        return;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    PMPI_Errhandler_free(&handler);
}

static atomic_bool has_begun, has_ended;

static void end(void)
{
    int is_initialized = 0, is_finalized = 0;
    PMPI_Initialized(&is_initialized);
    PMPI_Finalized(&is_finalized);
    if (!is_initialized || is_finalized || !has_begun || atomic_exchange(&has_ended, true))
        return;
    ep_mpi_call_record(false);
    merge_ranks_without_abort();
}

/* ---- the beginning ---- */

/* Twice where the entry point for Fortran calls the one for C. */
static void begin(void)
{
    int rank, is_initialized = 0;
    PMPI_Initialized(&is_initialized);
    if (!is_initialized || atomic_exchange(&has_begun, true))
        return;
    int error = PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int flags = eprof_job_begin(error == MPI_SUCCESS ? (uint32_t)rank : EPROF_JOB_NO_RANK);
    if (error != MPI_SUCCESS)
        complain_of_call("MPI_Comm_rank", error, "the profile does not state this process's rank");
    ep_mpi_call_record(flags > 0 && flags & EPROF_JOB_CALLS);
}

/* ---- entry points for C ---- */

int MPI_Init(int *argc, char ***argv)
{
    static struct ep_mpi_call call = {"MPI_Init", "MPI_Init", "PMPI_Init", NULL, NULL};
    int result = ((int (*)(int *, char ***))EP_MPI_NEXT(&call))(argc, argv);
    begin();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    static struct ep_mpi_call call = {"MPI_Init_thread", "MPI_Init_thread", "PMPI_Init_thread",
                                      NULL, NULL};
    int result =
        ((int (*)(int *, char ***, int, int *))EP_MPI_NEXT(&call))(argc, argv, required, provided);
    begin();
    return result;
}

int MPI_Finalize(void)
{
    static struct ep_mpi_call call = {"MPI_Finalize", "MPI_Finalize", "PMPI_Finalize", NULL, NULL};
    end();
    return ((int (*)(void))EP_MPI_NEXT(&call))();
}

/* ---- entry points for Fortran ---- */

#define ENTRY_OF_INIT(symbol)                                                                      \
    void symbol(MPI_Fint *error);                                                                  \
    void symbol(MPI_Fint *error)                                                                   \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_Init", #symbol, "p" #symbol, NULL, NULL};           \
        ((void (*)(MPI_Fint *))EP_MPI_NEXT(&call))(error);                                         \
        begin();                                                                                   \
    }

#define ENTRY_OF_INIT_THREAD(symbol)                                                               \
    void symbol(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);                          \
    void symbol(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)                           \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_Init_thread", #symbol, "p" #symbol, NULL, NULL};    \
        ((void (*)(MPI_Fint *, MPI_Fint *, MPI_Fint *))EP_MPI_NEXT(&call))(required, provided,     \
                                                                           error);                 \
        begin();                                                                                   \
    }

#define ENTRY_OF_FINALIZE(symbol)                                                                  \
    void symbol(MPI_Fint *error);                                                                  \
    void symbol(MPI_Fint *error)                                                                   \
    {                                                                                              \
        static struct ep_mpi_call call = {"MPI_Finalize", #symbol, "p" #symbol, NULL, NULL};       \
        end();                                                                                     \
        ((void (*)(MPI_Fint *))EP_MPI_NEXT(&call))(error);                                         \
    }

ENTRY_OF_INIT(mpi_init_)
ENTRY_OF_INIT(mpi_init_f08_)
ENTRY_OF_INIT_THREAD(mpi_init_thread_)
ENTRY_OF_INIT_THREAD(mpi_init_thread_f08_)
ENTRY_OF_FINALIZE(mpi_finalize_)
ENTRY_OF_FINALIZE(mpi_finalize_f08_)
