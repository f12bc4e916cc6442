/*
 * bench.c - the cost of a pair, in ns and as a ratio to two raw reads of the counter
 *
 *     eprof_bench [--case NAME]... [--rounds N] [--runs N] [--csv] | --pairs N | --list
 *
 * It is meant for a machine without other load; on a busy machine only the medians are useful. It
 * is not a test: the exit status shows only whether it could measure.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_loops.h"
#include "bench_machine.h"
#include "bench_table.h"

enum { NAMES_MAX = 64, PAIRS_MAX = 1000000000, STATUS_USAGE = 2 };

static struct {
    const char *names[NAMES_MAX]; /* of the selected cases; none: all */
    unsigned name_count;
    unsigned rounds; /* the result is their median */
    unsigned runs;   /* through the whole list */
    unsigned pairs;  /* pairs of each case to make, without measuring; 0: measure */
    bool is_csv;
} options = {.rounds = 61, .runs = 1};

/* ---- options ---- */

static const char usage[] =
    "usage: eprof_bench [--case NAME]... [--rounds N] [--runs N] [--csv]\n"
    "       eprof_bench [--case NAME]... --pairs N\n"
    "       eprof_bench --list\n"
    "\n"
    "  --case NAME   measure this one only; may be repeated\n"
    "  --rounds N    take the median of N ratios, of ten times as many (61; at least 45)\n"
    "  --runs N      go through the list N times (1), to see how much the figures vary\n"
    "  --csv         print comma-separated values\n"
    "  --pairs N     only make N pairs of each case, for valgrind to count what they do\n"
    "  --list        print the names of the cases and what they are\n";

static void reject(const char *what, const char *value)
{
    fprintf(stderr, "eprof_bench: %s: %s\n%s", what, value, usage);
    exit(STATUS_USAGE);
}

static bool is_figure(const struct bench_figure *figure, const char *name)
{
    for (; figure->name; figure++)
        if (strcmp(figure->name, name) == 0)
            return true;
    return false;
}

static bool is_known(const char *name)
{
    for (const struct bench_case *one = bench_cases; one->name; one++)
        if (strcmp(one->name, name) == 0)
            return true;
    return is_figure(bench_figures, name) || is_figure(bench_reports, name);
}

static void want(const char *name)
{
    if (!is_known(name) || options.name_count == NAMES_MAX)
        reject("no such case", name);
    options.names[options.name_count++] = name;
}

static bool is_wanted(const char *name)
{
    for (unsigned i = 0; i < options.name_count; i++)
        if (strcmp(options.names[i], name) == 0)
            return true;
    return options.name_count == 0;
}

static unsigned number(const char *text, long lowest, long highest)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < lowest || value > highest)
        reject("not a number that can be", text);
    return (unsigned)value;
}

static void read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"case", required_argument, NULL, 'c'},  {"rounds", required_argument, NULL, 'n'},
        {"runs", required_argument, NULL, 'r'},  {"csv", no_argument, NULL, 'v'},
        {"pairs", required_argument, NULL, 'p'}, {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option == 'c')
            want(optarg);
        else if (option == 'n')
            options.rounds = number(optarg, BENCH_ROUNDS_MIN, BENCH_ROUNDS_MAX);
        else if (option == 'r')
            options.runs = number(optarg, 1, 1000);
        else if (option == 'v')
            options.is_csv = true;
        else if (option == 'p')
            options.pairs = number(optarg, 1, PAIRS_MAX);
        else if (option == 'l')
            bench_table_list();
        else
            fputs(usage, option == 'h' ? stdout : stderr);
        if (option == 'l' || option == 'h')
            exit(EXIT_SUCCESS);
        if (option == '?')
            exit(STATUS_USAGE);
    }
    if (optind < argc)
        reject("what is this", argv[optind]);
}

/* ---- measuring ---- */

static void complain(const char *name)
{
    fprintf(stderr, "eprof_bench: %s: %s\n", name, strerror(errno));
}

/* Returns whether all figures could be measured. It is no failure if the machine lacks what a case
 * needs. */
static bool measure_figures(const struct bench_figure *figure)
{
    bool all = true;
    for (; figure->name; figure++) {
        double value;
        if (!is_wanted(figure->name))
            continue;
        if (figure->measure(&value)) {
            bench_table_figure(figure, value, options.is_csv);
        } else {
            all = all && errno == ENOTSUP;
            complain(figure->name);
        }
    }
    return all;
}

static bool measure_cases(void)
{
    bool all = true;
    for (const struct bench_case *one = bench_cases; one->name; one++) {
        struct bench_result result;
        if (!is_wanted(one->name))
            continue;
        if (bench_case_measure(one, options.rounds, &result) == 0) {
            bench_table_case(one, &result, options.is_csv);
        } else {
            all = all && errno == ENOTSUP;
            complain(one->name);
        }
    }
    return all;
}

/* Makes the pairs on one thread, and without the loop whose time a case subtracts. */
static bool make_pairs(void)
{
    bool all = true;
    for (const struct bench_case *one = bench_cases; one->name; one++) {
        if (!is_wanted(one->name))
            continue;
        if (one->begin && one->begin() != 0) {
            all = false;
            complain(one->name);
            continue;
        }
        one->loops.ours(options.pairs);
        if (one->end)
            one->end();
    }
    return all;
}

int main(int argc, char **argv)
{
    bench_truth_begin();
    read_options(argc, argv);
    if (options.pairs)
        return make_pairs() ? EXIT_SUCCESS : EXIT_FAILURE;
    bench_machine_print(stdout, options.is_csv ? "# " : "");
    if (!options.is_csv)
        printf(
            "rounds     %u slices of each; core: additions to multiplications, more where another "
            "thread uses the core\n\n",
            options.rounds);
    bench_table_heading(options.is_csv);
    bool all = measure_figures(bench_figures);
    for (unsigned i = 0; i < options.runs; i++)
        all = measure_cases() && all;
    all = measure_figures(bench_reports) && all;
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
