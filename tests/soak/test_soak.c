/*
 * Eight threads call all functions of the library, in any order. Each time they wait for each
 * other, in the middle of their deeds, the reports of the library are compared with the ledger of
 * the test.
 *
 * test_soak [SECONDS [SEED]] - the duration; without it the test is short. The seed is for the
 * dice: it does not repeat the order of the scheduler.
 */
#include <eprof.h>
#include <malloc.h>
#include <time.h>

#include "resident.h"
#include "scratch.h"
#include "sanitizer.h"
#include "random.h"
#include "check.h"
#include "clock.h"
#include "crew.h"
#include "moment.h"

enum {
    SHORT_SECONDS = 4,
    SETTLED_PART = 5, /* memory must not grow after this part of the time: after 2 of 10 minutes, */
    GROWTH_BYTES = 1 << 20,
    LEAST_SECONDS = 100, /* unless the time is shorter: then some paths were not yet taken */
    ROUND_US = 5000,
    MOST_MORE_US = 30000,
    BETWEEN_FILES = 16, /* quiet points, since each starts a program */
    BETWEEN_REPORTS = 4,
};

static struct soak soak;
static uint64_t seconds = SHORT_SECONDS;
static unsigned quiet_points, storms, reports, files;
static char why[1024];

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- quiet points: all workers wait, at any point of their work ---- */

static void assert_same(const char *how, int result)
{
    if (result != 0)
        fail_msg("after %u quiet points and %u storms, by %s: %s", quiet_points, storms, how, why);
}

static void check_times(enum rows_measure measure)
{
    if (quiet_points % BETWEEN_REPORTS == 0) {
        assert_same("report", check_report(&soak.ledger, measure, why, sizeof why));
        reports++;
    }
    if (quiet_points % BETWEEN_FILES == 0) {
        assert_same("file", check_file(&soak.ledger, measure, EPROF_TEST_COMMAND, why, sizeof why));
        files++;
    }
}

static void check_all(void)
{
    enum rows_measure counts = clock_is_by_hand() ? ROWS_EXACT : ROWS_COUNTS;
    if (soak.has_failed)
        fail_msg("%s", soak.failure);
    if (moment_is_storm()) {
        assert_same("snapshot", check_snapshots(&soak.ledger, ROWS_AT_MOST, why, sizeof why));
        storms++;
        return;
    }
    assert_same("snapshot", check_snapshots(&soak.ledger, counts, why, sizeof why));
    check_times(clock_is_by_hand() || clock_is_coarse() ? counts : ROWS_AT_LEAST);
    quiet_points++;
}

/* The results of a storm are unknown: it is followed by a reset, and the ledger begins again. */
static void begin_anew(void)
{
    clock_find();
    bool may_change = !soak.slow_open && random_next() % 2;
    if (may_change)
        clock_change(random_next() % 2 ? random_next() : 0);
    else
        eprof_reset();
    ledger_reset(&soak.ledger);
    soak.resets++;
    soak.source_changes += may_change;
}

static void choose_next_round(void)
{
    if (moment_is_storm() || random_next() % 4 == 0)
        begin_anew();
    moment_storm(random_next() % 4 == 0);
    soak.may_change_source = random_next() % 2;
}

static void let_them_work(void)
{
    long us = ROUND_US + (long)(random_next() % MOST_MORE_US);
    nanosleep(&(struct timespec){.tv_nsec = 1000 * us}, NULL);
    crew_gather(&soak);
}

/* ---- the whole ---- */

static long settled_bytes(void)
{
    malloc_trim(0);
    return RESIDENT_MEMORY_IS_THE_PROGRAMS ? resident_bytes() : 0;
}

static void tell_deeds(void)
{
    for (int kind = 0; kind < DEED_KINDS; kind++)
        print_message("%12llu %s\n", (unsigned long long)crew_deeds(&soak, kind), deed_name(kind));
    print_message("%12u quiet points, %u with a report, %u with a file; %u storms\n", quiet_points,
                  reports, files, storms);
}

TEST(library_says_what_the_ledger_does_at_every_quiet_point)
{
    long early_bytes = 0;
    double begin_s = seconds_now(), settled_s = begin_s + (double)seconds / SETTLED_PART;
    crew_begin(&soak, random_next);
    while (seconds_now() < begin_s + (double)seconds) {
        let_them_work();
        check_all();
        if (!early_bytes && seconds_now() > settled_s)
            early_bytes = settled_bytes();
        choose_next_round();
        crew_let_go(&soak);
    }
    let_them_work();
    check_all();
    long growth_bytes = settled_bytes() - early_bytes;
    begin_anew();
    moment_storm(false);
    crew_end(&soak);
    check_all();
    tell_deeds();
    print_message("memory: %ld KiB after %llu s, %ld KiB more at the end\n", early_bytes / 1024,
                  (unsigned long long)seconds / SETTLED_PART, growth_bytes / 1024);
    if (seconds >= LEAST_SECONDS)
        assert_in_range(growth_bytes < 0 ? 0 : growth_bytes, 0, GROWTH_BYTES);
}

int main(int count, char **arguments)
{
    if (count > 1)
        seconds = strtoull(arguments[1], NULL, 10);
    if (count > 2)
        setenv("EPROF_TEST_SEED", arguments[2], 1);
    random_begin();
    eprof_setup("budget=off"); /* the ledger knows each time */
    return tests_run("soak", scratch_enter, scratch_leave);
}
