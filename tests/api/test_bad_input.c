/*
 * Bad input: no call crashes, each error is reported, and no earlier record is lost.
 */
#include "calls.h"
#include "figures.h"
#include "threads.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

/* The figures that are recorded before each test. */
static int begin(void **state)
{
    hand_clock_begin(state);
    pair_of(eprof_alloc("before"), 42);
    return 0;
}

static int nothing_is_lost(void **state)
{
    (void)state;
    return strcmp(figures_text("before"), "calls 1, timed 1, errors 0, open 0, total 42");
}

#define assert_refused(call, error)                                                                \
    do {                                                                                           \
        errno = 0;                                                                                 \
        assert_int_equal((call), -1);                                                              \
        assert_int_equal(errno, error);                                                            \
    } while (0)

/* ---------------------------------------------------------------- labels -- */

TEST(null_labels_are_refused_or_counted)
{
    assert_refused(eprof_alloc(NULL), EINVAL);
    assert_diagnostics("");
    eprof_free(NULL);
    assert_diagnostics("unknown_labels 1");
}

TEST(labels_of_any_bytes_and_length_make_instances)
{
    char long_label[10001];
    memset(long_label, '\xff', sizeof long_label - 1);
    long_label[sizeof long_label - 1] = '\0';
    const char *const labels[] = {"", long_label, "\x80", "\xc3", "\x1b[2J", "%s%n", ";\\,\"\n"};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        int id = eprof_alloc(labels[i]);
        assert_true(id >= 0);
        pair_of(id, 1);
        eprof_free(labels[i]);
        assert_refused(eprof_release(id), EINVAL);
    }
    assert_diagnostics("");
}

/* --------------------------------------------------------------- handles -- */

TEST(bad_handles_are_counted_and_reach_no_instance)
{
    int freed = eprof_alloc("freed"), stale = eprof_alloc("stale");
    eprof_free("stale");
    pair_of(eprof_alloc("in the slot of the stale one"), 7);
    eprof_free("freed");
    const int bad[] = {-1, INT_MAX, INT_MIN, INT_MIN + 1, freed, stale, 1 << 19, 1 << 30};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t now = eprof_now();
        assert_int_equal(diagnostic_count("bad_handles"), 5 * i);
        eprof_start(bad[i]);
        eprof_stop(bad[i]);
        eprof_stop(bad[i]);
        eprof_record(bad[i], now, now);
        eprof_record(bad[i], now, now - 1);
        assert_refused(eprof_release(bad[i]), EINVAL);
    }
    assert_diagnostics("bad_handles 40");
    assert_row("in the slot of the stale one", "calls 1, timed 1, errors 0, open 0, total 7");
}

TEST(stop_without_start_and_start_twice_are_seen)
{
    int id = eprof_alloc("a");
    eprof_stop(id);
    assert_diagnostics("unbalanced 1");
    eprof_start(id);
    eprof_start(id);
    eprof_stop(id);
    assert_row("a", "calls 1, timed 0, errors 0, open 1, total 0");
}

/* -------------------------------------------- free while another is inside -- */

TEST(free_while_another_thread_is_inside)
{
    struct worker worker;
    int id = eprof_alloc("a");
    worker_begin(&worker);
    worker_do(&worker, start, &id);
    worker_do(&worker, start, &id);
    eprof_free("a");
    int next = eprof_alloc("next"); /* in the same slot */
    worker_do(&worker, stop, &id);
    worker_do(&worker, start, &next);
    hand_ticks += 5;
    worker_do(&worker, stop, &next);
    worker_do(&worker, stop, &id);
    worker_end(&worker);
    assert_row("a", "no row");
    assert_row("next", "calls 1, timed 1, errors 0, open 0, total 5");
    assert_diagnostics("bad_handles 2");
}

static _Atomic int hammered;
static _Atomic bool is_over;

static void *hammer(void *unused)
{
    (void)unused;
    while (!is_over) {
        int id = hammered;
        eprof_start(id);
        eprof_start(id);
        eprof_stop(id);
        eprof_stop(id);
        eprof_record(id, eprof_now(), eprof_now());
    }
    return NULL;
}

/* They use each handle until long after it was freed; they never get the handle of the next user of
 * the slot. */
TEST(threads_on_a_freed_instance_never_reach_the_next_user_of_its_slot)
{
    enum { THREADS = 4, ROUNDS = 5000 };
    pthread_t threads[THREADS];
    is_over = false;
    hammered = -1;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        int id = eprof_alloc("hammered");
        hammered = id;
        if (i % 100 == 0)
            sched_yield();
        assert_int_equal(eprof_release(id), 0);
        int quiet = eprof_alloc("quiet");
        assert_row("quiet", "no row");
        assert_int_equal(eprof_release(quiet), 0);
    }
    is_over = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(diagnostic_count("bad_handles") > 0);
    assert_int_equal(diagnostic_count("lost"), 0);
}

/* --------------------------------------------------------------- reports -- */

static const char *const formats[] = {"table", "csv", "json", "table:threads", "csv:raw:ticks"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static void assert_every_report_fails(FILE *out, int error)
{
    for (int i = 0; i < FORMATS; i++) {
        clearerr(out);
        assert_refused(eprof_report(out, formats[i]), error);
    }
}

TEST(report_to_a_full_disk_is_enospc)
{
    FILE *out = fopen("/dev/full", "w");
    assert_non_null(out);
    assert_every_report_fails(out, ENOSPC);
    setvbuf(out, NULL, _IONBF, 0);
    assert_every_report_fails(out, ENOSPC);
    fclose(out);
}

TEST(report_to_a_closed_stream_is_ebadf)
{
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    assert_int_equal(close(fileno(out)), 0);
    assert_every_report_fails(out, EBADF);
    fclose(out);
}

TEST(report_to_a_stream_for_reading_is_ebadf)
{
    FILE *out = fopen("/dev/null", "r");
    assert_non_null(out);
    assert_every_report_fails(out, EBADF);
    fclose(out);
}

TEST(report_to_a_pipe_that_nobody_reads_is_epipe)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    FILE *out = fdopen(ends[1], "w");
    assert_non_null(out);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    assert_every_report_fails(out, EPIPE);
    signal(SIGPIPE, SIG_DFL);
    fclose(out);
}

TEST(print_to_a_full_stdout_does_no_harm)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
    assert_int_equal(dup2(full, STDOUT_FILENO), STDOUT_FILENO);
    eprof_print();
    eprof_print();
    clearerr(stdout);
    assert_int_equal(dup2(kept, STDOUT_FILENO), STDOUT_FILENO);
    close(kept);
    close(full);
}

TEST(unknown_format_is_einval_and_writes_nothing)
{
    static const char *const unknown[] = {
        "",       "tabel",     "tables",        "TABLE",          " table",        "table ",
        "table:", "table::",   "table:thread",  "table:raw:",     "table:raw,csv", "csv=x",
        ":raw",   "table raw", "table:ticks=1", "table:threadsx",
    };
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_refused(eprof_report(out, unknown[i]), EINVAL);
    assert_refused(eprof_report(out, NULL), EINVAL);
    fclose(out);
    assert_int_equal(bytes, 0);
    free(text);
    assert_refused(eprof_report(NULL, "table"), EINVAL);
    assert_refused(eprof_report(NULL, NULL), EINVAL);
}

TEST(rows_that_are_not_there_are_einval)
{
    struct eprof_row row = {.size = sizeof row, .calls = 77};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    size_t rows = eprof_snapshot_rows(snapshot);
    assert_int_equal(rows, 1);
    assert_refused(eprof_snapshot_row(snapshot, rows, &row), EINVAL);
    assert_refused(eprof_snapshot_row(snapshot, SIZE_MAX, &row), EINVAL);
    assert_refused(eprof_snapshot_row(NULL, 0, &row), EINVAL);
    assert_refused(eprof_snapshot_row(snapshot, 0, NULL), EINVAL);
    row.size = 0; /* forgotten */
    assert_refused(eprof_snapshot_row(snapshot, 0, &row), EINVAL);
    row.size = offsetof(struct eprof_row, outermost) - 1; /* of the first version */
    assert_refused(eprof_snapshot_row(snapshot, 0, &row), EINVAL);
    assert_int_equal(row.calls, 77);
    eprof_snapshot_free(snapshot);
    eprof_snapshot_free(NULL);
    assert_int_equal(eprof_snapshot_rows(NULL), 0);
}

/* --------------------------------------------------------------- sources -- */

TEST(unknown_source_is_einval_and_the_old_one_stays)
{
    static const char *const unknown[] = {"", "sundial", "HAND", "hand ", "rdtsc,", "auto "};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_refused(eprof_source_use(unknown[i]), EINVAL);
    assert_refused(eprof_source_use(NULL), EINVAL);
    assert_string_equal(eprof_source_name(), "hand");
}

TEST(source_that_cannot_be_is_refused)
{
    const struct eprof_source good = {
        .size = sizeof good, .name = "new", .now = hand_clock_now, .ticks_per_second = 1000};
    struct eprof_source bad[] = {good, good, good, good, good, good, good};
    bad[0].name = NULL;
    bad[1].name = "";
    bad[2].now = NULL;
    bad[3].size = 0;
    bad[4].size = sizeof good - 1;
    bad[5].bits = 65;
    bad[6].flags = ~0u;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_refused(eprof_source_add(&bad[i]), EINVAL);
    assert_refused(eprof_source_add(NULL), EINVAL);
    assert_refused(eprof_source_use("new"), EINVAL);
    bad[0].name = "hand";
    assert_refused(eprof_source_add(&bad[0]), EEXIST);
    bad[0].name = "auto";
    assert_refused(eprof_source_add(&bad[0]), EEXIST);
}

TEST_EACH(begin, nothing_is_lost)
