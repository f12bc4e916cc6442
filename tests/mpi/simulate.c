/*
 * simulate.c PATHS RANKS - merges the images of simulated ranks along the tree of libeprof-mpi
 * simulate.c check - tests that the sum is that of one merge of all images, to the last byte
 *
 * The ranks run one after the other, from the last to the first: a rank receives from higher ranks
 * only. Each records the call paths anew and merges by the code of libeprof-mpi; messages stay in
 * memory. The outcome, which rank 0 sends back, is left out. The first form prints the time that
 * the job would need, which is the longest chain of ranks that wait for each other, without the
 * time of messages and of the recording.
 */
#include <eprof.h>
#include <eprof/job.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "hand_clock.h"
#include "merge/binomial.h"

/* ---- messages ---- */

struct letter {
    unsigned char *bytes;
    size_t count, room, taken;
    double sent_s; /* when its rank was done */
};

struct rank {
    struct ep_merge_post post;
    struct ep_merge_clock clock; /* of the whole job */
    bool is_exchanging_clocks;   /* which is left out: ranks would have to run at once */
    struct letter *letters;      /* of all ranks */
    double now_s;                /* the rank's own time, */
    double started_s;            /* since the process last worked for it */
    uint64_t received_bytes;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int faults;

static void *need(void *memory)
{
    if (memory)
        return memory;
    perror("simulate");
    exit(1);
}

static int send(void *context, uint32_t to, const void *bytes, size_t count)
{
    struct rank *rank = context;
    struct letter *letter = &rank->letters[rank->post.process];
    if (rank->is_exchanging_clocks || to > rank->post.process)
        return 0;
    if (letter->count + count > letter->room) {
        letter->room = 2 * (letter->count + count);
        letter->bytes = need(realloc(letter->bytes, letter->room));
    }
    memcpy(letter->bytes + letter->count, bytes, count);
    letter->count += count;
    return 0;
}

/* The time of a rank goes on when the message is there. */
static void wait_for(struct rank *rank, const struct letter *letter)
{
    rank->now_s += seconds() - rank->started_s;
    if (letter->sent_s > rank->now_s)
        rank->now_s = letter->sent_s;
    rank->started_s = seconds();
}

static int receive(void *context, uint32_t from, void *bytes, size_t count)
{
    struct rank *rank = context;
    struct letter *letter = &rank->letters[from];
    if (rank->is_exchanging_clocks) {
        memcpy(bytes, &rank->clock, count);
        return 0;
    }
    if (from < rank->post.process) {
        memcpy(bytes, &(uint64_t){1}, count); /* there is a sum */
        return 0;
    }
    if (letter->taken == 0)
        wait_for(rank, letter);
    if (letter->count - letter->taken < count)
        return -1;
    memcpy(bytes, letter->bytes + letter->taken, count);
    letter->taken += count;
    rank->received_bytes += count;
    if (letter->taken == letter->count) {
        free(letter->bytes);
        letter->bytes = NULL;
    }
    return 0;
}

/* ---- ranks ---- */

/* Three levels of scopes, and bytes; each rank makes a different number of calls. */
static void record(uint32_t rank, int paths)
{
    char label[32];
    eprof_reset();
    for (int i = 0; i < paths; i++) {
        snprintf(label, sizeof label, "step %d", i / 10);
        eprof_enter(label);
        hand_ticks += 100 + rank % 7;
        snprintf(label, sizeof label, "part %d", i);
        for (uint32_t call = 0; call <= (rank + (uint32_t)i) % 5; call++) {
            eprof_enter(label);
            hand_ticks += 10 * call + rank;
            EPROF_BYTES("bytes", rank);
            eprof_leave();
        }
        eprof_leave();
    }
    eprof_job_begin(rank);
}

struct begin {
    struct rank *rank;
    struct ep_merge_binomial tree;
};

static int begin_tree(void *context, const void *cells, size_t bytes)
{
    struct begin *begin = context;
    begin->rank->is_exchanging_clocks = true;
    begin->rank->started_s = seconds();
    ep_merge_binomial_begin(&begin->tree, cells, bytes / EP_CELL_BYTES);
    begin->rank->is_exchanging_clocks = false;
    return 0;
}

/* Returns whether *sum is the sum. */
static bool run(struct rank *rank, int paths, struct ep_image *sum)
{
    struct begin begin = {.rank = rank, .tree.post = &rank->post};
    record(rank->post.process, paths);
    if (eprof_job_image(begin_tree, &begin) != 0)
        need(NULL);
    bool has_sum = ep_merge_binomial_finish(&begin.tree, sum);
    rank->now_s += seconds() - rank->started_s;
    rank->letters[rank->post.process].sent_s = rank->now_s;
    if (begin.tree.is_broken || begin.tree.lost) {
        printf("rank %u: messages failed, or %u images were lost\n", rank->post.process,
               (unsigned)begin.tree.lost);
        faults++;
    }
    return has_sum;
}

static int inspect(void *clock, const void *cells, size_t bytes)
{
    (void)bytes;
    ep_merge_clock_inspect(clock, cells);
    return 0;
}

/* Each rank has the same clock, as on one machine. */
static struct rank merge_job(uint32_t ranks, int paths, struct ep_image *sum)
{
    struct rank rank = {.letters = need(calloc(ranks, sizeof *rank.letters))};
    record(0, paths);
    eprof_job_image(inspect, &rank.clock);
    for (uint32_t i = ranks; i-- > 0;) {
        rank.post = (struct ep_merge_post){
            .process = i, .processes = ranks, .send = send, .receive = receive, .context = &rank};
        rank.now_s = 0;
        rank.received_bytes = 0;
        if (run(&rank, paths, sum) != (i == 0)) {
            printf("rank %u of %u: the sum is in another\n", i, ranks);
            faults++;
        }
    }
    free(rank.letters);
    return rank;
}

/* ---- the same by one merge ---- */

static int add(void *merge, const void *cells, size_t bytes)
{
    const struct ep_image image = {.cells = (union ep_cell *)(uintptr_t)cells,
                                   .committed = (uint32_t)(bytes / EP_CELL_BYTES)};
    return ep_merge_add(merge, &image);
}

static int inspect_for(void *merge, const void *cells, size_t bytes)
{
    (void)bytes;
    ep_merge_inspect(merge, cells);
    return 0;
}

static void merge_at_once(uint32_t ranks, int paths, struct ep_image *sum)
{
    struct ep_merge *merge = need(ep_merge_begin(false));
    record(0, paths);
    eprof_job_image(inspect_for, merge);
    for (uint32_t i = 0; i < ranks; i++) {
        record(i, paths);
        if (eprof_job_image(add, merge) != 0)
            need(NULL);
    }
    if (ep_merge_take(merge, sum) != 0)
        need(NULL);
}

/* What differs between two recordings of one rank: how long they took, and when. */
static void forget_moments(struct ep_image *image)
{
    memset(&image->cells[EP_CELL_RUN], 0, sizeof image->cells[0]);
    image->cells[EP_CELL_IDENTITY].identity.realtime_ns = 0;
}

static int check(void)
{
    int failed = 0;
    for (uint32_t ranks = 1; ranks <= 70; ranks += ranks < 19 ? 1 : 51) {
        struct ep_image tree, flat;
        merge_job(ranks, 70, &tree);
        merge_at_once(ranks, 70, &flat);
        forget_moments(&tree);
        forget_moments(&flat);
        uint32_t cells = ep_image_root(&flat)->cells_used;
        bool is_same = ep_image_root(&tree)->cells_used == cells &&
                       memcmp(tree.cells, flat.cells, cells * sizeof *flat.cells) == 0;
        uint64_t count = tree.cells[EP_CELL_PROCESSES].processes.count;
        if (!is_same || count != ranks)
            failed = printf("%u ranks: %u cells of %u processes, at once %u\n", ranks,
                            ep_image_root(&tree)->cells_used, (unsigned)count, cells);
        ep_image_destroy(&tree);
        ep_image_destroy(&flat);
    }
    return failed != 0 || faults != 0;
}

int main(int argc, char **argv)
{
    eprof_setup("quiet,budget=off");
    hand_clock_use();
    if (argc == 2 && strcmp(argv[1], "check") == 0)
        return check();
    const int ranks = argc == 3 ? atoi(argv[2]) : 0;
    if (ranks < 1)
        return 2;
    struct ep_image sum = {.cells = NULL};
    struct rusage usage;
    struct rank root = merge_job((uint32_t)ranks, atoi(argv[1]), &sum);
    if (!sum.cells)
        return 1;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s ranks: %.1f ms, image %u KiB, received by rank 0 %llu KiB, resident %ld MiB\n",
           argv[2], root.now_s * 1000, ep_image_root(&sum)->cells_used * EP_CELL_BYTES / 1024,
           (unsigned long long)(root.received_bytes / 1024), usage.ru_maxrss / 1024);
    ep_image_destroy(&sum);
    return 0;
}
