/*
 * faults.c - makes one call after another fail, in programs that use libeprof and in the command
 *
 *     faults EPROF HOST RECORDER INSTRUMENT host|command every
 *     faults EPROF HOST RECORDER INSTRUMENT host|command contexts
 *     faults EPROF HOST RECORDER INSTRUMENT host|command COUNT
 *     faults EPROF HOST RECORDER INSTRUMENT host|command SUBJECT [FIRST MODE WAY]
 *
 * every: all faults, that is each call, in each way, once and lasting. contexts: the same, for one
 * call of each chain of callers in all subjects. COUNT: this number of random faults, from a seed
 * that is printed. SUBJECT: all faults of one subject, or one of them, in the form in which a
 * failure is printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random.h"
#include "baseline.h"
#include "contexts.h"
#include "trial_folder.h"

enum { MOST_FAILURES = 20 }; /* for one subject; further failures show nothing new */

static struct trial_places places;
static struct baseline_sums sums;

static bool begin(struct baseline *baseline, const struct subject *subject)
{
    return baseline_begin(baseline, subject, &places, &sums);
}

/* ---- all faults ---- */

/* The number of ways of the call that has just failed; `goes_on` is set if this way may last. */
static size_t ways_of_last(uint32_t way, int *goes_on)
{
    size_t count;
    const struct call_way *ways = call_ways(places.ledger->first_call, &count);
    *goes_on = way < count && ways[way].goes_on;
    return count;
}

static bool try_number(struct baseline *baseline, uint32_t first)
{
    if (!baseline_try(baseline, (struct plan){first, LEDGER_ONCE, 0}))
        return false;
    int goes_on;
    size_t count = ways_of_last(0, &goes_on);
    for (uint32_t way = 0; way < count; way++) {
        if (way > 0)
            baseline_try(baseline, (struct plan){first, LEDGER_ONCE, way});
        ways_of_last(way, &goes_on);
        for (uint32_t mode = LEDGER_ONCE + 1; goes_on && mode < LEDGER_MODES; mode++)
            baseline_try(baseline, (struct plan){first, mode, way});
    }
    return true;
}

static void try_every(const struct subject *subject)
{
    struct baseline baseline;
    unsigned long before = sums.runs;
    if (begin(&baseline, subject)) {
        uint32_t first = 1;
        while (baseline.failures < MOST_FAILURES && try_number(&baseline, first))
            first++;
        printf("%s: %u calls, %lu runs, %u failures\n", subject->name, first - 1,
               sums.runs - before, baseline.failures);
        fflush(stdout);
    }
    baseline_end(&baseline);
}

/* ---- one fault for each context ---- */

static void try_contexts(const struct subject *subject)
{
    struct baseline baseline;
    unsigned long before = sums.runs, contexts = 0;
    if (begin(&baseline, subject)) {
        const struct ledger *plain = &baseline.plain_ledger;
        for (uint32_t i = 0; i < plain->calls && i < LEDGER_CONTEXTS; i++)
            if (baseline.failures < MOST_FAILURES && contexts_add(plain->contexts[i])) {
                try_number(&baseline, i + 1);
                contexts++;
            }
        printf("%s: %lu new contexts of %u calls, %lu runs, %u failures\n", subject->name, contexts,
               plain->calls, sums.runs - before, baseline.failures);
        fflush(stdout);
    }
    baseline_end(&baseline);
}

/* ---- some faults ---- */

/* The first way is used, except if the call fails only once. */
static void try_any(struct baseline *baseline)
{
    struct plan plan = {.first = 1 + (uint32_t)(random_next() % baseline->plain_ledger.calls),
                        .mode = (uint32_t)(random_next() % LEDGER_MODES)};
    if (plan.mode == LEDGER_ONCE)
        plan.way = (uint32_t)(random_next() % 5);
    baseline_try(baseline, plan);
}

static void try_some(const struct subject *subjects, unsigned long count)
{
    size_t subject_count = 0;
    while (subjects[subject_count].name)
        subject_count++;
    random_begin();
    for (size_t i = 0; i < subject_count; i++) {
        struct baseline baseline;
        unsigned long share = (count + subject_count - 1 - i) / subject_count;
        if (share && begin(&baseline, &subjects[i])) {
            while (share-- > 0)
                try_any(&baseline);
            baseline_end(&baseline);
        }
    }
}

/* ---- one fault ---- */

static const struct subject *find(const struct subject *subjects, const char *name)
{
    while (subjects->name && strcmp(subjects->name, name) != 0)
        subjects++;
    return subjects->name ? subjects : NULL;
}

static void try_one(const struct subject *subject, struct plan plan)
{
    struct baseline baseline;
    if (begin(&baseline, subject))
        baseline_try(&baseline, plan);
    printf("status %d of %s; its files are in %s\n", baseline.plain.status,
           call_name(places.ledger->first_call), places.folder);
}

/* ---- main program ---- */

static void try_each(const struct subject *subject, void (*try_subject)(const struct subject *))
{
    for (; subject->name; subject++)
        try_subject(subject);
}

static void tell_sums(void)
{
    unsigned long faults = 0;
    for (int call = 0; call < CALLS; call++)
        faults += sums.faults[call];
    printf("%lu runs, %lu faults, %lu failures\n", sums.runs, faults, sums.failures);
    for (int call = 0; call < CALLS; call++)
        if (sums.faults[call])
            printf(" %s %lu", call_name(call), sums.faults[call]);
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 7 && argc != 10) {
        fprintf(stderr,
                "usage: %s EPROF HOST RECORDER INSTRUMENT host|command "
                "every|contexts|COUNT|SUBJECT [FIRST MODE WAY]\n",
                argv[0]);
        return 2;
    }
    places = (struct trial_places){
        .eprof = argv[1], .host = argv[2], .recorder = argv[3], .instrument = argv[4]};
    const struct subject *subjects =
        strcmp(argv[5], "host") == 0 ? subjects_host : subjects_command;
    const struct subject *one = find(subjects, argv[6]);
    trial_folder_make(&places);
    if (argc == 10 && one)
        try_one(one, plan_of(argv + 7));
    else if (one)
        try_every(one);
    else if (strcmp(argv[6], "every") == 0)
        try_each(subjects, try_every);
    else if (strcmp(argv[6], "contexts") == 0)
        try_each(subjects, try_contexts);
    else
        try_some(subjects, strtoul(argv[6], NULL, 10));
    tell_sums();
    if (argc != 10)
        trial_folder_remove(&places);
    return sums.failures > 0;
}
