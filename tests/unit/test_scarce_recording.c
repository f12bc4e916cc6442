/*
 * What is recorded while memory is refused: a call is counted, or counted as trouble.
 *
 * Each time a process of its own begins, so that what is asked for once is refused as well.
 */
#include "scarce.h"

#include <eprof.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sanitizer.h"
#include "function.h"
#include "module_names.h"
#include "process.h"
#include "random.h"
#include "rows.h"

/* ---- the program ---- */

enum { INSTANCES = 5, LABELS = 90, FUNCTIONS = 520 };

enum kind { OF_INSTANCE, OF_TREE, KINDS }; /* of functions, too, "(other)" is a scope */

struct outcome {
    long requests;
    int snapshot_error;      /* 0: it was had, with memory */
    bool is_deaf;            /* there was no image to count in, until there was memory */
    uint64_t made[KINDS];    /* calls that the program made */
    uint64_t counted[KINDS]; /* those of its rows */
    uint64_t trouble;        /* of all kinds */
    uint64_t later;          /* how many of two further calls were counted */
    uint64_t probe_milliticks;
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
    scarce_forget_places(); /* what follows is of other kinds */
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
        if (strcmp(row.kind, "trouble") == 0)
            outcome->trouble += row.calls;
        else
            outcome->counted[strcmp(row.kind, "instance") == 0 ? OF_INSTANCE : OF_TREE] +=
                row.calls;
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
    eprof_thread_enter(twice); /* what both recorded is this thread's from now on */
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
    snprintf(text, sizeof text,
             "instances %llu of %llu, tree %llu of %llu, trouble %llu, later %llu, snapshot: %s",
             (unsigned long long)of->counted[OF_INSTANCE],
             (unsigned long long)of->made[OF_INSTANCE], (unsigned long long)of->counted[OF_TREE],
             (unsigned long long)of->made[OF_TREE], (unsigned long long)of->trouble,
             (unsigned long long)of->later, strerror(of->snapshot_error));
    return text;
}

static void assert_all_told(long refused, bool and_later)
{
    uint64_t missing = 0;
    bool is_more = false;
    for (int kind = 0; kind < KINDS; kind++) {
        is_more |= outcome->counted[kind] > outcome->made[kind];
        missing += outcome->made[kind] - outcome->counted[kind];
    }
    bool is_told = missing <= outcome->trouble || outcome->is_deaf;
    if (is_more || !is_told || outcome->snapshot_error || outcome->later != 2)
        fail_msg("request %ld%s: %s", refused, and_later ? " and later ones" : "",
                 text_of(outcome));
}

/* Where a process takes seconds, one of so many, from a random first one on; elsewhere each. */
enum { STEP = VALGRIND || EMULATED ? 16 : 1 };

static void call_is_counted_or_told_as_trouble(void **state)
{
    (void)state;
    run(-1, false);
    assert_all_told(-1, false);
    assert_int_equal(outcome->trouble, 0);
    long requests = outcome->requests;
    assert_in_range(requests, 20, 1000);
    for (long i = (long)(random_next() % STEP); i < requests; i += STEP)
        for (int and_later = 0; and_later < 2; and_later++) {
            run(i, and_later);
            assert_all_told(i, and_later);
        }
}

/* ---- the probe ---- */

/* So many functions that there is room for no other one: nor for those that are measured. */
static void fill_functions(void)
{
    uintptr_t named = (uintptr_t)fill_functions;
    eprof_function_enter(AT(named), AT(0x901), AT(0x9000), AT(named + 1));
    eprof_function_leave(AT(named), AT(0x901), AT(0x9000), AT(named + 1));
    outcome->made[OF_TREE] = 1;
    const struct ep_function_table *table = ep_process.functions;
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

static void probe_of_functions_is_measured_when_there_is_room_for_them(void **state)
{
    (void)state;
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

static int begin(void **state)
{
    (void)state;
    scarce.is_thinned = true;
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return outcome == MAP_FAILED ? -1 : 0;
}

int main(void)
{
    random_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(call_is_counted_or_told_as_trouble, begin),
        cmocka_unit_test_setup(probe_of_functions_is_measured_when_there_is_room_for_them, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
