/*
 * host_recording.c - the calls that record, and those that control it
 */
#include <eprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "host_expect.h"
#include "host_made.h"

/* More than fit into the first cells of a thread. */
enum { MANY = 100 };

static int allocate(int number)
{
    char label[32];
    snprintf(label, sizeof label, "instance %d", number);
    return host_allocate(label);
}

static void pair(int id)
{
    if (id < 0)
        return;
    eprof_start(id);
    eprof_stop(id);
    host_made.instances++;
}

static void enter_and_leave(const char *label)
{
    eprof_enter(label);
    eprof_leave();
    host_made.scopes++;
}

/* Calls before the library could be set up are not even counted as lost. */
static void begin(void)
{
    pair(allocate(0));
}

/* ---- instances and spans ---- */

static void instances(void)
{
    eprof_init();
    for (int i = 0; i < MANY; i++) {
        int id = allocate(i);
        pair(id);
        if (id >= 0 && i % 10 == 0 && EXPECT(eprof_release(id)) == 0)
            host_made.instances--;
    }
    int freed = host_allocate("freed");
    pair(freed);
    eprof_free("freed");
    host_made.instances -= freed >= 0;
}

static void spans(void)
{
    begin();
    uint64_t start = eprof_now();
    int id[MANY];
    for (int i = 0; i < MANY; i++)
        id[i] = allocate(i);
    uint64_t stop = eprof_now();
    eprof_ns(stop - start);
    for (int i = 0; i < MANY; i++) {
        if (id[i] < 0)
            continue;
        eprof_record(id[i], start, stop);
        host_made.instances++;
    }
}

/* ---- scopes ---- */

static void in_function(void)
{
    EPROF_FUNC;
    EPROF_SLOW("slow", 0);
    host_made.scopes += 2;
}

static void nested(int depth)
{
    char label[32];
    if (depth == 0)
        return;
    snprintf(label, sizeof label, "depth %d", depth);
    eprof_enter(label);
    nested(depth - 1);
    eprof_leave();
    host_made.scopes++;
}

static void scopes(void)
{
    begin();
    for (int i = 0; i < 3; i++) {
        EPROF_SCOPE("scope");
        EPROF_BLOCK("block")
        {
            in_function();
            host_made.scopes++;
        }
        host_made.scopes++;
    }
    nested(MANY);
    for (int i = 0; i < MANY; i++) {
        char label[32];
        snprintf(label, sizeof label, "scope %d", i);
        enter_and_leave(label);
    }
}

static void call_function(void *function)
{
    void *frame = __builtin_frame_address(0), *token = __builtin_return_address(0);
    eprof_function_enter(function, token, frame, token);
    eprof_function_leave(function, token, frame, token);
    host_made.functions++;
}

static void functions(void)
{
    void (*const some[])(void) = {instances, spans, scopes};
    begin();
    for (int i = 0; i < 6; i++) {
        void *address;
        memcpy(&address, &some[i % 3], sizeof address);
        call_function(address);
    }
    eprof_function_modules_changed();
    eprof_report(stdout, "no such format");
}

static void holds(void)
{
    begin();
    for (int i = 0; i < 4; i++) {
        eprof_hold();
        enter_and_leave("held");
        eprof_hold();
        nested(8);
        eprof_keep(true);
        eprof_keep(true);
    }
}

/* ---- control ---- */

static void control(void)
{
    begin();
    enter_and_leave("before");
    eprof_enable(false);
    eprof_enter("off");
    eprof_leave();
    eprof_enable(true);
    eprof_thread_enable(false);
    eprof_enter("off");
    eprof_leave();
    eprof_thread_enable(true);
    enter_and_leave("between");
    eprof_reset();
    host_forget_made();
    pair(allocate(1));
    enter_and_leave("behind");
}

static uint64_t count_up(void *counter)
{
    return ++*(uint64_t *)counter;
}

static void sources(void)
{
    static uint64_t counter;
    const struct eprof_source source = {.size = sizeof source,
                                        .name = "counted",
                                        .now = count_up,
                                        .ticks_per_second = 1000000000,
                                        .context = &counter};
    static const char *const names[] = {"counted", "clock_gettime", "gettimeofday",
                                        "thread_cputime", "auto"};
    bool is_added = EXPECT(eprof_source_add(&source)) == 0;
    for (size_t i = is_added ? 0 : 1; i < sizeof names / sizeof names[0]; i++) {
        if (EXPECT(eprof_source_use(names[i])) == 0)
            host_forget_made();
        if (!*eprof_source_name())
            EXPECT(-1);
        pair(allocate((int)i));
    }
    host_expect_setup(eprof_setup("source=gettimeofday,limit=1M,tree"));
    host_forget_made();
    eprof_reset();
    pair(allocate(0));
}

/* ---- threads ---- */

static void *work(void *name)
{
    eprof_thread_enter(name);
    for (int i = 0; i < 20; i++) {
        char label[32];
        snprintf(label, sizeof label, "work %d", i);
        enter_and_leave(label);
    }
    eprof_thread_enter(NULL);
    if (name)
        eprof_thread_exit();
    return NULL;
}

static void threads(void)
{
    static char one[] = "one", two[] = "two";
    char *const names[] = {one, NULL, two, one};
    begin();
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, names[i]) != 0)
            abort();
        pthread_join(thread, NULL);
    }
}

const struct host_chapter host_recording[] = {
    {"instances", instances, false}, {"spans", spans, false}, {"scopes", scopes, true},
    {"functions", functions, true},  {"holds", holds, false}, {"control", control, false},
    {"sources", sources, true}, /* by eprof_setup() */
    {"threads", threads, false},     {NULL, NULL, false}};
