/*
 * Processor time and waiting. Both clocks are moved by hand: one for all threads, and the processor
 * time of each thread.
 */
#include "calls.h"
#include "child.h"
#include "refused_call.h"
#include "rows.h"
#include "threads.h"

#include <inttypes.h>
#include <time.h>

#include "record/cpu.h"
#include "record/light.h"
#include "record/process_life.h"

static _Thread_local uint64_t cpu_ticks;
static uint64_t readings;
static uint64_t reading_ns; /* what one takes */

static uint64_t cpu_now(void *context)
{
    (void)context;
    readings++;
    hand_ticks += reading_ns;
    return cpu_ticks;
}

static const struct ep_source hand_cpu = {.now = cpu_now, .mask = UINT64_MAX};

static void compute(uint64_t ns)
{
    hand_ticks += ns;
    cpu_ticks += ns;
}

static int switch_on(void)
{
    if (ep_process_lock() != 0)
        return -1;
    ep_cpu_set(&hand_cpu);
    ep_process_unlock();
    return 0;
}

static int begin(void **state)
{
    hand_clock_begin(state);
    return switch_on();
}

static struct eprof_row row_of(const char *name)
{
    struct eprof_row row;
    size_t count = take_rows(eprof_snapshot_take, NULL, name, "*", &row);
    if (count != 1)
        fail_msg("%zu rows of %s", count, name);
    return row;
}

static void assert_cpu(const char *name, uint64_t cpu_ns, uint64_t wait_ns)
{
    struct eprof_row row = row_of(name);
    if (row.cpu_ns != cpu_ns || row.wait_ns != wait_ns)
        fail_msg("%s: %" PRIu64 " ns on a processor and %" PRIu64 " waiting, not %" PRIu64
                 " and %" PRIu64,
                 name, row.cpu_ns, row.wait_ns, cpu_ns, wait_ns);
}

static void assert_unknown(const char *name)
{
    assert_cpu(name, EPROF_UNKNOWN, EPROF_UNKNOWN);
}

static void work(const char *name, uint64_t cpu_ns, uint64_t wait_ns)
{
    eprof_enter(name);
    compute(cpu_ns);
    pass(wait_ns);
    eprof_leave();
}

static void work_between(int id, uint64_t cpu_ns, uint64_t wait_ns)
{
    eprof_start(id);
    compute(cpu_ns);
    pass(wait_ns);
    eprof_stop(id);
}

/* ---- before it is switched on ---- */

static int instance;

TEST_BETWEEN(cpu_is_unknown_unless_asked_for, hand_clock_begin, NULL)
{
    work("unasked", 10, 20);
    assert_unknown("unasked");
    assert_int_equal(readings, 0);
}

/* A call that represents others begins by its edge, without a cell (record/light_timed.c). */
struct switching {
    struct eprof_row row;
    uint64_t by_edge, by_edge_before; /* calls in all, and until the switch */
    uint64_t readings_of_it;          /* by the call in which it was switched on */
};

static bool is_timed_by_edge(void)
{
    return eprof_hot.top->cell == EP_LIGHT_TIMED;
}

static void switching_scope(struct switching *seen, bool is_to_switch)
{
    EPROF_SCOPE("switching");
    compute(3);
    pass(4);
    seen->by_edge += is_timed_by_edge();
    if (is_to_switch && is_timed_by_edge() && !ep_cpu_is_on()) {
        seen->by_edge_before = seen->by_edge;
        switch_on();
    }
}

static void switch_in_a_timed_call(void *to)
{
    struct switching *seen = to;
    eprof_setup("budget=1/4");
    for (int i = 0; i < 400; i++) {
        uint64_t before = readings;
        bool was_on = ep_cpu_is_on();
        switching_scope(seen, i >= 200);
        if (ep_cpu_is_on() && !was_on)
            seen->readings_of_it = readings - before;
    }
    eprof_setup("budget=off");
    take_rows(eprof_snapshot_take, NULL, "switching", "*", &seen->row);
}

TEST_BETWEEN(cpu_that_is_switched_on_in_a_call_timed_by_its_edge, hand_clock_begin, NULL)
{
    struct switching seen = {.by_edge = 0};
    child_do(fork, switch_in_a_timed_call, &seen, sizeof seen);
#ifdef EPROF_IS_INLINE
    assert_in_range(seen.by_edge, 40, 60);
    assert_int_equal(seen.by_edge, seen.by_edge_before); /* none after the switch */
    assert_in_range(seen.readings_of_it, 0, 1);
    assert_int_equal(seen.row.cpu_ns, EPROF_UNKNOWN);
    assert_int_equal(seen.row.wait_ns, EPROF_UNKNOWN);
#endif
    assert_int_equal(seen.row.calls, 400);
    assert_int_equal(seen.row.timed, 100);
    assert_int_equal(seen.row.total_ns, 400 * 7);
}

TEST_BETWEEN(cpu_is_unknown_of_rows_with_calls_from_before, hand_clock_begin, NULL)
{
    instance = eprof_alloc("instance");
    pair_of(instance, 10);
    eprof_enter("around");
    work("before", 10, 20);
    switch_on();
    work("before", 10, 20);
    work("after", 10, 20);
    pair_of(instance, 10);
    assert_unknown("around"); /* open */
    eprof_leave();
    assert_unknown("around");
    assert_unknown("before");
    assert_unknown("instance");
    assert_cpu("after", 10, 20);
    eprof_reset();
    work("before", 1, 2);
    work_between(instance, 3, 4);
    assert_cpu("before", 1, 2);
    assert_cpu("instance", 3, 4);
}

/* ---- scopes ---- */

TEST_BETWEEN(cpu_and_waiting_add_up_to_the_total, begin, NULL)
{
    work("scope", 10, 20);
    work("scope", 1, 3);
    assert_cpu("scope", 11, 23);
    assert_int_equal(row_of("scope").total_ns, 34);
    assert_int_equal(row_of("scope").estimated, 0);
}

TEST_BETWEEN(cpu_is_of_each_call_path, begin, NULL)
{
    eprof_enter("outer");
    work("inner", 5, 1);
    compute(2);
    eprof_leave();
    work("alone", 0, 9);
    assert_cpu("outer", 7, 1);
    assert_cpu("inner", 5, 1);
    assert_cpu("alone", 0, 9);
}

static void macro(uint64_t cpu_ns, uint64_t wait_ns)
{
    EPROF_SCOPE("macro");
    compute(cpu_ns);
    pass(wait_ns);
}

TEST_BETWEEN(cpu_of_scopes_by_macros, begin, NULL)
{
    for (int i = 0; i < 10; i++)
        macro(3, 4);
    assert_cpu("macro", 30, 40);
}

static void recurse(int depth)
{
    EPROF_SCOPE("recursive");
    compute(3);
    pass(1);
    if (depth > 0)
        recurse(depth - 1);
}

TEST_BETWEEN(cpu_of_recursion_counts_once, begin, NULL)
{
    recurse(9);
    assert_cpu("recursive", 30, 10);
    assert_int_equal(row_of("recursive").calls, 10);
}

TEST_BETWEEN(cpu_is_read_twice_in_an_outermost_call, begin, NULL)
{
    macro(1, 1);
    uint64_t before = readings;
    macro(1, 1);
    assert_int_equal(readings - before, 2);
    recurse(0);
    before = readings;
    recurse(9);
    assert_int_equal(readings - before, 2);
}

TEST_BETWEEN(cpu_is_not_more_than_the_total, begin, NULL)
{
    eprof_enter("scope");
    cpu_ticks += 50; /* of a reading, say */
    pass(20);
    eprof_leave();
    assert_cpu("scope", 20, 0);
}

TEST_BETWEEN(cpu_of_an_open_scope_is_that_so_far, begin, NULL)
{
    work("open", 10, 20);
    eprof_enter("open");
    compute(7);
    pass(2);
    assert_cpu("open", 17, 22);
    eprof_leave();
    assert_cpu("open", 17, 22);
}

static void assert_in_csv(const char *format, const char *figures)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    eprof_report(out, format);
    fclose(out);
    if (!strstr(text, figures))
        fail_msg("%s has not %s: %s", format, figures, text);
    free(text);
}

TEST_BETWEEN(cpu_is_in_ticks_if_asked_for, begin, NULL)
{
    clock_take("two ticks a ns", hand_clock_now, 2000000000);
    switch_on();
    eprof_enter("scope");
    pass(40);
    cpu_ticks += 5; /* ns */
    eprof_leave();
    assert_in_csv("csv", ",5,15,ns,,,,,,,\n");
    assert_in_csv("csv:ticks", ",10,30,ticks,,,,,,,\n");
}

/* ---- sums ---- */

static uint64_t random_below(uint64_t end)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % end;
}

/* No name is inside itself: the calls of an indirect recursion count in two children. */
static void grow(int depth)
{
    static const char *const names[][3] = {
        {"a", "b", "c"}, {"d", "e", "f"}, {"g", "h", "i"}, {"j", "k", "l"}};
    eprof_enter(names[depth][random_below(3)]);
    compute(random_below(50));
    for (uint64_t calls = depth ? random_below(4) : 0; calls > 0; calls--) {
        grow(depth - 1);
        pass(random_below(20));
    }
    eprof_leave();
}

/* The row whose path is that of `row` without its last name; NULL: it is a root. */
static struct eprof_row *parent_of(struct eprof_row *rows, size_t count,
                                   const struct eprof_row *row)
{
    const char *end = strrchr(row->path, ';');
    for (size_t i = 0; end && i < count; i++)
        if (strlen(rows[i].path) == (size_t)(end - row->path) &&
            strncmp(rows[i].path, row->path, (size_t)(end - row->path)) == 0)
            return &rows[i];
    return NULL;
}

/* Where each call is timed, what is left of a parent's processor time is its own. */
TEST_BETWEEN(cpu_of_parents_is_not_less_than_that_of_their_children, begin, NULL)
{
    enum { MOST = 400 };
    static struct eprof_row rows[MOST];
    uint64_t inside_ns[MOST] = {0}, roots_ns = 0, own_ns = 0;
    cpu_ticks = 0;
    for (int i = 0; i < 40; i++)
        grow(3);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    size_t count = eprof_snapshot_rows(snapshot);
    assert_in_range(count, 20, MOST);
    for (size_t i = 0; i < count; i++) {
        rows[i].size = sizeof rows[i];
        assert_int_equal(eprof_snapshot_row(snapshot, i, &rows[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *parent = parent_of(rows, count, &rows[i]);
        *(parent ? &inside_ns[parent - rows] : &roots_ns) += rows[i].cpu_ns;
    }
    for (size_t i = 0; i < count; i++) {
        if (inside_ns[i] > rows[i].cpu_ns)
            fail_msg("%s: %" PRIu64 " ns, its children %" PRIu64, rows[i].path, rows[i].cpu_ns,
                     inside_ns[i]);
        own_ns += rows[i].cpu_ns - inside_ns[i];
    }
    eprof_snapshot_free(snapshot);
    assert_int_equal(own_ns, roots_ns);
    assert_int_equal(roots_ns, cpu_ticks);
}

/* ---- sampled ---- */

TEST_BETWEEN(cpu_of_sampled_calls_is_that_of_all, begin, NULL)
{
    eprof_setup("budget=1/64");
    for (int i = 0; i < 6400; i++)
        macro(3, 4);
    eprof_setup("budget=off");
    assert_int_equal(row_of("macro").timed, 100);
    assert_cpu("macro", 3 * 6400, 4 * 6400);
}

TEST_BETWEEN(cpu_of_a_part_of_a_block_is_scaled, begin, NULL)
{
    eprof_setup("budget=1/4");
    for (int i = 0; i < 403; i++)
        macro(3, 4);
    eprof_setup("budget=off");
    assert_cpu("macro", 3 * 403, 4 * 403);
}

/* The value of a counter, a duration in ns. */
static uint64_t scraped(const char *counter)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    eprof_report(out, "openmetrics");
    fclose(out);
    const char *line = strstr(text, counter);
    if (!line)
        fail_msg("no %s in %s", counter, text);
    unsigned long long whole = 0, ns = 0;
    bool is_duration = sscanf(strchr(line, ' '), " %llu.%llu", &whole, &ns) == 2;
    free(text);
    return is_duration ? whole * 1000000000 + ns : whole;
}

#define MACRO "{kind=\"scope\",name=\"macro\",path=\"macro\"}"

TEST_BETWEEN(cpu_counters_of_sampled_calls_are_those_of_the_timed_ones, begin, NULL)
{
    eprof_setup("budget=1/64");
    for (int i = 0; i < 1000; i++) {
        macro(3, 4);
        uint64_t count = scraped("eprof_scope_seconds_count" MACRO);
        if (count == 0) /* then there is no processor time either */
            continue;
        assert_int_equal(scraped("eprof_scope_cpu_seconds_total" MACRO), 3 * count);
        assert_int_equal(scraped("eprof_scope_wait_seconds_total" MACRO), 4 * count);
    }
    eprof_setup("budget=off");
}

/* An estimate for all calls would fall after short ones. */
TEST_BETWEEN(cpu_counters_never_fall_while_calls_are_sampled, begin, NULL)
{
    uint64_t cpu_ns = 0, wait_ns = 0;
    eprof_setup("budget=1/8");
    for (unsigned i = 1; i < 2000; i++) {
        macro(i % 7 ? 1 : 5000, i % 11 ? 2 : 7000);
        if (i < 8 || i % 5) /* the first 8 are a block, of which one is timed */
            continue;
        uint64_t cpu_before_ns = cpu_ns, wait_before_ns = wait_ns;
        cpu_ns = scraped("eprof_scope_cpu_seconds_total" MACRO);
        wait_ns = scraped("eprof_scope_wait_seconds_total" MACRO);
        if (cpu_ns < cpu_before_ns || wait_ns < wait_before_ns)
            fail_msg("%u calls: cpu %" PRIu64 ", %" PRIu64 " before; wait %" PRIu64 ", %" PRIu64, i,
                     cpu_ns, cpu_before_ns, wait_ns, wait_before_ns);
    }
    eprof_setup("budget=off");
    assert_in_range(cpu_ns, 285 * 1000, 285 * 12000); /* of 285 long calls some 36 are timed */
}

TEST_BETWEEN(cpu_is_not_read_in_untimed_calls, begin, NULL)
{
    eprof_setup("budget=1/64");
    macro(1, 1);
    uint64_t before = readings;
    for (int i = 0; i < 6400; i++)
        macro(1, 1);
    uint64_t read = readings - before;
    eprof_setup("budget=off");
    assert_in_range(read, 2 * 99, 2 * 101);
}

struct spending {
    uint64_t passed_ns, read_ns;
};

/* The hand clock passes for a source of the library: the calls of others are all timed. */
static void spend(void *to)
{
    struct spending *seen = to;
    ((struct ep_source *)(uintptr_t)ep_process_source())->is_own = false;
    reading_ns = 1000;
    eprof_setup("budget=2");
    uint64_t begin_ns = hand_ticks, readings_before = readings;
    for (int i = 0; i < 1000000; i++)
        macro(100, 0);
    seen->passed_ns = hand_ticks - begin_ns;
    seen->read_ns = (readings - readings_before) * reading_ns;
}

/* 1 ms at first, and 8 calls of the path, each with two readings. */
TEST_BETWEEN(cpu_is_read_within_the_budget, begin, NULL)
{
    struct spending seen = {.passed_ns = 0};
    child_do(fork, spend, &seen, sizeof seen);
    uint64_t most_ns = seen.passed_ns / 50 + 1000000 + 8 * 2 * 1000;
    if (seen.read_ns < seen.passed_ns / 100 || seen.read_ns > most_ns)
        fail_msg("readings took %" PRIu64 " ns of %" PRIu64 ", at most %" PRIu64, seen.read_ns,
                 seen.passed_ns, most_ns);
}

/* ---- instances ---- */

TEST_BETWEEN(cpu_of_instances, begin, NULL)
{
    int id = eprof_alloc("instance");
    work_between(id, 10, 20);
    work_between(id, 1, 3);
    assert_cpu("instance", 11, 23);
}

TEST_BETWEEN(cpu_of_nested_pairs_counts_once, begin, NULL)
{
    int id = eprof_alloc("instance");
    eprof_start(id);
    work_between(id, 10, 20);
    compute(5);
    eprof_stop(id);
    assert_cpu("instance", 15, 20);
}

TEST_BETWEEN(cpu_of_an_instance_with_a_span_is_unknown, begin, NULL)
{
    int id = eprof_alloc("instance");
    work_between(id, 10, 20);
    eprof_record(id, eprof_now() - 5, eprof_now());
    assert_int_equal(row_of("instance").total_ns, 35);
    assert_unknown("instance");
}

TEST_BETWEEN(cpu_of_an_instance_is_forgotten_when_its_slot_is_used_again, begin, NULL)
{
    int id = eprof_alloc("first");
    work_between(id, 10, 20);
    eprof_release(id);
    id = eprof_alloc("second");
    work_between(id, 1, 2);
    assert_cpu("second", 1, 2);
}

/* ---- resets, holds, threads, children ---- */

TEST_BETWEEN(cpu_begins_anew_at_a_reset, begin, NULL)
{
    int id = eprof_alloc("instance");
    work("scope", 10, 20);
    work_between(id, 10, 20);
    eprof_reset();
    work("scope", 1, 2);
    work_between(id, 3, 4);
    assert_cpu("scope", 1, 2);
    assert_cpu("instance", 3, 4);
}

TEST_BETWEEN(cpu_of_a_hold_counts_if_it_is_kept, begin, NULL)
{
    int id = eprof_alloc("instance");
    work("scope", 10, 20);
    work_between(id, 10, 20);
    for (int keep = 0; keep < 2; keep++) {
        eprof_hold();
        work("scope", 1, 2);
        work_between(id, 3, 4);
        eprof_keep(keep);
    }
    assert_cpu("scope", 11, 22);
    assert_cpu("instance", 13, 24);
}

TEST_BETWEEN(cpu_of_holds_in_holds, begin, NULL)
{
    eprof_hold();
    work("scope", 1, 2);
    eprof_hold();
    work("scope", 3, 4);
    eprof_keep(true);
    eprof_hold();
    work("scope", 30, 40);
    eprof_keep(false);
    eprof_keep(true);
    assert_cpu("scope", 4, 6);
}

TEST_BETWEEN(cpu_of_a_scope_that_outlasts_its_hold, begin, NULL)
{
    int id = eprof_alloc("instance");
    eprof_hold();
    eprof_enter("scope");
    eprof_start(id);
    compute(1);
    pass(2);
    eprof_keep(true);
    compute(3);
    pass(4);
    eprof_stop(id);
    eprof_leave();
    assert_cpu("scope", 4, 6);
    assert_cpu("instance", 4, 6);
}

static void slow(uint64_t cpu_ns, uint64_t wait_ns)
{
    EPROF_SLOW("slow", 100);
    work("inside", cpu_ns, wait_ns);
}

TEST_BETWEEN(cpu_of_slow_calls, begin, NULL)
{
    slow(10, 20);
    slow(50, 70);
    assert_cpu("slow", 50, 70);
    assert_cpu("inside", 50, 70);
}

static void work_on_a_thread(void *id)
{
    cpu_ticks = 1000;
    eprof_thread_enter("worker");
    work("scope", 1, 2);
    work_between(*(int *)id, 3, 4);
}

TEST_BETWEEN(cpu_of_threads_that_end_one_after_another, begin, NULL)
{
    int id = eprof_alloc("instance");
    for (int i = 0; i < 5; i++)
        on_a_thread(work_on_a_thread, &id);
    assert_cpu("scope", 5, 10);
    assert_cpu("instance", 15, 20);
}

static pthread_barrier_t is_open, was_seen;

static void *stay_in_a_scope(void *unused)
{
    cpu_ticks = 1000;
    work("ended", 1, 2);
    eprof_enter("open");
    compute(3);
    pass(4);
    pthread_barrier_wait(&is_open);
    pthread_barrier_wait(&was_seen);
    eprof_leave();
    return unused;
}

/* A thread cannot read the processor time of another one: all time so far would be waiting. */
TEST_BETWEEN(cpu_of_a_scope_that_is_open_on_another_thread_is_unknown, begin, NULL)
{
    pthread_t thread;
    pthread_barrier_init(&is_open, NULL, 2);
    pthread_barrier_init(&was_seen, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, stay_in_a_scope, NULL), 0);
    pthread_barrier_wait(&is_open);
    assert_int_equal(row_of("open").total_ns, 7);
    assert_unknown("open");
    assert_cpu("ended", 1, 2);
    pthread_barrier_wait(&was_seen);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_cpu("open", 3, 4);
}

static void rename_and_work(void *id)
{
    work("scope", 10, 20);
    work_between(*(int *)id, 10, 20);
    eprof_thread_enter("worker"); /* joins the record of the ended one */
    work("scope", 1, 2);
}

TEST_BETWEEN(cpu_of_records_that_join, begin, NULL)
{
    int id = eprof_alloc("instance");
    on_a_thread(work_on_a_thread, &id);
    on_a_thread(rename_and_work, &id);
    assert_cpu("scope", 12, 24);
    assert_cpu("instance", 13, 24);
}

TEST_BETWEEN(cpu_of_a_call_from_before_a_reset_does_not_count, begin, NULL)
{
    eprof_enter("discarded");
    compute(3);
    eprof_reset();
    work("inside", 2, 3);
    eprof_leave();
    assert_cpu("inside", 2, 3);
}

static void work_in_a_child(void *seen)
{
    struct eprof_row row = {.calls = 0};
    cpu_ticks = 0; /* a child's processor time begins at 0 */
    work("scope", 1, 2);
    take_rows(eprof_snapshot_take, NULL, "scope", "*", &row);
    *(uint64_t *)seen = row.cpu_ns;
}

TEST_BETWEEN(cpu_of_a_forked_child_is_its_own, begin, NULL)
{
    uint64_t seen = 0;
    cpu_ticks = 1000;
    work("scope", 10, 20);
    eprof_enter("scope");
    child_do(fork, work_in_a_child, &seen, sizeof seen);
    eprof_leave();
    assert_int_equal(seen, 1);
    assert_cpu("scope", 10, 20);
}

/* ---- a system without the clock ---- */

enum { NOT_REFUSED = 1, REFUSED_BUT_SET, SAID_SO };

static void set_up_without_the_clock(void *seen)
{
    struct timespec now;
    *(int *)seen = NOT_REFUSED;
    if (refuse_call(SYS_clock_gettime, EINVAL) != 0 ||
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return;
    *(int *)seen = eprof_setup("cpu") == -1 && errno == EINVAL ? SAID_SO : REFUSED_BUT_SET;
}

TEST_BETWEEN(cpu_is_refused_without_its_clock, begin, NULL)
{
    int seen = 0;
    child_do(fork, set_up_without_the_clock, &seen, sizeof seen);
    if (seen == NOT_REFUSED)
        skip();
    assert_int_equal(seen, SAID_SO);
}
