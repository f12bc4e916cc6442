/*
 * honesty_waiting scopes|instances
 *
 * Regions sleep, wait for a lock, or compute, for known times of 100 us and more. The program
 * checks whether the reported cpu_ns and wait_ns differ by less than 3 % of the total from what it
 * measures itself with CLOCK_MONOTONIC and CLOCK_THREAD_CPUTIME_ID inside the regions. Each is
 * measured in several rounds, of which the one in the middle counts: another program may take the
 * processor between two readings. The program ends with 1 if an error is larger.
 */
#include <eprof.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5, MOST_PERCENT = 3 };

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- what regions do for a time ---- */

static void compute(uint64_t ns)
{
    uint64_t begin_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns < ns)
        ;
}

static void wait_a_while(uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    nanosleep(&time, NULL);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t asked, taken;
static uint64_t hold_ns; /* 0: the thread ends */

static void *hold_lock(void *unused)
{
    (void)unused;
    for (;;) {
        sem_wait(&asked);
        if (!hold_ns)
            return NULL;
        pthread_mutex_lock(&lock);
        sem_post(&taken);
        wait_a_while(hold_ns);
        pthread_mutex_unlock(&lock);
    }
}

static void ask_for_lock(uint64_t ns)
{
    hold_ns = ns;
    sem_post(&asked);
    sem_wait(&taken);
}

static void wait_for_lock(uint64_t ns)
{
    (void)ns;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void do_both(uint64_t ns)
{
    compute(ns / 2);
    wait_a_while(ns / 2);
}

static void do_nothing(uint64_t ns)
{
    (void)ns;
}

static const struct part {
    const char *name;
    void (*before)(uint64_t ns); /* the region */
    void (*inside)(uint64_t ns);
} parts[] = {{"sleep", do_nothing, wait_a_while},
             {"lock", ask_for_lock, wait_for_lock},
             {"compute", do_nothing, compute},
             {"both", do_nothing, do_both}};

static const struct size {
    const char *name;
    uint64_t ns;
    unsigned calls;
} sizes[] = {{"100 us", 100000, 100}, {"1 ms", 1000000, 40}, {"10 ms", 10000000, 10}};

/* ---- measured twice ---- */

struct times {
    uint64_t cpu_ns, wait_ns;
};

static bool uses_instances;

/* All calls of a part; returns the truth. */
static struct times call_all(const struct part *part, const struct size *size)
{
    uint64_t total_ns = 0, cpu_ns = 0;
    int id = uses_instances ? eprof_alloc("region") : 0;
    for (unsigned i = 0; i < size->calls; i++) {
        part->before(size->ns);
        if (uses_instances)
            eprof_start(id);
        else
            eprof_enter("region");
        uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
        uint64_t begin_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        part->inside(size->ns);
        cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns;
        total_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
        if (uses_instances)
            eprof_stop(id);
        else
            eprof_leave();
    }
    return (struct times){cpu_ns, total_ns > cpu_ns ? total_ns - cpu_ns : 0};
}

static struct times reported(void)
{
    struct times times = {EPROF_UNKNOWN, EPROF_UNKNOWN};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.name, "region") == 0)
            times = (struct times){row.cpu_ns, row.wait_ns};
    }
    eprof_snapshot_free(snapshot);
    return times;
}

static double error_percent(uint64_t is_ns, uint64_t should_ns, struct times truth)
{
    double apart_ns = is_ns == EPROF_UNKNOWN ? 1e18 : (double)is_ns - (double)should_ns;
    return (apart_ns < 0 ? -apart_ns : apart_ns) / (double)(truth.cpu_ns + truth.wait_ns) * 100;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool judge(const struct part *part, const struct size *size)
{
    double errors[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        eprof_init();
        struct times truth = call_all(part, size), is = reported();
        double cpu = error_percent(is.cpu_ns, truth.cpu_ns, truth);
        double waited = error_percent(is.wait_ns, truth.wait_ns, truth);
        errors[round] = cpu > waited ? cpu : waited;
        printf("%-8s %-7s cpu %9" PRIu64 " ns, truth %9" PRIu64 "; wait %9" PRIu64
               " ns, truth %9" PRIu64 ": %.2f %%\n",
               part->name, size->name, is.cpu_ns, truth.cpu_ns, is.wait_ns, truth.wait_ns,
               errors[round]);
    }
    qsort(errors, ROUNDS, sizeof errors[0], compare);
    bool is_honest = errors[ROUNDS / 2] <= MOST_PERCENT;
    if (!is_honest)
        printf("%s of %s: off by %.2f %%\n", part->name, size->name, errors[ROUNDS / 2]);
    return is_honest;
}

int main(int count, char **words)
{
    pthread_t holder;
    bool is_honest = true;
    uses_instances = count == 2 && strcmp(words[1], "instances") == 0;
    if (count != 2 || (!uses_instances && strcmp(words[1], "scopes") != 0)) {
        fprintf(stderr, "usage: %s scopes|instances\n", words[0]);
        return 2;
    }
    if (eprof_setup("cpu") != 0)
        return 1;
    sem_init(&asked, 0, 0);
    sem_init(&taken, 0, 0);
    if (pthread_create(&holder, NULL, hold_lock, NULL) != 0)
        return 1;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
            is_honest &= judge(&parts[i], &sizes[n]);
    hold_ns = 0;
    sem_post(&asked);
    pthread_join(holder, NULL);
    eprof_print();
    return is_honest ? 0 : 1;
}
