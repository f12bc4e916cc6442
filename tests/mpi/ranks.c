/*
 * ranks.c CASE - a program with MPI and scopes
 *
 * Rank r calls "work" r + 1 times, each for 1,000 ns by a clock that is moved by hand.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "hand_clock.h"

static int rank, ranks;

static void work(void)
{
    EPROF_SCOPE("work");
    hand_ticks += 1000;
}

static void finalize(void)
{
    MPI_Finalize();
}

/* ---- threads, each with its own messages in one of two communicators ---- */

enum { THREADS = 4, ROUNDS = 50 };
static MPI_Comm comms[2];

static void *exchange(void *number)
{
    int n = *(int *)number, sent = n, received;
    MPI_Comm comm = comms[n % 2];
    for (int round = 0; round < ROUNDS; round++)
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % ranks, n, &received, 1, MPI_INT,
                     (rank + ranks - 1) % ranks, n, comm, MPI_STATUS_IGNORE);
    return NULL;
}

static void use_threads(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[1]);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
}

static bool is_case(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int provided = MPI_THREAD_SINGLE, is_finalized = 0;
    if (is_case(name, "at-exit"))
        atexit(
            finalize); /* before the first use of libeprof: it runs after the library's handler */
    if (is_case(name, "threads"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!is_case(name, "silent") || rank != 1)
        hand_clock_use();
    if (is_case(name, "threads") && provided == MPI_THREAD_MULTIPLE)
        use_threads();
    for (int i = 0; i <= rank && (!is_case(name, "silent") || rank != 1); i++)
        work();
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_case(name, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (is_case(name, "kill") && rank == 1)
        kill(getpid(), SIGKILL);
    if (is_case(name, "abort") || is_case(name, "kill"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (!is_case(name, "at-exit"))
        MPI_Finalize();
    if (is_case(name, "late")) {
        MPI_Finalized(&is_finalized);
        work();
        if (!is_finalized)
            abort();
    }
    return 0;
}
