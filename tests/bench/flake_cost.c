/*
 * flake_cost.c - the cost of scopes in the ray tracer examples/flake.c
 *
 *     eprof_flake_cost [-n ROUNDS] [-s PIXELS] NAME NONE RAW OURS [NAME NONE RAW OURS]...
 *
 * NONE, RAW and OURS are three builds of flake.c: without scopes, with two reads of the counter in
 * place of each scope, and with scopes. The table has a line for each such group of three, with its
 * NAME. flake.sh makes the builds, and calls this program.
 *
 * If all runs of one build followed those of another, the comparison would mainly show how the load
 * of the machine changed. So the three builds take turns, each figure compares the runs of one
 * round, and the result is the median over the rounds. The time of a run is the processor time for
 * building the scene and rendering it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NONE, RAW, OURS, BUILDS };
enum { ROUNDS_MAX = 1000, STATUS_USAGE = 2, STATUS_NO_PROGRAM = 127 };

/* The values that a run of flake -c prints. */
struct run {
    uint64_t checksum;
    uint64_t render_ns;
    double pair_ns;
    uint64_t scopes;
};

static struct {
    unsigned rounds;
    const char *pixels; /* NULL: the default of flake */
} options = {.rounds = 15};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "eprof_flake_cost: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void reject(void)
{
    fputs("usage: eprof_flake_cost [-n ROUNDS] [-s PIXELS] NAME NONE RAW OURS...\n", stderr);
    exit(STATUS_USAGE);
}

/* ---- one run ---- */

/* The tree that a program with scopes writes to stderr at its end is not needed. */
static void become(const char *program, int output)
{
    if (dup2(output, STDOUT_FILENO) >= 0 && freopen("/dev/null", "w", stderr))
        execl(program, program, "-c", options.pixels ? "-s" : NULL, options.pixels, NULL);
    _exit(STATUS_NO_PROGRAM);
}

static pid_t begin(const char *program, FILE **output)
{
    int ends[2];
    if (pipe(ends) != 0)
        fail(program, strerror(errno));
    pid_t child = fork();
    if (child < 0)
        fail(program, strerror(errno));
    if (child == 0)
        become(program, ends[1]);
    close(ends[1]);
    *output = fdopen(ends[0], "r");
    if (!*output)
        fail(program, strerror(errno));
    return child;
}

static struct run run(const char *program)
{
    struct run run;
    FILE *output;
    int status;
    pid_t child = begin(program, &output);
    int found =
        fscanf(output, "checksum %" SCNx64 " render_ns %" SCNu64 " pair_ns %lf scopes %" SCNu64,
               &run.checksum, &run.render_ns, &run.pair_ns, &run.scopes);
    fclose(output);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail(program, "it did not run to its end");
    if (found != 4)
        fail(program, "it did not tell its cost");
    return run;
}

/* ---- a line of the table ---- */

struct figures {
    double none_s[ROUNDS_MAX];
    double raw_cost[ROUNDS_MAX];  /* (raw - none) / none */
    double ours_cost[ROUNDS_MAX]; /* (ours - none) / none */
    double ratio[ROUNDS_MAX];     /* ours / raw */
    double beyond[ROUNDS_MAX];    /* (ours - raw) / (scopes * a raw pair of that run) */
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *values)
{
    qsort(values, options.rounds, sizeof *values, compare);
    return values[options.rounds / 2];
}

static void add_round(struct figures *figures, unsigned round, const struct run runs[BUILDS])
{
    double none_ns = (double)runs[NONE].render_ns;
    double raw_ns = (double)runs[RAW].render_ns;
    double ours_ns = (double)runs[OURS].render_ns;
    figures->none_s[round] = none_ns / 1e9;
    figures->raw_cost[round] = (raw_ns - none_ns) / none_ns;
    figures->ours_cost[round] = (ours_ns - none_ns) / none_ns;
    figures->ratio[round] = ours_ns / raw_ns;
    figures->beyond[round] = (ours_ns - raw_ns) / ((double)runs[OURS].scopes * runs[OURS].pair_ns);
}

static void print_heading(void)
{
    printf("%-20s %10s %7s %10s %11s %8s %8s  %s\n", "build", "scopes", "none, s", "raw - none",
           "ours - none", "ours/raw", "beyond", "quartiles");
}

static void print_line(const char *name, uint64_t scopes, struct figures *figures)
{
    double beyond = median(figures->beyond);
    printf("%-20s %10" PRIu64 " %7.3f %8.1f %% %9.1f %% %8.3f %8.3f  %5.3f - %5.3f\n", name, scopes,
           median(figures->none_s), 100 * median(figures->raw_cost),
           100 * median(figures->ours_cost), median(figures->ratio), beyond,
           figures->beyond[options.rounds / 4],
           figures->beyond[options.rounds - 1 - options.rounds / 4]);
    fflush(stdout);
}

static void compare_builds(char **arguments)
{
    static struct figures figures;
    struct run runs[BUILDS] = {{0}};
    char **programs = arguments + 1;
    for (unsigned round = 0; round < options.rounds; round++) {
        for (unsigned turn = 0; turn < BUILDS; turn++) {
            unsigned build = (round + turn) % BUILDS; /* the order changes from round to round */
            runs[build] = run(programs[build]);
        }
        if (runs[RAW].checksum != runs[NONE].checksum || runs[OURS].checksum != runs[NONE].checksum)
            fail(arguments[0], "the three did not render the same image");
        if (runs[OURS].scopes == 0)
            fail(programs[OURS], "it has no scopes");
        add_round(&figures, round, runs);
    }
    print_line(arguments[0], runs[OURS].scopes, &figures);
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "n:s:")) != -1) {
        if (option == 'n')
            options.rounds = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 's')
            options.pixels = optarg;
        else
            reject();
    }
    int left = argc - optind;
    if (options.rounds == 0 || options.rounds > ROUNDS_MAX || left == 0 || left % (1 + BUILDS) != 0)
        reject();
    print_heading();
    for (; optind < argc; optind += 1 + BUILDS)
        compare_builds(argv + optind);
    return EXIT_SUCCESS;
}
