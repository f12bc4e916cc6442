/*
 * slow_requests.c - a server whose profile is that of its slowest requests
 *
 *     slow_requests [-n REQUESTS] [-a | -l NS] [-w] [-f FORMAT]
 *
 *     -n REQUESTS  the number of requests (20000)
 *     -a           keep the profile of each, to compare
 *     -l NS        keep that of requests which took at least NS ns, by EPROF_SLOW
 *     -w           the clock counts the steps of the work, so each run has the same result
 *     -f FORMAT    of the report on stdout ("tree")
 *
 * Nearly all requests of a server are fast, and hide the reason why a few of them are slow. So the
 * profile of a request is held until its end, and kept only if the request was one of the
 * slowest 1 %: slower than a running estimate of the 99th percentile.
 */
#define _POSIX_C_SOURCE 200809L /* getopt */
#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the clock of -w ---- */

static uint64_t steps_done;

static void work(unsigned steps)
{
    volatile unsigned value = 1;
    for (unsigned i = 0; i < steps; ++i)
        value = value * 69069 + 1;
    steps_done += steps;
}

static uint64_t read_steps(void *unused)
{
    (void)unused;
    return steps_done;
}

static bool use_steps(void)
{
    struct eprof_source source = {
        .size = sizeof source, .name = "steps", .now = read_steps, .ticks_per_second = 1000000000};
    return eprof_source_add(&source) == 0 && eprof_source_use(source.name) == 0;
}

/* ---- what a request needs ---- */

enum { PAGES = 4096, CACHED_PAGES = 256, PARTS_MAX = 128, LOG_LINES = 700, BURST_MAX = 16 };

struct request {
    unsigned page;
};

static unsigned cache[CACHED_PAGES];
static unsigned log_lines;

/* One in k has k parts or more: a few pages are much larger than all others. Knuth's
 * multiplier (The Art of Computer Programming 3, 6.4) scatters them. */
static unsigned parts_of(unsigned page)
{
    return PARTS_MAX / (1 + (page * 2654435761u >> 16) % PARTS_MAX) + 1;
}

static void parse(void)
{
    EPROF_FUNC;
    work(150);
}

static void query_database(void)
{
    EPROF_FUNC;
    work(400);
}

static void render(unsigned page)
{
    EPROF_FUNC;
    for (unsigned part = 0; part < parts_of(page); ++part) {
        query_database();
        work(100);
    }
}

static void find_page(unsigned page)
{
    EPROF_FUNC;
    unsigned *cached = &cache[page % CACHED_PAGES];
    work(40);
    if (*cached != page) {
        render(page);
        *cached = page;
    }
}

static void compress(unsigned page)
{
    EPROF_FUNC;
    work(60 * parts_of(page));
}

static void rotate_log(void)
{
    EPROF_FUNC;
    work(80000);
    log_lines = 0;
}

static void write_log(void)
{
    EPROF_FUNC;
    work(50);
    if (++log_lines == LOG_LINES)
        rotate_log();
}

static void answer(const struct request *request)
{
    parse();
    find_page(request->page);
    compress(request->page);
    write_log();
}

/* ---- the slowest 1 % ---- */

enum { FIRST_REQUESTS = 100 };

static uint64_t requests_done, requests_kept;
static double slow_ticks; /* the estimate */

/*
 * A request that is slower raises the estimate as much as 99 that are faster lower it, so that
 * it comes to rest where one in a hundred is slower, and follows where the load changes:
 * Ma, Muthukrishnan, Sandler, "Frugal Streaming for Estimating Quantiles", 2013, with a step
 * in proportion to the estimate. It begins as the longest of the first hundred.
 */
static void estimate(uint64_t ticks)
{
    const double step = 0.0005;
    bool is_slower = (double)ticks > slow_ticks;
    if (requests_done < FIRST_REQUESTS)
        slow_ticks = is_slower ? (double)ticks : slow_ticks;
    else
        slow_ticks *= is_slower ? 1 + 99 * step : 1 - step;
}

static void serve(const struct request *request, bool is_each_kept)
{
    uint64_t start_ticks = eprof_now();
    eprof_hold();
    {
        EPROF_SCOPE("request");
        answer(request);
    }
    uint64_t ticks = eprof_now() - start_ticks;
    bool is_slow = requests_done >= FIRST_REQUESTS && (double)ticks > slow_ticks;
    bool is_kept = is_each_kept || is_slow;
    eprof_keep(is_kept);
    estimate(ticks);
    ++requests_done;
    requests_kept += is_kept;
}

/* Where it is known what is slow, EPROF_SLOW does the same in one line. */
static void serve_with_limit(const struct request *request, uint64_t least_ns)
{
    uint64_t start_ticks = eprof_now();
    {
        EPROF_SLOW("request", least_ns);
        answer(request);
    }
    ++requests_done;
    requests_kept += eprof_ns(eprof_now() - start_ticks) >= least_ns;
}

/* ---- the requests ---- */

/* Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003. */
static unsigned draw(unsigned below)
{
    static uint32_t state = 2463534242;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The requests that have arrived since: a burst, in which some pages are more frequent. */
static unsigned receive(struct request *queue)
{
    unsigned count = 1 + draw(BURST_MAX);
    for (unsigned i = 0; i < count; ++i)
        queue[i].page = smaller(smaller(draw(PAGES), draw(PAGES)), draw(PAGES));
    return count;
}

static uint64_t number(const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0') {
        fprintf(stderr, "slow_requests: %s is not a number\n", text);
        exit(EXIT_FAILURE);
    }
    return value;
}

int main(int argc, char **argv)
{
    uint64_t requests = 20000, least_ns = 0;
    const char *format = "tree";
    bool is_each_kept = false, is_limited = false;
    int option;

    while ((option = getopt(argc, argv, "n:al:wf:")) != -1) {
        if (option == 'n')
            requests = number(optarg);
        else if (option == 'a')
            is_each_kept = true;
        else if (option == 'l')
            least_ns = number(optarg), is_limited = true;
        else if (option == 'f')
            format = optarg;
        else if (option != 'w' || !use_steps())
            return EXIT_FAILURE;
    }
    while (requests_done < requests) {
        struct request queue[BURST_MAX];
        unsigned count = receive(queue);
        for (unsigned i = 0; i < count && requests_done < requests; ++i) {
            if (is_limited)
                serve_with_limit(&queue[i], least_ns);
            else
                serve(&queue[i], is_each_kept);
        }
    }
    /* EPROF_SLOW measures for itself, a little less than this program does */
    if (!is_limited || strcmp(eprof_source_name(), "steps") == 0)
        printf("kept %llu of %llu requests\n", (unsigned long long)requests_kept,
               (unsigned long long)requests_done);
    if (eprof_report(stdout, format) != 0) {
        perror("slow_requests");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
