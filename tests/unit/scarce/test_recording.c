/*
 * Recording while requests for memory fail: each call is counted, either as a call or as a
 * diagnostic
 *
 * Each attempt runs in a new process, so that requests made only once per process fail, too.
 */
#include "scarce.h"

#include <eprof.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand_clock.h"
#include "instrument/function_table.h"
#include "instrument/module.h"
#include "record/process.h"
#include "rows.h"
#include "sanitizer.h"
#include "support/random.h"

/* ---- the program ---- */

enum { INSTANCES = 5, LABELS = 90, FUNCTIONS = 520 };

enum kind { OF_INSTANCE, OF_TREE, KINDS }; /* of functions, too, "(other)" is a scope */

struct outcome {
    long requests;
    int snapshot_error;      /* 0: the snapshot was taken, with memory */
    bool is_deaf;            /* without memory there was no image to count in */
    uint64_t made[KINDS];    /* calls that the program made */
    uint64_t counted[KINDS]; /* ended calls in the rows of the snapshot */
    uint64_t diagnostics;    /* of all kinds */
    uint64_t later;          /* how many of two further calls were counted */
    uint64_t probe_milliticks;
    uint64_t unpaired, wrong; /* rows with a start without its end; with the time of another */
};

static struct outcome *outcome; /* shared with the child that fills it */

static void measure(int id)
{
    eprof_start(id);
    eprof_stop(id);
    outcome->made[OF_INSTANCE]++;
}

static void use_instances(void)
{
    int ids[INSTANCES] = {0};
    for (int i = 0; i < INSTANCES; i++) {
        ids[i] = eprof_alloc("instance");
        measure(ids[i]);
    }
    uint64_t now = eprof_now();
    eprof_record(ids[0], now, now);
    outcome->made[OF_INSTANCE]++;
    eprof_hold();
    measure(ids[1]);
    eprof_start(ids[2]); /* it is open when its hold ends */
    eprof_hold();
    measure(ids[2]);
    eprof_keep(true);
    eprof_keep(true);
    eprof_stop(ids[2]);
    outcome->made[OF_INSTANCE]++;
}

static void use_scopes(void)
{
    static char labels[LABELS][12];
    for (int i = 0; i < LABELS; i++) {
        snprintf(labels[i], sizeof labels[i], "scope %d", i);
        eprof_enter(labels[i]);
        outcome->made[OF_TREE]++;
    }
    for (int i = 0; i < LABELS; i++)
        eprof_leave();
    scarce_forget_places(); /* the requests below are of other kinds */
    eprof_hold();
    for (int i = 0; i < 2; i++) {
        EPROF_SCOPE("in a hold");
        outcome->made[OF_TREE]++;
    }
    eprof_enter("open when its hold ends");
    outcome->made[OF_TREE]++;
    scarce_forget_places();
    eprof_keep(true);
    eprof_leave();
    for (int i = 0; i < 2; i++) {
        EPROF_SLOW("slow", 0);
        EPROF_SCOPE("in slow");
        outcome->made[OF_TREE] += 2;
    }
}

#define AT(number) ((void *)(uintptr_t)(number))

static void call(int number)
{
    uintptr_t function = 0x1000 + 0x10 * (uintptr_t)number;
    eprof_function_enter(AT(function), AT(0x901), AT(0x9000), AT(function + 1));
    eprof_function_leave(AT(function), AT(0x901), AT(0x9000), AT(function + 1));
    outcome->made[OF_TREE]++;
}

/* One has a name, for which it is asked. */
static void use_functions(void)
{
    for (int i = 0; i < FUNCTIONS; i++)
        call(i);
    uintptr_t named = (uintptr_t)use_functions;
    eprof_function_enter(AT(named), AT(0x901), AT(0x9000), AT(named + 1));
    eprof_function_leave(AT(named), AT(0x901), AT(0x9000), AT(named + 1));
    outcome->made[OF_TREE]++;
    ep_module_names_find();
}

static void *use_all(void *name)
{
    if (name) {
        eprof_thread_enter(name);
        EPROF_SCOPE("of these alone");
        outcome->made[OF_TREE]++;
    }
    use_instances();
    use_scopes();
    use_functions();
    return NULL;
}

/* ---- its figures ---- */

static void add_up(void)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    outcome->snapshot_error = snapshot ? 0 : errno;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "diagnostic") == 0)
            outcome->diagnostics += row.calls;
        else if (strcmp(row.kind, "instance") == 0)
            outcome->counted[OF_INSTANCE] += row.calls;
        else
            outcome->counted[OF_TREE] += row.calls - row.open; /* a budget counts open calls */
    }
    eprof_snapshot_free(snapshot);
}

static uint64_t count_later(void)
{
    struct eprof_row row;
    int id = eprof_alloc("later");
    for (int i = 0; i < 2; i++) {
        eprof_start(id);
        eprof_stop(id);
    }
    take_rows(eprof_snapshot_take, "instance", "later", NULL, &row);
    return row.calls;
}

static void run_program(void)
{
    pthread_t thread;
    static char twice[] = "twice";
    scarce.requests = 0;
    use_all(NULL);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, use_all, twice);
        pthread_join(thread, NULL);
    }
    scarce_forget_places();
    eprof_thread_enter(twice); /* the calls of both belong to this thread from now on */
    outcome->requests = scarce.requests;
    outcome->is_deaf = !ep_process_is_ready();
    scarce.refused = -1;
    add_up();
    outcome->later = count_later();
}

/* ---- the tests ---- */

static void run_in_child(void (*act)(void), const char *what)
{
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0) {
        alarm(TAKES_LONG ? 600 : 60);
        act();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
        fail_msg("%s: ended with %#x", what, (unsigned)status);
}

static void run(long refused, bool and_later)
{
    char what[64];
    memset(outcome, 0, sizeof *outcome);
    scarce.refused = refused;
    scarce.and_later = and_later;
    snprintf(what, sizeof what, "request %ld%s", refused, and_later ? " and later ones" : "");
    run_in_child(run_program, what);
}

static const char *text_of(const struct outcome *of)
{
    static char text[256];
    snprintf(
        text, sizeof text,
        "instances %llu of %llu, tree %llu of %llu, diagnostics %llu, later %llu, snapshot: %s",
        (unsigned long long)of->counted[OF_INSTANCE], (unsigned long long)of->made[OF_INSTANCE],
        (unsigned long long)of->counted[OF_TREE], (unsigned long long)of->made[OF_TREE],
        (unsigned long long)of->diagnostics, (unsigned long long)of->later,
        strerror(of->snapshot_error));
    return text;
}

static void assert_all_reported(long refused, bool and_later)
{
    uint64_t missing = 0;
    bool is_more = false;
    for (int kind = 0; kind < KINDS; kind++) {
        is_more |= outcome->counted[kind] > outcome->made[kind];
        missing += outcome->made[kind] - outcome->counted[kind];
    }
    bool is_reported = missing <= outcome->diagnostics || outcome->is_deaf;
    if (is_more || !is_reported || outcome->snapshot_error || outcome->later != 2)
        fail_msg("request %ld%s: %s", refused, and_later ? " and later ones" : "",
                 text_of(outcome));
}

/* Where a process takes long, one request in STEP, from a random first one on; elsewhere each. */
enum { STEP = VALGRIND || EMULATED ? 16 : TAKES_LONG || ADDRESS_SANITIZER ? 4 : 1 };

TEST(call_is_counted_or_reported_in_diagnostics)
{
    run(-1, false);
    assert_all_reported(-1, false);
    assert_int_equal(outcome->diagnostics, 0);
    long requests = outcome->requests;
    assert_in_range(requests, 20, 1000);
    for (long i = (long)(random_next() % STEP); i < requests; i += STEP)
        for (int and_later = 0; and_later < 2; and_later++) {
            run(i, and_later);
            assert_all_reported(i, and_later);
        }
}

/* ---- pairs ---- */

enum { NESTED_LABELS = 100, HELD_LABELS = 10 };

/* Of scopes by hand, with some of macros among them, each of which is entered once. */
static struct {
    uint64_t total_ns[NESTED_LABELS + HELD_LABELS];
    char label[NESTED_LABELS + HELD_LABELS][12];
    int entered;
    uint32_t random;
} nesting;

static uint32_t draw(uint32_t below)
{
    nesting.random = nesting.random * 1664525 + 1013904223;
    return (nesting.random >> 16) % below;
}

static void enter_some(int depth);

static void enter_one(int depth)
{
    int own = nesting.entered++;
    uint64_t begin = hand_ticks;
    eprof_enter(nesting.label[own]);
    hand_ticks += 1 + draw(9);
    if (draw(3) == 0)
        EPROF_BLOCK("block") enter_some(depth + 1);
    else
        enter_some(depth + 1);
    eprof_leave();
    nesting.total_ns[own] = hand_ticks - begin;
    hand_ticks += draw(9);
}

static void enter_some(int depth)
{
    uint32_t count = draw(4);
    for (uint32_t i = 0; i < count && depth < 100; i++)
        if (nesting.entered < NESTED_LABELS)
            enter_one(depth);
}

/* Holds end in the order in which they began, whichever of them could be had. */
static void hold_some(int depth)
{
    eprof_hold();
    if (depth)
        hold_some(depth - 1);
    eprof_enter(nesting.label[nesting.entered++]);
    eprof_leave();
    eprof_keep(true);
}

static void check_nesting(const eprof_snapshot *snapshot)
{
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        int number = strncmp(row.name, "scope ", 6) == 0 ? atoi(row.name + 6) : -1;
        bool is_own = number < 0 || !row.calls || row.total_ns == nesting.total_ns[number];
        bool is_unpaired = strcmp(row.name, "unbalanced") == 0 ||
                           strcmp(row.name, "forced_closes") == 0 ||
                           strcmp(row.name, "unmatched_keeps") == 0;
        outcome->unpaired += is_unpaired || row.open;
        outcome->wrong += !is_own;
    }
}

static long refused_in_nesting;

static void run_nesting(void)
{
    for (int i = 0; i < NESTED_LABELS + HELD_LABELS; i++)
        snprintf(nesting.label[i], sizeof nesting.label[i], "scope %d", i);
    nesting.random = 19;
    long refused = scarce.refused;
    scarce.refused = -1;
    hand_clock_use();
    scarce.requests = 0;
    scarce.refused = refused;
    while (nesting.entered < NESTED_LABELS - 10)
        enter_some(0);
    memset(&nesting.total_ns[nesting.entered], 0, sizeof nesting.total_ns[0] * HELD_LABELS);
    hold_some(3);
    outcome->requests = scarce.requests;
    scarce.refused = -1;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    check_nesting(snapshot);
    eprof_snapshot_free(snapshot);
}

TEST(leave_ends_its_own_enter_after_any_refusal)
{
    scarce.refused = -1;
    memset(outcome, 0, sizeof *outcome);
    run_in_child(run_nesting, "nesting");
    long requests = outcome->requests;
    assert_in_range(requests, 10, 5000);
    assert_int_equal(outcome->unpaired + outcome->wrong, 0);
    refused_in_nesting = (long)(random_next() % STEP);
    for (; refused_in_nesting < requests; refused_in_nesting += STEP)
        for (int and_later = 0; and_later < 2; and_later++) {
            scarce.refused = refused_in_nesting;
            scarce.and_later = and_later;
            memset(outcome, 0, sizeof *outcome);
            run_in_child(run_nesting, "nesting");
            if (outcome->unpaired || outcome->wrong)
                fail_msg("request %ld%s: %llu unpaired, %llu with another's time",
                         refused_in_nesting, and_later ? " and later ones" : "",
                         (unsigned long long)outcome->unpaired, (unsigned long long)outcome->wrong);
        }
    scarce.refused = -1;
}

/* ---- the probe ---- */

/* So many functions that there is room for no other one: nor for those that are measured. */
static void fill_functions(void)
{
    uintptr_t named = (uintptr_t)fill_functions;
    eprof_function_enter(AT(named), AT(0x901), AT(0x9000), AT(named + 1));
    eprof_function_leave(AT(named), AT(0x901), AT(0x9000), AT(named + 1));
    outcome->made[OF_TREE] = 1;
    const struct ep_function_table *table = ep_function_table;
    for (int i = 0; 2 * (table->count + 1) <= table->mask; i++)
        call(i);
}

static long refused_in_snapshot;

static void report_without_room_for_a_function(void)
{
    const struct ep_function_probe_cell *probe;
    fill_functions();
    probe = &ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    long begin = scarce.requests;
    scarce.refused = begin + refused_in_snapshot;
    eprof_snapshot_free(eprof_snapshot_take());
    scarce.refused = -1;
    outcome->requests = scarce.requests - begin;
    add_up();
    outcome->later = probe->is_known;
    outcome->probe_milliticks = probe->pair_milliticks;
}

TEST(probe_of_functions_is_measured_when_there_is_room_for_them)
{
    refused_in_snapshot = 0;
    do {
        memset(outcome, 0, sizeof *outcome);
        run_in_child(report_without_room_for_a_function, "the probe");
        assert_int_equal(outcome->counted[OF_TREE], outcome->made[OF_TREE]);
        assert_int_equal(outcome->later, 1);
        assert_int_not_equal(outcome->probe_milliticks, 0);
    } while (++refused_in_snapshot < outcome->requests);
    assert_in_range(refused_in_snapshot, 3, 1000);
}

/* ---- calls that are lost inside a call of the same function ---- */

enum { RECURSIONS = 200 };

/* In a frame of its own, called by an instruction of its own. */
static void recurse(int depth, void (*hook)(void *, void *, void *, void *))
{
    uintptr_t frame = 0x9000 - 0x10 * (uintptr_t)depth, caller = 0x901 + (uintptr_t)depth;
    hook(AT(0x1000), AT(caller), AT(frame), AT(0x1001));
}

static void leave_lost_calls(void)
{
    int deepest = RECURSIONS;
    for (int depth = 0; depth < RECURSIONS; depth++) {
        if (depth == RECURSIONS / 2) { /* after this there may be room for some more */
            scarce.is_sampled = false;
            scarce.refused = scarce.requests;
            scarce.and_later = true;
        }
        recurse(depth, eprof_function_enter);
    }
    scarce.refused = -1;
    /* the calls that were lost; and of one that was not, which is in its frame */
    while (outcome->counted[OF_TREE] == 0 && deepest > 0) {
        recurse(--deepest, eprof_function_leave);
        outcome->diagnostics = 0;
        add_up();
    }
    outcome->later = (uint64_t)(RECURSIONS - 1 - deepest);
    while (deepest > 0)
        recurse(--deepest, eprof_function_leave);
    outcome->diagnostics = 0;
    outcome->counted[OF_TREE] = 0;
    add_up();
}

/* A function may be left in another frame than it was entered in, but not where it is open and a
 * call inside was lost. */
TEST(exit_of_a_call_that_was_lost_leaves_those_around_it_open)
{
    memset(outcome, 0, sizeof *outcome);
    run_in_child(leave_lost_calls, "recursion");
    assert_in_range(outcome->later, 1, RECURSIONS / 2);
    assert_int_equal(outcome->counted[OF_TREE], RECURSIONS - outcome->later);
    assert_true(outcome->diagnostics >= outcome->later);
}

static int begin(void **state)
{
    (void)state;
    scarce.is_sampled = true;
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return outcome == MAP_FAILED ? -1 : 0;
}

TEST_EACH(begin, NULL)
