/*
 * When memory is out: calls fail with ENOMEM or are counted as lost, the program is unharmed,
 * earlier records are reported, and once there is memory everything continues.
 *
 * Nothing is asserted while memory is out, because a failed assertion allocates.
 */
#include "calls.h"
#include "each_alone.h"
#include "sanitizer.h"
#include "threads.h"
#include "tree_text.h"

#include <sys/resource.h>

enum { INSTANCES = 4000 };

static int resource = RLIMIT_DATA;
static struct rlimit before;

/* No more private memory, or address space. (For Linux a limit of 0 is none: may_expand_vm().) */
static void take_memory_away(void)
{
    struct rlimit none = before;
    none.rlim_cur = 1;
    if (setrlimit(resource, &none) != 0)
        abort();
}

static void give_memory_back(void)
{
    if (setrlimit(resource, &before) != 0)
        abort();
}

static int know_the_limit(void **state)
{
    (void)state;
    return getrlimit(resource, &before);
}

static int begin(void **state)
{
    return know_the_limit(state) || hand_clock_begin(state);
}

static uint64_t calls_of_all(void)
{
    uint64_t calls = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_non_null(snapshot);
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        if (strcmp(row.kind, "instance") == 0)
            calls += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

TEST(spans_that_find_no_memory_are_counted)
{
    static int id[INSTANCES];
    for (int i = 0; i < INSTANCES; i++)
        id[i] = eprof_alloc("a");
    take_memory_away();
    uint64_t now = eprof_now();
    for (int i = 0; i < INSTANCES; i++)
        eprof_record(id[i], now, now);
    give_memory_back();
    uint64_t calls = calls_of_all(), lost = diagnostic_count("lost");
    assert_in_range(calls, 0, INSTANCES - 1);
    assert_int_equal(calls + lost, INSTANCES);
}

#if !ANY_SANITIZER /* with a sanitizer, its malloc would end the program */

static int limit_the_address_space(void **state)
{
    resource = RLIMIT_AS;
    return know_the_limit(state);
}

/* The result of a call that was made while memory was out. */
struct outcome {
    int result;
    int error;
};

static struct outcome outcome_of(int result)
{
    return (struct outcome){result, errno};
}

#define OUTCOME(call) (errno = 0, outcome_of(call))

static void assert_no_memory(struct outcome outcome)
{
    assert_int_equal(outcome.result, -1);
    assert_int_equal(outcome.error, ENOMEM);
}

/* ----------------------------------------------------------------- alloc -- */

TEST(alloc_is_enomem_and_what_was_recorded_is_reported)
{
    enum { MANY = 1000000 };
    int allocated = 0, refused_again = 0;
    int id = eprof_alloc("before");
    pair_of(id, 10);

    take_memory_away();
    struct outcome last;
    do
        last = OUTCOME(eprof_alloc("one more"));
    while (last.result >= 0 && ++allocated < MANY);
    for (int i = 0; i < 1000; i++)
        refused_again += eprof_alloc("one more") == -1;
    pair_of(id, 20); /* has its cells already */
    give_memory_back();

    assert_no_memory(last);
    assert_int_equal(refused_again, 1000);
    assert_row("before", "calls 2, timed 2, errors 0, open 0, total 30");
    assert_diagnostics("");
    int next = eprof_alloc("after");
    assert_int_equal(next, allocated + 1); /* the refused call has taken no slot */
    pair_of(next, 3);
    assert_row("after", "calls 1, timed 1, errors 0, open 0, total 3");
}

TEST(released_slots_are_used_again_without_memory)
{
    int id[100];
    for (int i = 0; i < 100; i++)
        id[i] = eprof_alloc("before");
    take_memory_away();
    while (eprof_alloc("one more") >= 0)
        ;
    int failed = 0;
    for (int i = 0; i < 100; i++)
        failed += eprof_release(id[i]) != 0;
    for (int i = 0; i < 100; i++)
        failed += eprof_alloc("again") < 0;
    give_memory_back();
    assert_int_equal(failed, 0);
}

/* ------------------------------------------------------------- hot calls -- */

TEST(pairs_that_find_no_memory_are_counted)
{
    static int id[INSTANCES];
    for (int i = 0; i < INSTANCES; i++)
        id[i] = eprof_alloc("a");
    pair_of(id[0], 10);

    take_memory_away();
    errno = ENOTTY;
    for (int i = 0; i < INSTANCES; i++)
        pair_of(id[i], 10);
    int errno_after = errno;
    give_memory_back();

    assert_int_equal(errno_after, ENOTTY);
    uint64_t calls = calls_of_all(), lost = diagnostic_count("lost");
    assert_in_range(calls, 2, INSTANCES);
    assert_true(lost >= INSTANCES + 1 - calls);
    assert_true(diagnostic_count("out_of_cells") > 0);
    assert_int_equal(diagnostic_count("unbalanced"),
                     0); /* the stop of a lost start is not counted as an error of its own */
    assert_int_equal(diagnostic_count("bad_handles"), 0);

    eprof_reset();
    for (int i = 0; i < INSTANCES; i++)
        pair_of(id[i], 10);
    assert_int_equal(calls_of_all(), INSTANCES);
    assert_diagnostics("");
}

static void record_pair(void *id)
{
    pair_of(*(int *)id, 5);
}

/* The thread has not used the library before. */
TEST(thread_that_finds_no_memory_is_counted_and_records_when_it_does)
{
    struct worker worker;
    int id = eprof_alloc("a");
    worker_begin(&worker);
    take_memory_away();
    while (eprof_alloc("one more") >= 0) /* uses up the blocks that exist already */
        ;
    worker_do(&worker, record_pair, &id);
    give_memory_back();
    assert_row("a", "no row");
    assert_true(diagnostic_count("lost") > 0);
    worker_do(&worker, record_pair, &id);
    worker_end(&worker);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 5");
}

static void enter_scope(void *label)
{
    eprof_enter(label);
}

static void leave_scope(void *ticks)
{
    hand_ticks += *(uint64_t *)ticks;
    eprof_leave();
}

/* The thread has no record to count the lost enters in. */
TEST(leave_of_an_enter_without_memory_for_the_thread_ends_no_other_scope)
{
    struct worker worker;
    uint64_t ticks = 5;
    char lost[] = "lost", a[] = "a", b[] = "b";
    worker_begin(&worker);
    take_memory_away();
    while (eprof_alloc("one more") >= 0)
        ;
    worker_do(&worker, enter_scope, lost);
    worker_do(&worker, enter_scope, lost);
    give_memory_back();
    worker_do(&worker, enter_scope, a);
    worker_do(&worker, leave_scope, &ticks);
    assert_tree("a 1/1 5 5\n");
    worker_do(&worker, leave_scope, &ticks);
    worker_do(&worker, enter_scope, b); /* between the two leaves */
    worker_do(&worker, leave_scope, &ticks);
    worker_do(&worker, leave_scope, &ticks);
    assert_tree("a 1/1 5 5\nb 1/1 5 5\n");
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    worker_do(&worker, leave_scope, &ticks); /* one too many */
    assert_int_equal(diagnostic_count("unbalanced"), 1);
    worker_end(&worker);
}

TEST(name_without_memory_has_no_site_and_has_one_later)
{
    char label[32];
    struct eprof_site *site, *known = eprof_site_for("known"), *found;
    int errno_after, count = 0;
    take_memory_away();
    do {
        snprintf(label, sizeof label, "name %d", count++);
        errno = 0;
        site = eprof_site_for(label);
        errno_after = errno;
    } while (site && count < 1000000);
    eprof_enter_site(site);
    eprof_leave();
    found = eprof_site_for("known");
    give_memory_back();
    if (site || errno_after != ENOMEM)
        fail_msg("name %d: site %p, errno %d", count, (void *)site, errno_after);
    assert_non_null(known);
    assert_ptr_equal(found, known);
    assert_non_null(eprof_site_for(label));
    assert_int_equal(diagnostic_count("unbalanced"), 0);
}

/* --------------------------------------------------------- the first call -- */

TEST_BETWEEN(first_call_without_memory_is_no_harm_and_a_later_one_begins, know_the_limit, NULL)
{
    take_memory_away();
    eprof_init();
    struct outcome alloc = OUTCOME(eprof_alloc("a"));
    struct outcome release = OUTCOME(eprof_release(0));
    struct outcome use = OUTCOME(eprof_source_use("clock_gettime"));
    struct outcome setup = OUTCOME(eprof_setup(""));
    errno = ENOTTY;
    eprof_start(0);
    eprof_stop(0);
    eprof_record(0, 1, 2);
    int errno_after = errno;
    eprof_free("a");
    eprof_enable(true);
    eprof_thread_enable(true);
    eprof_thread_enter("name");
    eprof_thread_exit();
    eprof_reset();
    eprof_print();
    eprof_ns(eprof_now());
    bool has_name = eprof_source_name() != NULL;
    give_memory_back();

    assert_no_memory(alloc);
    assert_int_equal(release.result, -1);
    assert_no_memory(use);
    assert_no_memory(setup);
    assert_int_equal(errno_after, ENOTTY);
    assert_true(has_name);

    hand_clock_begin(state);
    assert_int_equal(eprof_alloc("a"), 0);
    pair_of(0, 10);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
}
TEST_AGAIN(first_call_without_memory_is_no_harm_and_a_later_one_begins, limit_the_address_space,
           NULL)

/* As under ulimit -v: the library cannot reserve the address space that it asks for first. */
TEST_BETWEEN(address_space_may_be_small, NULL, NULL)
{
    const struct rlimit small = {64 << 20, 64 << 20};
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    hand_clock_begin(state);
    int id = eprof_alloc("a");
    pair_of(id, 10);
    assert_row("a", "calls 1, timed 1, errors 0, open 0, total 10");
    assert_diagnostics("");
}

/* --------------------------------------------------------------- reports -- */

TEST(report_without_memory_is_enomem_and_loses_nothing)
{
    char buffer[16];
    for (int i = 0; i < INSTANCES; i++)
        pair_of(eprof_alloc("a"), 10);
    FILE *out = fmemopen(buffer, sizeof buffer, "w");
    take_memory_away();
    struct outcome report = OUTCOME(eprof_report(out, "csv"));
    errno = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    int error = errno;
    give_memory_back();
    fclose(out);
    assert_no_memory(report);
    assert_null(snapshot);
    assert_int_equal(error, ENOMEM);
    assert_int_equal(calls_of_all(), INSTANCES);
}

TEST(source_and_setup_without_memory_are_enomem)
{
    enum { BYTES = 1 << 20 }; /* more than malloc has in reserve */
    struct eprof_source source = {.size = sizeof source, .now = hand_clock_now};
    char *name = malloc(BYTES);
    memset(name, ',', BYTES - 1);
    name[BYTES - 1] = '\0';
    source.name = name;
    take_memory_away();
    struct outcome add = OUTCOME(eprof_source_add(&source));
    struct outcome setup = OUTCOME(eprof_setup(name));
    give_memory_back();
    assert_no_memory(add);
    assert_no_memory(setup);
    assert_int_equal(eprof_source_add(&source), 0);
    assert_int_equal(eprof_setup(name), 0); /* empty items */
    free(name);
}

#endif

int main(void)
{
    return tests_run_each_alone("out_of_memory", begin, NULL);
}
