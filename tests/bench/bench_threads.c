#include "bench_threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

enum { THREADS = 2 };

struct worker {
    pthread_t thread;
    int processor;
    double ours_ns[BENCH_ROUNDS_MAX], raw_ns[BENCH_ROUNDS_MAX];
};

static struct worker workers[THREADS];
static struct bench_loops the_loops;
static uint64_t ours_pairs, raw_pairs;
static unsigned the_rounds;
static unsigned arrived; /* number of arrivals at the barrier since the begin */

/* The threads spin, so that there is no wake-up between the begin of one thread and that of the
 * other. */
static void meet(unsigned *meetings)
{
    ++*meetings;
    __atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < *meetings * THREADS)
        ;
}

static double slice_together(bench_loop *loop, uint64_t pairs, unsigned *meetings)
{
    meet(meetings);
    return bench_slice_ns(loop, pairs);
}

static bool bind_to(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    unsigned meetings = 0;
    bool is_bound = bind_to(worker->processor);
    bench_slice_pairs(the_loops.ours);
    bench_slice_pairs(the_loops.raw);
    for (unsigned i = 0; i < the_rounds; i++) {
        bool raw_first = i % 2;
        if (raw_first)
            worker->raw_ns[i] = slice_together(the_loops.raw, raw_pairs, &meetings);
        worker->ours_ns[i] = slice_together(the_loops.ours, ours_pairs, &meetings);
        if (!raw_first)
            worker->raw_ns[i] = slice_together(the_loops.raw, raw_pairs, &meetings);
    }
    return is_bound ? worker : NULL;
}

/* The first two processors that this process may run on. */
static bool choose_processors(void)
{
    cpu_set_t set;
    int found = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return false;
    for (int processor = 0; processor < CPU_SETSIZE && found < THREADS; processor++)
        if (CPU_ISSET(processor, &set))
            workers[found++].processor = processor;
    return found == THREADS;
}

static int run_workers(void)
{
    bool all_bound = true;
    arrived = 0;
    for (int i = 0; i < THREADS; i++) {
        int error = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
        if (error) {
            errno = error;
            return -1;
        }
    }
    for (int i = 0; i < THREADS; i++) {
        void *bound;
        pthread_join(workers[i].thread, &bound);
        all_bound = all_bound && bound;
    }
    errno = ENOTSUP;
    return all_bound ? 0 : -1;
}

int bench_compare_on_two(struct bench_loops loops, unsigned rounds, struct bench_result *result)
{
    static double ours_ns[BENCH_ROUNDS_MAX], raw_ns[BENCH_ROUNDS_MAX], ratios[BENCH_ROUNDS_MAX];
    if (!choose_processors()) {
        errno = ENOTSUP;
        return -1;
    }
    the_loops = loops;
    the_rounds = rounds;
    ours_pairs = bench_slice_pairs(loops.ours);
    raw_pairs = bench_slice_pairs(loops.raw);
    if (run_workers() != 0)
        return -1;
    for (unsigned i = 0; i < rounds; i++) {
        ours_ns[i] = (workers[0].ours_ns[i] + workers[1].ours_ns[i]) / THREADS;
        raw_ns[i] = (workers[0].raw_ns[i] + workers[1].raw_ns[i]) / THREADS;
        ratios[i] = ours_ns[i] / raw_ns[i];
    }
    *result = bench_summarise(ours_ns, raw_ns, ratios, rounds);
    return 0;
}
