/*
 * Code that records while its thread ends, before or after the library is informed of the end:
 * destructors of keys that are older or younger than the library's own, and of C++ objects.
 */
#include "sanitizer.h"
#include "scope_row.h"
#include "thread_clock.h"
#include "thread_object.h"
#include "threads.h"

#include <limits.h>

/* The C library calls destructors of keys in the order in which the keys were made, and before them
 * those of objects. */
enum { OLDER = 1, YOUNGER = 2, OBJECT = 4, ALL = OLDER | YOUNGER | OBJECT };

enum way { RECORDS, RECORDS_NAMED, EXITS, ENTERS_ONLY, DOES_NOTHING, WAYS };

struct end {
    int recorders; /* of the above */
    enum way way;  /* what the thread itself does */
    int rounds;    /* that keys ask for */
};

enum { THREADS = 3, TICKS = 7 };

static pthread_key_t older_key, younger_key;
static int instance;

/* A call of each kind. */
static void record(void)
{
    eprof_start(instance);
    thread_ticks += TICKS;
    eprof_stop(instance);
    EPROF_BLOCK("scope") thread_ticks += TICKS;
    eprof_hold();
    EPROF_BLOCK("held") thread_ticks += TICKS;
    eprof_keep(true);
    eprof_hold();
    EPROF_BLOCK("dropped") thread_ticks += TICKS;
    eprof_keep(false);
}

static void record_again(pthread_key_t key, void *rounds)
{
    uintptr_t left = (uintptr_t)rounds - 1;
    record();
    if (left)
        pthread_setspecific(key, (void *)left);
}

static void end_older(void *rounds)
{
    record_again(older_key, rounds);
}

static void end_younger(void *rounds)
{
    record_again(younger_key, rounds);
}

static void live(void *argument)
{
    const struct end *end = argument;
    void *rounds = (void *)(uintptr_t)end->rounds;
    if (end->recorders & OBJECT)
        thread_object_make(record);
    if (end->recorders & OLDER)
        pthread_setspecific(older_key, rounds);
    if (end->recorders & YOUNGER)
        pthread_setspecific(younger_key, rounds);
    if (end->way == RECORDS_NAMED || end->way == ENTERS_ONLY)
        eprof_thread_enter("worker");
    if (end->way < ENTERS_ONLY)
        record();
    if (end->way == EXITS)
        eprof_thread_exit();
}

static uint64_t records_of(const struct end *end)
{
    uint64_t keys = !!(end->recorders & OLDER) + !!(end->recorders & YOUNGER);
    uint64_t objects = !!(end->recorders & OBJECT);
    return keys * (uint64_t)end->rounds + objects + (end->way < ENTERS_ONLY);
}

static void assert_calls(struct eprof_row row, const char *name, const struct end *end)
{
    uint64_t calls = THREADS * records_of(end);
    if (row.calls != calls || row.timed != calls || row.total_ns != calls * TICKS || row.open ||
        row.errors)
        fail_msg("%s: %d calls, %d ns; and not %d, recorders %d, way %d, rounds %d", name,
                 (int)row.calls, (int)row.total_ns, (int)calls, end->recorders, (int)end->way,
                 end->rounds);
}

static void assert_exact(struct end end)
{
    struct eprof_row row;
    eprof_reset();
    for (int i = 0; i < THREADS; i++)
        on_a_thread(live, &end);
    take_rows(eprof_snapshot_take, "instance", "work", "*", &row);
    assert_calls(row, "instance", &end);
    assert_calls(scope_row("scope"), "scope", &end);
    assert_calls(scope_row("held"), "held", &end);
    assert_int_equal(scope_row("dropped").calls, 0);
    assert_int_equal(count_rows("diagnostic"), 0);
    /* each thread, also one that has begun again after its end, has left its record to the next of
     * its name; except in the last round, after which the C library calls no destructor */
    if (end.rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
        assert_in_range(count_thread_rows("work", NULL), records_of(&end) != 0, 2);
}

/* This key is made before all others, and before the library has made its own. */
static void make_older_key(void)
{
    if (pthread_key_create(&older_key, end_older) != 0)
        abort();
}

static void begin(void)
{
    thread_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    assert_int_equal(pthread_key_create(&younger_key, end_younger), 0);
}

TEST(destructors_in_every_order_are_counted)
{
    for (int recorders = 0; recorders <= ALL; recorders++)
        for (enum way way = 0; way < WAYS; way++)
            assert_exact((struct end){recorders, way, 1});
}

/* After the last round but one the thread sanitizer has no thread any more. */
enum { ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS - (THREAD_SANITIZER ? 2 : 0) };

TEST(destructors_that_ask_to_be_called_again_are_counted)
{
    for (int recorders = 0; recorders <= ALL; recorders++)
        for (enum way way = 0; way < WAYS; way++)
            for (int rounds = 2; rounds <= ROUNDS; rounds++)
                assert_exact((struct end){recorders, way, rounds});
}

int main(void)
{
    make_older_key();
    begin();
    return tests_run("thread_keys", NULL, NULL);
}
